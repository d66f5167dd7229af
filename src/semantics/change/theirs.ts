import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { attempt, type Truth } from '../value/truth.ts';
import { type Item, NotComputable, Unknown, unknown } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import { type Refusal, refusal } from './refusal.ts';

/**
 * Whether a change of every item concerns what others made: then it may be refused for their sake.
 *
 * @param admits whether `where` and the rule admit an item
 */
export function concernsTheirs(
  { name }: Resource,
  admits: (item: Item) => Truth,
  { world }: Moment,
): boolean {
  const item = world.theirs(name);
  const isAdmitted = item ? attempt(() => admits(item)) : false;
  if (isAdmitted instanceof Unknown && isAdmitted.mayFail && world.decide(isAdmitted))
    throw new NotComputable();
  return isAdmitted !== false;
}

/** What may refuse to delete items of which nothing is known: they may be referred to, or be guarded. */
export function refusalsOfTheirs(resource: Resource, { world }: Moment): readonly Refusal[] {
  const { guarded, referred, isOpen } = obstaclesOf(resource, world.specification);
  if (isOpen && world.decide(unknown([]))) return world.leave(unknown([]));
  const guards = guarded.map((name) => refusal('guard refused', `${name}.delete`));
  const uses = referred.map((name) => refusal('in use', name));
  const refusing = [...guards, ...uses].find(() => world.decide(unknown([])));
  return refusing ? [refusing] : [];
}

/** The resources of which items may be in the way if an item is deleted with all that goes with it. */
interface Obstacles {
  /** Those whose items are guarded. */
  readonly guarded: readonly string[];
  /** Those whose items may be referred to with `ifDeleted: refuse`. */
  readonly referred: readonly string[];
  /** Whether it is open somewhere what becomes of items that refer to a deleted one. */
  readonly isOpen: boolean;
}

const obstaclesOf = once((resource: Resource, { resourcesByName }: Specification): Obstacles => {
  const fields = [...resourcesByName.values()].flatMap((of) =>
    [...of.fields.values()].map((field) => ({ of, field, to: stated(field.refers)?.resource })),
  );
  const reached = new Set([resource]);
  for (const each of reached)
    for (const { of, field, to } of fields)
      if (to === each.name && stated(field.ifDeleted) === 'delete') reached.add(of);
  const referring = fields.filter(({ to }) => [...reached].some(({ name }) => name === to));
  const refusing = referring.filter(({ field }) => stated(field.ifDeleted) === 'refuse');
  return {
    guarded: [...reached]
      .filter(({ guards }) => stated(stated(guards)?.delete) !== undefined)
      .map(({ name }) => name),
    referred: [...new Set(refusing.map(({ to }) => to as string))],
    isOpen: referring.some(({ field }) => stated(field.ifDeleted) === undefined),
  };
});
