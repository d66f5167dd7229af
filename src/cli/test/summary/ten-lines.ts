import type { Report } from '../../../conformance/report.ts';
import { outcomeOf } from '../../../conformance/summary.ts';
import { type Cause, causesOf } from '../../../conformance/verdicts/causes.ts';
import { sentence } from '../../../conformance/verdicts/sentence.ts';
import { type Paint, visible } from '../../../source/diagnostic.ts';
import { count } from '../../command.ts';
import type { Failure } from '../exit-code.ts';
import { causeLine } from './causes.ts';

const lines = 10;

/** A longer command line is for the reports, in characters. */
const longest = 2000;

/**
 * A run in ten lines at the most: the verdict, the figures, and the first causes, each with its statement and a command that
 * sends the deciding request again.
 */
export function tenLines(report: Report, failures: readonly Failure[], paint: Paint): string {
  const causes = causesOf(report.results, report.sequences);
  const room = lines - 2 - failures.length;
  const isWhole = 2 * causes.length <= room;
  const shown = causes.slice(0, Math.floor((isWhole ? room : room - 1) / 2));
  return [
    `${outcomeOf(report)}: ${sentence(report)}`,
    figures(report),
    ...shown.flatMap((cause, index) => [`${index + 1}  ${causeLine(cause, paint)}`, `   ${command(cause)}`]),
    ...(isWhole ? [] : [`and ${count(causes.length - shown.length, 'other cause')}: --report json has them`]),
    ...failures.map(({ says }) => says),
    '',
  ].join('\n');
}

function figures({ specification, url, requests, tookMs, seed, counts }: Report): string {
  const numbers = Object.entries(counts).map(
    ([verdict, { stated, assumed }]) => `${stated + assumed} ${verdict.replace(/s$/, '')}`,
  );
  const took = `${count(requests, 'request')} in ${(tookMs / 1000).toFixed(1)} s, seed ${seed}`;
  return visible(`${specification.file} against ${url}: ${took}; ${numbers.join(', ')}`);
}

function command({ results: [{ curl }] }: Cause): string {
  if (curl === undefined) return 'nothing was sent';
  return curl.length > longest || curl.includes('\n') ? 'too long for a line: --report json has it' : curl;
}
