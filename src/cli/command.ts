import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { readWithLedger } from '../load/document.ts';
import { count } from '../source/count.ts';
import { type Paint, plain, pretty } from '../source/diagnostic.ts';
import type { Reader } from '../specification/read.ts';
import { nearest } from '../specification/reading/nearest.ts';
import { UsageError } from './usage.ts';

/** Where a command writes to and reads from; handed in, so that a test can stand in for a terminal. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether `out` is a terminal that shows colours. */
  readonly colours: boolean;
  /** How many characters a line of it holds; left out where `out` is no terminal on which a line can be written anew. */
  readonly columns?: () => number;
  /** The lines that a person types, to the end of input; left out where input is no terminal. */
  readonly lines?: () => AsyncIterable<string>;
  /** The time, in milliseconds since 1970; the machine's where it is left out. */
  readonly now?: () => number;
  /** Aborted when the process is asked to end (SIGINT, SIGTERM). */
  readonly ended: AbortSignal;
  /** Ends the process, whatever is left under way in it, such as a function of the operator's; left out where it is not ours. */
  readonly leave?: (code: ExitCode) => void;
}

/** What a command ends with: 0 all is well, 1 findings, 2 wrong use or a crash, 3 nothing was exercised. */
export type ExitCode = 0 | 1 | 2 | 3;

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The whole help text, ending in a line break. */
  readonly help: string;
  readonly options: ParseArgsOptionsConfig;
  /** `every` loads all commands, for one that tells of them. */
  readonly run: (
    given: Given,
    terminal: Terminal,
    every: () => Promise<readonly Command[]>,
  ) => Promise<ExitCode> | ExitCode;
}

export interface Given {
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly positionals: readonly string[];
}

export { count, UsageError };

export function parse(command: Command, argv: readonly string[]): Given {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { ...command.options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    return { values: values as Given['values'], positionals };
  } catch (error) {
    const { message } = error as Error;
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
    throw new UsageError(
      unknown === undefined ? (message.split('. To specify')[0] as string) : noOption(unknown, command),
    );
  }
}

function noOption(written: string, { name, options }: Command): string {
  const close = nearest(written.replace(/^-+/, ''), Object.keys(options));
  return `there is no option ${written} of tacet ${name}${close ? `; did you mean --${close}?` : ''}`;
}

/** The one document that a command is about. */
export function documentOf(given: Given): string {
  const [file, second] = given.positionals;
  if (file === undefined) throw new UsageError('name the document');
  if (second !== undefined) throw new UsageError(`one document at a time, and ${second} is a second one`);
  return file;
}

/** Reads the document, or the folder of documents, that the command names, with the ledger of `--assume`. */
export function readDocument(given: Given): Reader {
  return readNamed(documentOf(given), given);
}

/** Reads a document, or a folder of documents, with the ledger of `--assume`. */
export function readNamed(path: string, given: Given): Reader {
  return readWithLedger(path, text(given, 'assume'), given.values['no-guesses'] === true ? 'none' : 'all');
}

/** The same as verdicts rest on it: of an OpenAPI description, without what stands in for what nobody knows. */
export function readJudged(path: string, given: Given): Reader {
  return readWithLedger(path, text(given, 'assume'), given.values['no-guesses'] === true ? 'none' : 'judged');
}

export function text(given: Given, option: string): string | undefined {
  const value = given.values[option];
  return typeof value === 'string' ? value : undefined;
}

/** The values of an option that may be given several times. */
export function texts(given: Given, option: string): readonly string[] {
  const values = given.values[option];
  return Array.isArray(values) ? values : [];
}

/** How many warnings of one code are printed, where they are not asked for. */
const mostAlike = 3;

/**
 * Prints what was found in a document, how much that is, and how to learn more.
 *
 * @param areAsked whether every warning is printed. Default: only a few of each code, and how many more there are
 */
export function printDiagnostics(
  found: Reader['diagnostics'],
  terminal: Terminal,
  areAsked: boolean = false,
): void {
  const [first] = found;
  if (first === undefined) return;
  const paint = paintFor(terminal);
  const shown = areAsked ? found : withoutAlike(found);
  for (const one of shown) terminal.error(`${pretty(one, paint)}\n\n`);
  const errors = found.filter((one) => one.severity === 'error').length;
  const warnings = found.length - errors;
  const counts = [
    ...(errors > 0 ? [paint.red(count(errors, 'error'))] : []),
    ...(warnings > 0 ? [paint.yellow(count(warnings, 'warning'))] : []),
  ];
  const left = found.length - shown.length;
  const others = left === 0 ? '' : `, of which ${left} are like these: tacet check shows them`;
  terminal.error(`${counts.join(', ')}${others}; for more about one: tacet explain ${first.code}\n`);
}

/** All errors, and the first warnings of each code. */
function withoutAlike(found: Reader['diagnostics']): Reader['diagnostics'] {
  const counted = new Map<string, number>();
  return found.filter(({ code, severity }) => {
    const before = counted.get(code) ?? 0;
    counted.set(code, before + 1);
    return severity === 'error' || before < mostAlike;
  });
}

export function hasErrors(found: Reader['diagnostics']): boolean {
  return found.some((one) => one.severity === 'error');
}

/** Colours where the terminal shows them and NO_COLOR is not set (no-color.org). */
export function paintFor(terminal: Terminal): Paint {
  if (!terminal.colours) return plain;
  const style = (begin: number, end: number) => (value: string) => `\u001b[${begin}m${value}\u001b[${end}m`;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}
