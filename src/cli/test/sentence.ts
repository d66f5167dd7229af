import type { Report } from '../../conformance/report.ts';
import { outcomeOf } from '../../conformance/summary.ts';
import { count } from '../command.ts';

/** What a run came to, in one sentence. */
export function sentence(report: Pick<Report, 'counts' | 'results' | 'cutShort'>): string {
  const { counts, results, cutShort } = report;
  const { violates, conforms } = counts;
  switch (outcomeOf(report)) {
    case 'violated':
      return `${count(violates.stated, 'check')} found a violation${cutShort === null ? '' : `; ${cutShort}`}`;
    case 'cut short':
      return `no violation as far as it came: ${cutShort}`;
    case 'in order':
      return `no violation; ${conforms.stated + conforms.assumed} of ${count(results.length, 'check')} found what is stated`;
    case 'nothing exercised':
      return 'nothing was exercised: nothing is stated that could be tested';
  }
}
