import type { EventFinding } from '../../semantics/judge/events.ts';
import { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { operatorsOf } from '../access/given.ts';
import type { Deviation } from '../deviations/deviation.ts';
import { deviationsOf } from '../deviations/deviations.ts';
import { replacementsIn } from '../deviations/expressions/replacements.ts';
import { Burst, type UsedUp } from '../explore/burst.ts';
import { Explorer, type Interest } from '../explore/explorer.ts';
import { hiddenRates } from '../explore/hidden-rates.ts';
import { Mending } from '../explore/mending.ts';
import { Novelty } from '../explore/novelty.ts';
import type { Exchange } from '../http.ts';
import { type Heard, type Observation, type Observing, observing } from '../observe/observe.ts';
import type { Random } from '../random.ts';
import { AcceptedBodies } from '../requests/accepted-bodies.ts';
import type { Pool } from '../requests/pool.ts';
import { ShownKeys } from '../requests/shown-keys.ts';
import type { Result } from '../result.ts';
import { interestIn } from '../search/interest.ts';
import type { Plan, Walk } from '../search/plan.ts';
import { Verdicts } from '../verdicts/verdicts.ts';
import { type Allowance, type Chooser, Exploring, Following, type Mend, mostMended } from './chooser.ts';
import { changesMany } from './every.ts';
import type { Judged } from './judged-answer.ts';
import { leadingTo, type Step } from './leading.ts';
import { missingAnswer } from './missing.ts';
import { OwnTexts } from './others.ts';
import type { Example } from './protocol.ts';
import type { Target } from './target.ts';
import { type Emitter, walk } from './walk.ts';

/** How many requests follow from one another at the most. */
export const length = 160;

/** How many requests are sent before a rate is used up, and about those that change every item. */
const leading = 24;

/** How many requests change every item, at the end. */
const changing = 5;

/** How long walks wait in all before requests that nothing tells to wait for, in milliseconds, where a wait takes its time. */
const mostWaitedMs = 5000;

export interface WalksOptions {
  /** How many are sent together beside those of a plan, rounded up to whole walks. */
  readonly requests: number;
  readonly random: Random;
  /** Decides the texts that nobody may have yet: other ones in each run. Default: `random` does */
  readonly texts?: Random;
  /** Takes the verdicts. Default: new ones */
  readonly verdicts?: Verdicts;
  /** What is known of the service if nobody else uses it. Default: that nothing was sent to it */
  readonly begun?: World;
  /** Takes the texts that are made up, so that nobody has them yet. Default: nobody asks for them */
  readonly fresh?: Set<string>;
  /** A plan, asked for once its walks are needed. */
  readonly planned?: {
    readonly plan: () => Promise<Pick<Plan, 'walks' | 'untold'>>;
    /** Hears of each deviation that the target would have been seen to have by now. */
    readonly onTold?: (deviation: Deviation) => void;
  };
  /** Hears of each request that is to no operation. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Hears of each request that was sent. */
  readonly onJudged?: (judged: Judged) => void;
}

/** What all walks of a run share. */
export interface Playing {
  readonly target: Target;
  readonly operations: readonly Operation[];
  readonly novelty: Novelty;
  /** How often an operation has its turn: the more, the more ways there are to get it wrong that no walk tells so far. */
  interest: Interest;
  readonly verdicts: Verdicts;
  /** The verdicts that hold only if nobody else uses the service. */
  readonly ifAlone: Verdicts;
  /** The violations among them. */
  readonly held: Result[];
  readonly own: OwnTexts;
  /** What answers showed of what nobody says is kept. */
  readonly shown: ShownKeys;
  readonly accepted: AcceptedBodies;
  /** The texts that were made up. */
  readonly fresh: Set<string>;
  /** A success of each operation. */
  readonly examples: Map<Operation, Example>;
  /** Whether an answer showed what others made. */
  hasOthers: boolean;
  readonly heard: Heard;
  readonly allowance: Allowance;
  /** The exchanges that led to what is known at the end of a walk: the next one may go on from there. */
  readonly history: WeakMap<World, Step[]>;
  readonly random: Random;
  readonly onJudged: (judged: Judged) => void;
}

/** What all walks of a run share, at its start. */
export function playingOf(target: Target, operations: readonly Operation[], options: WalksOptions): Playing {
  const { specification, isClockSet } = target;
  const {
    random,
    verdicts = new Verdicts(specification),
    fresh = new Set(),
    onJudged = () => undefined,
  } = options;
  return {
    target,
    operations,
    novelty: new Novelty(),
    interest: interestIn(deviationsOf(specification), specification),
    verdicts,
    ifAlone: new Verdicts(specification),
    held: [],
    own: new OwnTexts(fresh),
    shown: new ShownKeys(),
    accepted: new AcceptedBodies(),
    fresh,
    examples: new Map(),
    hasOthers: false,
    heard: { mute: new Set(), reached: new Set() },
    history: new WeakMap(),
    allowance: { leftMs: isClockSet === true ? Number.POSITIVE_INFINITY : mostWaitedMs },
    random,
    onJudged,
  };
}

/** A walk of a plan, and the deviations that it told since it went as planned. */
export async function asPlanned(
  walk: Walk,
  begun: World,
  fresh: (text: string) => string,
  playing: Playing,
  pool: Pool,
): Promise<Played & { readonly told: readonly Deviation[] }> {
  const { target } = playing;
  const beganMs = Math.round(target.now() + (begun.clock?.aheadMs ?? 0));
  const mending = mendingFor(playing, pool);
  const chooser = new Following(walk, begun, { url: target.url, fresh, beganMs }, mending);
  const found = await followed(playing, begun, chooser, walk.requests.length + mostMended);
  const told = [...walk.told].filter(([, place]) => chooser.wentAsPlanned(place));
  return { ...found, told: told.map(([deviation]) => deviation) };
}

/** Lets planned requests succeed. */
function mendingFor({ target, operations, novelty }: Playing, pool: Pool): Mend {
  const mending = new Mending(new Explorer(pool, target.url, operations, { novelty }), pool);
  return (...request) => mending.mended(...request);
}

/** A walk that uses up a rate, after some requests that make what it takes. */
export async function usedUp(playing: Playing, begun: World, rate: UsedUp, pool: Pool): Promise<Played> {
  const first = await played(playing, begun, pool, { most: leading, keepsAccess: true });
  const { url, patienceMs } = playing.target;
  const chooser = new Burst(rate, pool, url, patienceMs);
  const found = first.world && (await followed(playing, first.world, chooser, rate.requests));
  return { results: [...first.results, ...(found?.results ?? [])], world: found?.world ?? null };
}

/**
 * An operation that changes every item: after requests that make some, and before requests that look at what is left. Where
 * others use the service, it would change theirs, so it is not sent.
 */
export async function changedAll(
  playing: Playing,
  operation: Operation,
  begun: World,
  poolFor: (world: World) => Pool,
): Promise<Played> {
  const results: Result[] = [];
  let world: World | null = begun;
  for (const [requests, among] of [
    [leading, playing.operations],
    [changing, [operation]],
    [leading, playing.operations],
  ] as const) {
    if (world === null) break;
    const found: Played = await played(playing, world, poolFor(world), { most: requests, operations: among });
    results.push(...found.results);
    world = found.world;
  }
  return { results, world };
}

/** What came of a walk. */
interface Followed {
  readonly results: readonly Result[];
  /** What is known after it; null: nobody knows what the service holds. */
  readonly world: World | null;
  /** How many requests were sent. */
  readonly sent: number;
}

type Played = Omit<Followed, 'sent'>;

interface PlayedOptions {
  /** How many requests are sent. Default: those of a walk */
  readonly most?: number;
  /** Default: all that may be asked */
  readonly operations?: readonly Operation[];
  /** Whether requests are left out after which a credential of the beginning is lost. Default: they are not */
  readonly keepsAccess?: boolean;
}

/** One walk after another, until so many requests were sent. Where nobody knows any more what is stored, the next one begins. */
export async function played(
  playing: Playing,
  begun: World,
  pool: Pool,
  { most = length, operations = playing.operations, keepsAccess = false }: PlayedOptions,
): Promise<Played> {
  const { target, novelty } = playing;
  const results: Result[] = [];
  let world: World | null = begun;
  for (let left = most, sent = 1; left > 0 && sent > 0; left -= sent) {
    const begun: World = world ?? worldOf(playing, false);
    // Of walks that go on at once, two may send requests as the same one.
    const among = operations.filter((operation) => !begun.isShared || !changesMany(operation));
    const explorer = new Explorer(pool, target.url, among, {
      novelty,
      replacements: replacementsIn(target.specification),
      interest: playing.interest,
      keepsAccess,
    });
    const found = await followed(playing, begun, new Exploring(explorer, playing.allowance), left);
    results.push(...found.results);
    ({ world, sent } = found);
  }
  return { results, world };
}

/** One walk, to its end, or to where nobody knows any more what is stored. */
async function followed(playing: Playing, begun: World, chooser: Chooser, most: number): Promise<Followed> {
  const steps = playing.history.get(begun) ?? [];
  const earlier = steps.length;
  const results: Result[] = [];
  const events = await eventsOf(playing);
  let world: World | null = begun;
  let known = begun;
  let isLost = false;
  try {
    for await (const judged of walk(begun, chooser, playing.target, most, events, playing.own)) {
      playing.onJudged(judged);
      const { operation, exchange, answer } = judged;
      const { status = 500 } = exchange.response ?? {};
      if (answer) playing.shown.note(operation, answer);
      if (status < 300 && exchange.request.method === operation.method)
        playing.examples.set(operation, { operation, exchange });
      world = judged.others === 'seen' ? null : judged.world;
      known = judged.world ?? known;
      const { reads, writes, isTogether = false } = judged;
      steps.push({ exchange, reads, writes, isTogether });
      results.push(...noted(playing, judged, steps));
      isLost = judged.world === null;
      if (judged.others === 'seen') break;
    }
    if (events) results.push(...notedEvents(playing, await events.collect(known, isLost), known, steps));
  } finally {
    await events?.close();
  }
  if (world) playing.history.set(world, steps);
  return { results, world, sent: steps.length - earlier };
}

/** What observes the events of a walk; null: there are none that can be observed. */
async function eventsOf({ target, heard, random }: Playing): Promise<Observing<Emitter> | null> {
  const { specification, listening, patienceMs, graceMs = patienceMs } = target;
  if (listening === undefined) return null;
  return await observing(specification, { ...target, listening, graceMs, heard, random });
}

/** The verdicts that events add. If nobody else is known to use the service, a violation holds only if nobody does. */
function notedEvents(
  playing: Playing,
  observations: readonly Observation<Emitter>[],
  { isShared }: World,
  steps: readonly Step[],
): readonly Result[] {
  const verdicts = isShared ? playing.verdicts : playing.ifAlone;
  const results = observations.flatMap(({ finding, source }) =>
    verdicts.noteEvent(source, finding).map((result) => {
      if (result.verdict !== 'violates') return result;
      const place = steps.findIndex(({ exchange }) => exchange === source.exchange);
      return { ...result, sequence: leadingTo(steps.slice(0, place + 1), receiverOf(finding)) };
    }),
  );
  const violations = results.filter(({ verdict }) => verdict === 'violates');
  if (isShared) return results;
  playing.held.push(...violations);
  return results.filter((result) => !violations.includes(result));
}

/** The item to whose address an event goes, as its resource and handle. */
function receiverOf({ expected }: EventFinding): readonly string[] {
  const to = expected?.delivery.to;
  return to ? [`${to.resource} ${to.handle}`] : [];
}

/** The verdicts that an exchange adds; a violation with the exchanges that lead to it. */
function noted(
  playing: Playing,
  { operation, exchange, settled, others, isOfOthers = false }: Judged,
  steps: readonly Step[],
): readonly Result[] {
  if (settled === null) {
    const fault = missingAnswer(playing.target.specification, operation, exchange);
    if (fault === null) return [];
    const found = playing.verdicts.note(operation, exchange, { differences: [fault], by: [] });
    return found.map((result) => ({ ...result, sequence: leadingTo(steps) }));
  }
  playing.hasOthers ||= others === 'seen' || isOfOthers;
  const verdicts = others === 'none' ? playing.verdicts : playing.ifAlone;
  const found = verdicts
    .note(operation, exchange, settled)
    .map((result) => (result.verdict === 'violates' ? { ...result, sequence: leadingTo(steps) } : result));
  if (others === 'none') return found;
  playing.held.push(...found);
  return [];
}

/** What is known of a service before the first request: the credentials that the operator gave. */
export function worldOf(playing: Playing, isAlone: boolean): World {
  const { specification, credentials } = playing.target;
  const world = new World(specification, { isShared: !isAlone, mayAdd: true });
  world.operators = operatorsOf(credentials);
  return beginning(world, playing);
}

/** The world, where rates are counted from now on, and nobody else has the texts that are made up from now on. */
export function beginning(world: World, { target: { specification, now }, fresh }: Playing): World {
  const earlier = new Set(fresh);
  world.own = { has: (text) => fresh.has(text) && !earlier.has(text) };
  world.countedUnseenMs = now();
  world.hiddenRates = hiddenRates(specification);
  return world;
}
