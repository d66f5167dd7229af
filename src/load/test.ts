import { curl } from '../conformance/http.ts';
import type { Report } from '../conformance/report.ts';
import { type TestOptions, testService, usualPatienceMs } from '../conformance/run.ts';
import { usualBudgetMs } from '../conformance/search/plan.ts';
import { causesOf } from '../conformance/verdicts/causes.ts';
import type { Specification } from '../specification/model/specification.ts';
import { judgedOf } from './load.ts';
import { searching } from './searching.ts';

export interface TestingOptions extends Omit<TestOptions, 'seed' | 'plan'> {
  /** Decides every value that is sent but identifiers. Default: 1 */
  readonly seed?: number;
  /**
   * How long a process of its own searches in memory for requests that show deviations, in milliseconds; 0: it does not.
   * Default: as long as `tacet test` does, if the specification was loaded from a file
   */
  readonly searchMs?: number;
}

/** For how many kinds of violations the fewest requests that lead there are looked for. */
export const mostSequences = 20;

/**
 * Tests an implementation, whoever wrote it, against what a specification states, and nothing more (language §F.2).
 *
 * @throws Unreachable if nothing answers at the address
 */
export async function test(document: Specification, options: TestingOptions): Promise<Report> {
  const { seed = 1, patienceMs = usualPatienceMs, selection } = options;
  const { specification = document, sought } = judgedOf(document) ?? {};
  const budgetMs = options.searchMs ?? usualBudgetMs(specification);
  const search =
    sought && budgetMs > 0
      ? searching(sought, specification, { seed, budgetMs, patienceMs, selection })
      : null;
  try {
    const plan = search && { plan: search.plan };
    return await testService(specification, { sequences: mostSequences, ...options, seed, ...plan });
  } finally {
    search?.close();
  }
}

/**
 * What is violated, a text for each cause: what was expected and found, the statement, and the requests as commands for a
 * shell. A test may expect this to be empty.
 */
export function violationsIn({ results, sequences }: Report): readonly string[] {
  const stated = causesOf(results, sequences).filter(({ assumed }) => !assumed);
  return stated.map(({ results: [{ says, expected, found, statement, request, sequence }] }) => {
    const requests = sequence?.map((exchange) => exchange.request) ?? (request ? [request] : []);
    return [
      says,
      `  expected ${expected}`,
      `  found    ${found}`,
      `  stated   ${statement.at}  ${statement.address}`,
      ...requests.map((each) => `  ${curl(each)}`),
    ].join('\n');
  });
}
