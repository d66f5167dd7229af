import { equal } from '../expression/functions.ts';
import type { Json } from '../source/node.ts';

import type { Operation } from '../specification/operation.ts';
import type { Field, Resource } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import { alike } from './alike.ts';
import { type Check, ifReached, type Scenario, type Statement, scenario, Unreached } from './check.ts';
import { shownAs } from './fit.ts';
import { closed, doesJustThat, isRefusal, steady, succeeded } from './guards.ts';
import { identityOf, isReadable, membersOf } from './item.ts';
import type { Item } from './partly.ts';
import { bodyOf } from './schema.ts';
import { deed, looksAsStated, showsAsStated, succeeds } from './success.ts';
import { bodyFor, create, type Done, list, make, operationFor, perform, readBack, restsOf, someItem, type Trial } from './trial.ts';
import { all, known, type Truth, unseen, yes } from './verdict.ts';

/** A list of items as it was seen: each as shown, and as known. */
type Listing = readonly { readonly shown: Json; readonly item: Item }[];

/** A request, with the list before and after it, and the item read again. */
interface Lived extends Done {
  readonly before: Listing | undefined;
  readonly after: Listing | undefined;
  /** The item as read afterwards; undefined where no operation reads it. */
  readonly back: Done | undefined;
}

/** What an operation does, seen through others: its answer, its effect, and that it has no other one (§H.2). */
export function effects(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const change = stated(operation.does);
  if (change?.subject.kind === 'every') return change.verb === 'delete' ? [clears(trial, operation, resource)] : [];
  switch (change?.verb) {
    case 'create':
      return [creates(trial, operation, resource)];
    case 'list':
      return [lists(trial, operation, resource)];
    case 'read':
      return [reads(trial, operation, resource)];
    case 'update':
      return updates(trial, operation, resource);
    case 'delete':
      return [deletes(trial, operation, resource)];
    default:
      return [];
  }
}

async function glance(trial: Trial, resource: Resource): Promise<Listing | undefined> {
  const seen = await ifReached(() => list(trial, resource));
  const items = (seen?.names.get('page') as { readonly items?: readonly Item[] } | undefined)?.items;
  return seen?.shown.map((shown, index) => ({ shown, item: items?.[index] as Item }));
}

/** Looks at the list, acts, looks again, and reads the item that it was about. */
async function live(trial: Trial, resource: Resource, act: () => Promise<Done>, again: boolean): Promise<Lived> {
  const before = await glance(trial, resource);
  const done = await act();
  const after = await glance(trial, resource);
  const { item } = done;
  const back = again && item ? await ifReached(() => readBack(trial, item)) : undefined;
  return { ...done, before, after, back };
}

/** The entries of a list that are this item: by its identifier, or, where that is never known, by what is shown. */
function entriesOf(listing: Listing, of: Item | null, shown: Json | undefined): Listing {
  const identity = of && identityOf(of);
  if (identity) return listing.filter(({ item }) => identityOf(item) === identity);
  return listing.filter((entry) => shown !== undefined && equal(entry.shown, shown));
}

const toShown = (listing: Listing): Json[] => listing.map(({ shown }) => shown);

function sameEntries(a: Listing, b: Listing): boolean {
  const inside = (one: Listing, other: Listing) => one.every(({ shown }) => other.some((entry) => equal(entry.shown, shown)));
  return a.length === b.length && inside(a, b) && inside(b, a);
}

function without(listing: Listing, entries: Listing): Listing {
  return listing.filter((entry) => !entries.includes(entry));
}

/** Whether the list can be held against what was done: it was seen, and nothing may still leave items out of it. */
function listTells(trial: Trial, resource: Resource, listing: Listing | undefined): Truth {
  const lister = operationFor(trial.of, resource, 'list');
  if (lister === null || listing === undefined) return unseen(`nothing lists every ${resource.name}`);
  return all(closed(trial.of, lister.address), steady(trial.of, resource));
}

const names = (value: Json | undefined): string[] => Object.keys(membersOf(value) ?? {});

function listStatement(trial: Trial, resource: Resource, otherwise: Statement): Statement {
  const lister = operationFor(trial.of, resource, 'list');
  return lister ? deed(lister) : otherwise;
}

/** The others in the list are as they were. */
function leavesOthers(trial: Trial, operation: Operation, resource: Resource): Check<Lived> {
  const rest = (listing: Listing | undefined, { item, shown }: Lived): Listing =>
    listing === undefined ? [] : without(listing, entriesOf(listing, item, shown));
  return {
    name: 'effect.others',
    says: `${operation.key} leaves every other ${resource.name} as it is`,
    cites: deed(operation),
    guard: (seen) =>
      all(
        succeeded(seen.exchange, operation),
        seen.item && identityOf(seen.item) ? yes : unseen(noIdentifier),
        seen.before ? listTells(trial, resource, seen.after) : unseen(`nothing lists every ${resource.name}`),
        doesJustThat(trial.of, operation),
      ),
    claim: (seen) => {
      const [before, after] = [rest(seen.before, seen), rest(seen.after, seen)];
      return { truth: known(sameEntries(before, after)), expected: shownAs(toShown(before)), found: shownAs(toShown(after)) };
    },
  };
}

const noIdentifier = 'no identifier could be learned: nothing shows it, or gives it away';

/** What was answered is what is read afterwards. */
function readsTheSame(trial: Trial, operation: Operation, resource: Resource): Check<Lived> {
  const reader = operationFor(trial.of, resource, 'read');
  return {
    name: 'effect.read',
    says: `what ${operation.key} answers is what ${reader?.key ?? 'nothing'} shows afterwards`,
    cites: reader ? deed(reader) : deed(operation),
    guard: ({ exchange, shown, back }) =>
      all(
        succeeded(exchange, operation),
        shown === undefined || back === undefined ? unseen(`${noIdentifier}, or nothing reads a ${resource.name}`) : yes,
        reader ? doesJustThat(trial.of, reader) : yes,
        steady(trial.of, resource),
        ...names(shown).flatMap((name) => resource.fields.get(name)?.address ?? []).map((address) => closed(trial.of, address)),
      ),
    claim: ({ shown, back }) => ({
      truth: known(back?.shown !== undefined && shown !== undefined && equal(back.shown, shown)),
      expected: shownAs(shown),
      found: back?.shown === undefined ? shownAs(back?.exchange.response?.body) : shownAs(back.shown),
    }),
  };
}

function creates(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const body = bodyOf(trial.of, operation);
  const observe = (): Promise<Lived> => live(trial, resource, () => create(trial, operation, bodyFor(trial, operation, 'most')), true);
  const listed: Check<Lived> = {
    name: 'effect.listed',
    says: `what ${operation.key} makes is in the list, once`,
    cites: listStatement(trial, resource, deed(operation)),
    guard: (seen) => all(succeeded(seen.exchange, operation), listTells(trial, resource, seen.after)),
    claim: ({ after = [], before = [], item, shown }) => {
      const identity = item && identityOf(item);
      const earlier = identity ? 0 : entriesOf(before, item, shown).length;
      const count = entriesOf(after, item, shown).length - earlier;
      return { truth: known(count === 1), expected: 'once', found: `${count} times in a list of ${after.length}` };
    },
  };
  const checks = [
    succeeds(trial, operation, `${operation.key} with every member`, [...(body?.fields.keys() ?? [])]),
    ...looksAsStated(trial, operation),
    ...showsAsStated(trial, operation, resource),
    listed,
    leavesOthers(trial, operation, resource),
    readsTheSame(trial, operation, resource),
  ];
  return scenario(trial.of, restsOf(operation), observe, checks);
}

interface Listed extends Done {
  readonly made: readonly Done[];
}

function lists(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const observe = async (): Promise<Listed> => {
    const made: Done[] = [];
    for (let i = 0; i < 3; i++) {
      const done = await ifReached(() => make(trial, resource));
      if (done) made.push(done);
    }
    return { ...(await perform(trial, operation)), made };
  };
  const listingOf = ({ shown, names }: Listed): Listing => {
    const { items = [] } = (names.get('page') ?? {}) as { readonly items?: readonly Item[] };
    return Array.isArray(shown) ? (shown as Json[]).map((one, index) => ({ shown: one, item: items[index] as Item })) : [];
  };
  const holdsAll: Check<Listed> = {
    name: 'effect.list',
    says: `${operation.key} lists each ${resource.name} that was made, once, as it was made`,
    cites: deed(operation),
    guard: (seen) =>
      all(
        succeeded(seen.exchange, operation),
        Array.isArray(seen.shown) ? yes : unseen('the answer shows no list'),
        seen.made.every(({ shown }) => shown !== undefined) && seen.made.length > 0 ? yes : unseen(`no ${resource.name} could be made`),
        listTells(trial, resource, listingOf(seen)),
      ),
    claim: (seen) => {
      const listing = listingOf(seen);
      const missed = seen.made.filter(({ item, shown }) => {
        const [entry, second] = entriesOf(listing, item, shown);
        return entry === undefined || second !== undefined || !equal(entry.shown, shown);
      });
      const entry = missed[0] && entriesOf(listing, missed[0].item, missed[0].shown);
      return {
        truth: known(missed.length === 0),
        expected: missed[0] ? `once: ${shownAs(missed[0].shown)}` : `each of ${seen.made.length}`,
        found: entry ? shownAs(toShown(entry)) : 'so',
      };
    },
  };
  const checks = [
    succeeds(trial, operation, operation.key, []),
    ...looksAsStated(trial, operation),
    ...showsAsStated(trial, operation, resource),
    holdsAll,
  ];
  return scenario(trial.of, restsOf(operation), observe, checks);
}

interface Reread extends Done {
  readonly first: Json | undefined;
  readonly again: Json | undefined;
}

function reads(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const observe = async (): Promise<Reread> => {
    const made = operationFor(trial.of, resource, 'create') ? await make(trial, resource) : undefined;
    const item = made?.item ?? (await someItem(trial, resource));
    const done = await perform(trial, operation, { item });
    const again = await perform(trial, operation, { item });
    return { ...done, first: made?.shown, again: again.shown };
  };
  const same: Check<Reread> = {
    name: 'effect.read',
    says: `${operation.key} shows the item that was made, and shows it again`,
    cites: deed(operation),
    guard: ({ exchange, shown }) =>
      all(
        succeeded(exchange, operation),
        shown === undefined ? unseen('the answer shows no item') : doesJustThat(trial.of, operation),
        steady(trial.of, resource),
        ...names(shown).flatMap((name) => resource.fields.get(name)?.address ?? []).map((address) => closed(trial.of, address)),
      ),
    claim: ({ first, shown, again }) => ({
      truth: known(again !== undefined && shown !== undefined && equal(shown, again) && (first === undefined || equal(first, shown))),
      expected: shownAs(first ?? shown),
      found: `${shownAs(shown)}, then ${equal(shown, again) ? 'the same' : shownAs(again)}`,
    }),
  };
  const checks = [
    succeeds(trial, operation, operation.key, []),
    ...looksAsStated(trial, operation),
    ...showsAsStated(trial, operation, resource),
    same,
  ];
  return scenario(trial.of, restsOf(operation), observe, checks);
}

interface Changed extends Lived {
  readonly start: Item;
  readonly given: Json;
}

/** An update sets what is given, and leaves the rest (language §H.2; RFC 7396 where the media type is its own). */
function updates(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const { of, tools } = trial;
  const body = bodyOf(of, operation);
  if (body === null) return [];
  const merges = (operation.request && stated(operation.request.media))?.includes('application/merge-patch+json') ?? false;
  const one = (label: string, cites: Statement, pick: (start: Item) => { readonly [member: string]: Json }, more: Check<Changed>[]): Scenario => {
    const observe = async (): Promise<Changed> => {
      const start = await someItem(trial, resource);
      const given = pick(start);
      const lived = await live(trial, resource, () => perform(trial, operation, { item: start, body: given }), true);
      return { ...lived, start, given };
    };
    const says = `${operation.key} ${label}`;
    const asAsked: Check<Changed> = {
      name: 'effect.update',
      says: `${says} sets what is given and leaves the other members`,
      cites,
      guard: ({ exchange, shown }) =>
        all(
          succeeded(exchange, operation),
          shown === undefined ? unseen('the answer shows no item') : doesJustThat(of, operation),
          steady(of, resource),
          ...[...resource.fields.values()].map((field) => closed(of, field.address)),
        ),
      claim: ({ start, given, shown, back }) => {
        const wanted = afterUpdate(resource, start, given as { readonly [member: string]: Json }, merges);
        const found = [shown, back?.shown ?? shown];
        const fits = found.every((seen) => holdsJust(resource, wanted, seen));
        return { truth: known(fits), expected: shownAs(Object.fromEntries(wanted)), found: shownAs(found.find((seen) => !holdsJust(resource, wanted, seen)) ?? shown) };
      },
    };
    const checks = [succeeds(trial, operation, says, [...body.fields.keys()], cites), asAsked, leavesOthers(trial, operation, resource), readsTheSame(trial, operation, resource), ...more];
    return scenario<Changed>(of, restsOf(operation), observe, checks);
  };
  const another = (field: Field, start: Item): Json => {
    for (let i = 0; i < 20; i++) {
      const value = tools.valid(schemaOf(field.shape), 'most');
      if (value !== undefined && !alike({}, value, start.known.get(field.name))) return value;
    }
    throw new Unreached(`no other value for ${field.name} could be made`);
  };
  const settable = [...body.fields.values()].slice(0, 6);
  const removable = settable.filter((field) => merges && !(stated(resource.required) ?? []).some((use) => use.name === field.name));
  const looks = [...looksAsStated(trial, operation), ...showsAsStated(trial, operation, resource)];
  const scenarios = settable.map((field, index) =>
    one(`with ${field.name} alone`, { address: field.address, at: field.at }, (start) => ({ [field.name]: another(field, start) }), index === 0 ? looks : []),
  );
  for (const field of removable)
    scenarios.push(one(`with ${field.name}: null, which removes it (RFC 7396)`, deed(operation), () => ({ [field.name]: null }), []));
  if (tools.failures(body.schema, {}).length === 0) scenarios.push(one('with no member', deed(operation), () => ({}), settable.length === 0 ? looks : []));
  return scenarios;
}

/** The readable members that an item has after an update; what is absent is not in it. */
function afterUpdate(resource: Resource, start: Item, given: { readonly [member: string]: Json }, merges: boolean): Map<string, Json> {
  const wanted = new Map<string, Json>();
  for (const field of resource.fields.values()) {
    if (!isReadable(field) || field.derived.kind !== 'open') continue;
    const before = start.known.get(field.name);
    const patch = Object.hasOwn(given, field.name) ? (given[field.name] as Json) : undefined;
    const value = patch === undefined ? before : merges ? mergePatch(before, patch) : patch;
    if (value !== undefined) wanted.set(field.name, value);
  }
  return wanted;
}

/** RFC 7396 §2: null removes, an object is merged, anything else replaces. */
function mergePatch(target: Json | undefined, patch: Json): Json | undefined {
  if (patch === null) return undefined;
  const members = membersOf(patch);
  if (members === undefined) return patch;
  const merged = new Map(Object.entries(membersOf(target) ?? {}));
  for (const [name, value] of Object.entries(members)) {
    const inner = mergePatch(merged.get(name), value);
    if (inner === undefined) merged.delete(name);
    else merged.set(name, inner);
  }
  return Object.fromEntries(merged);
}

/** Whether what is shown has these members of a resource, and of its other plain ones none. */
function holdsJust(resource: Resource, wanted: ReadonlyMap<string, Json>, shown: Json | undefined): boolean {
  const members = membersOf(shown);
  if (members === undefined) return false;
  return [...resource.fields.values()]
    .filter((field) => isReadable(field) && field.derived.kind === 'open')
    .every((field) => {
      const value = wanted.get(field.name);
      return value === undefined ? !Object.hasOwn(members, field.name) : alike(schemaOf(field.shape), value, members[field.name]);
    });
}

function deletes(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const { of } = trial;
  const reader = operationFor(of, resource, 'read');
  const observe = async (): Promise<Lived> => {
    const item = await someItem(trial, resource);
    const lived = await live(trial, resource, () => perform(trial, operation, { item }), false);
    return { ...lived, back: await ifReached(() => readBack(trial, item)) };
  };
  const gone: Check<Lived> = {
    name: 'effect.gone',
    says: `what ${operation.key} removes is gone from the list`,
    cites: deed(operation),
    guard: (seen) =>
      all(
        succeeded(seen.exchange, operation),
        seen.item && identityOf(seen.item) ? yes : unseen(noIdentifier),
        seen.after ? yes : unseen(`nothing lists every ${resource.name}`),
      ),
    claim: ({ item, after = [] }) => {
      const entries = entriesOf(after, item, undefined);
      return { truth: known(entries.length === 0), expected: 'not in the list', found: entries.length === 0 ? 'so' : shownAs(toShown(entries)) };
    },
  };
  const unknown: Check<Lived> = {
    name: 'effect.unknown',
    says: `what ${operation.key} removes is not shown any more`,
    cites: deed(operation),
    guard: ({ exchange, back }) =>
      all(
        succeeded(exchange, operation),
        back ? yes : unseen(`nothing reads a ${resource.name}`),
        reader ? doesJustThat(of, reader) : yes,
      ),
    claim: ({ back }) => ({
      truth: back ? isRefusal(back.exchange, reader) : unseen('nothing was read'),
      expected: 'a refusal',
      found: back ? `status ${back.exchange.response?.status}` : 'nothing',
    }),
  };
  const checks = [succeeds(trial, operation, operation.key, []), ...looksAsStated(trial, operation), gone, unknown, leavesOthers(trial, operation, resource)];
  return scenario(of, restsOf(operation), observe, checks);
}

function clears(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const observe = async (): Promise<Lived> => {
    for (let i = 0; i < 2; i++) await ifReached(() => make(trial, resource));
    trial.spares.clear();
    return await live(trial, resource, () => perform(trial, operation), false);
  };
  const empty: Check<Lived> = {
    name: 'effect.empty',
    says: `after ${operation.key} the list is empty`,
    cites: deed(operation),
    guard: ({ exchange, after, before = [] }) =>
      all(
        succeeded(exchange, operation),
        after ? yes : unseen(`nothing lists every ${resource.name}`),
        known(before.length > 0, 'the list was empty before'),
        doesJustThat(trial.of, operation),
      ),
    claim: ({ after = [] }) => ({ truth: known(after.length === 0), expected: 'no entry', found: `${after.length} entries` }),
  };
  return scenario(trial.of, restsOf(operation), observe, [
    succeeds(trial, operation, operation.key, []),
    ...looksAsStated(trial, operation),
    empty,
  ]);
}

