import { judge } from '../../semantics/judge/judge.ts';
import { answerTo } from '../../semantics/judge/permitted.ts';
import { onceDue } from '../../semantics/request/due.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { type Step, step } from '../../semantics/request/request.ts';
import { Range, Unknown } from '../../semantics/value/value.ts';
import { clockOffMs, type Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { noteSteps } from '../deviations/deviation.ts';
import { replacementIn, replacementsIn } from '../deviations/expressions/replacements.ts';
import { Burst, ratesToUseUp } from '../explore/burst.ts';
import type { Candidate } from '../explore/candidate.ts';
import { type Explorer, exploring, type Interest } from '../explore/explorer.ts';
import { Novelty } from '../explore/novelty.ts';
import { isSuccess } from '../explore/outcome.ts';
import type { Wanted } from '../explore/series.ts';
import { type PlannedWait, plannedWait } from '../explore/waits.ts';
import { isLooking } from '../explore/weights.ts';
import type { Random } from '../random.ts';
import { withNewKey } from '../requests/headers.ts';
import { Pool } from '../requests/pool.ts';
import { aimedAt, operationsFor } from './aim.ts';
import { apartIn, conditionsOf } from './apart.ts';
import { interestIn } from './interest.ts';
import { isPreparing, itemsMoving } from './preparing.ts';
import { type Asked, beginsMs, exactly, url } from './simulate.ts';
import type { Comparison, Suspect } from './suspect.ts';
import { statementsRead } from './trace.ts';

/** A sequence of requests, and the deviations that it tells from what is stated: each by one of its answers. */
export interface Told {
  readonly requests: readonly Request[];
  /** How long to wait before each request. */
  readonly waits: readonly PlannedWait[];
  /** The statuses with which a right service may answer each request. */
  readonly statuses: readonly (readonly number[])[];
  /** The world before each request, and the one after the last. */
  readonly worlds: readonly World[];
  /** The place of the request whose answer tells it. */
  readonly told: ReadonlyMap<Suspect, number>;
  /** How much work it was, in comparisons. */
  readonly work: number;
}

/** How many requests in a row may come to nothing that is known, before the walk ends. */
const mostUnknown = 20;

/** For how many suspects requests are made, before one is chosen that is for nobody. */
const aims = 6;

/** How many requests are made for a suspect at a time. */
const attempts = 2;

/** How many requests of a hundred are for nobody, whoever may be told. */
const forNobody = 40;

/** A statement that was read so often for such an answer, or for any, and made no difference is looked at less and less. */
const [often, enough] = [5, 10];

/** So many times, a deviation is looked at for each such answer, whatever others showed. */
const few = 2;

/** One of so many requests is looked for among items and senders that tell conditions apart. */
const looking = 5;

/** After so many requests, it is counted anew how many are left to be told of each operation. */
const counting = 10;

/** How many comparisons some work counts as: the choice of a request, and what it reads. */
const [choosing, reading] = [24, 8];

/** A request, and those whom it is to tell from a right one. */
interface Aimed {
  readonly request: Request;
  readonly at: readonly Suspect[];
}

export interface WalkOptions {
  /** What was seen in other walks. */
  readonly novelty?: Novelty;
  /** How long one wait may be, in milliseconds. Default: as long as anything needs */
  readonly patienceMs?: number;
  /** Whether an answer tells a deviation only if none of its operation did in an earlier walk. Default: each answer may */
  readonly isOtherwise?: boolean;
  /** Whether requests are left out after which a credential of the beginning is lost. Default: they are not */
  readonly keepsAccess?: boolean;
  /** After so much work the walk ends, however short it is. Default: never */
  readonly mostWork?: number;
  /** Whether the walk ends before the next request, whatever it found. Default: it does not */
  readonly isOver?: () => boolean;
  /** What is made at the end, beside the length of the walk. Default: nothing */
  readonly series?: Wanted;
}

/** So many of the last requests of a long series may tell something, and so often one more item is tried after it. */
const [near, rounds] = [8, 2];

/** How often what a series needs is led up to, and how many requests follow the first one of those that do. */
const [leads, followed] = [6, 4];

/** How many requests are looked at for one that makes an item elsewhere. */
const places = 8;

/** While something falls due, nobody knows what the service holds. A request of a series then waits so long, in milliseconds. */
const settlingsMs = [1000, 8000];

/**
 * Asks a service that does what is stated, and beside it each one that deviates: a deviation is told where no answer fits
 * both. Nothing is sent anywhere, and time passes at will.
 *
 * @param length of how many requests the sequence is at the most
 */
export function walk(
  begun: World,
  suspects: readonly Suspect[],
  random: Random,
  length: number,
  {
    novelty = new Novelty(),
    patienceMs = Number.POSITIVE_INFINITY,
    isOtherwise = false,
    keepsAccess = false,
    mostWork = Number.POSITIVE_INFINITY,
    isOver = () => false,
    series,
  }: WalkOptions = {},
): Told {
  const walking = new Walking(begun, suspects, random, { novelty, patienceMs, isOtherwise, keepsAccess });
  for (
    let unknown = 0;
    walking.requests.length < length && unknown < mostUnknown && walking.work < mostWork && !isOver();
  )
    unknown = walking.next() ? 0 : unknown + 1;
  if (series) walking.make(series, isOver);
  walking.useUp();
  return walking;
}

/** A request to an operation that mostly succeeds. */
interface Base {
  readonly request: Request;
  /** Whether it would succeed. */
  readonly isGood: boolean;
}

/** How many of a hundred requests are tried for a deviation if none to its operation would succeed. */
const forRefused = 25;

class Walking implements Told {
  readonly requests: Request[] = [];
  readonly waits: PlannedWait[] = [];
  readonly statuses: (readonly number[])[] = [];
  /** Of the last answer. */
  #status = 0;
  readonly worlds: World[];
  readonly told = new Map<Suspect, number>();
  work = 0;
  readonly #pool: Pool;
  readonly #random: Random;
  readonly #explorer: Explorer;
  #left: readonly Suspect[];
  /** How often each operation has its turn, as of the last time that this was counted. */
  #interest: Interest = () => 1;
  #clockMs: number;
  /** For whom the last request wrote an item of which it decides otherwise. */
  #prepared: Suspect | null = null;
  /** How long time was let pass since the last request. */
  #waited: PlannedWait = { ms: 0 };
  readonly #patienceMs: number;
  readonly #isOtherwise: boolean;
  /** As long as nothing was changed since they were made. */
  readonly #bases = new Map<Operation, Base>();

  constructor(
    begun: World,
    suspects: readonly Suspect[],
    random: Random,
    {
      novelty,
      patienceMs,
      isOtherwise,
      keepsAccess,
    }: Required<Pick<WalkOptions, 'novelty' | 'patienceMs' | 'isOtherwise' | 'keepsAccess'>>,
  ) {
    this.worlds = [begun];
    this.#clockMs = begun.isBegun ? begun.received.at.most : beginsMs;
    this.#patienceMs = patienceMs;
    this.#isOtherwise = isOtherwise;
    this.#pool = new Pool(begun.specification, random);
    this.#random = random;
    this.#explorer = exploring(this.#pool, url, {
      novelty,
      replacements: replacementsIn(begun.specification),
      interest: (operation) => this.#interest(operation),
      keepsAccess,
    });
    this.#left = suspects;
    for (const suspect of suspects) suspect.begin();
  }

  /** Asks once. False: after what was to be asked, nobody would know what the service holds. */
  next(): boolean {
    const last = this.worlds.at(-1) as World;
    const moving = this.#prepared ? itemsMoving(this.#prepared.deviation, last) : [];
    this.#prepared = null;
    const received = this.#pass(plannedWait(this.#explorer.wait(last, this.#patienceMs, moving)));
    const before = last.at(received);
    if (this.requests.length % counting === 0) this.#interest = this.#leftFor(last);
    const apart = this.requests.length % looking === 0 ? this.#apart(before) : null;
    const isForNobody = this.#waited.ms === 0 && this.#pool.often(forNobody);
    const aimed = apart ?? (isForNobody ? null : this.#aimed(before));
    const candidate = this.#candidate(before, received, aimed);
    return this.#ask(candidate, before, (suspect) => aimed?.at.includes(suspect) === true);
  }

  /**
   * Makes a series of items, as far as it can be made. After it one more is tried elsewhere, and in the room of another one. Only
   * then, and just before, others are asked beside the right one.
   */
  make(series: Wanted, isOver: () => boolean): void {
    const explorer = this.#explorer;
    type Chosen = (world: World, received: Received) => Candidate | null;
    const asked = (chosen: Chosen, among = this.#left): boolean => {
      let again = chosen;
      for (const ms of [0, ...settlingsMs]) {
        const received = this.#pass({ ms });
        const before = (this.worlds.at(-1) as World).at(received);
        const candidate = isOver() ? null : again(before, received);
        if (candidate === null) return false;
        if (this.#ask(candidate, before, () => true, among)) return true;
        again = (...at) => explorer.candidate(candidate.request, ...at);
      }
      return false;
    };
    const isBegun = (): boolean => explorer.begin(series, this.worlds.at(-1) as World, this.#pass({ ms: 0 }));
    let isOn = isBegun();
    for (let led = 0; !isOn && led < leads; led++) {
      if (!asked((...at) => explorer.leadingTo(series.operation, ...at), [])) break;
      for (let after = 0; after < followed; after++) asked((...at) => explorer.next(...at), []);
      isOn = isBegun();
    }
    if (!isOn) return;
    let made = 0;
    const inSeries: Chosen = (...at) => explorer.nextInSeries(...at);
    while (asked(inSeries, made < series.requests - near ? [] : this.#left)) made += 1;
    const last = this.requests.findLast(({ operation }) => operation === series.operation);
    const again: Chosen = (...at) => (last ? explorer.candidate(last, ...at) : null);
    const room: Chosen = (...at) => {
      const request = last && explorer.makingRoom(last, ...at);
      return request ? explorer.candidate(request, ...at) : null;
    };
    const elsewhere: Chosen = (...at) => {
      const found = Array.from({ length: places }, () => explorer.usual(...at, [series.operation]));
      return found.find(({ steps }) => isSuccess(steps)) ?? null;
    };
    for (let round = 0; round < rounds; round++)
      for (const chosen of [elsewhere, again, room, again]) asked(chosen);
  }

  /** Uses up the rates that deviations are about which were not told so far. */
  useUp(): void {
    const { specification } = this.worlds[0] as World;
    for (const rate of ratesToUseUp(specification, specification.operations)) {
      const isAbout = ({ deviation: { said } }: Suspect): boolean =>
        said.address.startsWith(`limits.rates.${rate.name}`) || said.address.startsWith('errors.');
      if (!this.#left.some((suspect) => suspect.told === 0 && isAbout(suspect))) continue;
      const burst = new Burst(rate, this.#pool, url, this.#patienceMs);
      for (let count = 0; count < rate.requests; count++) {
        const last = this.worlds.at(-1) as World;
        const received = this.#pass({ ms: burst.wait(last) });
        const before = last.at(received);
        const request = burst.next(before, received);
        if (request === null) break;
        const candidate = this.#explorer.candidate(request, before, received);
        if (!this.#ask(candidate, before, isAbout)) break;
        burst.note(this.#status, before, this.worlds.at(-1) as World);
      }
    }
  }

  /** Lets time pass, and tells when the next request is received. */
  #pass({ ms, until }: PlannedWait): Received {
    if (ms > 0) {
      this.#bases.clear();
      this.#waited = { ms: this.#waited.ms + ms, ...(until && { until }) };
    }
    this.#clockMs += 2 + ms;
    return { at: new Range(this.#clockMs, this.#clockMs + 1), offMs: clockOffMs };
  }

  /**
   * @param isAbout of whom it is seen to that each is asked. Default: of nobody
   * @param among of whom some are asked. Default: of all that are left
   */
  #ask(
    candidate: Candidate,
    before: World,
    isAbout: (suspect: Suspect) => boolean = () => false,
    among = this.#left,
  ): boolean {
    const { request } = candidate;
    // What is due emits events, too.
    const isWhole = onceDue(before, url) === before;
    const carried = isWhole ? candidate : { request, steps: step(before, request) };
    const query = queryOf(before, carried, (by) => candidate.decided(by));
    if (query === null || !isFollowed(query)) return false;
    // What the answer shows is bound only after the others were asked: it may be another value of theirs.
    const compared = this.#compared(query, candidate, isAbout, among);
    const after = judge(query.steps, query.answer, true).world as World;
    for (const [suspect, comparison] of compared)
      if (comparison === 'told' && this.#tells(query, suspect)) this.told.set(suspect, this.requests.length);
      else if (comparison === 'told') suspect.goOnAsTold(query, after);
      else if (comparison !== 'same' || suspect.isOther) suspect.goOn(query, after);
    this.#left = this.#left.filter((suspect) => !this.told.has(suspect));
    this.#explorer.note(candidate, query.answer.status, before, after);
    if (query.answer.status < 400 && !isLooking(query.request.operation)) this.#bases.clear();
    this.#status = query.answer.status;
    this.statuses.push(statusesOf(query.steps));
    this.requests.push(query.request);
    this.waits.push(this.#waited);
    this.#waited = { ms: 0 };
    this.worlds.push(after);
    return true;
  }

  /** Whether it counts that an answer tells a deviation. */
  #tells({ request }: Asked, { toldBy }: Suspect): boolean {
    return !this.#isOtherwise || !toldBy.has(request.operation);
  }

  #candidate(before: World, received: Received, aimed: Aimed | null): Candidate {
    this.work += choosing;
    return aimed
      ? this.#explorer.candidate(aimed.request, before, received)
      : this.#explorer.next(before, received);
  }

  /** A request of a sender about items that tell most conditions from what they are got wrong as; null: none tells any. */
  #apart(before: World): Aimed | null {
    const { specification } = before;
    const all = this.#toldLeast().flatMap((suspect) =>
      operationsFor(suspect.deviation, specification).flatMap((operation) => {
        const conditions = conditionsOf(suspect.deviation, operation, specification);
        return conditions ? [{ suspect, operation, conditions }] : [];
      }),
    );
    if (all.length === 0) return null;
    const { operation } = this.#random.pick(all);
    const own = all.filter((each) => each.operation === operation);
    this.work += own.length;
    const found = apartIn(
      own.map(({ conditions }) => conditions),
      operation,
      before,
      this.#pool,
    );
    if (found === null) return null;
    const { request } = this.#pool.about(found.items, () =>
      this.#explorer.usual(before, before.received, [operation]),
    );
    const asked = { ...request, credentials: found.credentials };
    const query = queryOf(before, { request: asked, steps: step(before, asked) });
    return query && isFollowed(query) && !this.#explorer.isLeftOut(query, before)
      ? { request: asked, at: own.map(({ suspect }) => suspect) }
      : null;
  }

  /** A request that tells one of those that were not told so far, or after which one holds something else. */
  #aimed(before: World): Aimed | null {
    let infecting: Aimed | null = null;
    let preparing: Aimed | null = null;
    let isRefused = false;
    const usual = (among: readonly Operation[], world = before): Request => {
      const { request, isGood } = this.#base(this.#random.pick(among), world);
      isRefused = !isGood;
      return request;
    };
    for (const goal of this.#goals())
      for (let tried = 0; tried < attempts; tried++) {
        isRefused = false;
        const request = aimedAt(goal, before, this.#pool, this.requests, usual);
        // Something else has to be done first.
        if (isRefused && !this.#pool.often(forRefused)) break;
        const query = queryOf(before, { request, steps: step(before, request) });
        if (query === null || this.#explorer.isLeftOut(query, before)) continue;
        const isOther = goal.isOther;
        const comparison = goal.compare(query);
        const after = query.steps.at(-1)?.world;
        const aimed = { request, at: [goal] };
        if (comparison === 'told' && this.#tells(query, goal) && isFollowed(query)) return aimed;
        if (comparison === 'infected' && !isOther && !infecting && isFollowed(query)) infecting = aimed;
        if (comparison !== 'same' || preparing || infecting || !after) continue;
        if (isPreparing(goal.deviation, before, after) && isFollowed(query)) preparing = aimed;
      }
    if (infecting === null) this.#prepared = preparing?.at[0] ?? null;
    return infecting ?? preparing;
  }

  /** A request to an operation that mostly succeeds: the same for several suspects, as long as nothing was changed. */
  #base(operation: Operation, before: World): Base {
    const isAnywhere = this.#pool.focus.length === 0;
    const known = isAnywhere ? this.#bases.get(operation) : undefined;
    if (known) return { ...known, request: withNewKey(known.request, this.#pool) };
    const { request, steps } = this.#explorer.usual(before, before.received, [operation]);
    const base = { request, isGood: isSuccess(steps) };
    if (isAnywhere) this.#bases.set(operation, base);
    return base;
  }

  /** How many of those that were told least are about each operation. */
  #leftFor({ specification }: World): Interest {
    return interestIn(
      this.#toldLeast().map(({ deviation }) => deviation),
      specification,
    );
  }

  /** Those that were told least; if another operation is to tell them, of those that were told. */
  #toldLeast(): readonly Suspect[] {
    const all = this.#isOtherwise ? this.#left.filter(({ told }) => told > 0) : this.#left;
    const least = Math.min(...all.map(({ told }) => told));
    return all.filter(({ told }) => told === least);
  }

  /**
   * First some of those that hold something else, then those for which the fewest requests were made. Once time passed, only
   * those of which it may decide.
   */
  #goals(): readonly Suspect[] {
    const all = this.#toldLeast();
    const left = this.#waited.ms === 0 ? all : all.filter(({ isTimed, isOther }) => isTimed || isOther);
    const others = left.filter((suspect) => suspect.isOther).toSorted((a, b) => a.aims - b.aims);
    const rest = left.toSorted((a, b) => a.aims - b.aims);
    return [...new Set([...others.slice(0, aims / 2), ...rest.slice(0, aims)])].slice(0, aims);
  }

  /** Asks those that a request concerns. */
  #compared(
    query: Asked,
    candidate: Candidate,
    isAbout: (suspect: Suspect) => boolean,
    among: readonly Suspect[],
  ): ReadonlyMap<Suspect, Comparison> {
    if (among.length === 0) return new Map();
    const read = statementsRead(query.before, query.request);
    const concerned = among.filter(
      (suspect) =>
        suspect.concerns(query, read) && (isAbout(suspect) || this.#isLookedAt(suspect, query, candidate)),
    );
    this.work += reading + concerned.length;
    return new Map(concerned.map((suspect) => [suspect, suspect.compare(query)]));
  }

  /** Whether one that a request concerns has its turn: the less, the more often it made no difference. */
  #isLookedAt(suspect: Suspect, query: Asked, candidate: Candidate): boolean {
    const replacement = suspect.isOther ? null : replacementIn(suspect.deviation);
    const isSame = replacement ? candidate.isSameWith(replacement.other) : undefined;
    if (isSame === true) return false;
    if (isSame === false) return true;
    const alike = suspect.readsLike(query);
    if (suspect.isOther || alike < few) return true;
    return this.#random.whole(1, alike + 1) <= often && this.#random.whole(1, suspect.reads + 1) <= enough;
  }
}

function statusesOf(steps: readonly Step[]): readonly number[] {
  const all = steps.flatMap(({ prediction: { status } }) => (status instanceof Unknown ? [] : status));
  return [...new Set(all)];
}

/** Whether the answer fits, and it is known what the service holds after it. */
function isFollowed({ steps, answer }: Asked): boolean {
  const { world, differences } = judge(steps, answer, true, false);
  return world !== null && differences.length === 0;
}

/**
 * What a right service answers whose clock shows what the tester's does. If several things may still come, it does the last:
 * a success, if one is among them.
 */
function queryOf(
  before: World,
  { request, steps }: Pick<Candidate, 'request' | 'steps'>,
  decided: Asked['decided'] = () => [],
): Asked | null {
  const exact = steps.length > 1 ? step(exactly(before), request) : steps;
  const last = exact.at(-1);
  const answer = last ? answerTo(last.prediction) : null;
  if (answer === null) return null;
  noteSteps(before, request, steps);
  return { request, before, steps, answer, decided };
}
