import { type Result, type Verdict, verdicts } from '../result.ts';

/** A statement, and how many checks of it ended so; verdicts that none of them has are left out. */
export type StatementCounts = Result['statement'] & { readonly [V in Verdict]?: number } & {
  /** How many of these rest on an assumption; left out where none does. */
  readonly assumed?: number;
};

/** The statements of results, in the order in which they come first, with their verdicts in numbers. */
export function statementCounts(results: readonly Result[]): readonly StatementCounts[] {
  const groups = Map.groupBy(results, ({ statement }) => statement.address);
  return [...groups.values()].map((group) => {
    const entries = verdicts
      .map((verdict) => [verdict, group.filter((one) => one.verdict === verdict).length] as const)
      .filter(([, number]) => number > 0);
    const assumed = group.filter((one) => one.assumed).length;
    const counts = Object.fromEntries(entries) as { readonly [V in Verdict]?: number };
    return { ...(group[0] as Result).statement, ...counts, ...(assumed > 0 && { assumed }) };
  });
}

/** A statement that nothing was seen of, for an operation, though it is stated. */
export interface Untested {
  readonly statement: Result['statement'];
  /** `METHOD /path`; undefined: it is about none. */
  readonly operation: string | undefined;
  readonly reason: string;
}

/** The statements that were not exercised, for each operation: no check of it was. */
export function untested(results: readonly Result[]): readonly Untested[] {
  const groups = Map.groupBy(results, ({ statement, operation }) =>
    JSON.stringify([statement.address, operation]),
  );
  return [...groups.values()]
    .filter((group) => group.every(({ verdict }) => verdict === 'not exercised'))
    .map(([first]) => {
      const { statement, operation, reason = '' } = first as Result;
      return { statement, operation, reason };
    });
}
