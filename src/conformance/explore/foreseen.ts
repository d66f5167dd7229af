import { equal } from '../../semantics/value/compare.ts';
import { Ending, Item, type Value } from '../../semantics/value/value.ts';
import { Moment } from '../../semantics/world/moment.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import { Ways } from '../../semantics/world/ways.ts';
import { itemOf, type World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import { machinesOf, transitionsIn } from '../../specification/model/machine.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Decision } from './candidate.ts';

/** Of more items than this, it is not worked out what is decided of them. */
const mostItems = 8;

/**
 * What is decided of some items, and of those that they refer to, once somebody looks at them or a transition is tried: what
 * their derived fields and the guards of their transitions compare.
 */
export function foreseen(items: readonly Stored[], world: World): readonly Decision[] {
  const decisions: Decision[] = [];
  const moment = watching(world, decisions);
  for (const stored of withReferred(items, world).slice(0, mostItems))
    for (const template of decidingIn(world.specification).get(stored.resource) ?? [])
      evaluate(template, stored, moment);
  return decisions;
}

/** How two expressions decide of an item, each in the place of the other. */
export interface Decided {
  /** Whether they come to something else; false, where that is not known. */
  readonly isApart: boolean;
  /** What the first one compares. */
  readonly decisions: readonly Decision[];
}

/** What two expressions about an item come to, each in place of the other. */
export function decidedOf(
  template: PlacedTemplate,
  other: PlacedTemplate,
  stored: Stored,
  world: World,
): Decided {
  const decisions: Decision[] = [];
  const value = evaluate(template, stored, watching(world, decisions));
  const instead = evaluate(other, stored, watching(world, []));
  const isSame = value === undefined || instead === undefined || equal(value, instead);
  return { isApart: isSame === false, decisions };
}

/** @param decisions where each one is noted */
function watching(world: World, decisions: Decision[]): Moment {
  const own = world.fork(new Ways());
  own.watched = [];
  own.observer = {
    reads: () => undefined,
    decides: (by, outcome, operands) => void decisions.push({ by, outcome, operands }),
  };
  const now = new Date(Math.round(world.received.at.most)).toISOString();
  return new Moment(own, { actor: null, now });
}

/** Undefined: it cannot be computed. */
function evaluate(template: PlacedTemplate, stored: Stored, moment: Moment): Value | undefined {
  const resource = moment.world.specification.resourcesByName.get(stored.resource);
  if (resource === undefined) return undefined;
  try {
    return moment.value(template, { this: itemOf(stored, resource) });
  } catch (error) {
    if (error instanceof Ending) return undefined;
    throw error;
  }
}

function withReferred(items: readonly Stored[], world: World): readonly Stored[] {
  const referred = items.flatMap(({ members }) =>
    [...members.values()].flatMap((value) => (value instanceof Item ? (world.stored(value) ?? []) : [])),
  );
  return [...new Set([...items, ...referred])];
}

/** By resource, the expressions that decide something of its items: derived fields, and the guards of transitions. */
const decidingIn = once(
  (specification: Specification): ReadonlyMap<string, readonly PlacedTemplate[]> =>
    new Map(
      [...specification.resourcesByName].map(([name, { fields }]) => {
        const guards = [...machinesOf(specification, name).values()].flatMap((machine) =>
          [...transitionsIn(machine).values()].flatMap(({ when }) => stated(when) ?? []),
        );
        return [name, [...[...fields.values()].flatMap(({ derived }) => stated(derived) ?? []), ...guards]];
      }),
    ),
);
