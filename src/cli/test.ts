import { Unreachable } from '../conformance/http.ts';
import { type ReplayOptions, replay } from '../conformance/replay.ts';
import { type Report, type TestOptions, testService, usualPatienceMs } from '../conformance/run.ts';
import { plan, usualBudgetMs } from '../conformance/search/plan.ts';
import { saved } from '../conformance/search/saved.ts';
import type { Found } from '../conformance/sequences/sequence.ts';
import type { Reporter } from '../conformance/stream.ts';
import { type Searching, type SearchOptions, type Sought, searching } from '../load/searching.ts';
import { mostSequences } from '../load/test.ts';
import type { Specification } from '../specification/model/specification.ts';
import { durationOf } from '../specification/reading/duration.ts';
import {
  type Command,
  documentOf,
  type ExitCode,
  type Given,
  hasErrors,
  paintFor,
  printDiagnostics,
  readJudged,
  type Terminal,
  text,
  UsageError,
} from './command.ts';
import { testCredentialsOf } from './serve/credentials.ts';
import { addressOf } from './test/address.ts';
import { exitCodeOf, type Failure, failuresOf } from './test/exit-code.ts';
import { listeningHelp, listeningOf, listeningOptions, trusting } from './test/listening.ts';
import { type OwnService, startOwn } from './test/own-service.ts';
import { planText } from './test/planned.ts';
import { progress } from './test/progress.ts';
import { replayedText, sequenceIn } from './test/replayed.ts';
import { reportHelp, reportsOf } from './test/reports.ts';
import { reset } from './test/reset.ts';
import { selectionOf } from './test/selection.ts';
import { sequencesIn } from './test/sequences.ts';
import { tenLines } from './test/summary/ten-lines.ts';
import { type About, text as reportText } from './test/text.ts';

/** `tacet test`: tests an implementation against what a document states. */
export const command: Command = {
  name: 'test',
  summary: 'test an implementation, in any language, against what a document states',
  help: `usage: tacet test DOCUMENT [--url URL] [--only WHAT]… [--bail] [--summary] [--strict]
                  [--search DURATION] [--report FORMAT[=FILE]]… [--seed N] [--assume LEDGER]
                  [--patience DURATION] [--no-inventions] [--strict-examples]
                  [--assumed fails] [--allow-remote] [--verbose]
       tacet test DOCUMENT [--url URL] --replay FILE
       tacet test DOCUMENT --plan [--json] [--only WHAT]… [--search DURATION] [--searches N]
                  [--patience DURATION] [--seed N] [--assume LEDGER]

Sends requests to an implementation, whoever wrote it, and judges it by what the
specification states, and nothing more. It makes, changes and removes items there: never
point it at data that somebody needs.

Each statement ends in one of four verdicts, for each operation:
  conforms        what was answered is as it says, and a deviation would have been seen
  violates        what was answered is not as it says, and nothing open could excuse it
  not exercised   no answer depended on it; the reason is told
  not stated      it waits for open points, which are named

  --url URL         where the implementation is, such as http://127.0.0.1:8080; without it,
                    tacet's own service of the document is started, tested and ended: on a port
                    that is free, with data in a temporary folder, and with --assume, --handlers,
                    --after, --deliver and --credentials as of tacet serve
  --only WHAT       judges this alone: an operation by its name or as 'METHOD /path', or a statement
                    by its address, with all that is part of it; as often as you like
  --bail            ends the run after the first violation; every report is written
  --summary         ten lines at the most: the verdict, the figures, and the first causes, each
                    with a command that sends the deciding request again
  --strict          fail, too, where a statement was not tested for an operation, or where a
                    deviation from it would not be noticed though a client could see it
${reportHelp}  --json            the same as --report json
  --sequences DIR   writes the fewest requests that lead to a violation into a file of this folder,
                    for the first of each kind; its form is schemas/sequence.schema.json
  --replay FILE     plays such a file again, and judges the answers anew if one is another: exit
                    code 1 if it still violates, 0 if it conforms now, 3 if nothing leads there
                    any more
  --plan            sends nothing, and lists the statements of which a deviation would not be
                    noticed, with the reason: what an implementation may get wrong unseen; with
                    --json, all that the search found
  --walks N         sends N requests that follow from one another, over the whole service; each
                    answer is judged by all that came before it (default 40 for each operation
                    and at least 480, with --only 160)
  --search DURATION how long a search in memory looks for requests that tell each deviation from a
                    statement, which are then sent (default 20 s, for a long document
                    more, and 60 s at the most; with --only PT2S; PT0S: none).
                    What it finds is kept in .tacet/plans for the next run. The report ends with the
                    statements of which the run would not notice a deviation
  --searches N      how many processes search at once, each from another seed (default 2)
  --seed N          other values: the same seed makes the same requests (default 1)
  --assume LEDGER   answers to open points, taken for the time being (JSON); verdicts that
                    rest on them are counted apart and fail nothing
  --assumed fails   fail, too, where what is assumed is violated: by the ledger, or by guesses of
                    high confidence about an OpenAPI description (docs/openapi.md)
  --credentials FILE
                    credentials that the document lets nobody come by, such as the operator's
                    (JSON): by scheme, secrets by the names of who has them; or the same text
                    in TACET_CREDENTIALS
  --reset URL       has the implementation begin anew before the run: a POST to that address, which
                    is no part of what is tested
  --patience DURATION
                    how long is waited for one timer, or for a rate that was used up to let
                    in more (default PT5S); what takes longer is not exercised. The clock of its
                    own service goes on where it is waited for: there, all is by default
  --no-inventions   fail, too, where the implementation shows what nobody stated: members, header
                    fields, statuses, methods; without it they are listed, and fail nothing
  --strict-examples fail, too, where an answer is not the one that an example of the document shows;
                    without it such examples are listed, and fail nothing
${listeningHelp}  --allow-remote    test an implementation that is not on this machine
  --verbose         every statement, not the violations alone

exit code: 0 no violation; 1 violations, or what an option refuses (--strict, --no-inventions,
--strict-examples, --assumed fails), or the document has errors, as with tacet check; 2 wrong
use, or nothing answers; 3 nothing was tested: nothing is stated that could be, or nothing was
exercised, or nothing was answered any more before a violation was found
`,
  options: {
    url: { type: 'string' },
    report: { type: 'string', multiple: true },
    json: { type: 'boolean' },
    sequences: { type: 'string' },
    replay: { type: 'string' },
    plan: { type: 'boolean' },
    walks: { type: 'string' },
    search: { type: 'string' },
    searches: { type: 'string' },
    seed: { type: 'string' },
    assume: { type: 'string' },
    assumed: { type: 'string' },
    'no-guesses': { type: 'boolean' },
    credentials: { type: 'string' },
    reset: { type: 'string' },
    handlers: { type: 'string' },
    after: { type: 'string', multiple: true },
    deliver: { type: 'string', multiple: true },
    patience: { type: 'string' },
    'no-inventions': { type: 'boolean' },
    'strict-examples': { type: 'boolean' },
    ...listeningOptions,
    'allow-remote': { type: 'boolean' },
    only: { type: 'string', multiple: true },
    bail: { type: 'boolean' },
    strict: { type: 'boolean' },
    summary: { type: 'boolean' },
    verbose: { type: 'boolean' },
  },
  run: async (given, terminal) => {
    const url = urlOf(given);
    const seed = seedOf(given);
    const walks = walksOf(given);
    const patience = patienceOf(given);
    checkAssumed(given);
    const { specification, diagnostics, assumptions = [] } = readJudged(documentOf(given), given);
    printDiagnostics(diagnostics, terminal);
    if (hasErrors(diagnostics)) return 1;
    const selection = selectionOf(given, specification);
    const budgetMs = budgetOf(given, specification);
    const search = { seed, budgetMs, selection, ...patience, ...searchesOf(given) };
    if (given.values['plan'] === true) {
      terminal.out(await plannedText(given, specification, search, terminal));
      return 0;
    }
    const credentials = testCredentialsOf(given, terminal, specification);
    const file = text(given, 'replay');
    const again = file === undefined ? null : sequenceIn(file);
    const listening = listeningOf(given, specification, terminal);
    const reports = reportsOf(given, specification, credentials, terminal);
    const paint = paintFor(terminal);
    const { columns } = terminal;
    const isShort = given.values['summary'] === true;
    const isSilent = reports.takesOutput || (isShort && !columns);
    const line = isSilent ? null : progress({ write: terminal.out, columns, isLineAlone: isShort }, paint);
    const folder = text(given, 'sequences');
    const sequences = folder === undefined ? [] : [sequencesIn(folder)];
    const hearing = [...reports.reporters, ...sequences, ...(line ? [line] : [])];
    const onEvent: Reporter = (event) => {
      for (const hear of hearing) hear(event);
    };
    let own: OwnService | null = null;
    let searched: Searching | null = null;
    try {
      await reset(given, terminal.ended);
      if (url === null)
        own = await startOwn(given, specification, { ...terminal, environment: trusting(given, terminal) });
      const { ended } = terminal;
      const target = { seed, ...(own ?? { url: url ?? '', credentials, signal: ended }) };
      if (again !== null)
        return await played(specification, again, { ...target, ...patience, ...listening }, terminal);
      const { patienceMs } = { patienceMs: usualPatienceMs, ...target, ...patience };
      if (search.budgetMs > 0)
        searched = searching(soughtIn(given), specification, { ...search, patienceMs });
      const options: TestOptions = {
        ...target,
        ...patience,
        ...listening,
        ...walks,
        ...(searched && { plan: searched.plan }),
        onEvent,
        sequences: mostSequences,
        selection,
        bail: given.values['bail'] === true,
      };
      const report = await reportOf(specification, options, terminal);
      if (report === null) {
        line?.clear();
        return 2;
      }
      const failures = failuresOf(report, given, assumptions);
      const isVerbose = given.values['verbose'] === true;
      const about = { of: specification, credentials: target.credentials ?? {}, paint, isVerbose };
      if (!reports.takesOutput)
        terminal.out(
          isShort
            ? tenLines(report, failures, paint)
            : wholeText(report, failures, about, columns !== undefined),
        );
      return exitCodeOf(report, failures);
    } finally {
      searched?.close();
      await own?.close();
      reports.close();
    }
  },
};

function checkAssumed(given: Given): void {
  const assumed = text(given, 'assumed');
  if (assumed !== undefined && assumed !== 'fails')
    throw new UsageError(`--assumed is fails, or is left out, and ${assumed} is neither`);
}

const exitCodesOfReplay = { conforms: 0, violates: 1, unknown: 3 } as const satisfies Record<
  string,
  ExitCode
>;

/** Plays a sequence again. */
async function played(
  of: Specification,
  found: Found,
  options: ReplayOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    // What is made up anew has to be other than in any run before.
    const replayed = await replay(of, found, { ...options, seed: Date.now() });
    terminal.out(replayedText(found, replayed, paintFor(terminal)));
    return exitCodesOfReplay[replayed.outcome];
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    terminal.error(`tacet: ${error.message}\n`);
    return 2;
  }
}

/** The text for people. Without a line that is written anew, violations stand above it from when they were found. */
function wholeText(report: Report, failures: readonly Failure[], about: About, hasLine: boolean): string {
  const isBelow = !hasLine && report.results.some(({ verdict }) => verdict === 'violates');
  const lines = failures.map(({ says, first }) =>
    [about.paint.red(says), ...first.map((line) => `  ${line}`), ''].join('\n'),
  );
  return `${isBelow ? '\n' : ''}${reportText(report, about)}${lines.join('')}`;
}

/** The report; null where there is none, and one line says why. */
async function reportOf(of: Specification, options: TestOptions, terminal: Terminal): Promise<Report | null> {
  try {
    return await testService(of, options);
  } catch (error) {
    if (!(error instanceof Unreachable) && options.signal?.aborted !== true) throw error;
    terminal.error(
      `tacet: ${error instanceof Unreachable ? error.message : 'ended before all was tested'}\n`,
    );
    return null;
  }
}

/** The address under test; null: that of a service of our own. */
function urlOf(given: Given): string | null {
  const url = addressOf(given, 'url');
  const unsent = ['url', 'bail', 'strict', 'summary'].find((name) => given.values[name] !== undefined);
  if (unsent !== undefined && given.values['plan'] === true)
    throw new UsageError(`--plan sends nothing, so it takes no --${unsent}`);
  const idle = ['handlers', 'after', 'deliver'].find((name) => given.values[name] !== undefined);
  if (url !== undefined && idle !== undefined)
    throw new UsageError(`--${idle} is for the service that is started where no --url is given`);
  return url ?? null;
}

function seedOf(given: Given): number {
  const written = text(given, 'seed') ?? '1';
  if (!/^\d{1,9}$/.test(written))
    throw new UsageError(`${written} is no seed: a whole number from 0 to 999999999`);
  return Number(written);
}

function walksOf(given: Given): Pick<TestOptions, 'walks'> {
  const written = text(given, 'walks');
  if (written === undefined) return given.values['only'] === undefined ? {} : { walks: few };
  if (!/^\d{1,6}$/.test(written))
    throw new UsageError(`${written} is no number of requests: a whole number from 0 to 999999`);
  return { walks: Number(written) };
}

function searchesOf(given: Given): Pick<SearchOptions, 'searches'> {
  const written = text(given, 'searches');
  if (written === undefined) return {};
  if (!/^[1-9]\d?$/.test(written)) throw new UsageError(`${written} is no number of searches: from 1 to 99`);
  return { searches: Number(written) };
}

function patienceOf(given: Given): Pick<TestOptions, 'patienceMs'> {
  const patienceMs = millisecondsOf(given, 'patience');
  return patienceMs === undefined ? {} : { patienceMs };
}

/** What is searched for requests. */
function soughtIn(given: Given): Sought {
  return {
    document: documentOf(given),
    ledger: text(given, 'assume'),
    takesGuesses: given.values['no-guesses'] !== true,
  };
}

/** How long is searched. Whoever asks for little wants it soon. */
function budgetOf(given: Given, specification: Specification): number {
  const isSoon = given.values['only'] !== undefined;
  return millisecondsOf(given, 'search') ?? (isSoon ? soonMs : usualBudgetMs(specification));
}

/** How long is searched, and how many requests walks have, if little is asked for. */
const [soonMs, few] = [2000, 160];

function millisecondsOf(given: Given, option: string): number | undefined {
  const written = text(given, option);
  if (written === undefined) return undefined;
  const { milliseconds } = durationOf(written) ?? {};
  if (milliseconds === undefined || milliseconds === null)
    throw new UsageError(`${written} is no --${option}: a duration such as PT30S or PT1M`);
  return milliseconds;
}

/** What the search found, for people or as JSON. */
async function plannedText(
  given: Given,
  of: Specification,
  options: SearchOptions,
  terminal: Terminal,
): Promise<string> {
  // One search needs no process besides this one.
  const found =
    options.searches === 1 ? plan(of, options) : await searching(soughtIn(given), of, options).plan();
  if (given.values['json'] === true) return `${saved(found)}\n`;
  return planText(of, found, options.seed ?? 1, paintFor(terminal));
}
