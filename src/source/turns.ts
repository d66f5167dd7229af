/** Work in steps. Between two steps, others may have their turn. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** So long one turn lasts, in milliseconds: nobody notices a wait of this length. */
const turnMs = 10;

/** Does all steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Does the steps in turns of 10 ms, and lets the event loop go on between them, so that a service answers requests
 * meanwhile. A step that takes longer is not interrupted.
 */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const end = performance.now() + turnMs;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < end);
    await nextTurn();
  }
}

/** Lets the event loop go on once. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
