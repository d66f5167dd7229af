import { hashed, proves } from '../resource/secrets.ts';

/** What is judged waits for something that is worked out beside the service's own work. */
export class Awaited extends Error {
  /** To be awaited; then it can be judged. */
  readonly work: () => Promise<unknown>;

  constructor(work: () => Promise<unknown>) {
    super('it is to be worked out first');
    this.work = work;
  }
}

/** What takes long to tell, and so is waited for, once for a request. Throws `Awaited` where it is not known yet. */
export interface Proofs {
  /** Whether a given secret is the one that is kept in this form; null: there is none, which takes as long to say. */
  readonly proves: (kept: unknown, secret: unknown) => boolean;
  /** The form in which a secret is kept that was given. */
  readonly hashed: (secret: unknown) => string;
  /** What this work comes to, by a name of its own. */
  readonly once: <T>(name: string, work: () => Promise<T>) => T;
}

const nothing = (): never => {
  throw new TypeError('nothing is waited for here');
};

/** Where nothing is ever to be proven. */
export const unproven: Proofs = { proves: nothing, hashed: nothing, once: nothing };

/**
 * What is proven for one request.
 *
 * @param atTurn begins to hash or compare a password when it is its turn
 */
export function proofs(atTurn: <T>(work: () => Promise<T>) => Promise<T>): Proofs {
  const known = new Map<string, unknown>();
  const once = <T>(name: string, work: () => Promise<T>): T => {
    if (known.has(name)) return known.get(name) as T;
    throw new Awaited(async () => known.set(name, await work()));
  };
  return {
    once,
    hashed: (secret) => once(`hash ${JSON.stringify(secret)}`, () => atTurn(() => hashed(secret))),
    proves: (kept, secret) => once(JSON.stringify([kept, secret]), () => atTurn(() => proves(kept, secret))),
  };
}
