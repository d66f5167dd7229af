import { count } from '../../source/count.ts';
import type { Report } from '../report.ts';
import { outcomeOf } from '../summary.ts';
import { causesOf } from './causes.ts';
import { unnoticedWords } from './unnoticed.ts';

/** What a run came to, in one sentence. */
export function sentence(report: Pick<Report, 'counts' | 'results' | 'unnoticed' | 'cutShort'>): string {
  const { counts, results, unnoticed, cutShort } = report;
  const { violates, conforms } = counts;
  switch (outcomeOf(report)) {
    case 'violated':
      return `${violated(violates.stated, results)}${cutShort === null ? '' : `; ${cutShort}`}`;
    case 'cut short':
      return `no violation as far as it came: ${cutShort}`;
    case 'in order':
      return `no violation; ${conforms.stated + conforms.assumed} of ${count(results.length, 'check')} found what is stated${assumedWords(violates.assumed)}${unnoticedWords(unnoticed)}`;
    case 'nothing exercised':
      return 'nothing was exercised: nothing is stated that could be tested';
  }
}

/** How many checks found a violation of what is assumed. */
function assumedWords(checks: number): string {
  if (checks === 0) return '';
  return `; ${count(checks, 'check')} found a violation of what is assumed, which fails nothing without --assumed fails`;
}

/** How many checks found a violation, and of how many causes. */
function violated(checks: number, results: Report['results']): string {
  const causes = causesOf(results).filter(({ assumed }) => !assumed).length;
  return `${count(checks, 'check')} found a violation${causes === checks ? '' : `, of ${count(causes, 'cause')}`}`;
}
