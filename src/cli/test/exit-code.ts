import type { Report } from '../../conformance/report.ts';
import { isNoDeviation } from '../../conformance/search/reasons/reasons.ts';
import { outcomeOf } from '../../conformance/summary.ts';
import { untested } from '../../conformance/verdicts/statements.ts';
import { visible } from '../../source/diagnostic.ts';
import type { Assumption } from '../../specification/openness/ledger.ts';
import { type Address, isUnder } from '../../specification/reading/address.ts';
import { count, type ExitCode, type Given } from '../command.ts';

const exitCodes = {
  'in order': 0,
  violated: 1,
  'cut short': 3,
  'nothing exercised': 3,
} as const satisfies Record<string, ExitCode>;

/** What fails a run because an option says so. */
export interface Failure {
  /** In one line. */
  readonly says: string;
  /** The first of what it is about, a line each. */
  readonly first: readonly string[];
}

/** What a run ends with. What an option makes fail is no reason for 3 to become 1: nothing is known there. */
export function exitCodeOf(report: Report, failures: readonly Failure[]): ExitCode {
  const code = exitCodes[outcomeOf(report)];
  return code === 0 && failures.length > 0 ? 1 : code;
}

/** What fails the run because an option says so. */
export function failuresOf(
  report: Report,
  { values }: Given,
  assumptions: readonly Assumption[] = [],
): readonly Failure[] {
  const { inventions, examples } = report;
  const otherwise = examples.filter(({ outcome }) => outcome === 'otherwise').length;
  const failures: Failure[] = [];
  const add = (says: string, first: readonly string[] = []): void => void failures.push({ says, first });
  if (values['no-inventions'] === true && inventions.length > 0)
    add(`${count(inventions.length, 'invention')}, and none may be (--no-inventions)`);
  if (values['strict-examples'] === true && otherwise > 0)
    add(`${count(otherwise, 'example')} answered otherwise, and none may be (--strict-examples)`);
  if (values['assumed'] !== undefined) failures.push(...assumedFailures(report, assumptions));
  if (values['strict'] === true) failures.push(...strictFailures(report));
  return failures;
}

/** Violations of what is assumed: by people, or by guesses of which the importer is sure. */
function assumedFailures({ results }: Report, assumptions: readonly Assumption[]): readonly Failure[] {
  const unsure = assumptions.filter(({ confidence = 'high' }) => confidence !== 'high').map(({ at }) => at);
  const violated = results
    .filter(({ verdict, assumed }) => verdict === 'violates' && assumed)
    .filter(({ statement, place }) => !unsure.some((at) => restsOn(at, statement.address, place)))
    .map(({ statement, says, expected, found }) => ({
      ...statement,
      says: `${says}: expected ${expected}, found ${found}`,
    }));
  return listed(
    violated,
    (statements) => `what is assumed is violated: ${statements}, and none may be (--assumed fails)`,
  );
}

/** Whether what was found in a place of an answer rests on what stands at this address, or under it. */
function restsOn(at: Address, by: Address, place = ''): boolean {
  const own = by.endsWith('.body') && place.startsWith('body.') ? by + place.slice('body'.length) : by;
  return isUnder(at, own) || (isUnder(at, by) && isUnder(own, at)) || setsMember(at, place);
}

/** Whether it is what the service sets at each change of an item, which a place of an answer shows: what changes it, is guessed, too. */
function setsMember(at: Address, place: string): boolean {
  const [, member] = /^resources\..+\.fields\.([^.]+)\.set\.update$/.exec(at) ?? [];
  return member !== undefined && place.split(/[.[\]]/).includes(member);
}

/** How many lines show what was not tested. */
const most = 5;

/** What was not tested, though it is stated. */
function strictFailures({ results, unnoticed }: Report): readonly Failure[] {
  const missed = untested(results).map(({ statement, operation, reason }) => ({
    ...statement,
    says: [...(operation ? [operation] : []), reason].join(': '),
  }));
  const silent = unnoticed.filter(({ reason }) => reason !== 'invisible' && !isNoDeviation(reason));
  return [
    ...listed(missed, (count) => `not tested: ${count}, and all must be (--strict)`),
    ...listed(
      silent,
      (count) => `a deviation would not be noticed: from ${count}, and each must be (--strict)`,
    ),
  ];
}

function listed(
  about: readonly { readonly address: string; readonly at: string; readonly says: string }[],
  says: (statements: string) => string,
): readonly Failure[] {
  if (about.length === 0) return [];
  const statements = new Set(about.map(({ address }) => address)).size;
  const first = about
    .slice(0, most)
    .map(({ address, at, says: why }) => visible(`${address}  ${at}  ${why}`));
  return [{ says: says(count(statements, 'statement')), first }];
}
