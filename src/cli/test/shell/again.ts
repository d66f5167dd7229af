import { type GivenCredentials, secretsIn } from '../../../conformance/access/given.ts';
import type { Report } from '../../../conformance/report.ts';
import type { Result } from '../../../conformance/result.ts';
import { hidingFrom, rewritten } from '../../../conformance/sequences/hiding.ts';
import { changes, sequenceOf } from '../../../conformance/sequences/made.ts';
import { sequenceTo } from '../../../conformance/verdicts/causes.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { script } from './script.ts';

/** Where a violation comes from. */
export interface Run {
  readonly report: Pick<Report, 'url' | 'sequences'>;
  readonly of: Specification;
  /** The operator's secrets, to be written out; none: the commands ask for them. */
  readonly credentials: GivenCredentials;
}

/**
 * Commands of a shell that lead to a violation again: the fewest requests that are known; or, of those that were sent, what
 * changed something, and what that needs; or else the one request. Undefined: nothing was sent.
 */
export function commandsFor(result: Result, { report, of, credentials }: Run): string | undefined {
  const { url } = report;
  const secrets = new Map(secretsIn(of, credentials));
  const found = sequenceTo(result, report.sequences);
  if (found) return script(found, { url, secrets });
  const { says, expected = '', found: seen = '', sequence: exchanges = [], curl } = result;
  if (exchanges.length < 2) return curl === undefined ? undefined : `${curl}\n`;
  const entries = exchanges.map((exchange, index) => ({
    exchange,
    sent: 2 * index,
    answered: 2 * index + 1,
  }));
  const acting = entries.flatMap((entry, index) => (changes(entry) ? [index] : []));
  const evidence = { specification: of, url, entries, fresh: new Set<string>() };
  const { sequence } = sequenceOf(evidence, new Set(acting), new Set([entries.length - 1]));
  const named = rewritten(sequence, hidingFrom(of, credentials, url));
  return script({ says, expected, found: seen, sequence: named, isPlayed: false }, { url, secrets });
}
