import type { World } from '../../semantics/world/world.ts';
import type { Deviation } from '../deviations/deviation.ts';
import { ratesToUseUp } from '../explore/burst.ts';
import { type Random, remembering, renewing, seeded } from '../random.ts';
import { Pool } from '../requests/pool.ts';
import type { Result } from '../result.ts';
import { interestIn } from '../search/interest.ts';
import { type Plan, planFrom, type Turn, type Walk } from '../search/plan.ts';
import { changesAll } from './every.ts';
import {
  asPlanned,
  beginning,
  changedAll,
  length,
  type Playing,
  played,
  playingOf,
  usedUp,
  type WalksOptions,
  worldOf,
} from './playing.ts';
import { protocolVerdicts } from './protocol.ts';
import type { Target } from './target.ts';
import { takingTurns } from './turns.ts';

/** Using up a rate takes at the most one of so many of all requests. */
const mostOfAll = 4;

/** How many requests are sent before those of a plan: most of what is wrong is seen soon, and a search takes a while. */
const first = length;

/** How often walks are looked for from what the service holds by then, and how long, in milliseconds. */
const [mostRounds, roundMs] = [16, 700];

/** After so many times in a row in which none was found, none is looked for any more. */
const mostIdle = 3;

/** How many walks are under way at once. None touches the items of another. */
const lanes = 4;

/** Plays a walk, and gives the verdicts that it adds. */
type Play = () => Promise<readonly Result[]>;

/**
 * Walks over the whole service. Each is a function that plays it, and gives the verdicts that it adds.
 *
 * Walks begin as if nobody else used the service, and nothing were stored but what the document states. They follow one another,
 * and know all that is stored. Once an answer shows what others made, or nobody knows any more what is stored, several walks
 * go on at once, and each knows only its own items. A fault that holds only if nobody else uses the service is reported at the
 * end, if nobody was seen.
 *
 * The walks of a plan follow the first walk.
 */
export async function* walks(
  service: Target,
  options: WalksOptions,
): AsyncIterable<() => Promise<readonly Result[]>> {
  const { requests, planned } = options;
  const target = service.isClockSet === true ? takingTurns(service) : service;
  const operations = target.specification.operations.filter((operation) => !changesAll(operation));
  if (operations.length === 0) return;
  const run = new Run(playingOf(target, operations, options), options);
  yield* run.exploring(Math.min(requests, first));
  const plan = (await planned?.plan()) ?? { walks: [], untold: [] };
  const planOf = (wanted?: Turn): readonly Walk[] => plan.walks.filter(({ turn }) => turn === wanted);
  yield* run.following(planOf());
  yield* run.catchingUp(planOf());
  if (planned) run.lookFor(plan);
  const last = Math.min(Math.max(requests - first, 0), length);
  yield* run.exploring(requests - first - last);
  yield* run.following(planOf('late'));
  yield* run.usingUp(requests / mostOfAll);
  yield* run.following(planOf('last'));
  yield* run.exploring(last, false);
  if (requests > 0) {
    yield async () => await run.protocol();
    yield* run.changingAll();
  }
  if (requests > 0 || planned) yield async () => run.held;
}

/** The walks of one run, each of which goes on from what is known after the one before. */
class Run {
  readonly #playing: Playing;
  readonly #options: WalksOptions;
  /** What is known of the service; null: several walks go on at once, and each knows only its own items. */
  #world: World | null;
  /** What the walks of the plan told so far. */
  readonly #told = new Set<Deviation>();

  constructor(playing: Playing, options: WalksOptions) {
    this.#playing = playing;
    this.#options = options;
    this.#world = options.begun ? beginning(options.begun, playing) : worldOf(playing, true);
  }

  /** The violations of what holds only if nobody else uses the service. */
  get held(): readonly Result[] {
    return this.#playing.hasOthers ? [] : this.#playing.held;
  }

  /** @param keepsAccess whether requests are left out after which a credential of the beginning is lost */
  *exploring(most: number, keepsAccess = true): Iterable<Play> {
    for (let sent = 0; sent < most; ) {
      sent += (this.#world ? 1 : lanes) * length;
      yield async () => {
        const begun = this.#world
          ? [this.#world]
          : Array.from({ length: lanes }, () => worldOf(this.#playing, false));
        const all = await Promise.all(
          begun.map((each) => played(this.#playing, each, this.#pool(each), { keepsAccess })),
        );
        this.#world &&= all[0]?.world ?? null;
        return all.flatMap(({ results }) => results);
      };
    }
  }

  *following(planned: readonly Walk[]): Iterable<Play> {
    for (const walk of planned)
      yield async () => {
        const begun = this.#begun();
        const found = await asPlanned(walk, begun, this.#fresh(), this.#playing, this.#pool(begun));
        this.#world &&= found.world;
        for (const deviation of found.told) {
          this.#told.add(deviation);
          this.#options.planned?.onTold?.(deviation);
        }
        return found.results;
      };
  }

  /**
   * Looks for walks from what the service holds by now that tell what those of the plan did not tell as they were played: what
   * came before may have been in their way.
   */
  *catchingUp(planned: readonly Walk[]): Iterable<Play> {
    const all = new Set(planned.flatMap((walk) => [...walk.told.keys()]));
    for (let round = 0, idle = 0; round < mostRounds && idle < mostIdle; round++) {
      const missed = [...all].filter((deviation) => !this.#told.has(deviation));
      if (this.#world === null || missed.length === 0) return;
      let found: readonly Walk[] = [];
      yield async () => {
        found = await this.#foundFrom(missed);
        return [];
      };
      idle = found.length === 0 ? idle + 1 : 0;
      yield* this.following(found);
    }
  }

  async #foundFrom(missed: readonly Deviation[]): Promise<readonly Walk[]> {
    if (this.#world === null) return [];
    const { patienceMs } = this.#playing.target;
    const seed = this.#options.random.whole(1, 2 ** 20);
    return await planFrom(this.#world, missed, { seed, budgetMs: roundMs, patienceMs });
  }

  /** From now on, operations have their turn as often as a plan tells nothing of them, or told nothing as it was played. */
  lookFor(plan: Pick<Plan, 'walks' | 'untold'>): void {
    this.#playing.interest = interestIn(missedBy(plan, this.#told), this.#playing.target.specification);
  }

  /** @param most how many requests a rate may take */
  *usingUp(most: number): Iterable<Play> {
    const { target, operations } = this.#playing;
    for (const rate of ratesToUseUp(target.specification, operations))
      if (rate.requests <= most)
        yield async () => {
          const begun = this.#begun();
          const { results, world } = await usedUp(this.#playing, begun, rate, this.#pool(begun));
          this.#world &&= world;
          return results;
        };
  }

  async protocol(): Promise<readonly Result[]> {
    const { target, examples, verdicts, random } = this.#playing;
    const { onExchange = () => undefined } = this.#options;
    return await protocolVerdicts(target, [...examples.values()], verdicts, random, onExchange);
  }

  *changingAll(): Iterable<Play> {
    for (const operation of this.#playing.target.specification.operations.filter(changesAll))
      yield async () => {
        if (this.#world === null) return [];
        const found = await changedAll(this.#playing, operation, this.#world, (world) => this.#pool(world));
        this.#world = found.world;
        return found.results;
      };
  }

  #begun(): World {
    return this.#world ?? worldOf(this.#playing, false);
  }

  /** Decides the texts that nobody may have yet. */
  get #texts(): Pick<Random, 'letters' | 'uuid'> {
    const { random, texts = random } = this.#options;
    return { letters: texts.letters, uuid: texts.uuid };
  }

  #fresh(): (text: string) => string {
    return renewing(remembering({ ...this.#options.random, ...this.#texts }, this.#playing.fresh));
  }

  #pool({ latest }: World): Pool {
    const { target, fresh, shown, accepted } = this.#playing;
    const random = seeded(this.#options.random.whole(0, 2 ** 31 - 1));
    const remembered = remembering({ ...random, ...this.#texts }, fresh);
    return new Pool(target.specification, remembered, latest, shown, accepted);
  }
}

/** The deviations that a plan does not tell, or did not tell as it was played, and that something else may. */
function missedBy(
  { walks, untold }: Pick<Plan, 'walks' | 'untold'>,
  told: ReadonlySet<Deviation>,
): readonly Deviation[] {
  const missed = untold.filter(({ reason }) => reason === 'not found' || reason === 'not reached');
  const planned = new Set(walks.flatMap((walk) => [...walk.told.keys()]));
  return [
    ...missed.map(({ deviation }) => deviation),
    ...[...planned].filter((deviation) => !told.has(deviation)),
  ];
}
