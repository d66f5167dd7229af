import type { Syntax } from '../../expression/expression.ts';
import { children } from '../../expression/expression.ts';
import { once } from '../../source/once.ts';
import type { Placed } from '../reading/reading.ts';
import { type Said, stated } from '../reading/said.ts';
import type { PlacedTemplate } from '../reading/templates.ts';
import type { Machine, Transition } from '../vocabulary/parts/states.ts';
import type { Specification } from './specification.ts';

const byResource = once((states: Specification['states']) =>
  Map.groupBy(stated(states) ?? [], ([key]) => key.split('.')[0] ?? ''),
);

/** What is stated of the machines of a resource, each by its key, such as `Task.state`. */
export function machinesStated(
  { states }: Pick<Specification, 'states'>,
  resource: string,
): readonly (readonly [key: string, Said<Machine>])[] {
  return byResource(states).get(resource) ?? [];
}

/** The machines of a resource that are read, by the field that each moves. */
export const machinesOf = once(
  (of: Specification, resource: string): ReadonlyMap<string, Machine> =>
    new Map(
      machinesStated(of, resource).flatMap(([key, said]): [string, Machine][] => {
        const machine = stated(said);
        return machine ? [[key.slice(resource.length + 1), machine]] : [];
      }),
    ),
);

/** The transitions of a machine that are read, by name. */
export function transitionsIn(machine: Machine): ReadonlyMap<string, Transition> {
  const found = [...(stated(machine.transitions) ?? [])].flatMap(([name, said]) => {
    const move = stated(said);
    return move ? [[name, move] as const] : [];
  });
  return new Map(found);
}

/** The states in which a new item may be; undefined where that cannot be told before it runs. */
export function initialStates({ initial }: Machine): readonly string[] | undefined {
  const said = stated(initial);
  if (said === undefined) return undefined;
  if (said.template.kind === 'literal') return [String(said.template.value)];
  return said.template.kind === 'expression' ? texts(said.template.expression.syntax) : undefined;
}

/** The texts that an expression chooses between; undefined where it is more than a choice. */
function texts(syntax: Syntax): readonly string[] | undefined {
  if (syntax.op === 'value') return typeof syntax.args === 'string' ? [syntax.args] : undefined;
  if (syntax.op !== '?:') return undefined;
  const [, ...choices] = children(syntax).map(texts);
  return choices.includes(undefined) ? undefined : choices.flatMap((choice) => choice ?? []);
}

/** Whether every transition that is listed says between which states it leads: one that is open may reach any. */
export function isWhole(machine: Machine): boolean {
  return [...(stated(machine.transitions)?.values() ?? [])].every((said) => {
    const move = stated(said);
    if (move === undefined) return said.kind === 'none';
    return move.from.kind === 'stated' && (move.to.kind === 'stated' || move.to.kind === 'none');
  });
}

/** The states that an item may come to be in. */
export function reachable(machine: Machine, from: readonly string[]): ReadonlySet<string> {
  const found = new Set(from);
  const moves = [...transitionsIn(machine).values()];
  for (let grown = true; grown; ) {
    grown = false;
    for (const move of moves) {
      const to = stated(move.to)?.text;
      if (to === undefined || found.has(to)) continue;
      if (!(stated(move.from) ?? []).some((state) => found.has(state.text))) continue;
      found.add(to);
      grown = true;
    }
  }
  return found;
}

/** The transitions that lead out of a state, those that end the item's life among them. */
export function waysOut(machine: Machine, state: string): readonly Transition[] {
  return [...transitionsIn(machine).values()].filter((move) =>
    (stated(move.from) ?? []).some((one) => one.text === state),
  );
}

/** The first that stands twice in a list of names. */
export function twiceIn(
  names: readonly Placed[],
): { readonly first: Placed; readonly second: Placed } | undefined {
  const seen = new Map<string, Placed>();
  for (const name of names) {
    const first = seen.get(name.text);
    if (first) return { first, second: name };
    seen.set(name.text, name);
  }
  return undefined;
}

/** Whether a transition happens by itself (language §3.3). */
export function isTimed({ after, at }: { after: Said<unknown>; at: Said<PlacedTemplate> }): boolean {
  return after.kind === 'stated' || at.kind === 'stated';
}
