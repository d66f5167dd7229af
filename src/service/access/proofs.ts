import { proves } from '../resource/secrets.ts';

/** What is judged waits for something that is worked out beside the service's own work. */
export class Awaited extends Error {
  /** To be awaited; then it can be judged. */
  readonly work: () => Promise<unknown>;

  constructor(work: () => Promise<unknown>) {
    super('it is to be worked out first');
    this.work = work;
  }
}

/**
 * Whether a given secret is the one that is kept in this form; null: there is none, which takes as long to say.
 *
 * @throws Awaited where that is not known yet
 */
export type Proofs = (kept: unknown, secret: unknown) => boolean;

/** Where nothing is ever to be proven. */
export const unproven: Proofs = () => {
  throw new TypeError('nothing is proven here');
};

/** What is proven for one request. */
export function proofs(): Proofs {
  const known = new Map<string, boolean>();
  return (kept, secret) => {
    const name = JSON.stringify([kept, secret]);
    const found = known.get(name);
    if (found !== undefined) return found;
    throw new Awaited(async () => known.set(name, await proves(kept, secret)));
  };
}
