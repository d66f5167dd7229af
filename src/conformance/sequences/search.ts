import type { Result, Scenario } from '../check.ts';
import { rewritten } from './hiding.ts';
import type { Found, Sequence } from './sequence.ts';
import { type Search, type Shortest, shortest, type Violation } from './shortest.ts';

/** A search is for the first violation of each kind against a statement; it begins none after this time. */
const longestMs = 15_000;

/** How many bodies with less in them are tried for one violation. */
const mostTried = 200;

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
        const least = await smallest(search, violation, () => now() - begun > longestMs);
        const found = await shortest(search, least);
        if (found) yield [least.result, found];
      }
    },
  };
}

/**
 * The same violation with the least in its body that is found: of what is smaller, the first that violates is made
 * smaller in turn, until nothing that is does, or enough was tried.
 */
async function smallest(search: Search, violation: Violation, isOver: () => boolean): Promise<Violation> {
  let best = violation;
  if (best.scenario.smaller) await search.afresh();
  for (let tried = 0, before: Violation | null = null; before !== best; ) {
    before = best;
    for (const scenario of before.scenario.smaller?.(before.result) ?? []) {
      if (tried++ >= mostTried || isOver()) return best;
      const from = search.entries.length;
      const result = (await scenario.run()).find((one) => isSame(one, violation.result));
      if (result) {
        best = { result, scenario, from };
        break;
      }
    }
  }
  return best;
}

function isSame({ verdict, check, statement }: Result, other: Result): boolean {
  return verdict === 'violates' && check === other.check && statement.address === other.statement.address;
}

/** A violation with its sequence, as it is told and written. */
export function foundOf(result: Result, sequence: Sequence, hide: (text: string) => string): Found {
  const { check, says, statement, expected = '', found = '' } = result;
  const about = { check, says, statement, expected: hide(expected), found: hide(found) };
  return { version: 1, ...about, sequence: rewritten(sequence, hide) };
}
