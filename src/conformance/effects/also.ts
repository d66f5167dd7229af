import { equal } from '../../expression/functions.ts';
import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Check } from '../check.ts';
import {
  type Also,
  alsoAny,
  alsoOf,
  doesAsFollowing,
  type Effect,
  type Following,
  follow,
  namesAfter,
  touchedBy,
} from '../foresee/also.ts';
import { foresee } from '../foresee/foresee.ts';
import { doesJustThat, succeeded } from '../guards.ts';
import { identityOf } from '../item.ts';
import { still } from '../lens.ts';
import { listerOf } from '../lister.ts';
import { partedBy } from '../lists/parted.ts';
import type { Item } from '../partly.ts';
import type { Move } from '../states/machines.ts';
import { before, deed } from '../success.ts';
import type { Entry, Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { steady } from '../unrefused.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { followed, type Lived } from './listing.ts';
import { differing } from './sights.ts';

const foreseen = new WeakMap<Lived, Following>();

/** What should follow a request that was carried out, from the lists as they were before. */
export function following(trial: Trial, seen: Lived): Following {
  const found = foreseen.get(seen) ?? work(trial, seen);
  foreseen.set(seen, found);
  return found;
}

function work({ of }: Trial, seen: Lived): Following {
  const { operation, around, item } = seen;
  const names = before(seen);
  const main = foresee(of, operation, names);
  // Of a new item the identifier is known from its answer alone.
  const after = main.outcome === 'created' ? item : main.after;
  const kept = (name: string): readonly Item[] | undefined => {
    const entries = around.get(name)?.before;
    const items = entries?.map((one) => one.item);
    if (name !== operation.subject?.name || !items || !item) return items;
    const others = items.filter((one) => identityOf(one) !== identityOf(item));
    return after ? [...others, after] : others;
  };
  return follow(
    of,
    [...doesAsFollowing(operation), ...alsoOf(operation, main.moves)],
    namesAfter(operation, names, { ...main, after }),
    kept,
  );
}

/** What else a request does is seen through other endpoints, and nothing else is (language §H.2, `also`). */
export function alsoDone(
  trial: Trial,
  operation: Operation,
  says: string,
  moves: readonly Move[],
): Check<Lived>[] {
  const touched = touchedBy(trial.of, operation);
  return [
    ...alsoAny(trial.of, operation, moves).map((one) => isDone(trial, operation, says, one)),
    ...touched.map((name) => nothingElse(trial, operation, says, name)),
  ];
}

export function isDone(trial: Trial, operation: Operation, says: string, one: Also): Check<Lived> {
  const { verb, subject } = one.change;
  const what = `${verb}${subject.kind === 'every' ? ' every' : ''} ${subject.name ?? 'what it names'}`;
  const own = (seen: Lived): readonly Effect[] => following(trial, seen).done.get(one) ?? [];
  return {
    name: 'also',
    says: `${says} does this, too: ${what}`,
    cites: { address: one.address, at: one.at },
    guard: (seen) => {
      const { unknown } = following(trial, seen);
      const names = [...new Set(own(seen).map(({ resource }) => resource))];
      return all(
        succeeded(seen.exchange, operation),
        unknown.has(subject.name ?? '') ? unseen('what it comes to cannot be told from outside') : yes,
        known(own(seen).length > 0, 'it is not to be carried out there, or on nothing'),
        ...names.map((name) => listsTold(trial, seen, name)),
        own(seen).every((effect) => isNear(trial, seen, effect))
          ? yes
          : unseen('what it is under was not looked at'),
      );
    },
    claim: (seen) => {
      const matched = match(trial, seen);
      const missed = own(seen).find((effect) => !matched.has(effect));
      return {
        truth: known(missed === undefined),
        expected: missed ? described(missed) : 'so',
        found: missed ? nearest(seen, missed) : 'so',
      };
    },
  };
}

/** No other item of a resource is made, changed or removed. */
export function nothingElse(trial: Trial, operation: Operation, says: string, name: string): Check<Lived> {
  return {
    name: 'also.else',
    says: `${says} does nothing else to any ${name}`,
    cites: deed(operation),
    guard: (seen) =>
      all(
        succeeded(seen.exchange, operation),
        following(trial, seen).unknown.has(name)
          ? unseen('what it comes to cannot be told from outside')
          : yes,
        listsTold(trial, seen, name),
        doesJustThat(trial.of, operation),
      ),
    claim: (seen) => {
      const { before: was = [], after: is = [] } = seen.around.get(name) ?? {};
      const matched = new Set(match(trial, seen).values());
      const { effects } = following(trial, seen);
      const meant = [
        ...effects.flatMap((one) => one.before ?? []),
        ...(name === operation.subject?.name && seen.item ? [seen.item] : []),
      ].map(identityOf);
      const left = (entries: readonly Entry[]) =>
        entries.filter((one) => !matched.has(one) && !meant.includes(identityOf(one.item)));
      const [olds, news] = [left(was), left(is)];
      const isLeft = (one: Entry, among: readonly Entry[]): boolean =>
        among.some(
          (other) => identityOf(other.item) === identityOf(one.item) && equal(still(other), still(one)),
        );
      const gone = olds.filter((one) => !isLeft(one, news)).map(({ shown }) => shown);
      const come = news.filter((one) => !isLeft(one, olds)).map(({ shown }) => shown);
      return {
        truth: known(gone.length + come.length === 0),
        expected: 'the others as they were',
        found: gone.length + come.length === 0 ? 'so' : `gone: ${shownAs(gone)}; new: ${shownAs(come)}`,
      };
    },
  };
}

function listsTold(trial: Trial, seen: Lived, name: string) {
  const { before: was, after: is } = seen.around.get(name) ?? {};
  const resource = trial.of.resourcesByName.get(name);
  return all(
    was && is ? followed(was, is) : unseen(`nothing lists every ${name}`),
    resource ? steady(trial.of, resource) : yes,
  );
}

/** Whether an effect shows where was looked: in the list of all, or in that of those under the items at hand. */
function isNear(trial: Trial, { around }: Lived, { resource, before: was, after: is }: Effect): boolean {
  const of = trial.of.resourcesByName.get(resource);
  const parted = of && !listerOf(trial, of) ? partedBy(trial, of) : null;
  if (!parted) return true;
  const { name, refers } = parted.field;
  const key = (was ?? is)?.known.get(name);
  const keyOf = (item: Item): Json | undefined => item.known.get(stated(refers)?.field ?? '');
  return key !== undefined && (around.get(resource)?.near ?? []).some((one) => equal(keyOf(one), key));
}

/** The effects that were seen, each with the entry that shows it; none where it shows that something is gone. */
function match(trial: Trial, seen: Lived): ReadonlyMap<Effect, Entry | null> {
  const found = new Map<Effect, Entry | null>();
  const taken = new Set<Entry>();
  const { effects } = following(trial, seen);
  // What was done to one item twice is seen as it was done last.
  for (const effect of effects) {
    const { before: was = [], after: is = [] } = seen.around.get(effect.resource) ?? {};
    const identity = effect.before && identityOf(effect.before);
    const last = effects.findLast((one) => one.before && identity && identityOf(one.before) === identity);
    const { after } = last ?? effect;
    const isOld = (one: Entry): boolean => was.some(({ item }) => identityOf(item) === identityOf(one.item));
    const entry = is.find((one) => {
      if (taken.has(one)) return false;
      const isIt = identity ? identityOf(one.item) === identity : !isOld(one);
      return isIt && (after === null || differing(one.item.resource, after, one).length === 0);
    });
    if (after === null && entry === undefined) found.set(effect, null);
    if (after === null || entry === undefined) continue;
    if (!identity) taken.add(entry);
    found.set(effect, entry);
  }
  return found;
}

function described({ resource, before: was, after: is }: Effect): string {
  if (is === null) return `${was ? shownAs(Object.fromEntries(was.known)) : resource} gone`;
  return `a ${resource} with ${shownAs(Object.fromEntries([...is.known]))}`;
}

function nearest(seen: Lived, { resource, before: was }: Effect): string {
  const { before: olds = [], after = [] } = seen.around.get(resource) ?? {};
  const identity = was && identityOf(was);
  const near = after.filter(({ item }) =>
    identity ? identityOf(item) === identity : !olds.some((one) => identityOf(one.item) === identityOf(item)),
  );
  return near.length === 0 ? `none in a list of ${after.length}` : shownAs(near.map(({ shown }) => shown));
}
