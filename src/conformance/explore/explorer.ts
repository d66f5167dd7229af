import type { Request } from '../../semantics/request/prediction.ts';
import { hasKey } from '../../semantics/request/repeats.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { holds } from '../../specification/openness/holds.ts';
import { stated } from '../../specification/reading/said.ts';
import { bodyIn } from '../requests/bodies.ts';
import { withNewKey } from '../requests/headers.ts';
import type { Pool } from '../requests/pool.ts';
import { askedOperations, oddRequest, usualRequest } from '../requests/requests.ts';
import { goodCredentialsOf, isAccessLost } from '../requests/senders.ts';
import {
  type Candidate,
  candidateOf,
  comparedOf,
  type Decision,
  nameOf,
  type Replacements,
} from './candidate.ts';
import { foreseen } from './foreseen.ts';
import type { Succeeding } from './leading.ts';
import { makesOneOf, movesToNew } from './moves.ts';
import { Novelty } from './novelty.ts';
import { isBounded, isByState, isMisshapen, isOpen, isSuccess, mayFree } from './outcome.ts';
import { areRivals, mayRace } from './rivals.ts';
import { Series, type Wanted } from './series.ts';
import { turned } from './turning.ts';
import { nextWait, type Wait, waitForMove } from './waits.ts';
import { isLacking, isLooking, weightOf } from './weights.ts';
import { itemsOf, itemsWritten, Writers } from './writers.ts';

/** How many requests to an operation are looked at for one that succeeds. */
const tries = 8;

/** How many requests an operation waits for its turn after none was found that may succeed. */
const pause = 6;

/** How many requests to an operation are looked at for the one that depends on most that is new. */
const breadth = 4;

/** How many requests of a hundred have something wrong. */
const odd = 40;

/** How many requests of a hundred have a value about a bound that had no turn as yet. */
const untried = 12;

/** How many requests of a hundred are about an item in a state in which nobody asked for their operation as yet. */
const toured = 10;

/** How many of a hundred odd requests have a value whose turn it is: while values at bounds had none as yet, and after that. */
const probedFirst = 60;
const probed = 30;

/** How many requests of a hundred have the key of an earlier one, if there is one. */
const repeated = 4;

/** How many requests of a hundred are those that were refused with a key, and would succeed now, if there is one. */
const recovered = 10;

/** How many of the last requests that were refused with a key are looked at for one that would succeed. */
const mostRecovered = 8;

/** How many requests of a hundred are taken without a look at what they show. */
const unchosen = 10;

/** How many operations are looked at for one that succeeds, or is refused in a new way. */
const mostRefused = 4;

/** An operation waits no longer than so many requests. */
const mostPause = 50;

/** How many of a hundred requests that change something are sent at once with another request: at first, and after that. */
const racedFirst = 50;
const raced = 5;

/** How many races of an operation come at first. */
const firstRaces = 8;

/** How many requests in a row help the same operation at the most. */
const mostHelp = 3;

/** How many requests are looked at for one that helps. */
const helpers = 16;

/** How many requests to an operation are looked at for one that leads to another one. */
const anew = 3;

/** How many requests to an operation are looked at for one that makes room. */
const roomTries = 3;

/** How many requests of a hundred that would be refused are helped first. */
const helped = 60;

/** How many requests of a hundred are such that an item comes by itself into a state in which none is. */
const started = 5;

/** How many of a hundred requests that write something are looked at for what hangs on the values that they write. */
const foresight = 30;

/** How many times of a hundred there is a look at an item for whose move there was a wait, or of which something is decided. */
const watched = 70;

/** How many requests are looked at for one more item of a series. */
const seriesTries = 3;

/** For how long nothing happens by itself to the items of a long series, in milliseconds: at least, and for each request. */
const [leastMs, requestMs] = [5000, 50];

/** What requests are chosen for: what is known, when they come, and to which operations. */
interface Situation {
  readonly world: World;
  readonly received: Received;
  readonly among: readonly Operation[];
  /** Whether the request is to be refused. */
  readonly isOdd: boolean;
  /** Whether nobody asks what other expressions would come to. Default: it is asked */
  readonly isPlain?: boolean;
}

/** An operation whose turn it is, once something was changed that stood in its way. */
interface Turn {
  readonly operation: Operation;
  /** The items that stood in its way. */
  readonly focus: readonly Stored[];
  /** How many requests helped it. */
  readonly times: number;
  /** The operations that come before it, about the same items. */
  readonly before: readonly Operation[];
}

const none: Replacements = new Map();

export interface ExplorerOptions {
  /** What was seen in this and in other walks. Default: nothing yet */
  readonly novelty?: Novelty;
  /** A request that comes to something else with one of these depends on something new. Default: there are none */
  readonly replacements?: Replacements;
  /** How often an operation has its turn, beside others. Default: all alike */
  readonly interest?: Interest;
  /** Whether requests are left out after which a credential of the beginning is lost. Default: they are not */
  readonly keepsAccess?: boolean;
}

/** How often an operation has its turn: twice as much is twice as often. */
export type Interest = (operation: Operation) => number;

/**
 * Chooses the requests of one walk: those that depend on something new. Half of what it looks at should succeed, and the
 * rest is wrong in one thing, or in two.
 */
export class Explorer {
  readonly #pool: Pool;
  readonly #novelty: Novelty;
  readonly #url: string;
  readonly #operations: readonly Operation[];
  readonly #interest: Interest;
  readonly #keepsAccess: boolean;
  /** Which requests wrote what. */
  readonly #writers = new Writers();
  readonly #replacements: Replacements;
  readonly #series: Series;
  #awaiting: Turn | null = null;
  /** The items to look at next: there was a wait for a move just now, or what was written decides something of them. */
  #shown: readonly Stored[] = [];
  /** How many times in a row none was found that may succeed. */
  readonly #fails = new Map<Operation, number>();
  /** The requests with a key for repeats that succeeded. */
  readonly #keyed: Request[] = [];
  /** Those that were refused. */
  readonly #refused: Request[] = [];
  /** The last request to an operation that succeeded. */
  readonly #lastGood = new Map<Operation, Request>();
  /** How many requests to an operation succeeded, by its name. */
  readonly #successes = new Map<string, number>();
  /** How many requests in a row to an operation were refused though they might have succeeded. */
  readonly #refusals = new Map<Operation, number>();
  /** How many times an operation was sent at once with another request. */
  readonly #races = new Map<Operation, number>();
  /** The operations of which it is open what they do, and to which no request was found that is refused whatever that is. */
  readonly #unrefused = new Set<Operation>();
  /** How many requests an operation still waits for its turn. */
  readonly #waits = new Map<Operation, number>();

  constructor(pool: Pool, url: string, operations: readonly Operation[], options: ExplorerOptions = {}) {
    this.#pool = pool;
    this.#url = url;
    this.#operations = operations;
    this.#novelty = options.novelty ?? new Novelty();
    this.#interest = options.interest ?? (() => 1);
    this.#keepsAccess = options.keepsAccess ?? false;
    this.#replacements = options.replacements ?? new Map();
    this.#series = new Series(pool.specification);
  }

  /** Whether each operation waits for an open point, so that nothing more can come of requests. */
  get isOver(): boolean {
    return this.#operations.every((each) => this.#novelty.waiting.has(each));
  }

  /**
   * How long to wait before the next request.
   *
   * @param items for whose moves there is a wait, if one is due. Default: for those of none in particular
   */
  wait(world: World, mostMs: number, items: readonly Stored[] = []): Wait {
    if (this.#series.isOn || this.#awaiting) return { ms: 0, timer: null };
    const wait = waitForMove(items, world, this.#pool, mostMs) ?? nextWait(world, this.#pool, mostMs);
    const moving = wait.timer && world.stored(wait.timer);
    if (wait.timer) this.#shown = moving ? [moving] : [];
    return wait;
  }

  /**
   * The next request: mostly one after which it is known what the service holds, whatever it answers.
   *
   * @param among the operations. Default: all of the walk
   */
  next(world: World, received: Received, among = this.#operations): Candidate {
    let candidate = this.#next(world, received, among);
    for (let tried = 1; tried < tries && this.isLeftOut(candidate, world); tried++)
      candidate = this.#next(world, received, among);
    return candidate;
  }

  /** Whether a request is left out, since a credential of the beginning would be lost after it. */
  isLeftOut({ request, steps }: Pick<Candidate, 'request' | 'steps'>, before: World): boolean {
    if (!this.#keepsAccess || isLooking(request.operation) || !isSuccess(steps)) return false;
    return steps.some(({ world }) => world !== null && isAccessLost(before, world));
  }

  #next(world: World, received: Received, among: readonly Operation[]): Candidate {
    const able = among.filter((each) => !this.#novelty.waiting.has(each));
    const now: Situation = {
      ...{ world: world.at(received), received, isOdd: this.#pool.often(odd) },
      among: able.length > 0 ? able : among,
    };
    const more = this.#inSeries(now) ?? this.#look(now);
    if (more) return more;
    const first =
      (this.#pool.often(toured) ? this.#visiting(now) : null) ??
      (this.#pool.often(untried) ? this.#probed(now) : this.#starting(now));
    if (first) return first;
    const again =
      (this.#pool.often(recovered) ? this.#recovered(now) : null) ??
      (this.#pool.often(repeated) ? this.#repeated(now) : null);
    if (again) return again;
    const { usual, helping } = this.#begun(now);
    if (helping) return helping;
    const own = now.isOdd && this.#mayBeDone(usual) ? this.#inTurn(usual.request, now) : null;
    if (own) return own;
    const deciding = !now.isOdd && this.#pool.often(foresight) ? this.#deciding(usual, now) : null;
    if (deciding) return deciding;
    const turning = this.#turned(usual, now);
    const { operation } = usual.request;
    if (now.isOdd && isOpen(operation)) return this.#refusedWhatever(usual, now);
    const found = now.isOdd
      ? [
          ...this.#oddOnes(usual.request, now),
          ...this.#fromOthers(usual.request, now),
          ...this.#others(operation, now, false),
          ...turning,
        ]
      : [usual, ...this.#others(operation, now, true), ...turning.filter(({ steps }) => isSuccess(steps))];
    return this.#newest(found) ?? usual;
  }

  /** Whether a request may be carried out, as far as that is known: of some operations it is open what they do. */
  #mayBeDone({ request, steps }: Candidate): boolean {
    return isSuccess(steps) || isOpen(request.operation);
  }

  /** A request that is refused whatever its operation does, of which that is open. Null worlds end a walk. */
  #refusedWhatever(usual: Candidate, now: Situation): Candidate {
    const refused = this.#newest(this.#oddOnes(usual.request, now));
    if (refused === null) this.#unrefused.add(usual.request.operation);
    return refused ?? this.#usual(this.#pool.random.pick(now.among), now);
  }

  /** Begins a long series, of items that stay as they are for a while; false: none was found. */
  begin(wanted: Wanted, world: World, received: Received): boolean {
    const now = this.#plain(world, received);
    const endsMs = received.at.most + leastMs + wanted.requests * requestMs;
    for (let tried = 0; tried < seriesTries * tries; tried++) {
      const { request, steps } = this.#usual(wanted.operation, now);
      const after = steps.at(-1)?.world;
      if (!after || !isSuccess(steps)) continue;
      const made = new Set(itemsWritten(now.world, after).map(({ handle }) => handle));
      if (after.timers.some(({ handle, due }) => made.has(handle) && due.least < endsMs)) continue;
      this.#series.begin(wanted, this.#pool.specification, request);
      return true;
    }
    return false;
  }

  /** The first of several requests that make what an operation needs; null: none was found. The next ones follow it. */
  leadingTo(operation: Operation, world: World, received: Received): Candidate | null {
    return this.#leading(operation, null, this.#plain(world, received));
  }

  #plain(world: World, received: Received, among = this.#operations): Situation {
    return { world: world.at(received), received, among, isOdd: false, isPlain: true };
  }

  /** The next request of the series that was begun; null: it is over. */
  nextInSeries(world: World, received: Received): Candidate | null {
    if (!this.#series.isOn) return null;
    return this.#inSeries(this.#plain(world, received));
  }

  /** The next request of a series; null: none is under way, or nobody would know what the service holds after it. */
  #inSeries(now: Situation): Candidate | null {
    const isAble = (operation: Operation): boolean =>
      now.among.includes(operation) && !isLacking(operation, now.world);
    const next = this.#series.next(this.#pool, now.world, isAble);
    if (next === null) return null;
    let candidate = this.#nextOf(next.like, next.operation, now);
    // What is in the way of one more item is mostly its values, unless the bound is reached that the series is for.
    for (let tried = 1; tried < seriesTries && !isSuccess(candidate.steps) && !isBounded(candidate); tried++)
      candidate = this.#nextOf(next.like, next.operation, now);
    const after = candidate.steps.at(-1)?.world;
    this.#series.note(
      candidate.request,
      isSuccess(candidate.steps) && itemsWritten(now.world, after).length > 0,
    );
    if (this.#series.isLong && isBounded(candidate)) this.#series.end(this.#pool.specification);
    if (candidate.steps.every((each) => each.world !== null)) return candidate;
    this.#series.stop();
    return null;
  }

  #nextOf(like: (request: Request) => Request, operation: Operation, now: Situation): Candidate {
    if (!now.isPlain) return this.#candidate(like(this.#usual(operation, now).request), now);
    let request = usualRequest(operation, now.world, this.#pool, this.#url);
    for (let tried = 1; tried < tries && request.isPreflight; tried++)
      request = usualRequest(operation, now.world, this.#pool, this.#url);
    const candidate = this.#candidate(like(request), now);
    if (isSuccess(candidate.steps) || isBounded(candidate)) return candidate;
    // Each may need another value than the one before, or another sender: a higher bid, of somebody else.
    const others = [candidate, ...this.#fromOthers(candidate.request, now)];
    const all = [...others, ...others.flatMap((each) => this.#turned(each, now))];
    return all.find(({ steps }) => isSuccess(steps)) ?? candidate;
  }

  /** A request that shows one of the items to look at next; null: there are none, or nothing shows them alone. */
  #look(now: Situation): Candidate | null {
    const items = this.#shown;
    this.#shown = [];
    const shows = ({ does, subject }: Operation): boolean =>
      stated(does)?.verb === 'read' && items.some(({ resource }) => subject?.name === resource);
    const among = items.length > 0 ? now.among.filter(shows) : [];
    if (among.length === 0 || !this.#pool.often(watched)) return null;
    const found = this.#pool.about(items, () => this.#usual(this.#pool.random.pick(among), now));
    return isSuccess(found.steps) && found.steps.every((each) => each.world !== null) ? found : null;
  }

  /** A request after which another one succeeds that a quota refuses now; null: none was found, or needed. */
  makingRoom(request: Request, world: World, received: Received): Request | null {
    const now = this.#plain(world, received);
    const refused = this.#candidate(request, now);
    if (!refused.steps.every(({ prediction }) => prediction.condition === 'quota exceeded')) return null;
    const { freeing } = this.#novelty;
    const items = itemsOf(refused.reads, now.world);
    const operations = freeing.size > 0 ? [...freeing] : this.#operations;
    for (let tried = 0; tried < roomTries; tried++)
      for (const item of items)
        for (const operation of operations.filter((each) => mayFree(each, item))) {
          const { request: first, steps } = this.#pool.about([item], () => this.#made(operation, now));
          const after = steps.at(-1)?.world;
          if (!after || !isSuccess(steps)) continue;
          if (!isSuccess(this.#candidate(request, { ...now, world: after }).steps)) continue;
          freeing.add(operation);
          return first;
        }
    return null;
  }

  /** A request after which another one succeeds as it is; null: none was found. */
  helping(request: Request, world: World, received: Received): Request | null {
    return this.#help(request, this.#plain(world, received), true)?.request ?? null;
  }

  /** A request to one of some operations, which mostly succeeds. */
  usual(world: World, received: Received, among: readonly Operation[]): Candidate {
    return this.#usual(this.#pool.random.pick(among), this.#plain(world, received, among));
  }

  /**
   * A request to the operation whose turn it is: one that may succeed, or is refused in a new way. If it is refused, maybe one
   * that helps it.
   */
  #begun(now: Situation): { readonly usual: Candidate; readonly helping: Candidate | null } {
    let turn = this.#awaiting;
    this.#awaiting = null;
    const interests = this.#operations.map(this.#interest);
    const mean = interests.reduce((sum, each) => sum + each, 0) / interests.length;
    for (let tried = 1; ; tried++) {
      const [first] = turn?.before ?? [];
      const operation =
        first ?? turn?.operation ?? this.#choose(now.among, (each) => this.#weightOf(each, mean, now));
      const usual = this.#pool.about(turn?.focus ?? [], () => this.#usual(operation, now));
      if (turn && first && this.#goesOn(usual, turn, now)) return { usual, helping: usual };
      if (isSuccess(usual.steps) || tried === mostRefused) return { usual, helping: null };
      const helping = this.#helping(usual, turn, now) ?? this.#leading(operation, turn, now);
      if (helping || this.#novelty.isNew(usual)) return { usual, helping };
      turn = null;
    }
  }

  /** A request that changes what stands in the way of another one, which then has its turn; null: none was found. */
  #helping({ request, reads }: Candidate, turn: Turn | null, now: Situation): Candidate | null {
    const times = (turn?.times ?? 0) + 1;
    if (times > mostHelp || !this.#pool.often(helped)) return null;
    const focus = itemsOf(reads, now.world);
    const found = this.#pool.about(focus, () => this.#help(request, now));
    if (found === null) return null;
    const written = itemsWritten(now.world, found.steps.at(-1)?.world);
    this.#awaiting = { operation: request.operation, focus: [...focus, ...written], times, before: [] };
    return found;
  }

  /**
   * The first of several requests that make what an operation needs, which then has its turn; null: none was found, or an
   * operation has its turn by such requests already.
   */
  #leading(operation: Operation, turn: Turn | null, now: Situation): Candidate | null {
    if (turn || !this.#pool.often(helped)) return null;
    const plain = { ...now, isPlain: true };
    const succeeding: Succeeding = (each, world, items) =>
      this.#pool.about(items, () => this.#succeeding(each, { ...plain, world, received: world.received }));
    const way = this.#novelty.leading.to(operation, now.among, now.world, this.#pool, succeeding);
    if (way === null) return null;
    // In memory its answer was seen already.
    const first = this.#candidate(way.first.request, now);
    const next: Turn = { operation, focus: [], times: mostHelp, before: way.operations };
    return this.#goesOn(first, next, now) ? first : null;
  }

  /** Whether a request leads on to the operation whose turn it is, so that the next one has its turn. */
  #goesOn({ steps }: Candidate, turn: Turn, { world }: Situation): boolean {
    const after = steps.at(-1)?.world;
    if (!after || !isSuccess(steps)) return false;
    this.#awaiting = {
      ...turn,
      focus: [...turn.focus, ...itemsWritten(world, after)],
      before: turn.before.slice(1),
    };
    return true;
  }

  /** A request that may succeed, maybe with another value, or from somebody else; null: none was found at once. */
  #succeeding(operation: Operation, now: Situation): Candidate | null {
    for (let tried = 0; tried < anew; tried++) {
      const candidate = this.#made(operation, now);
      const found = isSuccess(candidate.steps) ? candidate : this.#amended(candidate, now);
      if (found) return found;
    }
    return null;
  }

  /** The same request from somebody else, or with another value, or both, so that it succeeds; null: none was found at once. */
  #amended(candidate: Candidate, now: Situation): Candidate | null {
    const others = this.#fromOthers(candidate.request, now, 2);
    const found = [...others, ...this.#turned(candidate, now)].find(({ steps }) => isSuccess(steps));
    if (found) return found;
    return others.flatMap((each) => this.#turned(each, now)).find(({ steps }) => isSuccess(steps)) ?? null;
  }

  /**
   * A request after which another one may succeed.
   *
   * @param isSame whether it is to succeed as it is. Default: maybe with another value, or from somebody else
   */
  #help(request: Request, now: Situation, isSame = false): Candidate | null {
    const changing = now.among.filter((each) => each !== request.operation && !isLooking(each));
    for (let tried = 0; tried < helpers && changing.length > 0; tried++) {
      const candidate = this.#made(this.#pool.random.pick(changing), now);
      const after = candidate.steps.at(-1)?.world;
      if (!after || !isSuccess(candidate.steps)) continue;
      const then = { ...now, world: after };
      const again = this.#candidate(request, then);
      if (isSuccess(again.steps)) return candidate;
      if (isSame) continue;
      const others = [...this.#turned(again, then), ...this.#fromOthers(request, then)];
      if (others.some(({ steps }) => isSuccess(steps))) return candidate;
      const anew = this.#pool.about(itemsWritten(now.world, after), () =>
        this.#made(request.operation, then),
      );
      if (isSuccess(anew.steps)) return candidate;
    }
    return null;
  }

  /** A request after which an item comes by itself into a state in which none is; null: none was found, or needed. */
  #starting(now: Situation): Candidate | null {
    const moves = movesToNew(now.world);
    if (moves.length === 0 || !this.#pool.often(started)) return null;
    const isDue = (world: World): boolean => world.timers.some((timer) => makesOneOf(moves, timer));
    const changing = now.among.filter((each) => !isLooking(each));
    if (changing.length === 0 || isDue(now.world)) return null;
    for (let tried = 0; tried < 2 * helpers; tried++) {
      const candidate = this.#made(this.#pool.random.pick(changing), now);
      const after = candidate.steps.at(-1)?.world;
      if (after && isSuccess(candidate.steps) && isDue(after)) return candidate;
    }
    return null;
  }

  /** A request about an item in a state whose turn it is, decided by what is stored; null: none is left, or none was found. */
  #visiting(now: Situation): Candidate | null {
    const { tour } = this.#novelty;
    const stop = tour.next(now.among, now.world, this.#pool);
    if (stop === null) return null;
    const isMeant = (candidate: Candidate): boolean =>
      candidate.steps.every((each) => each.world !== null) &&
      itemsOf(candidate.reads, now.world).includes(stop.item) &&
      (isSuccess(candidate.steps) || (!stop.isLeading && isByState(candidate)));
    for (let tried = 0; tried < tries; tried++) {
      const made = this.#pool.about([stop.item], () => this.#made(stop.operation, now));
      const found = isMeant(made)
        ? made
        : (this.#amended(made, now) ?? this.#fromOthers(made.request, now).find(isMeant));
      if (!found || !isMeant(found)) continue;
      tour.note(stop, true);
      return found;
    }
    tour.note(stop, false);
    return null;
  }

  /** A request with a value that had no turn as yet; null: all had one, or it may not be sent now. */
  #probed(now: Situation): Candidate | null {
    const { probing } = this.#novelty;
    const leftOf = (operation: Operation): number =>
      isLacking(operation, now.world) ? 0 : probing.untried(operation, this.#pool);
    const operation = this.#choose(now.among, leftOf);
    if (leftOf(operation) === 0) return null;
    const usual = this.#usual(operation, now);
    // What would be refused anyhow tells nothing of the value, unless everything is.
    if (!this.#mayBeDone(usual) && this.#successes.has(operation.name)) return null;
    return this.#probe(usual.request, now);
  }

  /** A request with the value whose turn it is; null: something else has its turn. */
  #inTurn(request: Request, now: Situation): Candidate | null {
    const isBound = this.#novelty.probing.isAtBounds(request.operation, this.#pool);
    return this.#pool.often(isBound ? probedFirst : probed) ? this.#probe(request, now) : null;
  }

  /** A request with the value whose turn it is; null: there is none, or nobody would know what the service holds after it. */
  #probe(request: Request, now: Situation): Candidate | null {
    const changed = this.#novelty.probing.next(request, this.#pool);
    return changed && this.#newest([this.#candidate(changed, now)]);
  }

  /** The request that depends on most that is new; null: after each, nobody would know what the service holds. */
  #newest(candidates: readonly Candidate[]): Candidate | null {
    const { random } = this.#pool;
    const known = candidates.filter(({ steps }) => steps.every((each) => each.world !== null));
    if (known.length === 0) return null;
    if (this.#pool.often(unchosen)) return random.pick(known);
    const worths = known.map((candidate) => this.#novelty.worth(candidate));
    const most = Math.max(...worths);
    return random.pick(known.filter((_, place) => worths[place] === most));
  }

  /** Other requests to an operation in which nothing is wrong: those that may succeed, or those that what is stored forbids. */
  #others(operation: Operation, now: Situation, succeed: boolean): readonly Candidate[] {
    return Array.from({ length: succeed ? breadth : 2 * breadth }, () => this.#made(operation, now)).filter(
      ({ steps }) => isSuccess(steps) === succeed,
    );
  }

  /** The same request with values at which the comparisons turn that it depends on. */
  #turned({ request, compared }: Candidate, now: Situation): readonly Candidate[] {
    return Array.from({ length: breadth }, () => turned(request, compared, this.#pool))
      .filter((each) => each !== null)
      .map((each) => this.#candidate(each, now));
  }

  /** A request with a key that was refused, and would succeed now, or one that helps it; null: there is none. */
  #recovered(now: Situation): Candidate | null {
    for (const [place, request] of this.#refused.slice(-mostRecovered).entries()) {
      const candidate = this.#candidate(request, now);
      if (!isSuccess(candidate.steps) || candidate.steps.some((each) => each.world === null)) continue;
      this.#refused.splice(Math.max(0, this.#refused.length - mostRecovered) + place, 1);
      return candidate;
    }
    const some = this.#refused.slice(-mostRecovered);
    return some.length > 0 ? this.#help(this.#pool.random.pick(some), now, true) : null;
  }

  /** A request with the key of an earlier one: the same once more, with other content, or from somebody else; null: none had one. */
  #repeated(now: Situation): Candidate | null {
    if (this.#keyed.length === 0) return null;
    const first = this.#pool.recent(this.#keyed);
    const { content, credentials } = this.#made(first.operation, now).request;
    const repeats = [first, { ...first, content }, { ...first, credentials }];
    return this.#newest(repeats.map((each) => this.#candidate(each, now)));
  }

  /** The same request from somebody else whose credential is good. */
  #fromOthers(request: Request, now: Situation, most = breadth): readonly Candidate[] {
    if (request.credentials.length === 0) return [];
    return Array.from({ length: most }, () => goodCredentialsOf(request, now.world, this.#pool))
      .filter((credentials) => credentials.length > 0)
      .map((credentials) => this.#candidate({ ...request, credentials }, now));
  }

  /** The same request with one thing wrong, or with two. */
  #oddOnes(request: Request, now: Situation): readonly Candidate[] {
    return Array.from({ length: breadth }, () => {
      const first = oddRequest(request, now.world, this.#pool);
      return this.#candidate(this.#pool.often(25) ? oddRequest(first, now.world, this.#pool) : first, now);
    });
  }

  /**
   * A request to send at once with this one, which changes something: the same again, or another one, so that the order in
   * which they are carried out shows in the answers. Null: none now.
   */
  rival(candidate: Candidate, world: World, received: Received): Candidate | null {
    const { operation } = candidate.request;
    const races = this.#races.get(operation) ?? 0;
    const now = this.#plain(world, received);
    const isTurn = this.#pool.often(races < firstRaces ? racedFirst : raced);
    if (!isTurn || this.#series.isOn || !mayRace(candidate, now.world)) return null;
    const carry = (request: Request, world: World): Candidate => this.#candidate(request, { ...now, world });
    const found = this.#opponents(candidate, now).filter(
      (each) => areRivals(candidate, each, now.world, carry) && !this.isLeftOut(each, now.world),
    );
    if (found.length === 0) return null;
    this.#races.set(operation, races + 1);
    return this.#pool.random.pick(found);
  }

  /** Requests that may be in the way of one: the same again, or others about what it changes. */
  #opponents(candidate: Candidate, now: Situation): readonly Candidate[] {
    const { request, reads, steps } = candidate;
    const { operation } = request;
    const again = [request, ...(hasKey(request) ? [withNewKey(request, this.#pool)] : [])];
    const beside = [...itemsOf(reads, now.world), ...itemsWritten(now.world, steps[0]?.world)];
    const changing = now.among.filter((each) => !isLooking(each) && !this.#novelty.waiting.has(each));
    const others = [operation, ...Array.from({ length: breadth }, () => this.#pool.random.pick(changing))];
    return [
      ...again.map((each) => this.#candidate(each, now)),
      ...this.#fromOthers(request, now, 1),
      ...this.#pool.about(beside, () => others.map((each) => this.#made(each, now))),
    ];
  }

  /** Notes what came of a request. */
  note(candidate: Candidate, status: number, before: World, after: World): void {
    const { operation } = candidate.request;
    const { name } = operation;
    for (const [waiting, turns] of this.#waits) this.#waits.set(waiting, turns - 1);
    this.#novelty.note(candidate);
    if (isSuccess(candidate.steps)) this.#pool.accepted.note(operation, bodyIn(candidate.request), status);
    if (status < 400) {
      this.#refusals.delete(operation);
      if (hasKey(candidate.request)) this.#keyed.push(candidate.request);
      this.#lastGood.set(operation, candidate.request);
      this.#successes.set(name, (this.#successes.get(name) ?? 0) + 1);
      this.#writers.note(name, before, after);
    } else {
      if (hasKey(candidate.request) && !isMisshapen(candidate)) this.#refused.push(candidate.request);
      if (isSuccess(candidate.steps)) this.#refusals.set(operation, (this.#refusals.get(operation) ?? 0) + 1);
      this.#writers.noteRefusal(`${name} ${status}`, candidate.reads);
    }
    if (status === 501 && holds(this.#pool.specification, operation).length > 0)
      this.#novelty.waiting.add(operation);
  }

  /**
   * The same request with a value that decides something in a new way once somebody looks at the items that it writes, or at
   * those that they refer to; null: none was found.
   */
  #deciding({ request, steps }: Candidate, now: Situation): Candidate | null {
    const foreseenOf = (after: World | null | undefined): readonly Decision[] =>
      after ? foreseen(itemsWritten(now.world, after), after) : [];
    const compared = comparedOf(foreseenOf(steps.at(-1)?.world));
    for (let tried = 0; tried < breadth && compared.length > 0; tried++) {
      const other = turned(request, compared, this.#pool);
      const candidate = other && this.#candidate(other, now);
      const after = candidate?.steps.at(-1)?.world;
      if (!candidate || !after || !isSuccess(candidate.steps)) continue;
      const names = foreseenOf(after).map((decision) => `${request.operation.name} ${nameOf(decision)}`);
      const isNew = names.some((name) => !this.#novelty.foreseen.has(name));
      for (const name of names) this.#novelty.foreseen.add(name);
      if (!isNew) continue;
      this.#shown = itemsWritten(now.world, after);
      return candidate;
    }
    return null;
  }

  /** A request, carried out in memory. */
  candidate(
    request: Request,
    world: World,
    received: Received,
    replacements = this.#replacements,
  ): Candidate {
    return candidateOf(world, request, received, {
      writers: this.#writers,
      replacements,
      isWorn: (operation, other) => this.#novelty.isWorn(operation, other),
    });
  }

  #candidate(request: Request, { world, received, isPlain }: Situation): Candidate {
    return this.candidate(request, world, received, isPlain ? none : this.#replacements);
  }

  /** A request in which nothing is wrong. */
  #made(operation: Operation, now: Situation): Candidate {
    return this.#candidate(usualRequest(operation, now.world, this.#pool, this.#url), now);
  }

  /** A request that may succeed, if one is found soon. If none is, the operation has its turn later. */
  #usual(operation: Operation, now: Situation): Candidate {
    let candidate = this.#made(operation, now);
    // Where none was found the last times, fewer are looked at.
    const most = now.isPlain ? Math.max(2, tries >> (this.#fails.get(operation) ?? 0)) : tries;
    for (let tried = 1; tried < most && !isSuccess(candidate.steps); tried++)
      candidate =
        this.#turned(candidate, now).find(({ steps }) => isSuccess(steps)) ??
        this.#fromOthers(candidate.request, now, 2).find(({ steps }) => isSuccess(steps)) ??
        this.#made(operation, now);
    const last = isSuccess(candidate.steps) ? undefined : this.#lastGood.get(operation);
    if (last) {
      const again = this.#candidate(withNewKey(last, this.#pool), now);
      if (isSuccess(again.steps)) candidate = again;
    }
    const fails = isSuccess(candidate.steps) ? 0 : (this.#fails.get(operation) ?? 0) + 1;
    this.#fails.set(operation, fails);
    this.#waits.set(operation, fails === 0 ? 0 : Math.min(pause * 2 ** (fails - 1), mostPause));
    return candidate;
  }

  /** @param mean how often operations have their turn on average */
  #weightOf(operation: Operation, mean: number, { world, isOdd }: Situation): number {
    return weightOf(operation, world, {
      ...{ isOdd, mean, interest: this.#interest(operation), since: this.#pool.since },
      isWaiting: this.#isWaiting(operation, isOdd),
      successes: this.#successes.get(operation.name) ?? 0,
      refusals: this.#refusals.get(operation) ?? 0,
    });
  }

  /** Whether an operation has its turn later: nothing was found that may succeed, or leads to a success. */
  #isWaiting(operation: Operation, isOdd: boolean): boolean {
    if (isOpen(operation)) return !isOdd || this.#unrefused.has(operation);
    return (this.#waits.get(operation) ?? 0) > 0 && !this.#novelty.leading.isKnown(operation);
  }

  /** An operation, as often as it weighs. */
  #choose(among: readonly Operation[], weightOf: (operation: Operation) => number): Operation {
    const weights = among.map(weightOf);
    const sum = weights.reduce((all, weight) => all + weight, 0);
    let at = (this.#pool.random.whole(0, 999_999) / 1_000_000) * sum;
    const place = weights.findIndex((weight) => {
      at -= weight;
      return at < 0;
    });
    return among[Math.max(0, place)] as Operation;
  }
}

/** An explorer of all operations. */
export function exploring(pool: Pool, url: string, options: ExplorerOptions = {}): Explorer {
  return new Explorer(pool, url, askedOperations(pool.specification), options);
}
