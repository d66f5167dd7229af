import type { Request } from '../../semantics/request/prediction.ts';
import { seen, type Value } from '../../semantics/value/value.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import { stated } from '../../specification/reading/said.ts';
import { bodyIn, isMembers } from '../requests/bodies.ts';
import type { Pool } from '../requests/pool.ts';
import { type Explorer, isSuccess } from './explorer.ts';

/** What lets a planned request succeed: it stands in its place, or comes before it. */
export interface Mended {
  readonly request: Request;
  readonly isInPlace: boolean;
}

/** How many log-ins are looked at for one that gives the secret of an account. */
const tries = 8;

/** Lets planned requests succeed that are refused since earlier walks changed something. */
export class Mending {
  readonly #explorer: Explorer;
  readonly #pool: Pool;

  constructor(explorer: Explorer, pool: Pool) {
    this.#explorer = explorer;
    this.#pool = pool;
  }

  /**
   * A request that makes room, or the same log-in with the secret that the account has by now, or a request after which the
   * log-in succeeds. Null: none was found, or needed.
   */
  mended(request: Request, world: World, received: Received): Mended | null {
    const room = this.#explorer.makingRoom(request, world, received);
    if (room) return { request: room, isInPlace: false };
    const isLogIn = stated(request.operation.does)?.verb === 'authenticate';
    if (!isLogIn || this.#succeeds(request, world, received)) return null;
    const asKnown = this.#withSecret(request, world, received);
    if (asKnown) return { request: asKnown, isInPlace: true };
    const help = this.#explorer.helping(request, world, received);
    return help && { request: help, isInPlace: false };
  }

  /** The same log-in with the secret that is known of its account; null: none is known. */
  #withSecret(request: Request, world: World, received: Received): Request | null {
    const { operation } = request;
    const given = keysGiven(request);
    const accounts = operation.subject ? world.items(operation.subject.name) : [];
    const account = accounts.find(({ members }) =>
      [...members.values()].some((value) => given.has(seen(value))),
    );
    for (let tried = 0; account && tried < tries; tried++) {
      const usual = this.#pool.about([account], () => this.#explorer.usual(world, received, [operation]));
      const again = { ...request, content: usual.request.content };
      const isSame = [...keysGiven(again)].some((key) => given.has(key));
      if (isSame && this.#succeeds(again, world, received)) return again;
    }
    return null;
  }

  #succeeds(request: Request, world: World, received: Received): boolean {
    return isSuccess(this.#explorer.candidate(request, world.at(received), received).steps);
  }
}

/** The texts and numbers that a body gives. */
function keysGiven(request: Request): ReadonlySet<Value> {
  const body = bodyIn(request);
  const values = body !== undefined && isMembers(body) ? Object.values(body) : [];
  return new Set(values.filter((value) => typeof value === 'string' || typeof value === 'number'));
}
