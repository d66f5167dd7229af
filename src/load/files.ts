import { closeSync, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { readerLimits } from '../source/yaml.ts';
import type { Source } from '../specification/read.ts';
import { nearest } from '../specification/reading/nearest.ts';
import { Refused } from './refused.ts';

/** What is found under the name of a document: one document, or a folder of them (language §A.2). */
export type Found =
  | { readonly kind: 'file'; readonly source: Source }
  | { readonly kind: 'folder'; readonly folder: string; readonly sources: readonly Source[] };

/** The documents, one or several. */
export function sourcesOf(found: Found): readonly Source[] {
  return found.kind === 'file' ? [found.source] : found.sources;
}

/** So many documents of a folder are read: a guard for the process, not a rule. */
const mostDocuments = 1000;

/** Reads what stands under a name that the user gave. Throws {@link Refused} where it cannot be read. */
export function readFound(path: string): Found {
  if (!attempt(path, () => statSync(path)).isDirectory())
    return { kind: 'file', source: { file: path, content: readText(path) } };
  const folder = normalize(path).replace(/(?<=.)[\\/]+$/, '');
  const names = documentsIn(folder);
  if (names.length === 0) throw new Refused(`${folder} holds no document: no .md, .yaml or .json file`);
  if (names.length > mostDocuments)
    throw new Refused(`${folder} holds ${names.length} documents; tacet reads up to ${mostDocuments}`);
  const sources: Source[] = [];
  let length = 0;
  for (const file of names) {
    const content = readText(file);
    sources.push({ file, content });
    length += content.length;
    // More is not taken, and the reader says so.
    if (length > readerLimits.bytes) break;
  }
  return { kind: 'folder', folder, sources };
}

/** Whether a file of this name is one of the documents of its folder (language §A.2). */
export function isDocument(name: string): boolean {
  return /^[^.].*\.(md|markdown|ya?ml|json)$/i.test(name);
}

/** The documents that stand in a folder itself, hidden files aside, in the order of their names. */
function documentsIn(folder: string): string[] {
  return attempt(folder, () => readdirSync(folder, { withFileTypes: true }))
    .filter(({ name }) => isDocument(name))
    .filter((entry) => {
      if (!entry.isSymbolicLink()) return entry.isFile();
      // What a link leads to is part of the folder.
      const file = join(folder, entry.name);
      return attempt(file, () => statSync(file)).isFile();
    })
    .map(({ name }) => join(folder, name))
    .sort();
}

/**
 * The text of a file, which must be UTF-8; of a file that is longer than the reader takes, somewhat more than
 * the reader takes. Throws {@link Refused} where there is no such text.
 */
export function readText(file: string): string {
  const bytes = attempt(file, () => readStart(file, readerLimits.bytes + 1));
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new Refused(`${file} is UTF-16 text; save it as UTF-8`);
  const zero = bytes.indexOf(0);
  if (zero >= 0)
    throw new Refused(`${file} is not UTF-8 text: line ${lineOf(bytes, zero)} holds a zero byte`);
  try {
    const isCut = bytes.length > readerLimits.bytes;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    throw new Refused(`${file} is not UTF-8 text: see line ${lineOf(bytes, firstFault(bytes))}`);
  }
}

/** The text of a file; null: there is none that can be read. */
export function existingText(file: string): string | null {
  try {
    return readText(file);
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/** The first bytes of a file; a pipe is read as it comes. */
function readStart(file: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(file, 'r');
  try {
    let filled = 0;
    while (filled < length) {
      const count = readSync(descriptor, bytes, filled, length - filled, null);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(descriptor);
  }
}

/** The offset of the first byte that is not UTF-8. */
function firstFault(bytes: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return start;
    }
    start = end + 1;
  }
  return start;
}

function lineOf(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line += 1;
  return line;
}

/** A file beside it whose name is nearly the same, in words. */
function meant(file: string): string {
  try {
    const close = nearest(basename(file), readdirSync(dirname(file)));
    return close === undefined ? '' : `; did you mean ${join(dirname(file), close)}?`;
  } catch {
    return '';
  }
}

function attempt<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    switch (code) {
      case 'ENOENT':
        if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
          throw new Refused(`${file} is a link to a file that is not there`);
        throw new Refused(`there is no file ${file}${meant(file)}`);
      case 'ENOTDIR':
        throw new Refused(`there is no file ${file}`);
      case 'ELOOP':
        throw new Refused(`${file} is a link that leads to itself`);
      case 'EACCES':
      case 'EPERM':
        throw new Refused(`${file} may not be read by this user`);
      default:
        throw new Refused(`${file} cannot be read: ${message}`);
    }
  }
}
