import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exchange } from '../../conformance/http.ts';
import { type Result, type Verdict, verdicts } from '../../conformance/result.ts';
import { reasonWords } from '../../conformance/search/reasons/reasons.ts';
import { type Counts, countsOf } from '../../conformance/summary.ts';
import { type Cause, causesOf, sequenceTo } from '../../conformance/verdicts/causes.ts';
import { sentence } from '../../conformance/verdicts/sentence.ts';
import { type StatementCounts, statementCounts } from '../../conformance/verdicts/statements.ts';
import { unnoticedByReason } from '../../conformance/verdicts/unnoticed.ts';
import { Refused } from '../../load/refused.ts';
import { type Context, type Given, textOf } from '../context.ts';
import { Run, type RunOptions, resultsOf, tacet } from './run.ts';

/** A run of the tester, as far as it came. */
export interface TestView extends RunOptions {
  readonly state: 'runs' | 'ended' | 'failed';
  /** What it came to, in one sentence; null: it did not come to its end. */
  readonly sentence: string | null;
  /** Why there is no report. */
  readonly trouble: string | null;
  readonly requests: number;
  readonly part: number;
  readonly waitingMs: number;
  readonly tookMs: number;
  readonly counts: Counts;
  readonly causes: readonly CauseView[];
  readonly causesLeft: number;
  /** The statements of which a deviation would not be noticed, by the reason; null: that was not worked out. */
  readonly unnoticed: readonly { readonly reason: string; readonly addresses: readonly string[] }[] | null;
  /** What the implementation shows and nobody stated. */
  readonly inventions: readonly string[];
}

/** What is to be mended. */
export interface CauseView {
  /** By which it is asked for. */
  readonly id: string;
  readonly address: string;
  readonly place: string | null;
  readonly file: string;
  readonly line: number;
  readonly says: string;
  readonly expected: string;
  readonly found: string;
  readonly operations: readonly string[];
  readonly exchanges: number;
  readonly assumed: boolean;
}

/** A cause with the requests that lead there. */
export interface CauseDetail extends CauseView {
  /** The last one decides. */
  readonly sequence: readonly Exchange[];
  readonly curl: string | null;
  /** Whether it is known how to come there again. */
  readonly canReplay: boolean;
}

/** The statements with a verdict, and how many checks of each ended so. */
export interface StatementList {
  readonly statements: readonly (StatementCounts & { readonly file: string; readonly line: number })[];
  readonly count: number;
}

/** What a sequence came to that was played again. */
export interface ReplayView {
  readonly outcome: 'violates' | 'conforms' | 'unknown' | 'failed';
  readonly text: string;
}

/** So many are listed, and so many characters of a body are shown. */
const most = { causes: 100, statements: 300, inventions: 50, body: 4000 } as const;

/** Begins a run. Throws {@link Refused} if one goes on, or nothing can be tested. */
export function beginTest(given: Given, context: Context): TestView {
  const { desk, tests, now } = context;
  if (tests.run?.end === null) throw new Refused('a run goes on; end it first');
  const target = given['target'] === 'running' ? 'running' : 'own';
  if (target === 'running' && desk.running() === null)
    throw new Refused('the service does not run: the document has errors');
  if (target === 'running' && (desk.clock?.aheadMs ?? 0) > 0)
    throw new Refused(
      'the clock of the service was moved, and the tester goes by the machine: test a service of its own, or start tacet dev again',
    );
  if (desk.tester === null) throw new Refused('there is no tester here');
  tests.run = new Run(desk.tester, { target, isQuick: given['isQuick'] === true }, now, tests.told);
  return viewOf(tests.run);
}

/** Ends the run that goes on. */
export function endTest(_given: Given, { tests }: Context): Record<string, never> {
  tests.run?.stop();
  return {};
}

/** Tells of the run that goes on, or of the last one; null: there was none. */
export function testView(_given: Given, { tests }: Context): { readonly test: TestView | null } {
  return { test: tests.run && viewOf(tests.run) };
}

function viewOf(run: Run): TestView {
  const { report, options, end, requests, part, waitingMs, tookMs } = run;
  const results = resultsOf(run);
  const causes = causesOf(results, report?.sequences);
  const isFailed = end !== null && report === null && !end.isAsked;
  return {
    ...options,
    state: end === null ? 'runs' : isFailed ? 'failed' : 'ended',
    sentence: report && sentence(report),
    trouble: isFailed ? run.said || 'the tester ended by itself' : null,
    ...{ requests, part, waitingMs, tookMs },
    counts: report?.counts ?? countsOf(results),
    causes: causes.slice(0, most.causes).map(causeView),
    causesLeft: Math.max(0, causes.length - most.causes),
    unnoticed:
      report === null || options.isQuick
        ? null
        : unnoticedByReason(report.unnoticed).map(([reason, addresses]) => ({
            reason: reasonWords[reason],
            addresses,
          })),
    inventions: (report?.inventions ?? [])
      .slice(0, most.inventions)
      .map(({ kind, name, operation }) => `${kind} ${name}${operation === null ? '' : ` of ${operation}`}`),
  };
}

function causeView({ statement, place: where, operations, exchanges, assumed, results }: Cause): CauseView {
  const place = where ?? null;
  const [{ says, expected = '', found = '' }] = results;
  return {
    id: JSON.stringify([statement.address, place, results[0].operation ?? null]),
    address: statement.address,
    place,
    ...placeIn(statement.at),
    ...{ says, expected, found, operations, exchanges, assumed },
  };
}

function placeIn(at: string): { readonly file: string; readonly line: number } {
  const [, file = '', line = '0'] = /^(.*):(\d+):\d+$/.exec(at) ?? [];
  return { file, line: Number(line) };
}

function runOf({ tests }: Context): Run {
  if (tests.run === null) throw new Refused('nothing was tested yet');
  return tests.run;
}

function causeOf(run: Run, id: string): Cause {
  const found = causesOf(resultsOf(run), run.report?.sequences).find((one) => causeView(one).id === id);
  if (found === undefined) throw new Refused('the run has no such violation any more');
  return found;
}

/** Tells of a cause with the requests that lead there. */
export function causeDetail(given: Given, context: Context): CauseDetail {
  const run = runOf(context);
  const cause = causeOf(run, textOf(given, 'id'));
  const [first] = cause.results;
  const { sequence = [], request, response = null, curl = null } = first;
  const alone = request ? [{ request, response, failure: null }] : [];
  return {
    ...causeView(cause),
    sequence: (sequence.length > 0 ? sequence : alone).map(shortened),
    curl,
    canReplay: sequenceTo(first, run.report?.sequences ?? []) !== undefined,
  };
}

function shortened({ request, response, failure }: Exchange): Exchange {
  const cut = (text: string): string => (text.length > most.body ? `${text.slice(0, most.body)}…` : text);
  return {
    request: { ...request, body: request.body === null ? null : cut(request.body) },
    response: response && { ...response, body: cut(response.body) },
    failure,
  };
}

/** Lists the statements that were judged: of a `verdict` if it is named, and those with these `words` in their address. */
export function statementList(given: Given, context: Context): StatementList {
  const run = runOf(context);
  const verdict = verdicts.find((one) => one === given['verdict']);
  const words = String(given['words'] ?? '').toLowerCase();
  const all = statementCounts(resultsOf(run)).filter(
    (one) => (verdict === undefined || (one[verdict] ?? 0) > 0) && one.address.toLowerCase().includes(words),
  );
  return {
    statements: all.slice(0, most.statements).map((one) => ({ ...one, ...placeIn(one.at) })),
    count: all.length,
  };
}

/** What a statement came to, for each operation. */
export interface StatementDetail {
  readonly address: string;
  readonly results: readonly Pick<
    Result,
    'verdict' | 'says' | 'operation' | 'reason' | 'points' | 'expected' | 'found' | 'assumed'
  >[];
}

/** Tells what a statement came to. */
export function statementDetail(given: Given, context: Context): StatementDetail {
  const address = textOf(given, 'address');
  const found = resultsOf(runOf(context)).filter(({ statement }) => statement.address === address);
  const order = (verdict: Verdict): number => ['violates', 'not stated', 'conforms'].indexOf(verdict) >>> 0;
  return {
    address,
    results: found
      .toSorted((a, b) => order(a.verdict) - order(b.verdict))
      .slice(0, most.statements)
      .map(({ verdict, says, operation, reason, points, expected, found: shown, assumed }) => ({
        verdict,
        says,
        assumed,
        ...(operation !== undefined && { operation }),
        ...(reason !== undefined && { reason }),
        ...(points && { points }),
        ...(expected !== undefined && { expected }),
        ...(shown !== undefined && { found: shown }),
      })),
  };
}

/** What the tester ends with once it played a sequence again. */
const outcomes = new Map<number | null, ReplayView['outcome']>([
  [0, 'conforms'],
  [1, 'violates'],
  [3, 'unknown'],
]);

/** Plays the requests that lead to a cause again, as `tacet test --replay` does. */
export async function replayCause(given: Given, context: Context): Promise<ReplayView> {
  const run = runOf(context);
  const { desk } = context;
  const found = sequenceTo(causeOf(run, textOf(given, 'id')).results[0], run.report?.sequences ?? []);
  if (found === undefined || desk.tester === null)
    throw new Refused('it is not known how to come there again; run the tests to their end');
  const folder = mkdtempSync(join(tmpdir(), 'tacet-replay-'));
  try {
    const file = join(folder, 'sequence.json');
    writeFileSync(file, JSON.stringify(found));
    const child = tacet(desk.tester, [...desk.tester.words(run.options.target), '--replay', file]);
    const texts = [child.stdout, child.stderr].map((stream) => stream?.setEncoding('utf8').toArray() ?? []);
    const [code, pieces] = await Promise.all([
      new Promise<number | null>((resolve) => child.once('close', resolve)),
      Promise.all(texts),
    ]);
    const outcome = outcomes.get(code) ?? 'failed';
    return { outcome, text: pieces.flat().join('').trim() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
