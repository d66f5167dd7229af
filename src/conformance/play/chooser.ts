import type { Request } from '../../semantics/request/prediction.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Explorer } from '../explore/explorer.ts';
import type { Candidate } from '../explore/novelty.ts';
import { nextOf, type Playing } from '../search/awaited.ts';
import type { Walk } from '../search/plan.ts';

/** Chooses the requests of a walk. */
export interface Chooser {
  /** How long to wait before the next request, in milliseconds: at the most `mostMs`. */
  readonly wait: (world: World, mostMs: number) => number;
  /** Null: the walk has ended. */
  readonly next: (world: World, received: Received) => Request | null;
  /** Notes what came of the request, and what was known before and after it. */
  readonly note: (status: number, before: World, after: World) => void;
}

/** Whatever tells most that is new. */
export class Exploring implements Chooser {
  readonly #explorer: Explorer;
  #last: Candidate | null = null;

  constructor(explorer: Explorer) {
    this.#explorer = explorer;
  }

  wait(world: World, mostMs: number): number {
    return this.#explorer.wait(world, mostMs);
  }

  next(world: World, received: Received): Request {
    this.#last = this.#explorer.next(world, received);
    return this.#last.request;
  }

  note(status: number, before: World, after: World): void {
    if (this.#last) this.#explorer.note(this.#last, status, before, after);
  }
}

/** The requests of a plan. Those that cannot be sent, since an earlier answer did not come, are left out. */
export class Following implements Chooser {
  readonly #walk: Walk;
  readonly #playing: Playing;
  /** The world before each request, and the one after the last. */
  readonly #worlds: World[];

  constructor(walk: Walk, begun: World, playing: Playing) {
    this.#walk = walk;
    this.#playing = playing;
    this.#worlds = [begun];
  }

  /** How many requests of the plan had their turn. */
  get reached(): number {
    return this.#worlds.length - 1;
  }

  wait(_: World, mostMs: number): number {
    return Math.min(this.#walk.waitsMs[this.#worlds.length - 1] ?? 0, mostMs);
  }

  next(world: World): Request | null {
    const { requests } = this.#walk;
    for (; this.#worlds.length <= requests.length; this.#worlds.push(world)) {
      const request = nextOf(requests, this.#worlds, this.#playing);
      if (request) return request;
    }
    return null;
  }

  note(_status: number, _before: World, after: World): void {
    this.#worlds.push(after);
  }
}
