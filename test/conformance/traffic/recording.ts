import { type Explorer, exploring } from '../../../src/conformance/explore/explorer.ts';
import type { Header } from '../../../src/conformance/http.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { messageOf } from '../../../src/conformance/requests/message.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { judgedIn } from '../../../src/conformance/traffic/exchange.ts';
import type { Recorded } from '../../../src/conformance/traffic/har.ts';
import { World } from '../../../src/semantics/world/world.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';

/** Somebody who sends requests that follow from one another, and knows of nobody else. */
export class Visitor {
  readonly #explorer: Explorer;
  readonly #url: string;
  #world: World;

  constructor(specification: Specification, url: string, seed: number) {
    this.#explorer = exploring(new Pool(specification, seeded(seed)), url);
    this.#url = url;
    this.#world = new World(specification, { isShared: true });
  }

  /** Sends the next request. */
  async visit(): Promise<Recorded> {
    const { specification } = this.#world;
    const before = this.#world;
    const candidate = this.#explorer.next(before, before.received);
    const { method, path, headers, body } = messageOf(candidate.request, specification);
    const url = `${this.#url}${path}`;
    const sentMs = performance.timeOrigin + performance.now();
    const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    const received = await answer.text();
    const tookMs = performance.timeOrigin + performance.now() - sentMs;
    const recorded: Recorded = {
      sentMs,
      tookMs,
      exchange: {
        request: { method, url, headers: Object.entries(headers), body: body ?? null },
        response: { status: answer.status, headers: [...answer.headers] as Header[], body: received },
        failure: null,
      },
    };
    const { world } = judgedIn(before, recorded, this.#url);
    if (world) this.#explorer.note(candidate, answer.status, before, world);
    this.#world = world ?? new World(specification, { isShared: true });
    return recorded;
  }
}

/** Several visitors send so many requests each, all at the same time, in rounds. */
export async function visited(visitors: readonly Visitor[], rounds: number): Promise<readonly Recorded[][]> {
  const recordings: Recorded[][] = visitors.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const all = await Promise.all(visitors.map((visitor) => visitor.visit()));
    for (const [place, recorded] of all.entries()) recordings[place]?.push(recorded);
  }
  return recordings;
}
