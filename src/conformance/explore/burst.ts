import { isOfKey, type Tally } from '../../semantics/rate/tally.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { type Step, step } from '../../semantics/request/request.ts';
import { Item } from '../../semantics/value/value.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Pool } from '../requests/pool.ts';
import { oddRequest, usualRequest } from '../requests/requests.ts';

/** A rate that a burst uses up. */
export interface UsedUp {
  readonly name: string;
  readonly everyMs: number;
  /** How many requests that takes at the most. */
  readonly requests: number;
  readonly operations: readonly Operation[];
}

/** A rate that takes more requests is not used up. */
const mostRequests = 200;

/** How many requests are looked at for one that a rate counts. */
const tries = 24;

/** How many requests are sent that the rate refuses: the first must not make the second one worse. */
const refused = 2;

/** How many requests are sent once the time of the rate is over. */
const afterwards = 2;

/** The rates that may be used up, of those that count requests to some operations. */
export function ratesToUseUp({ limits }: Specification, operations: readonly Operation[]): readonly UsedUp[] {
  return [...(stated(stated(limits)?.rates) ?? [])].flatMap(([name, said]): UsedUp[] => {
    const rate = stated(said);
    const [allow, everyMs, own] = rate
      ? [stated(rate.allow), stated(rate.every), stated(rate.operations)]
      : [];
    if (allow === undefined || everyMs === undefined) return [];
    // Where others use it, ours may be in two windows.
    const requests = 2 * allow + refused + afterwards + 3;
    const counted = operations.filter((each) => own?.some(({ text }) => text === each.name) ?? true);
    return requests <= mostRequests && counted.length > 0
      ? [{ name, everyMs, requests, operations: counted }]
      : [];
  });
}

/** What a burst sends next. */
type Phase = 'first' | 'using up' | 'another' | 'early' | 'afterwards' | 'over';

/** Which part of the time of the rate has passed by then: half of it between the first request and the others. */
const parts: Partial<Record<Phase, number>> = { 'using up': 0.5, early: 0.9, afterwards: 1 };

/**
 * The requests by which a rate is used up: those of one key until it refuses, one of another key, one just before the time of
 * the rate is over, and some after it (language §8.1).
 */
export class Burst {
  readonly #rate: UsedUp;
  readonly #pool: Pool;
  readonly #url: string;
  readonly #isPatient: boolean;
  #phase: Phase = 'first';
  #request: Request | null = null;
  /** With whose requests it is counted. */
  #key: Tally['key'];
  /** When the first request was surely received, in milliseconds. */
  #firstMs = 0;
  #refused = 0;
  #after = 0;

  /** @param patienceMs a rate that counts longer than that is used up only for whoever asks nothing else */
  constructor(rate: UsedUp, pool: Pool, url: string, patienceMs: number) {
    this.#rate = rate;
    this.#isPatient = rate.everyMs + 1 <= patienceMs;
    this.#pool = pool;
    this.#url = url;
  }

  /** How long to wait before the next request, in milliseconds. If the time of the rate is longer than that, nothing waits. */
  wait({ received, isShared, countedUnseenMs }: World): number {
    const { everyMs } = this.#rate;
    if (!this.#isPatient) {
      if (this.#phase === 'early' || this.#phase === 'afterwards') this.#phase = 'over';
      return 0;
    }
    // What was counted before is known only once its time is over.
    if (this.#phase === 'first')
      return isShared ? 0 : Math.max(0, countedUnseenMs + everyMs + 1 - received.at.least);
    const part = parts[this.#phase];
    return part === undefined ? 0 : Math.max(0, this.#firstMs + part * everyMs + 1 - received.at.most);
  }

  /** Null: the burst is over, or no request was found that the rate surely counts. */
  next(world: World, received: Received): Request | null {
    if (this.#phase === 'over') return null;
    if (this.#phase !== 'another') return this.#own(world, received);
    return this.#found(world, received, (tally) => !this.#isOwn(tally)) ?? this.#own(world, received);
  }

  note(status: number, _: World, { tallies, received }: World): void {
    const tally = tallies.find((each) => this.#isOwn(each));
    const isRefused = status >= 400 && tally !== undefined && !tally.times.includes(received.at);
    if (this.#phase === 'first') this.#firstMs = received.at.most;
    if (this.#phase === 'using up' && isRefused) this.#refused += 1;
    if (this.#phase === 'afterwards') this.#after += 1;
    this.#phase = this.#following();
  }

  #following(): Phase {
    switch (this.#phase) {
      case 'first':
        return 'using up';
      case 'using up':
        return this.#refused < refused ? 'using up' : 'another';
      case 'another':
        return 'early';
      case 'early':
        return 'afterwards';
      default:
        return this.#after < afterwards ? this.#phase : 'over';
    }
  }

  #isOwn(tally: Tally): boolean {
    return this.#key !== undefined && isOfKey(tally, this.#rate.name, this.#key);
  }

  /** The same request again, if the rate counts it, or another one of the same key. */
  #own(world: World, received: Received): Request | null {
    const before = this.#request;
    const again = before && this.#tallyOf(before, world, received);
    if (before && again && this.#isOwn(again)) return before;
    const found = this.#found(world, received, (tally) => this.#key === undefined || this.#isOwn(tally));
    if (found === null) return null;
    this.#request = found;
    this.#key = this.#tallyOf(found, world, received)?.key;
    return found;
  }

  /** A request that the rate counts, or refuses, with some key: mostly one that changes nothing. */
  #found(world: World, received: Received, isFit: (tally: Tally) => boolean): Request | null {
    let found: Request | null = null;
    for (let tried = 0; tried < tries; tried++) {
      const usual = usualRequest(this.#pool.random.pick(this.#rate.operations), world, this.#pool, this.#url);
      const request = this.#pool.often(50) ? oddRequest(usual, world, this.#pool) : usual;
      const steps = step(world, request, received);
      const tally = tallyIn(steps, this.#rate.name, received);
      if (tally === null || !isFit(tally) || !(this.#isPatient || isOurs(tally, world))) continue;
      if (steps.every((each) => each.world && !each.world.isWritten(world))) return request;
      found ??= request;
    }
    return found;
  }

  #tallyOf(request: Request, world: World, received: Received): Tally | null {
    return tallyIn(step(world, request, received), this.#rate.name, received);
  }
}

/** Whether requests are counted by somebody whom this walk made. */
function isOurs({ key }: Tally, { founding }: World): boolean {
  return key instanceof Item && key.handle !== null && key.handle > founding;
}

/** What a rate counted with a request, whatever comes of it: it counts the request, or refuses it. Null: that is not sure. */
function tallyIn(steps: readonly Step[], name: string, { at }: Received): Tally | null {
  let found: Tally | null = null;
  for (const { world, prediction } of steps) {
    const tally = world?.tallies.findLast((each) => each.rate === name && each.key !== undefined);
    const isRefused = prediction.condition === 'rate exceeded' && prediction.subject === name;
    if (tally === undefined || !(isRefused || tally.times.includes(at))) return null;
    found = tally;
  }
  return found;
}
