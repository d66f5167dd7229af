import { Awaited } from '../access/proofs.ts';

/** How many secrets a request may bring, each of which is waited for. */
const mostAwaited = 100;

/** Begins a work anew each time that something it waits for is known. */
export async function onceKnown<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Awaited) || tries === mostAwaited) throw error;
      await error.work();
    }
  }
}

/** Goes on at once with what needs not be waited for. */
export function after<T, R>(found: T | Promise<T>, then: (found: T) => R | Promise<R>): R | Promise<R> {
  return found instanceof Promise ? found.then(then) : then(found);
}
