import { checkEntry, nameAt } from '../names.ts';
import type { Machine } from '../parts/states.ts';
import { type Reading, unknownName } from '../reading.ts';
import { stated } from '../said.ts';
import type { Validate } from '../typing.ts';

/** What part 3 says of itself and of part 2 (language §3). */
export const validate: Validate = (of, _typing, reading) => {
  for (const [name, said] of stated(of.states) ?? []) {
    checkEntry(of, name.split('.')[0] as string, nameAt(of, said), 'a resource', reading);
    const machine = stated(said);
    if (machine) states(machine, reading);
  }
};

/** The states that a machine moves between are those that it lists (language §3.1). */
function states(machine: Machine, reading: Reading): void {
  const known = stated(machine.states)?.map((one) => one.text);
  if (known === undefined) return;
  const moves = [...(stated(machine.transitions)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
  const named = [
    ...moves.flatMap((move) => [...(stated(move.from) ?? []), ...[stated(move.to) ?? []].flat()]),
    ...(stated(machine.final) ?? []),
  ];
  for (const one of named)
    if (!known.includes(one.text)) unknownName(one.text, one.at, 'a state', known, reading);
  const initial = stated(machine.initial);
  if (initial?.template.kind !== 'literal') return;
  const first = String(initial.template.value);
  if (!known.includes(first)) unknownName(first, initial.node.span, 'a state', known, reading);
}
