import { groupsOf } from '../conformance/traffic/together.ts';
import { TrafficJudge } from '../conformance/traffic/traffic.ts';
import {
  type Command,
  hasErrors,
  paintFor,
  printDiagnostics,
  readJudged,
  text,
  UsageError,
} from './command.ts';
import { heard } from './judge/live.ts';
import { exchangesWith, recordingIn, usualAddress } from './judge/recording.ts';
import { exitCodeOf, trafficText, violationText } from './judge/text.ts';
import { credentialsHelp, credentialsOf } from './serve/credentials.ts';
import { reportHelp, reportsOf } from './test/reports.ts';

/** `tacet judge`: judges recorded traffic by what a document states. */
export const command: Command = {
  name: 'judge',
  summary: 'judge recorded traffic by what a document states',
  help: `usage: tacet judge DOCUMENT TRAFFIC.har [--closed] [--url URL] [--assume LEDGER]
                   [--credentials FILE] [--report FORMAT[=FILE]]… [--json]

Reads what clients and an implementation sent each other, as browsers and proxies record it
(HTTP Archive, HAR), and judges every answer by what the specification states. Nothing is sent.

What was stored before, and what others make, is unknown, and so is all that depends on it. It
is assumed that nobody else changes the items that the recorded requests make.

  --closed          nobody else sends requests, and before the first one nothing was stored but
                    what the document states
  --url URL         the address of the implementation in the recording (default: the one to
                    which most requests were sent); requests to others are left out
  --assume LEDGER   answers to open points, taken for the time being (JSON)
${credentialsHelp}${reportHelp}  --json            the same as --report json

exit code: 0 no violation; 1 violations, or the document has errors; 2 wrong use; 3 nothing
was determined
`,
  options: {
    closed: { type: 'boolean' },
    url: { type: 'string' },
    assume: { type: 'string' },
    credentials: { type: 'string' },
    report: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  },
  run: async (given, terminal) => {
    const [document, file, third] = given.positionals;
    if (document === undefined) throw new UsageError('name the document');
    if (file === undefined) throw new UsageError('name the recording, a HAR file');
    if (third !== undefined) throw new UsageError(`one recording at a time, and ${third} is a second one`);
    const { specification, diagnostics } = readJudged(document, given);
    printDiagnostics(diagnostics, terminal);
    if (hasErrors(diagnostics)) return 1;
    const isLive = file === '-';
    const recording = isLive ? [] : recordingIn(file);
    const url = (text(given, 'url') ?? usualAddress(recording) ?? '').replace(/\/+$/, '');
    const exchanges = exchangesWith(url, recording);
    if (!isLive && exchanges.length === 0)
      throw new UsageError(`${file} has no exchange with ${url || 'a service'}`);
    const credentials = credentialsOf(given, terminal);
    const reports = reportsOf(given, specification, credentials, terminal);
    const paint = paintFor(terminal);
    const judge = new TrafficJudge(specification, {
      url,
      credentials,
      isClosed: given.values['closed'] === true,
      beganMs: exchanges[0]?.sentMs ?? Date.now(),
      onEvent: (event) => {
        for (const hear of reports.reporters) hear(event);
      },
    });
    for (const group of groupsOf(exchanges)) judge.note(group);
    if (isLive)
      for await (const group of heard())
        for (const violation of 'lost' in group ? judge.skip(group.lost) : judge.note(group))
          if (!reports.takesOutput) terminal.out(`${violationText(violation, paint)}\n`);
    const traffic = judge.end();
    reports.close();
    if (!reports.takesOutput) terminal.out(trafficText(traffic, specification, url, paint));
    return exitCodeOf(traffic);
  },
};
