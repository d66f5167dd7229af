import type { Result, Scenario } from '../check.ts';
import { rewritten } from './hiding.ts';
import type { Found, Sequence } from './sequence.ts';
import { type Search, type Shortest, shortest, type Violation } from './shortest.ts';

/** A search is for the first violation of each kind against a statement; it begins none after this time. */
const longestMs = 15_000;

/** What was found violated in a run, kept until all is tested: to look further would change what the rest is tested on. */
export interface Violations {
  readonly note: (result: Result, scenario: Scenario, from: number) => void;
  /** The shortest sequences of as many as are asked for, by the results that were noted. */
  readonly search: (search: Search, now: () => number) => AsyncIterable<readonly [Result, Shortest]>;
}

export function violations(most: number): Violations {
  const kinds = new Map<string, Violation>();
  return {
    note: (result, scenario, from) => {
      const kind = `${result.check} ${result.statement.address}`;
      if (result.verdict === 'violates' && kinds.size < most && !kinds.has(kind))
        kinds.set(kind, { result, scenario, from });
    },
    search: async function* (search, now) {
      const begun = now();
      for (const violation of kinds.values()) {
        if (now() - begun > longestMs) return;
        const found = await shortest(search, violation);
        if (found) yield [violation.result, found];
      }
    },
  };
}

/** A violation with its sequence, as it is told and written. */
export function foundOf(result: Result, sequence: Sequence, hide: (text: string) => string): Found {
  const { check, says, statement, expected = '', found = '' } = result;
  const about = { check, says, statement, expected: hide(expected), found: hide(found) };
  return { version: 1, ...about, sequence: rewritten(sequence, hide) };
}
