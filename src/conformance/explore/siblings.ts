import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';

/** By each text that is one of few that a field may hold, the others: of a list of values, or of states. */
export type Siblings = ReadonlyMap<string, readonly string[]>;

export const siblingsIn = once(({ resourcesByName, states }: Specification): Siblings => {
  const machines = [...(stated(states)?.values() ?? [])].map((said) => {
    const machine = stated(said);
    return machine ? (stated(machine.states) ?? []).map(({ text }) => text) : [];
  });
  const enums = [...resourcesByName.values()]
    .flatMap(({ fields }) => [...fields.values()])
    .map(({ shape }) => (schemaOf(shape).enum ?? []) as readonly Json[]);
  const found = new Map<string, Set<string>>();
  for (const list of [...machines, ...enums]) {
    const texts = list.filter((value) => typeof value === 'string');
    for (const text of texts)
      found.set(text, new Set([...(found.get(text) ?? []), ...texts.filter((other) => other !== text)]));
  }
  return new Map([...found].map(([text, others]) => [text, [...others]]));
});
