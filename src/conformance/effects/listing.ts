import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { withArticle } from '../../specification/reading/article.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { difference } from '../alike.ts';
import { type Check, ifReached, type Statement } from '../check.ts';
import { touchedBy } from '../foresee/also.ts';
import { asKept, closed, doesJustThat, isTold, succeeded } from '../guards.ts';
import { identityOf } from '../item.ts';
import { list } from '../items.ts';
import { comparable, type Sight, sameSight, still } from '../lens.ts';
import { isShownAtAll } from '../limits/pace.ts';
import { listerOf } from '../lister.ts';
import { listUnder, partedBy } from '../lists/parted.ts';
import type { Item } from '../partly.ts';
import { create, perform, readBack, referring, underNew, withOthers } from '../perform.ts';
import { withBody } from '../request.ts';
import { showsItem } from '../shown-in.ts';
import { deed } from '../success.ts';
import { type Done, type Entry, operationFor, operationsFor, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { steady } from '../unrefused.ts';
import { all, known, type Truth, unseen, yes } from '../verdict.ts';

/** A request, with the list before and after it, and the item read again. */
export interface Lived extends Done {
  readonly before: readonly Entry[] | undefined;
  readonly after: readonly Entry[] | undefined;
  /** The item as read afterwards; undefined where no operation reads it. */
  readonly back: Done | undefined;
  /** All that was answered of the item: to the request, and to each operation that reads it. */
  readonly told: readonly Done[];
  /** The lists of the resources that what follows it may touch. */
  readonly around: ReadonlyMap<string, Around>;
}

/** A list before and after; undefined where it cannot be seen. */
export interface Around {
  readonly before: readonly Entry[] | undefined;
  readonly after: readonly Entry[] | undefined;
  /** The items under which it was looked at, where no list is of all. */
  readonly near: readonly Item[];
}

export const noIdentifier = 'no identifier could be learned: nothing shows it, or gives it away';

/**
 * Looks at the lists, acts, looks again, and reads the item that it was about.
 *
 * @param near the items that it is about, or made under: what is listed by these alone is looked at there
 */
export async function live(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  act: () => Promise<Done>,
  near: readonly Item[] = [],
): Promise<Lived> {
  const names = [...new Set([resource.name, ...touchedBy(trial.of, operation)])];
  const before = await lists(trial, names, near);
  const done = await act();
  const after = await lists(trial, names, near);
  const { item } = done;
  const back = item ? await ifReached(() => readBack(trial, item)) : undefined;
  const others = operationsFor(trial.of, resource, 'read').slice(1);
  const told = [done, ...(back ? [back] : [])];
  for (const reader of item ? others : [])
    told.push((await ifReached(() => perform(trial, reader, { item: item as Item }))) ?? done);
  const around = new Map(
    names.map((name) => [name, { before: before.get(name), after: after.get(name), near }]),
  );
  return { ...done, before: before.get(resource.name), after: after.get(resource.name), back, told, around };
}

/** The same of a new item: what it refers to, and is made under, is there before anything is looked at. */
export async function liveNew(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  body: Json | undefined,
): Promise<Lived> {
  const members = await referring(trial, operation, body);
  const under = await underNew(trial, operation, undefined);
  const { others } = await withOthers(trial, operation, {
    ...withBody(members),
    ...(under && { others: under }),
  });
  const act = () => create(trial, operation, members, { ...(others && { others }), stays: true });
  return await live(trial, resource, operation, act, [...(others?.values() ?? [])]);
}

async function lists(trial: Trial, names: readonly string[], near: readonly Item[]) {
  const found = new Map<string, readonly Entry[] | undefined>();
  for (const name of names) {
    const resource = trial.of.resourcesByName.get(name);
    if (resource) found.set(name, await ifReached(() => looked(trial, resource, near)));
  }
  return found;
}

async function looked(trial: Trial, resource: Resource, near: readonly Item[]) {
  const parted = listerOf(trial, resource) ? null : partedBy(trial, resource);
  return parted ? await listUnder(trial, parted, near) : (await list(trial, resource)).entries;
}

/** The operation that lists all items of a resource, or each of them under what it refers to. */
function listerFor(trial: Trial, resource: Resource): Operation | null {
  return listerOf(trial, resource) ?? partedBy(trial, resource)?.operation ?? null;
}

/** Whether every entry tells its identifier. */
export function isIdentified(listing: readonly Entry[]): boolean {
  return listing.every(({ item }) => identityOf(item) !== undefined);
}

/** The entries that are this item: by its identifier, or, where a list does not tell it, by what is shown. */
export function entriesOf(listing: readonly Entry[], of: Item | null, sight: Sight): readonly Entry[] {
  const identity = of && identityOf(of);
  if (identity && isIdentified(listing)) return listing.filter(({ item }) => identityOf(item) === identity);
  return listing.filter((entry) => sameSight(entry, sight));
}

/** Whether entries can be told apart, so that one can be followed from list to list. */
export function followed(...listings: readonly (readonly Entry[] | undefined)[]): Truth {
  return listings.every((listing) => listing && isIdentified(listing)) ? yes : unseen(noIdentifier);
}

/** Whether the list can be held against what was done: it was seen, and nothing may still leave items out of it. */
export function listTells(
  trial: Trial,
  resource: Resource,
  listing: readonly Entry[] | null | undefined,
): Truth {
  const lister = listerFor(trial, resource);
  if (lister === null || !listing) return unseen(`nothing lists every ${resource.name}`);
  return all(closed(trial.of, lister.address), steady(trial.of, resource));
}

/** The statement that the list rests on; that of the operation where nothing lists. */
export function listStatement(trial: Trial, resource: Resource, operation: Operation): Statement {
  return deed(listerFor(trial, resource) ?? operation);
}

/** Whether any operation does this to a resource: what none does is seen by nobody, and no check of its own. */
export function isDoneBy({ of }: Trial, resource: Resource, verb: string): boolean {
  return of.operations.some((one) => one.subject === resource && stated(one.does)?.verb === verb);
}

/** What an operation made or changed is in the list once, as its answer showed it. */
export function isListed(trial: Trial, operation: Operation, resource: Resource): Check<Lived>[] {
  if (!isDoneBy(trial, resource, 'list') || !showsItem(trial, operation, resource)) return [];
  const isNew = stated(operation.does)?.verb === 'create';
  const check: Check<Lived> = {
    name: 'effect.listed',
    says: `what ${operation.key} answers is in the list, once`,
    cites: listStatement(trial, resource, operation),
    guard: (seen) =>
      all(
        succeeded(seen.exchange, operation),
        seen.shown === undefined ? unseen('the answer shows no item') : yes,
        listTells(trial, resource, seen.after),
        isNew ? yes : followed(seen.after),
        asKept(trial.of, resource),
      ),
    claim: ({ after = [], before = [], item, shown, lens }) => {
      const found = entriesOf(after, item, { shown, lens });
      // Where entries tell no identifier, equal ones that were there before are not it.
      const earlier = isNew ? entriesOf(before, item, { shown, lens }).length : 0;
      const [entry] = found;
      const isIt = entry !== undefined && sameSight(entry, { shown, lens });
      return {
        truth: known(found.length - earlier === 1 && isIt),
        expected: `once: ${shownAs(shown)}`,
        found: `${found.length - earlier} times in a list of ${after.length}${entry ? `: ${shownAs(entry.shown)}` : ''}`,
      };
    },
  };
  return [check];
}

/** The others in the list are as they were. */
export function leavesOthers(trial: Trial, operation: Operation, resource: Resource): Check<Lived>[] {
  if (!isDoneBy(trial, resource, 'list')) return [];
  const alsoTouches = touchedBy(trial.of, operation).includes(resource.name);
  const others = (listing: readonly Entry[] | undefined, { item, ...sight }: Lived): readonly Json[] => {
    const own = entriesOf(listing ?? [], item, sight);
    return (listing ?? []).filter((entry) => !own.includes(entry)).map((entry) => still(entry));
  };
  const check: Check<Lived> = {
    name: 'effect.others',
    says: `${operation.key} leaves every other ${resource.name} as it is`,
    cites: deed(operation),
    guard: (seen) =>
      all(
        known(!alsoTouches, `what follows it may touch others`),
        succeeded(seen.exchange, operation),
        seen.item && identityOf(seen.item) ? yes : unseen(noIdentifier),
        listTells(trial, resource, seen.before && seen.after),
        followed(seen.before, seen.after),
        doesJustThat(trial.of, operation),
      ),
    claim: (seen) => {
      const were = others(seen.before, seen);
      const { gone, come } = difference(were, others(seen.after, seen));
      const isSame = gone.length === 0 && come.length === 0;
      return {
        truth: isSame && were.length === 0 ? unseen('there is no other') : known(isSame),
        expected: 'the others as they were',
        found: isSame ? 'so' : `gone: ${shownAs(gone)}; new: ${shownAs(come)}`,
      };
    },
  };
  return [check];
}

/** What was answered is what is read afterwards. */
export function readsTheSame(trial: Trial, operation: Operation, resource: Resource): Check<Lived>[] {
  if (!isDoneBy(trial, resource, 'read') || !showsItem(trial, operation, resource)) return [];
  const reader = operationFor(trial.of, resource, 'read');
  const check: Check<Lived> = {
    name: 'effect.read',
    says: `what ${operation.key} answers is what ${reader?.key ?? 'nothing'} shows afterwards`,
    cites: deed(reader ?? operation),
    guard: ({ exchange, shown, lens, back }) =>
      all(
        succeeded(exchange, operation),
        shown === undefined || back === undefined
          ? unseen(`${noIdentifier}, or nothing reads ${withArticle(resource.name)}`)
          : all(isTold(back.answer), comparable({ shown, lens }, back)),
        reader && back ? isShownAtAll(trial.of, reader, back.exchange) : yes,
        reader ? doesJustThat(trial.of, reader) : yes,
        steady(trial.of, resource),
        asKept(trial.of, resource),
      ),
    claim: ({ shown, lens, back }) => ({
      truth: known(back !== undefined && sameSight({ shown, lens }, back)),
      expected: shownAs(shown),
      found: shownAs(back?.shown ?? back?.exchange.response?.body),
    }),
  };
  return [check];
}
