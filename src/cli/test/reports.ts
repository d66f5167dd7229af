import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { GivenCredentials } from '../../conformance/access/given.ts';
import { gathering, type Report } from '../../conformance/report.ts';
import type { Result } from '../../conformance/result.ts';
import type { Reporter } from '../../conformance/stream.ts';
import { countsOf } from '../../conformance/summary.ts';
import { version } from '../../load/version.ts';
import { makeFolder } from '../../source/folder.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { nearest } from '../../specification/reading/nearest.ts';
import { type Given, type Terminal, texts } from '../command.ts';
import { UsageError } from '../usage.ts';
import { github } from './github.ts';
import { hiding } from './hidden.ts';
import { html } from './html.ts';
import { asFailures } from './invented.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { asResults } from './played.ts';
import { sarif } from './sarif.ts';

/** What a report is made with, beside the run. */
interface About {
  readonly of: Specification;
  /** Whether what nobody stated fails (`--no-inventions`). */
  readonly isStrict: boolean;
  /** Whether an answer fails that differs from its example (`--strict-examples`). */
  readonly isStrictAboutExamples: boolean;
}

/** Hears a run, and writes of it. */
type Format = (about: About, write: (text: string) => void) => Reporter;

/** A format that is written when the run has ended. */
const whole =
  (make: (report: Report, of: Specification) => string): Format =>
  ({ of }, write) =>
    gathering((report) => write(make(report, of)));

/** One that knows results alone: examples are results of their own, and what nobody stated is one where it fails. */
const ofResults =
  (make: (report: Report, examples: readonly Result[]) => string): Format =>
  ({ of, isStrict, isStrictAboutExamples }, write) =>
    gathering((report) => {
      const examples = asResults(report.examples, isStrictAboutExamples);
      const failing = examples.filter(({ verdict }) => verdict === 'violates');
      const others = examples.filter((one) => !failing.includes(one));
      const invented = isStrict ? asFailures(report.inventions, of) : [];
      const results = [...report.results, ...failing, ...invented];
      write(make({ ...report, results, counts: countsOf(results) }, others));
    });

const formats: Readonly<Record<string, Format>> = {
  json: whole(json),
  'json-full': whole((report) => `${JSON.stringify(report, null, 2)}\n`),
  ndjson: (_, write) => (event) => write(`${JSON.stringify(event)}\n`),
  junit: ofResults(junit),
  sarif: ofResults((report, examples) => sarif(report, version(), examples)),
  github: ofResults(github),
  html: whole(html),
};

/** What the option is for, as the help shows it. */
export const reportHelp = `  --report FORMAT[=FILE]
                    writes a report into a file, or, in place of the text, to standard output;
                    as often as you like
                      html     one page that needs nothing beside it
                      junit    JUnit XML, which CI systems read
                      json     one object, in summary: the causes, how to come to each, and the
                               statements in numbers; its form is schemas/test.schema.json
                      json-full
                               one object: every check with its request and answer; its form
                               is schemas/test-full.schema.json
                      ndjson   what happens, a line an event, as it happens; its form is
                               schemas/test-events.schema.json
                      sarif    SARIF 2.1.0, which code scanning tools read
                      github   annotations of GitHub Actions
                    names stand in it for the credentials that were given
`;

/** The reports that a command is to write. */
export interface Reports {
  readonly reporters: readonly Reporter[];
  /** Whether one of them is written to standard output, where nothing else stands then. */
  readonly takesOutput: boolean;
  /** To be called when the run is over: files into which nothing was written are removed. */
  readonly close: () => void;
}

/** What `--report` and `--json` ask for. Throws {@link UsageError} where that is none, or a file cannot be written. */
export function reportsOf(
  given: Given,
  of: Specification,
  credentials: GivenCredentials,
  terminal: Terminal,
): Reports {
  const asked = texts(given, 'report').map(askedFor);
  if (given.values['json'] === true) asked.push({ format: formats['json'] as Format, file: null });
  const toOutput = asked.filter(({ file }) => file === null);
  if (toOutput.length > 1)
    throw new UsageError('one report goes to standard output: name a file for the others, as in junit=FILE');
  const files = asked.flatMap(({ file }) => file ?? []);
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new UsageError(`${twice} is to hold two reports`);
  const isStrict = given.values['no-inventions'] === true;
  const isStrictAboutExamples = given.values['strict-examples'] === true;
  const opened: { readonly file: string; readonly descriptor: number }[] = [];
  const writer = (file: string | null): ((text: string) => void) => {
    if (file === null) return terminal.out;
    const descriptor = open(file);
    opened.push({ file, descriptor });
    return (text) => void writeSync(descriptor, text);
  };
  return {
    reporters: asked.map(({ format, file }) =>
      hiding(of, credentials, format({ of, isStrict, isStrictAboutExamples }, writer(file))),
    ),
    takesOutput: toOutput.length > 0,
    close: () => {
      for (const { file, descriptor } of opened) {
        closeSync(descriptor);
        if (statSync(file).size === 0) rmSync(file);
      }
    },
  };
}

function askedFor(written: string): { readonly format: Format; readonly file: string | null } {
  const [, name = '', file = ''] = /^([^=]*)=?(.*)$/s.exec(written) ?? [];
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format !== undefined) return { format, file: file === '' || file === '-' ? null : file };
  const known = Object.keys(formats);
  const close = nearest(name, known);
  throw new UsageError(
    `there is no report ${name}; ${close ? `did you mean ${close}?` : `there are ${known.join(', ')}`}`,
  );
}

/** Opened before the run, so that nobody waits for a report that cannot be written. */
function open(file: string): number {
  try {
    makeFolder(dirname(file));
    return openSync(file, 'w');
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
