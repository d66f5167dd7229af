import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { readAsyncApi } from '../interchange/asyncapi/description.ts';
import {
  type Description,
  formatOf,
  type ReadFile,
  readDescription,
} from '../interchange/openapi/description.ts';
import { type Imported, importDescriptions, outlined } from '../interchange/openapi/import.ts';
import { remedies, Unreadable } from '../interchange/openapi/unreadable.ts';
import type { Guess } from '../interchange/recognise/guess.ts';
import { at } from '../source/text.ts';
import { readerLimits } from '../source/yaml.ts';
import type { Assumption } from '../specification/openness/ledger.ts';
import { type Reader, readOutlined } from '../specification/read.ts';
import { Refused } from './refused.ts';

/** How large a description may be, in bytes: a guard for the process. */
const mostBytes = 32 * 2 ** 20;

/**
 * Which guesses are taken of what a description cannot state: those on which a verdict may rest, or stand-ins as well, which
 * answer in place of what nobody knows.
 */
export type Guesses = 'all' | 'judged' | 'none';

/** Reads a description of another format as the specification that it comes to. Throws {@link Refused} if it cannot be read. */
export function readDescribed(path: string, assumptions: readonly Assumption[], taken: Guesses): Reader {
  const imported = importedFrom([path]);
  const guesses = imported.guesses
    .filter(({ confidence }) => taken === 'all' || (taken === 'judged' && confidence !== 'stand-in'))
    .map(assumptionOf);
  // What somebody wrote stands for what is guessed.
  const own = new Set(assumptions.map((each) => each.at));
  const all = [...assumptions, ...guesses.filter((guess) => !own.has(guess.at))];
  return { ...readOutlined(path, outlined(imported), all), isImported: true, assumptions: all };
}

/**
 * Whether a file is a description of another format, which a key says that may stand late in it.
 *
 * @param start its text, as far as a document is read
 */
export function isDescription(path: string, start: string): boolean {
  if (formatOf(start) !== undefined) return true;
  const { size } = statSync(path);
  const isCut = size > readerLimits.bytes && size <= mostBytes;
  return isCut && formatOf(readFileSync(path, 'utf8')) !== undefined;
}

/**
 * What is made of the descriptions in some files, of which one may be of OpenAPI. Throws {@link Refused} if it cannot be
 * read.
 */
export function importedFrom(paths: readonly string[]): Imported {
  try {
    const all = paths.map(descriptionIn);
    const [second] = all.filter(({ format }) => format === 'OpenAPI').slice(1);
    if (second)
      throw new Refused(`one OpenAPI description at a time, and ${second.text.file} is a second one`);
    // What is sent and received stands before what is told.
    const ordered = all.toSorted((a, b) => Number(a.format === 'AsyncAPI') - Number(b.format === 'AsyncAPI'));
    return importDescriptions(ordered as [Description, ...Description[]]);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new Refused(`${at(error.at)} ${error.message} [${error.code}]\nhelp: ${remedies[error.code]}`);
  }
}

function descriptionIn(path: string): Description {
  if (statSync(path).size > mostBytes)
    throw new Refused(`${path} has more than the ${mostBytes} bytes that are read of a description`);
  const content = readFileSync(path, 'utf8');
  const read = formatOf(content) === 'AsyncAPI' ? readAsyncApi : readDescription;
  return read(path, content, readingIn(path));
}

/** Reads files in the folder of a description, and in folders within it. What lies elsewhere is not there. */
function readingIn(path: string): ReadFile {
  const folder = realpathSync(dirname(path));
  let left = mostBytes;
  return (other) => {
    const file = join(folder, other);
    if (!existsSync(file) || !realpathSync(file).startsWith(folder + sep)) return null;
    left -= statSync(file).size;
    if (left < 0)
      throw new Refused(`${path} refers to files of more than the ${mostBytes} bytes that are read`);
    return readFileSync(file, 'utf8');
  };
}

/** A guess as an entry of a ledger. */
export function assumptionOf({ at: address, value, why, confidence }: Guess): Assumption {
  return { at: address, value, why, who: 'tacet import', confidence };
}
