import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Counting } from '../rate/counting.ts';
import type { Tally } from '../rate/tally.ts';
import { areAlike, Pairs } from '../value/alike.ts';
import { equal } from '../value/compare.ts';
import { millisecondsOf } from '../value/times.ts';
import { every, type Truth } from '../value/truth.ts';
import {
  type Form,
  Item,
  Made,
  type Making,
  Range,
  Snapshot,
  Tag,
  Token,
  theirs,
  Unknown,
  unknown,
  type Value,
  type When,
} from '../value/value.ts';
import type { Cursor, Position } from './cursors.ts';
import { eitherItems, eitherTimers } from './either.ts';
import type { Observer } from './observer.ts';
import { type Clock, clockAfter, clockShownBy, type Received, shownAt, sometime } from './received.ts';
import { ofOthers, type Stored, storedAs, wereMadeFor, withUnknown } from './stored.ts';
import { always, keyOf, type Timer, Touched, type Watched } from './timer.ts';
import type { Judged } from './trace.ts';
import { Undetermined, Ways } from './ways.ts';

/** A move of an item by a transition (language §3.2). */
export interface Moved {
  /** `R.name`. */
  readonly by: string;
  /** As the move left it; an item that the move deletes as it was. */
  readonly item: Snapshot;
  readonly old: Snapshot;
}

/** A credential that the service issued (language §5.2). */
export interface Issued {
  readonly scheme: string;
  readonly token: Made;
  readonly item: Item;
  /** When: the `now` of the request. */
  readonly at: Value;
}

/** A credential that the operator gives: the operator's own, or a token that somebody else signed (language §5.2). */
export interface OperatorCredential {
  readonly scheme: string;
  /** The operator's name for it. */
  readonly name: string;
  /** The key or password, or the whole token. */
  readonly secret: string;
}

/** The rates that a request came to, and what expressions may read of it there. */
export interface Counted {
  readonly rates: readonly Counting[];
  readonly names: Readonly<Record<string, Value>>;
}

/** What a world is made with. */
interface Surroundings {
  readonly isShared: boolean;
  readonly mayAdd: boolean;
  readonly ways: Ways;
  /** The newest version, if the world is that of a request to an older one. */
  readonly newest: Specification;
}

/** What is known of the stored items of a service. */
export class World {
  /** What the version of a request states. Before and after a request: the newest. */
  readonly specification: Specification;
  /** The newest version, as which everything is stored (language §9.3, rule 16). */
  readonly newest: Specification;
  /** Whether others make items, too. Nothing is known of these. */
  readonly isShared: boolean;
  /** Whether the implementation may do what is not stated, where the list is not closed (language §D.2). */
  readonly mayAdd: boolean;
  /** The way in which the request goes that changes this world. */
  readonly ways: Ways;
  /** Whether it is known that the request is refused, whatever the reason. */
  isRefused = false;
  /** The moves since this world was forked, in order. */
  readonly moves: Moved[] = [];
  /** What was judged of the request that changes this world, in its order. */
  readonly trace: Judged[] = [];
  /** Whether the items were made that exist before the first request. */
  isBegun = false;
  /** The handle of the last item that exists before the first request. */
  founding = 0;
  /** Whether an item may hold what was forgotten. */
  hasForgotten = false;
  /** Hears what a request depends on; null: nobody does. */
  observer: Observer | null = null;
  /** When the latest request is received. */
  received: Received = sometime;
  /** The same, without what answers showed of the clock. */
  #given: Received = sometime;
  /** What answers showed of the service's clock; null: nothing. */
  clock: Clock | null = null;
  /** The `now` of the latest request. */
  #now: Made | null = null;
  #issued: readonly Issued[] = [];
  #revoked: readonly Issued[] = [];
  /** Items as they were before each change. */
  #earlier: readonly Stored[] = [];
  /** Items that were deleted, by resource. */
  #former: ReadonlyMap<string, readonly Stored[]> = new Map();
  /** The credentials that the operator gave. */
  operators: readonly OperatorCredential[] = [];
  /** Texts of chance that the client made since it knows this world, so that nobody else has them. */
  own: Pick<ReadonlySet<string>, 'has'> = new Set();
  /** How addresses begin to which it is known that the service sends events. */
  reached: readonly string[] = [];
  /** The fields that a receiver may change at any time by refusing what it is sent, by resource. */
  restless: ReadonlyMap<string, readonly string[]> = new Map();
  #timers: readonly Timer[] = [];
  /** The states that items entered during this request: `handle field`. */
  #entered: readonly string[] = [];
  /** What may have happened by itself. */
  watched: readonly Watched[] = [];
  /** What rates counted. */
  tallies: readonly Tally[] = [];
  /**
   * Before this time, in milliseconds, rates may have counted requests that nobody knows of, but for those of our items.
   * Infinity: also later, and those of our items, too.
   */
  countedUnseenMs = Number.NEGATIVE_INFINITY;
  /** The rates that may count requests of others at any time, though nobody else makes items. */
  hiddenRates: readonly string[] = [];
  /** The rates that the request that changes this world came to; null: it came to none as yet. */
  counting: Counted | null = null;
  #tags: ReadonlyMap<string, Made> = new Map();
  #remembered: readonly Kept[] = [];
  #cursors: readonly Cursor[] = [];
  /** Whether an answer may have shown cursors of which nothing is known. */
  hasUnknownCursors = false;
  #items: ReadonlyMap<string, readonly Stored[]> = new Map();
  #handles = 0;
  /** How many handles there were when the latest request was received. */
  #handlesBefore = 0;
  #made = 0;
  #latest: Making | null = null;
  /** Values of our items that nobody can guess. */
  #fresh: readonly Made[] = [];

  /** Default: nobody else makes items, there are none as yet, and the service does only what is stated. */
  constructor(
    specification: Specification,
    {
      isShared = false,
      mayAdd = false,
      ways = new Ways(),
      newest = specification,
    }: Partial<Surroundings> = {},
  ) {
    this.specification = specification;
    this.newest = newest;
    this.isShared = isShared;
    this.mayAdd = mayAdd;
    this.ways = ways;
  }

  /** The same world, when another request is received. */
  at(received: Received): World {
    if (received === this.received || received === this.#given) return this;
    const world = this.fork(this.ways);
    world.#given = received;
    world.#handlesBefore = this.#handles;
    const shown = this.#now && Number.isFinite(this.received.offMs) ? clockShownBy(this.#now) : null;
    if (shown !== null) world.clock = clockAfter(this.clock, shown);
    const isKnown = world.clock !== null && world.clock.offMs < received.offMs;
    world.received = isKnown ? { ...received, ...world.clock } : received;
    return world;
  }

  /** The same world, of which somebody hears what requests depend on. */
  observedBy(observer: Observer | null): World {
    const world = this.fork(this.ways);
    world.observer = observer;
    return world;
  }

  /** The same world, to be changed apart. */
  fork(ways: Ways): World {
    return this.#copy(this.specification, ways);
  }

  /** The same world, for a request of a version that states this (language §9.3). */
  in(specification: Specification): World {
    return specification === this.specification ? this : this.#copy(specification, this.ways);
  }

  /** The same world, where the newest version states this instead. */
  under(specification: Specification): World {
    return specification === this.newest
      ? this.in(specification)
      : this.#copy(specification, this.ways, specification);
  }

  /** The same world, where others make items, too. */
  withOthers(): World {
    return this.#copy(this.specification, new Ways(), this.newest, true);
  }

  #copy(
    specification: Specification,
    ways: Ways,
    newest = this.newest,
    isShared: boolean = this.isShared,
  ): World {
    const { mayAdd } = this;
    const world = new World(specification, { isShared, mayAdd, ways, newest });
    world.#items = this.#items;
    world.#handles = this.#handles;
    world.#handlesBefore = this.#handlesBefore;
    world.#made = this.#made;
    world.#latest = this.#latest;
    world.#fresh = this.#fresh;
    world.#issued = this.#issued;
    world.#revoked = this.#revoked;
    world.#earlier = this.#earlier;
    world.#former = this.#former;
    world.isBegun = this.isBegun;
    world.founding = this.founding;
    world.observer = this.observer;
    world.received = this.received;
    world.clock = this.clock;
    world.#given = this.#given;
    world.hasForgotten = this.hasForgotten;
    world.#now = this.#now;
    world.operators = this.operators;
    world.own = this.own;
    world.reached = this.reached;
    world.restless = this.restless;
    world.#timers = this.#timers;
    world.#entered = this.#entered;
    world.watched = this.watched;
    world.tallies = this.tallies;
    world.countedUnseenMs = this.countedUnseenMs;
    world.hiddenRates = this.hiddenRates;
    world.#tags = this.#tags;
    world.#remembered = this.#remembered;
    world.#cursors = this.#cursors;
    world.hasUnknownCursors = this.hasUnknownCursors;
    return world;
  }

  /** Which values stand for which, if two worlds made some apart from one another. */
  pairsWith(other: World): Pairs {
    return new Pairs(latestOfBoth(this.#latest, other.#latest));
  }

  /** Whether two worlds after one request are the same in all that is known. */
  isAlike(other: World): boolean {
    const pairs = this.pairsWith(other);
    const isSame = (one: Stored, beside: Stored | undefined): boolean =>
      one === beside ||
      (one.handle === beside?.handle &&
        one.members.size === beside.members.size &&
        [...one.members].every(([name, value]) => areAlike(value, beside.members.get(name), pairs)));
    const areSame = (some: readonly Stored[], others: readonly Stored[]): boolean =>
      some === others ||
      (some.length === others.length && some.every((each, place) => isSame(each, others[place])));
    const hasTimer = (timer: Timer): boolean =>
      other.#timers.some(
        (each) => each === timer || (keyOf(each) === keyOf(timer) && areAlike(each.time, timer.time, pairs)),
      );
    return (
      this.#remembersAs(other, pairs) &&
      this.#timers.length === other.#timers.length &&
      this.#timers.every(hasTimer) &&
      this.#former.size === other.#former.size &&
      [...this.#former].every(([resource, items]) => areSame(items, other.#former.get(resource) ?? [])) &&
      this.#items.size === other.#items.size &&
      [...this.#items].every(([resource, items]) => areSame(items, other.all(resource)))
    );
  }

  /** Whether one handle may stand for two items: both worlds made some during the latest request, and not the same number. */
  #mixesHandles(other: World): boolean {
    const [own, beside] = [this.#madeItems(), other.#madeItems()];
    return own.length > 0 && beside.length > 0 && own.join() !== beside.join();
  }

  /** The items that were made during the latest request, each as its resource and handle. */
  #madeItems(): readonly string[] {
    return [...this.#items.values()]
      .flat()
      .filter(({ handle }) => handle > this.#handlesBefore)
      .map(({ resource, handle }) => `${resource} ${handle}`)
      .toSorted();
  }

  /** Whether the same credentials, tags, keys and cursors are known as in another world. */
  #remembersAs(other: World, pairs: Pairs): boolean {
    return (
      this.#issued === other.#issued &&
      this.#revoked === other.#revoked &&
      (this.#tags === other.#tags ||
        (this.#tags.size === other.#tags.size &&
          [...this.#tags].every(([key, tag]) => areAlike(tag, other.#tags.get(key), pairs)))) &&
      this.#remembered.length === other.#remembered.length &&
      this.#remembered.every((each, place) => {
        const beside = other.#remembered[place];
        return each === beside || areAlike(each.said, beside?.said, pairs);
      }) &&
      this.#cursors === other.#cursors &&
      this.hasUnknownCursors === other.hasUnknownCursors
    );
  }

  /** What is known after one request, whichever of two things happened; null: hardly anything. */
  either(other: World): World | null {
    const pairs = this.pairsWith(other);
    if (!this.#remembersAs(other, pairs) || this.#mixesHandles(other)) return null;
    const world = this.fork(new Ways());
    world.watched = [];
    world.#timers = eitherTimers(this.#timers, other.#timers, pairs);
    world.#handles = Math.max(this.#handles, other.#handles);
    world.#made = Math.max(this.#made, other.#made);
    world.restless = new Map([...this.restless, ...other.restless]);
    world.hasForgotten = true;
    for (const { name, identifier } of this.newest.resourcesByName.values()) {
      const key = (stated(identifier) ?? []).map(({ text }) => text);
      const found = eitherItems(this.all(name), other.all(name), key, pairs);
      if (found === null) return null;
      world.#set(name, found.items);
      const isThere = new Set(found.items.map(({ handle }) => handle));
      const former = this.former(name).filter(({ handle }) => !isThere.has(handle));
      world.#former = new Map(world.#former).set(name, former);
      for (const stored of found.doubtful) world.doubt(stored);
    }
    return world;
  }

  /** Whether an item was written since another state of this world. */
  isWritten(before: World): boolean {
    return [...this.#items].some(([resource, items]) => before.candidates(resource) !== items);
  }

  /** The handles of the items of a resource that were written since another state of this world. */
  written(before: World, resource: string): readonly number[] {
    const [then, now] = [before.candidates(resource), this.candidates(resource)];
    if (then === now) return [];
    const [former, latest] = [new Set(then), new Set(now)];
    const changed = now.filter((stored) => !former.has(stored));
    const gone = then.filter((stored) => !latest.has(stored));
    return [...changed, ...gone].map(({ handle }) => handle);
  }

  /**
   * Lets others use an item, too. What they do not change stays known.
   *
   * @param lasting the fields that nobody changes; null: somebody may delete the item
   */
  share({ resource, handle, members }: Stored, lasting: ReadonlySet<string> | null): void {
    const others = this.all(resource).filter((stored) => stored.handle !== handle);
    if (lasting === null) {
      this.#set(resource, others);
      return;
    }
    const fields = this.specification.resourcesByName.get(resource)?.fields.keys() ?? [];
    const known = [...fields].flatMap((name): [string, Value][] => {
      if (!lasting.has(name)) return [[name, unknown([])]];
      const value = members.get(name);
      return value === undefined ? [] : [[name, value]];
    });
    this.#set(resource, [...others, { resource, handle: theirs - handle, members: new Map(known) }]);
  }

  /** In the order in which they were created. */
  items(resource: string): readonly Stored[] {
    // Whoever goes through all items has to know which there are.
    this.#touch(({ timer }) => timer.kind === 'doubt' && timer.resource === resource);
    return this.candidates(resource);
  }

  /** The same, if `finds` is called for each of them that matters. */
  candidates(resource: string): readonly Stored[] {
    this.#touch(({ others }) => others.has(resource));
    return this.all(resource);
  }

  /** The same, whatever may have happened by itself. */
  all(resource: string): readonly Stored[] {
    return this.#items.get(resource) ?? [];
  }

  stored({ resource, handle }: Pick<Item, 'resource' | 'handle'>): Stored | undefined {
    return storedAs(handle, this.candidates(resource));
  }

  /** A stored item as a value. */
  itemOf(stored: Stored): Item {
    return itemOf(stored, this.specification.resourcesByName.get(stored.resource) as Resource);
  }

  /** A value that the service makes. Those of one series differ. */
  make(form: Form, series: string, when: When | null = null, looks?: string): Made {
    return this.#keep(new Made(form, series, this.#made + 1, when, undefined, this.#latest, looks));
  }

  /** The time of this request: later than that of every request that was answered before (language §G.2). */
  now(): Made {
    const { at } = this.received;
    const before = this.#now;
    const isAfter = before?.when && (this.received === sometime || before.when.received.most <= at.least);
    const { shown, taken } = shownAt(at, this.received);
    const earliest = isAfter ? earliestOf(before) : Number.NEGATIVE_INFINITY;
    const made = this.make('time', 'now', {
      received: at,
      shown: new Range(Math.max(shown.least, earliest), shown.most),
      taken: new Range(Math.max(taken.least, Math.min(earliest, taken.most)), taken.most),
    });
    if (before === null || isAfter) this.#now = made;
    return made;
  }

  /** Whether so many milliseconds have passed since a time that the service made. */
  hasPassed(since: Value, ms: number): Truth {
    const received = since instanceof Made ? since.when?.received : undefined;
    if (received === undefined) return unknown([since]);
    const { at } = this.received;
    if (at.least - received.most >= ms) return true;
    return at.most - received.least < ms ? false : unknown([]);
  }

  /** Keeps the next value that the service makes. */
  #keep<M extends Made>(made: M): M {
    this.#made = made.place;
    this.#latest = { made, before: this.#latest };
    if (made.form === 'fresh') this.#fresh = [...this.#fresh, made];
    return made;
  }

  /** Makes nothing from now on at a place at which another world made something. */
  makeAfter(other: World): void {
    this.#made = Math.max(this.#made, other.#made);
  }

  /** What the service made here that it had not made in an earlier world, the oldest first. */
  madeSince(earlier: World): readonly Made[] {
    const found: Made[] = [];
    for (let each = this.#latest; each && each.made.place > earlier.#made; each = each.before)
      found.push(each.made);
    return found.reverse();
  }

  /** A token that says this. */
  makeToken(scheme: string, said: Pick<Token, 'algorithm' | 'claims' | 'lifeMs'>): Token {
    return this.#keep(new Token(`credential of ${scheme}`, this.#made + 1, said));
  }

  /** Notes a credential that the service issued. */
  issue(issued: Issued): void {
    this.#issued = [...this.#issued, issued];
  }

  /** Ends a credential. */
  revoke(scheme: string, token: Value): void {
    const ends = this.#issued.filter(
      (issued) => issued.scheme === scheme && this.decide(equal(issued.token, token)),
    );
    this.#issued = this.#issued.filter((issued) => !ends.includes(issued));
    this.#revoked = [...this.#revoked, ...ends];
  }

  /** The credentials of a scheme that were revoked, and those that ended with their item. */
  ended(scheme: string): readonly Issued[] {
    const gone = this.#issued.filter(({ item }) => !this.stored(item));
    return [...this.#revoked, ...gone].filter((issued) => issued.scheme === scheme);
  }

  /** The credentials of a scheme that are good, each with its item. If the token is known to be one, it is looked for alone. */
  issued(scheme: string, token?: Value): readonly Issued[] {
    const all = this.#issued.filter((issued) => issued.scheme === scheme);
    const same = token && all.find((issued) => issued.token === token || issued.token.bound === token);
    return (same ? [same] : all).filter((issued) => this.stored(issued.item));
  }

  /** The same world, where rates counted this. */
  tallying(tallies: readonly Tally[]): World {
    if (tallies === this.tallies) return this;
    const world = this.fork(this.ways);
    world.tallies = tallies;
    return world;
  }

  /**
   * The tag that stands for a payload of an item: the same one for the same payload.
   *
   * @param written a text that is the same for the same payload alone
   */
  tag({ resource, handle }: Stored, written: string, payload: Value): Made {
    const key = `${resource} ${handle} ${written}`;
    const about = { resource, handle, payload, version: this.specification };
    const made = this.#tags.get(key) ?? this.#keep(new Tag(this.#made + 1, about, this.#latest));
    this.#tags = new Map(this.#tags).set(key, made);
    return made;
  }

  /** The tags of an item, the oldest first. */
  tags({ resource, handle }: Stored): readonly Made[] {
    const own = [...this.#tags].filter(([key]) => key.startsWith(`${resource} ${handle} `));
    return own.map(([, made]) => made);
  }

  /** Remembers an answer that is repeated. */
  remember(answer: Kept): void {
    this.#remembered = [...this.#remembered, answer];
  }

  /** The same world, in which what is remembered of answers is changed. */
  remembering(change: (kept: Kept) => Kept): World {
    const world = this.fork(this.ways);
    world.watched = this.watched;
    world.#remembered = this.#remembered.map(change);
    return world;
  }

  get remembered(): readonly Kept[] {
    return this.#remembered;
  }

  /** Items of a resource as they were before each change, the oldest first. */
  earlier(resource: string): readonly Stored[] {
    return this.#earlier.filter((stored) => stored.resource === resource);
  }

  /** Gives cursors for places in a list. Those of earlier answers that were not shown are forgotten. */
  giveCursors(
    { list, request }: Pick<Cursor, 'list' | 'request'>,
    positions: readonly Position[],
  ): readonly Made[] {
    const given = positions.map((position) => ({
      list,
      request,
      made: this.make('fresh', 'cursor'),
      position,
    }));
    this.#cursors = [...this.cursors, ...given];
    return given.map(({ made }) => made);
  }

  /** The cursors that answers showed, the newest last. */
  get cursors(): readonly Cursor[] {
    return this.#cursors.filter(({ made }) => made.bound !== undefined);
  }

  /** Items that were deleted. */
  former(resource: string): readonly Stored[] {
    return this.#former.get(resource) ?? [];
  }

  /** The handle of the item that was created last. */
  get latest(): number {
    return this.#handles;
  }

  create(resource: string, members: ReadonlyMap<string, Value>): Stored {
    this.#handles += 1;
    const stored = { resource, handle: this.#handles, members };
    this.#set(resource, [...this.all(resource), stored]);
    return stored;
  }

  change(changed: Stored): void {
    const before = this.all(changed.resource).find((stored) => stored.handle === changed.handle);
    if (before) this.#earlier = [...this.#earlier, before];
    this.know(changed.resource, [changed]);
  }

  /** Other things are known of some items. Of an item that others use, too, what they may change stays unknown. */
  know(resource: string, known: readonly Stored[]): void {
    if (known.length === 0) return;
    if (this.watched.length > 0) for (const each of known) this.#changes(each);
    const others = new Map(known.map((each) => [each.handle, each]));
    const all = this.all(resource).map((stored) => {
      const other = others.get(stored.handle);
      return other && stored.handle < theirs ? withUnknown(other, stored) : (other ?? stored);
    });
    this.#set(resource, all);
  }

  remove(stored: Stored): void {
    const { resource, handle } = stored;
    this.#touch(({ timer, isIdle }) => !isIdle && isOf(timer, stored));
    this.#former = new Map(this.#former).set(resource, [...this.former(resource), stored]);
    this.#set(
      resource,
      this.all(resource).filter((stored) => stored.handle !== handle),
    );
  }

  /** What items may do by themselves. */
  get timers(): readonly Timer[] {
    return this.#timers;
  }

  setTimer(timer: Timer): void {
    this.#timers = [...this.#timers, timer];
  }

  /** It is not known whether an item is there. */
  doubt({ resource, handle }: Stored): void {
    if (this.#timers.some((timer) => timer.kind === 'doubt' && timer.handle === handle)) return;
    this.setTimer({ kind: 'doubt', resource, handle, move: '', due: always, time: null });
  }

  dropTimer(timer: Timer): void {
    this.#touch((watched) => watched.timer === timer);
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  /** An item enters a state, perhaps the state in which it is. */
  enter({ handle }: Stored, field: string): void {
    this.#entered = [...this.#entered, `${handle} ${field}`];
  }

  hasEntered({ handle }: Stored, field: string): boolean {
    return this.#entered.includes(`${handle} ${field}`);
  }

  /** Forgets which states were entered: their timers are set. */
  leaveEntries(): void {
    this.#entered = [];
  }

  /** A member of an item is read, and so it matters whether there is such an item. */
  reads(item: Pick<Item, 'resource' | 'handle'>, name: string): void {
    this.observer?.reads(item, name);
    this.compares(item, name);
    this.finds(item);
  }

  /** A member of an item is compared. */
  compares(item: Pick<Item, 'resource' | 'handle'>, name: string): void {
    this.#touch(({ timer, names, isIdle }) => !isIdle && names.has(name) && isOf(timer, item));
  }

  /** It matters whether there is such an item. */
  finds(item: Pick<Item, 'resource' | 'handle'>): void {
    this.#touch(({ timer, isDeleted }) => isDeleted && isOf(timer, item));
  }

  #changes(changed: Stored): void {
    this.finds(changed);
    const former = this.stored(changed)?.members;
    for (const name of new Set([...changed.members.keys(), ...(former?.keys() ?? [])]))
      if (former?.get(name) !== changed.members.get(name)) {
        this.compares(changed, name);
        this.#moves(changed, name);
      }
  }

  /** Timers that did nothing in the former state of an item may be over. */
  #moves(changed: Stored, name: string): void {
    const idle = this.watched.filter(
      ({ timer, names, isIdle }) => isIdle && names.has(name) && isOf(timer, changed),
    );
    for (const { timer } of idle) {
      this.watched = this.watched.filter((each) => each.timer !== timer);
      this.dropTimer(timer);
      this.setTimer({ ...timer, isPerhapsOver: true });
    }
  }

  #touch(is: (watched: Watched) => boolean): void {
    if (this.watched.length === 0) return;
    const touched = this.watched.find(is);
    if (touched) throw new Touched(touched.timer);
  }

  /** Whether something holds: decided, if it is not known. */
  decide(truth: Truth): boolean {
    return this.ways.decide(truth);
  }

  /** Ends this way: what comes of the request is not determined any further. */
  leave(because: Unknown): never {
    throw new Undetermined(because);
  }

  /** A resource as its items are stored, whatever the version of the request says. */
  stores(resource: Resource): Resource {
    return this.newest.resourcesByName.get(resource.name) ?? resource;
  }

  /** The item with these values in these fields, perhaps somebody else's; null: there is none. */
  find(resource: string, fields: ReadonlyMap<string, Value>): Stored | null {
    const judged = this.candidates(resource).map((stored) => {
      const isIt = every([...fields], ([name, value]) => {
        this.compares(stored, name);
        return equal(stored.members.get(name) ?? null, value);
      });
      if (isIt !== false) this.finds(stored);
      return { stored, isIt };
    });
    const sure = judged.find(({ isIt }) => isIt === true);
    const found = sure ?? judged.find(({ isIt }) => this.decide(isIt));
    const isTheirs = found === undefined && this.decide(this.mayHave(resource, fields));
    return isTheirs ? ofOthers(resource, this.specification, fields) : (found?.stored ?? null);
  }

  /** Whether an item of somebody else may have these values in these fields: unknown, or false. */
  mayHave(resource: string, fields: ReadonlyMap<string, Value>): Truth {
    return wereMadeFor(this.former(resource), fields) ? false : this.mayBeTheirs([...fields.values()]);
  }

  /** Whether somebody else's item may have all these values: unknown, or false. */
  mayBeTheirs(values: readonly Value[]): Truth {
    return this.isShared && !values.some((value) => this.isOurs(value)) ? unknown([]) : false;
  }

  /** Whether nobody but us can know a value: an item of ours, what was made for one, or a text that the client made. */
  isOurs(value: Value): boolean {
    if (typeof value === 'string' && this.own.has(value)) return true;
    if (value instanceof Item) return value.handle !== null && value.handle > theirs;
    if (value instanceof Made) return value.form === 'fresh';
    return this.#fresh.some(({ bound }) => bound === value);
  }

  /** Whether a text holds a value of ours that nobody can guess: then nobody else wrote it. */
  holdsOurs(text: string): boolean {
    return this.#fresh.some(({ bound }) => bound !== undefined && text.includes(String(bound)));
  }

  /** An item that somebody else made; undefined, if nobody else makes any. */
  theirs(resource: string): Item | undefined {
    return this.isShared ? new Item(resource, theirs, null, unknown([])) : undefined;
  }

  /** A reference by a field; it leads to no item if nothing has this value there. */
  refer(resource: string, by: string | null, key: Value): Value {
    if (key === null || key instanceof Unknown) return key;
    if (by === null) return new Item(resource, null, null, key);
    const found = this.find(resource, new Map([[by, key]]));
    return new Item(resource, found?.handle ?? null, by, key);
  }

  /** A stored reference as it leads now: it is a key, which another item may have by now (language §2.2, rule 7). */
  current(reference: Item): Item | Value {
    const { resource, handle, by, key } = reference;
    if (by === null || (handle !== null && handle <= theirs)) return reference;
    const stored = storedAs(handle, this.all(resource));
    const held = stored?.members.get(by);
    if (held !== undefined && (held === key || equal(held, key) === true)) return reference;
    return this.refer(resource, by, key);
  }

  #set(resource: string, items: readonly Stored[]): void {
    this.#items = new Map(this.#items).set(resource, items);
  }
}

function isOf(timer: Timer, { resource, handle }: Pick<Item, 'resource' | 'handle'>): boolean {
  return timer.resource === resource && timer.handle === handle;
}

/** The earliest that a time may be, in whole milliseconds: the service may write no more digits. */
function earliestOf({ bound, when }: Made): number {
  const seen = typeof bound === 'string' ? millisecondsOf(bound) : undefined;
  return Math.floor(seen ?? when?.shown.least ?? Number.NEGATIVE_INFINITY);
}

/** A stored item as it is now, whatever becomes of it. */
export function snapshot(stored: Stored, resource: Resource): Snapshot {
  return new Snapshot(itemOf(stored, resource), stored.members);
}

/** An answer that is repeated. */
export interface Kept {
  /** What tells it from others: of two worlds, it is the same one if all of this is. */
  readonly said: Value;
}

/** The place of the latest value that was made before two worlds went apart. */
function latestOfBoth(a: Making | null, b: Making | null): number {
  let [one, other] = [a, b];
  while (one && other && one !== other)
    if (one.made.place >= other.made.place) one = one.before;
    else other = other.before;
  return one && other ? one.made.place : 0;
}

/** A stored item as a value, known by its identifier. */
export function itemOf({ resource, handle, members }: Stored, { identifier }: Resource): Item {
  const fields = stated(identifier) ?? [];
  const [field] = fields;
  const by = fields.length === 1 && field ? field.text : null;
  return new Item(resource, handle, by, by === null ? null : (members.get(by) ?? null));
}
