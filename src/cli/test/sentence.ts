import type { Report } from '../../conformance/report.ts';
import { outcomeOf } from '../../conformance/summary.ts';
import { count } from '../command.ts';

/** What a run came to, in one sentence. */
export function sentence({ counts, results }: Pick<Report, 'counts' | 'results'>): string {
  const { violates, conforms } = counts;
  switch (outcomeOf(counts)) {
    case 'violated':
      return `${count(violates.stated, 'check')} found a violation`;
    case 'in order':
      return `no violation; ${conforms.stated + conforms.assumed} of ${count(results.length, 'check')} found what is stated`;
    case 'nothing exercised':
      return 'nothing was exercised: nothing is stated that could be tested';
  }
}
