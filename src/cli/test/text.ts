import type { GivenCredentials } from '../../conformance/access/given.ts';
import type { Report } from '../../conformance/report.ts';
import { outcomeOf } from '../../conformance/summary.ts';
import { causesOf } from '../../conformance/verdicts/causes.ts';
import { sentence } from '../../conformance/verdicts/sentence.ts';
import type { Paint } from '../../source/diagnostic.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { count } from '../command.ts';
import { causeList } from './summary/causes.ts';
import { unnoticedText } from './summary/unnoticed.ts';
import { blockedBy, everyCheck, examples, inventions, reasons, table } from './text/sections.ts';
import { violationList } from './text/violations.ts';

/** What the text is made with beside the report. */
export interface About {
  readonly of: Specification;
  /** The operator's secrets: the commands that lead to a violation again contain them. */
  readonly credentials: GivenCredentials;
  readonly paint: Paint;
  /** Whether every check is shown. */
  readonly isVerbose: boolean;
}

/**
 * The report for people. The evidence comes first, then numbers, and what is open and blocked most. The end is what a
 * person sees first on a terminal: what to fix, which deviations would not be noticed, and the verdict.
 */
export function text(report: Report, { of, credentials, paint, isVerbose }: About): string {
  const causes = causesOf(report.results, report.sequences);
  const sections = [
    head(report, paint),
    isVerbose ? everyCheck(report, paint) : '',
    violationList(causes, { report, of, credentials }, paint, isVerbose),
    table(report, paint),
    blockedBy(report, of, paint),
    reasons(report, paint, isVerbose),
    examples(report, paint, isVerbose),
    inventions(report, paint, isVerbose),
    causeList(causes, paint, isVerbose),
    unnoticedText(report.unnoticed, report.specification.file, paint),
    `${verdict(report, paint)}\n`,
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function head({ specification, url, seed, requests, tookMs }: Report, paint: Paint): string {
  const name = paint.bold(specification.name || specification.file);
  const took = `${count(requests, 'request')} in ${(tookMs / 1000).toFixed(1)} s, seed ${seed}`;
  return `${name}\n${paint.dim(`${specification.file} against ${url}: ${took}`)}\n`;
}

/** What the run came to, in one line. */
export function verdict(report: Report, paint: Paint): string {
  const colour = {
    violated: paint.red,
    'in order': paint.green,
    'cut short': paint.yellow,
    'nothing exercised': paint.yellow,
  } as const;
  return colour[outcomeOf(report)](sentence(report));
}
