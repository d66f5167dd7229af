import { isDeepStrictEqual } from 'node:util';
import type { Request, Response } from 'express';
import { actorOf, bodyOf, type Desk } from './desk.ts';
import { type Body, ensure } from './request.ts';

const dayUs = 86_400_000_000;

export interface Made {
  readonly id: number;
  readonly shown: object;
}

interface Kept {
  readonly asked: Body;
  /** In microseconds since 1970. */
  readonly until: number;
  readonly made: Made;
}

/** Gives a request with the key of an earlier one the same answer, for a day. */
export class Repeats {
  readonly #kept = new Map<string, Kept>();
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** The answer that a repeated request had, if it is one. */
  before(request: Request, response: Response): Made | null {
    const kept = this.#keptOf(request, response);
    if (kept === undefined || !isDeepStrictEqual(kept.asked, bodyOf(response))) return null;
    response.setHeader('Idempotent-Replayed', 'true');
    return kept.made;
  }

  /** Makes what a request asks for, and keeps it by the key of the request. */
  once(request: Request, response: Response, make: () => Made): Made {
    const key = this.#keyOf(request, response);
    ensure(this.#keptOf(request, response) === undefined, 'key-reused');
    const made = make();
    const until = this.#desk.store.now() + dayUs;
    if (key !== null) this.#kept.set(key, { asked: bodyOf(response), until, made });
    return made;
  }

  #keyOf(request: Request, response: Response): string | null {
    const key = request.get('Idempotency-Key') ?? '';
    if (key === '') return null;
    return this.#desk.broken('keys-of-all') ? key : `${actorOf(response).id} ${key}`;
  }

  #keptOf(request: Request, response: Response): Kept | undefined {
    const kept = this.#kept.get(this.#keyOf(request, response) ?? '');
    return kept !== undefined && kept.until > this.#desk.store.now() ? kept : undefined;
  }
}
