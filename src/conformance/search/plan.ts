import { setImmediate as immediate } from 'node:timers/promises';
import type { Request } from '../../semantics/request/prediction.ts';
import type { Made } from '../../semantics/value/value.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Deviation } from '../deviations/deviation.ts';
import { deviationsOf, operationOf } from '../deviations/deviations.ts';
import { unseenIn } from '../explore/leading.ts';
import { Novelty } from '../explore/novelty.ts';
import { isLong, seriesIn } from '../explore/series.ts';
import type { PlannedWait } from '../explore/waits.ts';
import { remembering, seeded } from '../random.ts';
import { isAccessLost } from '../requests/senders.ts';
import { isSelected, type Selection } from '../verdicts/selection.ts';
import { withAwaited } from './awaited.ts';
import { reasonOf, ruleFor, type Untellable } from './reasons/reasons.ts';
import { isOfNumber } from './rows.ts';
import { begunWorld } from './simulate.ts';
import { Suspect } from './suspect.ts';
import { type Told, type WalkOptions, walk } from './telling.ts';

/** A sequence of requests. What the service makes on the way stands in them as `Awaited`: see `nextOf`. */
export interface Walk {
  readonly seed: number;
  readonly requests: readonly Request[];
  /** How long to wait before each request. */
  readonly waits: readonly PlannedWait[];
  /** The statuses with which a right service may answer each request. */
  readonly statuses: readonly (readonly number[])[];
  /** The deviations that it tells, each with the place of the request whose answer does. */
  readonly told: ReadonlyMap<Deviation, number>;
  /** `late`: it makes very many items. `last`: a credential of the beginning is lost in it. Default: neither */
  readonly turn?: Turn;
}

/** When a walk is played. Those that are `late` come after others, and those that are `last` after rates are used up. */
export type Turn = 'late' | 'last';

/** Walks that tell as many deviations as were found, and those that none tells. */
export interface Plan {
  readonly walks: readonly Walk[];
  /** Each deviation that is told, with the first walk that tells it. */
  readonly told: ReadonlyMap<Deviation, Walk>;
  readonly untold: readonly (Untellable & { readonly deviation: Deviation })[];
}

export interface PlanOptions {
  /** The same seed gives the same plan. Default: 1 */
  readonly seed?: number;
  /**
   * How long the search takes about, in milliseconds. Default: `usualBudgetMs`. It counts what it does, so that another
   * machine finds the same, as long as it is not five times slower.
   */
  readonly budgetMs?: number;
  /** How long one wait may be, in milliseconds. Default: as long as anything needs */
  readonly patienceMs?: number;
  /** Of what deviations are looked for. Default: all */
  readonly selection?: Selection | undefined;
}

/** How long is searched for each deviation, and how long at the least and at the most, in milliseconds. */
const [eachMs, leastMs, mostMs] = [12, 20_000, 60_000];

/** How long the search takes about if nothing else is asked for, in milliseconds: the longer, the more the document states. */
export function usualBudgetMs(specification: Specification): number {
  return Math.min(Math.max(deviationsOf(specification).length * eachMs, leastMs), mostMs);
}

/** The search ends after so many times its budget, whatever it found. */
const mostTimes = 5;

/** How many comparisons a millisecond has. */
const perMs = 3;

/** In how many walks each deviation is told. */
const ways = 2;

/**
 * The share of the budget in which each deviation is to be told once. In what is left, the answer of another operation is to
 * tell it: what deviates in all operations alike here may deviate in one of them alone in an implementation.
 */
const shareOfFirst = 0.8;

/** After so many walks in a row that tell nothing new, nothing more is looked for that way. */
const mostIdle = 16;

/** One of so many walks may lose the credentials of the beginning. */
const spending = 4;

/** How many requests of a walk come before a series of items: those that make what it needs. A short one is tried so often. */
const [beforeSeries, attempts] = [40, 3];

/** How many requests a walk has at the most: so many for each operation, or the least. */
const [lengthEach, leastLength] = [10, 160];

/** The same of a walk that goes on from what a service holds. */
const lengthFrom = 60;

/** Searches in memory for walks on which each statement and its deviations cannot both be true. */
export function plan(specification: Specification, options: PlanOptions = {}): Plan {
  const all = deviationsOf(specification)
    .filter((deviation) =>
      isSelected(options.selection, {
        operation: operationOf(deviation, specification),
        address: deviation.said.address,
      }),
    )
    .map((deviation) => new Suspect(deviation));
  const suspects = all.filter(({ deviation }) => ruleFor(deviation, specification) === null);
  const search = new Search(specification, suspects, options);
  if (specification.operations.length > 0) for (const _ of search.rounds());
  search.inSeries();
  const walks = covering(search.walks);
  const untold = all
    .filter((suspect) => suspect.told === 0)
    .map((suspect) => ({ deviation: suspect.deviation, ...reasonOf(suspect, specification) }));
  return { walks, told: firstTelling(walks), untold };
}

/**
 * Walks that go on from what a service holds now, and tell deviations that those of a plan did not tell as they were played. After
 * each, whatever else waits in this process has its turn.
 */
export async function planFrom(
  begun: World,
  missed: readonly Deviation[],
  options: Required<Pick<PlanOptions, 'seed' | 'budgetMs' | 'patienceMs'>>,
): Promise<readonly Walk[]> {
  const suspects = missed.map((deviation) => new Suspect(deviation));
  const search = new Search(begun.newest, suspects, options, begun);
  for (const _ of search.rounds()) {
    // What answers in memory showed is nothing that the service showed.
    for (const made of search.unseen ?? []) made.unbind();
    await immediate();
  }
  return search.walks;
}

class Search {
  readonly walks: Walk[] = [];
  readonly #specification: Specification;
  readonly #suspects: readonly Suspect[];
  readonly #seed: number;
  readonly #patienceMs: number;
  readonly #budgetMs: number;
  readonly #endsMs: number;
  readonly #novelty = new Novelty();
  /** What a service holds that is there; null: the walks are for any service that begins. */
  readonly #begun: World | null;
  /** What it made, and did not show as yet. */
  readonly unseen: readonly Made[] | null;

  constructor(
    specification: Specification,
    suspects: readonly Suspect[],
    { seed = 1, budgetMs = usualBudgetMs(specification), patienceMs = Number.POSITIVE_INFINITY }: PlanOptions,
    begun: World | null = null,
  ) {
    this.#begun = begun;
    this.unseen = begun && unseenIn(begun);
    this.#specification = specification;
    this.#suspects = suspects;
    this.#seed = seed;
    this.#patienceMs = patienceMs;
    this.#budgetMs = budgetMs;
    this.#endsMs = spentMs() + mostTimes * budgetMs;
  }

  /** Walks until all are told, and by the answers of several operations, or the budget is spent. One is made each time. */
  *rounds(): Iterable<void> {
    const most = this.#budgetMs * perMs;
    const length = this.#begun
      ? lengthFrom
      : Math.max(this.#specification.operations.length * lengthEach, leastLength);
    for (let round = 0, idle = 0, done = 0, isOtherwise = false; ; round++) {
      if (done >= most || this.#isLate()) break;
      const left = this.#suspects.filter(({ told }) => told < (isOtherwise ? ways : 1));
      const isOver = left.length === 0 || idle === mostIdle;
      if (isOver && (isOtherwise || this.#begun)) break;
      if (isOver || (!isOtherwise && done >= most * shareOfFirst)) {
        isOtherwise = true;
        idle = 0;
        continue;
      }
      const mostWork = (isOtherwise ? most : most * shareOfFirst) - done;
      const keepsAccess = this.#begun !== null || round % spending !== spending - 1;
      const seed = this.#seed * 1000 + round;
      const found = this.#sought(seed, left, length, { isOtherwise, mostWork, keepsAccess });
      done += found.work;
      idle = found.told.size > 0 ? 0 : idle + 1;
      yield;
    }
  }

  /** Walks that make many items, for those that nothing told, and that may show only there. */
  inSeries(): void {
    for (const [place, series] of seriesIn(this.#specification).entries())
      for (let attempt = 0; attempt < attempts && !this.#isLate(); attempt++) {
        const seed = (this.#seed + 1) * 1000 - 1 - place * attempts - attempt;
        const left = this.#suspects.filter(
          ({ told, deviation }) => told === 0 && isOfNumber(deviation, this.#specification),
        );
        if (left.length === 0) break;
        const found = this.#sought(seed, left, beforeSeries, { series, patienceMs: 0, keepsAccess: true });
        // Of a long one, one walk is enough.
        if (isLong(series) && found.told.size > 0) break;
      }
  }

  #isLate(): boolean {
    return spentMs() > this.#endsMs;
  }

  #sought(seed: number, left: readonly Suspect[], most: number, more: WalkOptions): Told {
    const texts = new Set<string>();
    const found = walk(
      this.#begun ?? begunWorld(this.#specification),
      left,
      remembering(seeded(seed), texts),
      most,
      {
        novelty: this.#novelty,
        patienceMs: this.#patienceMs,
        isOver: () => this.#isLate(),
        ...more,
      },
    );
    for (const [suspect, place] of found.told) {
      suspect.told += 1;
      suspect.toldBy.add((found.requests[place] as Request).operation);
    }
    if (found.told.size > 0)
      this.walks.push(walkOf(seed, found, { texts, unseen: this.unseen, turn: turnOf(found, more) }));
    return found;
  }
}

/** What several searches of one specification found, each with another seed. */
export function together(plans: readonly Plan[]): Plan {
  const walks = covering(plans.flatMap((each) => each.walks));
  const told = firstTelling(walks);
  const untold = new Map(plans.flatMap((each) => each.untold).map((each) => [each.deviation, each]));
  return { walks, told, untold: [...untold.values()].filter(({ deviation }) => !told.has(deviation)) };
}

function firstTelling(walks: readonly Walk[]): ReadonlyMap<Deviation, Walk> {
  const told = new Map<Deviation, Walk>();
  for (const walk of walks)
    for (const deviation of walk.told.keys()) if (!told.has(deviation)) told.set(deviation, walk);
  return told;
}

/** How long this process has worked, in milliseconds: other processes do not count. */
function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function turnOf({ worlds }: Told, { series }: WalkOptions): Turn | null {
  if (isAccessLost(worlds[0] as World, worlds.at(-1) as World)) return 'last';
  return isLong(series) ? 'late' : null;
}

/** How a walk was found: with which texts of chance, and what a service that is there made and did not show; null: none is there. */
interface Found {
  readonly texts: ReadonlySet<string>;
  readonly unseen: readonly Made[] | null;
  readonly turn: Turn | null;
}

/** Requests after the last one that tells something are left out. */
function walkOf(
  seed: number,
  { requests, worlds, waits, statuses, told }: Told,
  { texts, unseen, turn }: Found,
): Walk {
  const last = Math.max(...told.values());
  return {
    seed,
    requests: withAwaited(requests, worlds, texts, unseen).slice(0, last + 1),
    waits: waits.slice(0, last + 1),
    statuses: statuses.slice(0, last + 1),
    told: new Map([...told].map(([{ deviation }, place]) => [deviation, place])),
    ...(turn && { turn }),
  };
}

/**
 * Without the walks that tell only what others tell often enough, and by the answers of the same operations. Of those
 * that come late or last, one is enough.
 */
function covering(walks: readonly Walk[]): readonly Walk[] {
  const tellings = new Map<Deviation, Operation[]>();
  for (const walk of walks)
    for (const [deviation, operation] of tellingsOf(walk))
      tellings.set(deviation, [...(tellings.get(deviation) ?? []), operation]);
  const left = new Set(walks);
  for (const each of walks.toSorted((a, b) => a.told.size - b.told.size)) {
    const own = tellingsOf(each);
    const isSpare = own.every(([deviation, operation]) => {
      const all = tellings.get(deviation) ?? [];
      if (each.turn) return all.length > 1;
      return all.length > ways && all.indexOf(operation) !== all.lastIndexOf(operation);
    });
    if (!isSpare) continue;
    left.delete(each);
    for (const [deviation, operation] of own) {
      const all = tellings.get(deviation) ?? [];
      tellings.set(deviation, all.toSpliced(all.indexOf(operation), 1));
    }
  }
  return [...left];
}

/** The deviations that a walk tells, each with the operation whose answer does. */
function tellingsOf({ told, requests }: Walk): readonly (readonly [Deviation, Operation])[] {
  return [...told].map(([deviation, place]) => [deviation, (requests[place] as Request).operation]);
}
