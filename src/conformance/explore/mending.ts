import type { Request } from '../../semantics/request/prediction.ts';
import { seen, type Value } from '../../semantics/value/value.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { bodyIn, isMembers } from '../requests/bodies.ts';
import type { Pool } from '../requests/pool.ts';
import type { Explorer } from './explorer.ts';
import { isSuccess } from './outcome.ts';

/** What lets a planned request succeed: it stands in its place, or comes before it. */
export interface Mended {
  readonly request: Request;
  readonly isInPlace: boolean;
}

/** How many requests are looked at for one that stands in the place of a planned one. */
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
   * A request that makes room, or the same request with another body and other header fields, or a request after which the same
   * one succeeds. Null: none was found, or needed.
   */
  mended(request: Request, world: World, received: Received): Mended | null {
    if (this.#succeeds(request, world, received)) return null;
    const room = this.#explorer.makingRoom(request, world, received);
    if (room) return { request: room, isInPlace: false };
    const other = this.#remade(request, world, received);
    if (other) return { request: other, isInPlace: true };
    const help = this.#explorer.helping(request, world, received);
    return help && { request: help, isInPlace: false };
  }

  /**
   * The same request with another body and other header fields, such as a time that is free, the secret that the account has by
   * now, or a date that fits the item; null: none was found.
   */
  #remade(request: Request, world: World, received: Received): Request | null {
    const { operation } = request;
    const isLogIn = stated(operation.does)?.verb === 'authenticate';
    const given = keysGiven(request);
    const about = isLogIn ? accountsOf(given, operation, world) : [];
    if (isLogIn && about.length === 0) return null;
    for (let tried = 0; tried < tries; tried++) {
      const usual = this.#pool.about(about, () => this.#explorer.usual(world, received, [operation]));
      const { headers, content } = usual.request;
      const again = { ...request, headers, content };
      const isSame = !isLogIn || [...keysGiven(again)].some((key) => given.has(key));
      if (isSame && this.#succeeds(again, world, received)) return again;
    }
    return null;
  }

  #succeeds(request: Request, world: World, received: Received): boolean {
    return isSuccess(this.#explorer.candidate(request, world.at(received), received).steps);
  }
}

/** The account that a log-in names by a value that it gives; empty: none is known. */
function accountsOf(given: ReadonlySet<Value>, { subject }: Operation, world: World): readonly Stored[] {
  const accounts = subject ? world.items(subject.name) : [];
  const named = accounts.find(({ members }) => [...members.values()].some((value) => given.has(seen(value))));
  return named ? [named] : [];
}

/** The texts and numbers that a body gives. */
function keysGiven(request: Request): ReadonlySet<Value> {
  const body = bodyIn(request);
  const values = body !== undefined && isMembers(body) ? Object.values(body) : [];
  return new Set(values.filter((value) => typeof value === 'string' || typeof value === 'number'));
}
