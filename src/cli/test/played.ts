import type { PlayedExample } from '../../conformance/examples/examples.ts';
import { curl } from '../../conformance/http.ts';
import type { Result } from '../../conformance/result.ts';

/** How many examples were answered as their author expects, otherwise, and not played: `2 as expected, 1 otherwise`. */
export function playedCounts(examples: readonly PlayedExample[]): string {
  return (['as expected', 'otherwise', 'not played'] as const)
    .map((outcome) => [examples.filter((one) => one.outcome === outcome).length, outcome] as const)
    .filter(([number]) => number > 0)
    .map(([number, outcome]) => `${number} ${outcome}`)
    .join(', ');
}

/** Why an example was not played, or in what its answer differs, in a line each. */
export function playedWords({ reason, points, differences }: PlayedExample): readonly string[] {
  if (reason !== undefined) return [points === undefined ? reason : `${reason}: ${points.join(', ')}`];
  return differences.map(({ where, expected, found }) => `${where}: expected ${expected}, found ${found}`);
}

/**
 * Examples as results, for reports that know nothing else. An example states nothing: an answer that differs is *not
 * stated*, unless the operator wants it to fail.
 */
export function asResults(examples: readonly PlayedExample[], isStrict: boolean): readonly Result[] {
  return examples.map((example) => {
    const { name, address, at, outcome, differences, exchange } = example;
    const about = {
      check: 'example',
      says: `the example ${name}`,
      statement: { address, at },
      assumed: false,
    } as const;
    const [reason = ''] = [playedWords(example).join('; ')];
    if (exchange === null) return { ...about, verdict: 'not exercised', reason };
    const { request, response } = exchange;
    const shown = { request, response, curl: curl(request) };
    if (outcome === 'as expected') return { ...about, verdict: 'conforms', ...shown };
    const of = (side: 'expected' | 'found'): string =>
      differences.map((one) => `${one.where} ${one[side]}`).join(', ');
    const sides = { expected: of('expected'), found: of('found') };
    return isStrict
      ? { ...about, verdict: 'violates', ...sides, ...shown, sequence: [exchange] }
      : { ...about, verdict: 'not stated', reason, ...sides, ...shown };
  });
}
