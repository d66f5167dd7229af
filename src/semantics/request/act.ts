import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { also, changed } from '../change/change.ts';
import { removeItems } from '../change/delete.ts';
import { forgetFollowing } from '../change/forget.ts';
import { removing } from '../change/item.ts';
import { maker } from '../change/makers.ts';
import { type Refused, refusal } from '../change/refusal.ts';
import { concernsTheirs, refusalsOfTheirs } from '../change/theirs.ts';
import { isAlike } from '../change/unique.ts';
import type { Done, ItemChange } from '../event/changes.ts';
import { pageOf } from '../list/page.ts';
import { every, type Truth, truthOf } from '../value/truth.ts';
import { Item, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { Stored } from '../world/stored.ts';
import { itemOf, snapshot, type World } from '../world/world.ts';
import { isMergePatch } from './content/patch.ts';
import { boundFields } from './given/bound.ts';
import { resultOf } from './handled.ts';
import { judgedLate } from './late.ts';
import { changesTheirs } from './others/answers.ts';
import type { Request } from './prediction.ts';

type Names = Readonly<Record<string, Value>>;

/** What a request came to. */
export interface Acted {
  readonly outcome: Outcome | null;
  /** The names that the answer may read. */
  readonly moment: Moment;
  /** What events tell of it. */
  readonly done: Done;
}

/** What an operation is about. */
export interface About {
  /** The item that is there; null: none. */
  readonly stored: Stored | null;
  /** Whether the rule of the operation admits an item, for lists and `every`. */
  readonly admits: (item: Value) => Truth;
}

/**
 * Carries out what an operation does, in the world of the moment: `does`, `also`, and what is judged at the end of the
 * transaction (language §H.2).
 */
export function act(request: Request, about: About, before: World, moment: Moment): Acted | Refused {
  const { operation } = request;
  const { world } = moment;
  if (changesTheirs(operation, about.stored)) return world.leave(unknown([]));
  const done = main(request, about, moment);
  if ('refusals' in done) return done;
  const { outcome, names } = done;
  const told = doneBy(request, done, before, world);
  const changes = stated(operation.endpoint.also) ?? [];
  const own = new Moment(world, { ...moment.names, ...names, outcome });
  const further = also(changes, names, own);
  if ('refusals' in further) return further;
  const isUnchanged = changes.length === 0 && outcome === null;
  const late = isUnchanged ? [] : judgedLate(before, moment);
  if (late.length > 0) return { refusals: late };
  if (!isUnchanged && outcome !== 'unchanged') forgetFollowing(before, world);
  const all = { ...moment.names, ...names, ...further.names, outcome };
  return { outcome, moment: new Moment(world, all, maker(world, null, all)), done: told };
}

/** What `does` did, for events (language §6.1, rule 1). */
function doneBy(
  { operation: { name, subject, does } }: Request,
  main: Main,
  before: World,
  world: World,
): Done {
  const { outcome, names } = main;
  const isChanged = outcome !== null && outcome !== 'unchanged';
  const item = names['this'] instanceof Item ? names['this'] : null;
  const otherwise = { item, old: names['old'] ?? null };
  const changes = main.changes ?? (isChanged ? [otherwise] : []);
  const known = new Set(changes.map((change) => change.item?.handle));
  // Whether it is one of its items that follows from the change, such as one that goes with another, is not said.
  const isHandled = stated(does)?.verb === 'handled';
  const resource = item?.resource ?? subject?.name;
  const isMore =
    resource !== undefined && world.written(before, resource).some((handle) => !known.has(handle));
  return {
    by: name,
    changes: isMore || isHandled ? unknown([]) : changes,
    otherwise,
    moves: world.moves.length,
  };
}

/** What `does` came to. */
interface Main {
  readonly outcome: Outcome | null;
  readonly names: Names;
  /** The items that it changed. Default: the item that it is about, if the outcome says that this one changed. */
  readonly changes?: readonly ItemChange[];
}

/** What `does` states. */
function main(request: Request, about: About, moment: Moment): Main | Refused {
  const { does } = request.operation;
  const change = stated(does);
  if (change === undefined) return { outcome: null, names: {} };
  if (change.verb === 'revoke') return revoked(request, change, moment);
  if (change.verb === 'handled')
    return { outcome: null, names: { result: resultOf(request.operation, moment.world) } };
  if (change.verb === 'authenticate') return authenticated(change, request.operation, moment);
  if (change.verb === 'list') {
    const page = pageOf(request.operation, about.admits, moment);
    return { outcome: null, names: { page } };
  }
  if (change.subject.kind === 'every') return everyItem(change, request.operation, about, moment);
  return oneItem(change, request, about, moment);
}

/** The one item, or the new one. */
function oneItem(change: Change, request: Request, { stored: there }: About, moment: Moment): Main | Refused {
  const { world } = moment;
  if (there === null && change.verb !== 'create')
    return stated(change.qualifiers.absent) ? { outcome: 'unchanged', names: {} } : world.leave(unknown([]));
  const resource = there
    ? world.specification.resourcesByName.get(there.resource)
    : request.operation.subject;
  if (!resource) return world.leave(unknown([]));
  const own = isMergePatch(request) ? new Moment(world, { ...moment.names, [removing]: true }) : moment;
  const done = changed(change, resource, there, boundFields(request), own);
  if ('refusals' in done) return done;
  const { outcome, item, old } = done;
  return { outcome, names: { this: item, old, ...named(change, item) } };
}

function named({ qualifiers }: Change, item: Value): Names {
  const as = stated(qualifiers.as);
  return as ? { [as.text]: item } : {};
}

/** All items that `where` admits: deleted at once, or changed one after the other (language §H.2, rules 12 and 13). */
function everyItem(
  change: Change,
  { subject }: Operation,
  { admits }: About,
  moment: Moment,
): Main | Refused {
  if (subject === null) return moment.world.leave(unknown([]));
  const where = stated(change.qualifiers.where);
  const found: Stored[] = [];
  const isMeant = (item: Item): Truth =>
    every([admits, () => (where ? truthOf(moment.value(where, { this: item })) : true)], (is) => is(item));
  for (const stored of moment.world.items(subject.name))
    if (moment.world.decide(isMeant(itemOf(stored, subject)))) found.push(stored);
  if (change.verb === 'delete') {
    const isTheirs = concernsTheirs(subject, isMeant, moment);
    const ofTheirs = isTheirs ? refusalsOfTheirs(subject, moment) : [];
    const refusals = [...removeItems(found, moment, isTheirs ? [subject.name] : []), ...ofTheirs];
    const changes = found.map((stored) => {
      const old = snapshot(stored, subject);
      return { item: old, old };
    });
    return refusals.length > 0 ? { refusals } : { outcome: 'deleted', names: {}, changes };
  }
  return moment.world.isShared ? moment.world.leave(unknown([])) : eachOf(found, change, subject, moment);
}

/** Each as it is by then; one that is gone by then is passed over (language §H.2, rule 12). */
function eachOf(
  found: readonly Stored[],
  change: Change,
  resource: Resource,
  moment: Moment,
): Main | Refused {
  const changes: ItemChange[] = [];
  for (const { handle } of found) {
    const now = moment.world.stored({ resource: resource.name, handle });
    if (now === undefined) continue;
    const names = { ...moment.names, ...named(change, itemOf(now, resource)) };
    const done = changed(change, resource, now, {}, new Moment(moment.world, names));
    if ('refusals' in done) return done;
    const { outcome, item, old } = done;
    if (outcome === 'changed') changes.push({ item: item as Item, old });
  }
  const mayStay = change.verb === 'update' || change.verb === 'replace';
  return { outcome: mayStay && changes.length === 0 ? 'unchanged' : 'changed', names: {}, changes };
}

/** Finds the item whose fields match `by` (language §H.2, rule 5). */
function authenticated(change: Change, { subject }: Operation, moment: Moment): Main | Refused {
  const by = stated(change.qualifiers.by);
  if (subject === null || by === undefined) return moment.world.leave(unknown([]));
  const wanted = [...by].flatMap(([name, said]) => {
    const [field, template] = [subject.fields.get(name), stated(said)];
    return field && template ? [{ field, given: moment.value(template) }] : [];
  });
  if (wanted.length !== by.size) return moment.world.leave(unknown([]));
  for (const stored of moment.world.items(subject.name)) {
    const isIt = every(wanted, ({ field, given }) => {
      const value = stored.members.get(field.name) ?? null;
      return value === null || given === null ? false : isAlike(field, value, given);
    });
    if (!moment.world.decide(isIt)) continue;
    const item = itemOf(stored, subject);
    return { outcome: null, names: { this: item, old: snapshot(stored, subject), ...named(change, item) } };
  }
  const isTheirs = moment.world.mayBeTheirs(wanted.map(({ given }) => given));
  if (moment.world.decide(isTheirs)) return moment.world.leave(unknown([]));
  return { refusals: [refusal('wrong credentials', subject.name)] };
}

/** Ends the credential of a scheme that the request came with (language §5.2). */
function revoked({ credentials }: Request, { subject }: Change, moment: Moment): Main | Refused {
  const credential = credentials.find(({ scheme }) => scheme === subject.name);
  if (credential === undefined || subject.name === null) return moment.world.leave(unknown([]));
  moment.world.revoke(subject.name, credential.value);
  return { outcome: 'deleted', names: {} };
}
