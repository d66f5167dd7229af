import { type Queries, query } from '../server.ts';

/** What is asked: a path, and its parameters. */
export type Asked<Q extends keyof Queries> = readonly [
  path: Q,
  parameters?: Readonly<Record<string, string>>,
];

/** What was read of it; null: nothing yet. */
export interface Reading<T> {
  readonly value: T | null;
  /** Why it could not be read. */
  readonly trouble: string;
}

/**
 * Reads something for a component, and reads it anew whenever what `ask` looks at changes. What was read last is shown
 * until then, if the same is asked.
 *
 * @param ask null: nothing is asked
 */
export function reading<Q extends keyof Queries>(ask: () => Asked<Q> | null): Reading<Queries[Q]> {
  let value = $state.raw<Queries[Q] | null>(null);
  let trouble = $state('');
  let shown = '';
  $effect(() => {
    const asked = ask();
    const key = JSON.stringify(asked);
    const isSame = key === shown;
    if (!isSame) [value, trouble] = [null, ''];
    if (asked === null) return;
    let isCurrent = true;
    query(asked[0], asked[1], isSame)
      .then((found) => {
        if (isCurrent) [value, trouble, shown] = [found, '', key];
      })
      .catch((error: Error) => {
        if (isCurrent) [value, trouble, shown] = [null, error.message, key];
      });
    return () => {
      isCurrent = false;
    };
  });
  return {
    get value() {
      return value;
    },
    get trouble() {
      return trouble;
    },
  };
}
