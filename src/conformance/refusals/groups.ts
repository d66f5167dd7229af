import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { difference } from '../alike.ts';
import type { Result, Scenario } from '../check.ts';
import { touchedBy } from '../foresee/also.ts';

/** What is kept, as far as it is shown; undefined where nothing shows it. */
export type Kept = readonly Json[] | undefined;

/** What is looked at before refusals and after them. */
export interface Watching {
  /** Tells it from other looks. */
  readonly name: string;
  /** The resources that bear on what is seen. */
  readonly resources: readonly string[];
  readonly look: () => Promise<Kept>;
}

/** A refusal of which is not judged yet whether it changed anything. */
interface Held {
  readonly scenario: Scenario;
  /** The judgement where what is kept is as it was before. */
  readonly unchanged: () => Promise<Result[]>;
}

/** Refusals between which nothing else was sent that may change what is kept. */
export interface Group extends Watching {
  readonly before: Kept;
  readonly held: Held[];
}

/** Refusals that are judged together: whether one of them changed anything. */
export interface Groups {
  readonly open: Group[];
  /** Those after which all was as before, and the others. */
  readonly unchanged: Held[];
  readonly changed: Held[];
  /** What is sent now for a group, and ends none: requests to this operation; null: any, to look at what is kept. */
  within: Operation | null | undefined;
}

/** How many refusals are judged together at the most: as many are sent again where one of them changed something. */
export const most = 12;

export function groups(): Groups {
  return { open: [], unchanged: [], changed: [], within: undefined };
}

/** The group that a refusal is to be sent in, with what was kept before its first. */
export async function groupOf(groups: Groups, watching: Watching): Promise<Group> {
  const found = groups.open.find(({ name }) => name === watching.name);
  if (found) return found;
  const group = { ...watching, before: await watching.look(), held: [] };
  groups.open.push(group);
  return group;
}

/** Leaves it to the end of its group to judge a refusal; where that ended before it was sent, it is sent again. */
export function held(groups: Groups, group: Group, one: Held): void {
  (groups.open.includes(group) ? group.held : groups.changed).push(one);
}

/** Sends what belongs to a group, or looks at it: of that nothing ends one. */
export async function within<T>(
  groups: Groups,
  operation: Operation | null,
  act: () => Promise<T>,
): Promise<T> {
  const outer = groups.within;
  groups.within = operation;
  try {
    return await act();
  } finally {
    groups.within = outer;
  }
}

/**
 * Ends the groups of which is kept what a request may change that is about to be sent.
 *
 * @param operation what is asked for; left out: it may change anything
 */
export async function ended(groups: Groups, of: Specification, operation?: Operation): Promise<void> {
  if (groups.within === null || groups.open.length === 0) return;
  if (operation && groups.within === operation) return;
  const changed = operation && [operation.subject?.name, ...touchedBy(of, operation)];
  const isNear = ({ resources }: Group): boolean =>
    changed === undefined || resources.some((one) => changed.includes(one));
  const ending = groups.open.filter(isNear);
  groups.open.splice(0, groups.open.length, ...groups.open.filter((one) => !isNear(one)));
  for (const group of ending)
    if (group.held.length > 0)
      ((await isUnchanged(groups, group)) ? groups.unchanged : groups.changed).push(...group.held);
}

async function isUnchanged(groups: Groups, { before = [], look }: Group): Promise<boolean> {
  const after = await within(groups, null, look);
  if (after === undefined) return false;
  const { gone, come } = difference(before, after);
  return gone.length === 0 && come.length === 0;
}

/** The refusals that are not judged yet, and changed nothing that was seen. */
export function heldOf({ open, unchanged }: Groups): readonly Held[] {
  return [...open.flatMap(({ held }) => held), ...unchanged];
}
