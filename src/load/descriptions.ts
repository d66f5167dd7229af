import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { readAsyncApi } from '../interchange/asyncapi/description.ts';
import {
  type Description,
  type Format,
  formatOf,
  type ReadFile,
  readDescription,
} from '../interchange/openapi/description.ts';
import {
  assumptionOf,
  type Imported,
  importDescriptions,
  outlined,
  type Taking,
} from '../interchange/openapi/import.ts';
import { remedies, Unreadable } from '../interchange/openapi/unreadable.ts';
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

const taking: Readonly<Record<Guesses, Taking | null>> = {
  all: () => true,
  judged: ({ confidence }) => confidence !== 'stand-in',
  none: null,
};

/** Reads a description of another format as the specification that it comes to. Throws {@link Refused} if it cannot be read. */
export function readDescribed(path: string, assumptions: readonly Assumption[], taken: Guesses): Reader {
  const imported = importedFrom([path], taking[taken]);
  const guesses = imported.guesses.map(assumptionOf);
  if (imported.read && assumptions.length === 0)
    return { ...imported.read, isImported: true, assumptions: guesses };
  // What somebody wrote stands for what is guessed.
  const own = new Set(assumptions.map((each) => each.at));
  const all = [...assumptions, ...guesses.filter((guess) => !own.has(guess.at))];
  return { ...readOutlined(path, outlined(imported), all), isImported: true, assumptions: all };
}

/**
 * What is made of the descriptions in some files, of which one may be of OpenAPI. Throws {@link Refused} if it cannot be
 * read.
 *
 * @param takes which guesses about what nobody stated are taken; null: none is made. Default: all
 */
export function importedFrom(paths: readonly string[], takes?: Taking | null): Imported {
  try {
    const all = paths.map(descriptionIn);
    const [second] = all.filter(({ format }) => format === 'OpenAPI').slice(1);
    if (second)
      throw new Refused(`one OpenAPI description at a time, and ${second.text.file} is a second one`);
    // What is sent and received stands before what is told.
    const ordered = all.toSorted((a, b) => Number(a.format === 'AsyncAPI') - Number(b.format === 'AsyncAPI'));
    return importDescriptions(ordered as [Description, ...Description[]], takes);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new Refused(`${at(error.at)} ${error.message} [${error.code}]\nhelp: ${remedies[error.code]}`);
  }
}

/**
 * The format of the description in a file; undefined: it is none.
 *
 * @param start how it begins: as much as is read of a document
 */
export function formatIn(path: string, start: string): Format | undefined {
  const isWhole = start.length <= readerLimits.bytes && Buffer.byteLength(start) <= readerLimits.bytes;
  return formatOf(start) ?? (isWhole ? undefined : formatOf(contentOf(path)));
}

function contentOf(path: string): string {
  if (statSync(path).size > mostBytes)
    throw new Refused(`${path} has more than the ${mostBytes} bytes that are read of a description`);
  return readFileSync(path, 'utf8');
}

function descriptionIn(path: string): Description {
  const content = contentOf(path);
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
