import type { Request } from '../../semantics/request/prediction.ts';
import { Unknown } from '../../semantics/value/value.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Candidate } from '../explore/candidate.ts';
import type { Explorer } from '../explore/explorer.ts';
import type { Mended } from '../explore/mending.ts';
import { waitAsPlanned } from '../explore/waits.ts';
import { nextOf, type Playing } from '../search/awaited.ts';
import type { Walk } from '../search/plan.ts';
import { changesAll } from './every.ts';

/** Chooses the requests of a walk. */
export interface Chooser {
  /** How long to wait before the next request, in milliseconds: at the most `mostMs`. */
  readonly wait: (world: World, mostMs: number) => number;
  /** Null: the walk has ended. */
  readonly next: (world: World, received: Received) => Request | null;
  /** What to send at once with the request that is next. Default: nothing */
  readonly rivals?: (world: World, received: Received) => readonly Request[];
  /**
   * Notes what came of a request, and what was known before and after it.
   *
   * @param isClear whether the answer fits one thing alone that may have come of it
   * @param place of those that were sent at once: 0 is the one that was next
   */
  readonly note: (status: number, before: World, after: World, isClear: boolean, place: number) => void;
}

/** How many requests in a row rates may refuse before the walk ends. */
const mostLimited = 5;

/** Time that may still be waited, in milliseconds. */
export interface Allowance {
  leftMs: number;
}

/** Whatever tells most that is new. If a rate refuses a request, it is waited once until its time is over. */
export class Exploring implements Chooser {
  readonly #explorer: Explorer;
  readonly #allowance: Allowance;
  /** What was sent last, at once. */
  #last: readonly Candidate[] = [];
  /** How many requests in a row rates refused. */
  #limited = 0;
  #hasWaited = false;

  /** @param allowance how long may be waited for no rate, in all walks together */
  constructor(explorer: Explorer, allowance: Allowance) {
    this.#explorer = explorer;
    this.#allowance = allowance;
  }

  wait(world: World, mostMs: number): number {
    const waitMs = this.#limited > 0 && !this.#hasWaited ? longestTime(world.specification) : mostMs;
    this.#hasWaited ||= waitMs < mostMs;
    if (waitMs < mostMs) return waitMs;
    const { ms } = this.#explorer.wait(world, Math.min(mostMs, this.#allowance.leftMs));
    this.#allowance.leftMs -= ms;
    return ms;
  }

  next(world: World, received: Received): Request | null {
    if (this.#limited >= mostLimited || this.#explorer.isOver) return null;
    const next = this.#explorer.next(world, received);
    this.#last = [next];
    return next.request;
  }

  rivals(world: World, received: Received): readonly Request[] {
    const rivals = this.#last.flatMap((each) => this.#explorer.rival(each, world, received) ?? []);
    this.#last = [...this.#last, ...rivals];
    return rivals.map(({ request }) => request);
  }

  note(status: number, before: World, after: World, _isClear: boolean, place: number): void {
    const last = this.#last[place];
    if (last === undefined) return;
    this.#explorer.note(last, status, before, after);
    this.#limited = isLimited(last, status) ? this.#limited + 1 : 0;
  }
}

/** Whether an answer is the refusal of a rate. */
function isLimited({ steps }: Candidate, status: number): boolean {
  return steps.some(
    ({ prediction }) =>
      prediction.condition === 'rate exceeded' &&
      !(prediction.status instanceof Unknown) &&
      prediction.status.includes(status),
  );
}

/** The longest time in which a rate counts, in milliseconds. */
function longestTime({ limits }: World['specification']): number {
  const rates = [...(stated(stated(limits)?.rates)?.values() ?? [])].map(stated);
  return Math.max(0, ...rates.map((rate) => (rate && stated(rate.every)) ?? 0));
}

/** How many requests of a walk let others succeed. */
export const mostMended = 12;

/** What lets a planned request succeed that would be refused now; null: none was found, or needed. */
export type Mend = (request: Request, world: World, received: Received) => Mended | null;

/**
 * The requests of a plan. Those that cannot be sent, since an earlier answer did not come, are left out. A plan begins where
 * nothing is stored. What earlier walks stored may use up a quota, so requests are sent between that make room. It may be in
 * the way of what is made now, or an account may have another secret by now, so a request may have another body.
 */
export class Following implements Chooser {
  readonly #walk: Walk;
  readonly #playing: Playing;
  /** The world before each request, and the one after the last. */
  readonly #worlds: World[];
  /** The places of the requests that were clearly answered with a status that the plan expects. */
  readonly #asPlanned = new Set<number>();
  readonly #mending: Mend;
  /** How many requests were mended so far. */
  #mended = 0;
  /** What was sent in place of a planned request, or before it; null: the planned request itself. */
  #instead: Mended | null = null;

  constructor(walk: Walk, begun: World, playing: Playing, mending: Mend) {
    this.#walk = walk;
    this.#playing = playing;
    this.#worlds = [begun];
    this.#mending = mending;
  }

  /** Whether the request at a place was sent, and clearly answered with a status that a right service may have for it. */
  wentAsPlanned(place: number): boolean {
    return this.#asPlanned.has(place);
  }

  wait(world: World, mostMs: number): number {
    const wait = this.#walk.waits[this.#worlds.length - 1];
    return wait === undefined || wait.ms === 0 ? 0 : Math.min(waitAsPlanned(wait, world), mostMs);
  }

  next(world: World, received: Received): Request | null {
    const { requests } = this.#walk;
    for (; this.#worlds.length <= requests.length; this.#worlds.push(world)) {
      const request = nextOf(requests, this.#worlds, this.#playing);
      // It would change the items of others.
      const isOfAll = world.isShared && request !== null && changesAll(request.operation);
      if (!request || isOfAll) continue;
      this.#instead = this.#mend(request, world, received);
      return this.#instead?.request ?? request;
    }
    return null;
  }

  /** What lets a request succeed that is to; null: it does. */
  #mend(request: Request, world: World, received: Received): Mended | null {
    const statuses = this.#walk.statuses[this.#worlds.length - 1] ?? [];
    if (this.#mended === mostMended || !statuses.some((status) => status < 300)) return null;
    const mended = this.#mending(request, world, received);
    if (mended !== null) this.#mended += 1;
    return mended;
  }

  note(status: number, _before: World, after: World, isClear: boolean): void {
    const place = this.#worlds.length - 1;
    if (this.#instead?.isInPlace === false) {
      this.#worlds[place] = after;
      return;
    }
    if (isClear && !this.#instead && this.#walk.statuses[place]?.includes(status)) this.#asPlanned.add(place);
    this.#worlds.push(after);
  }
}
