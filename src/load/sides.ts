import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Reader } from '../specification/read.ts';
import { readSpecification } from './document.ts';
import { Refused } from './refused.ts';
import { readRevision } from './revision.ts';

/** The two specifications that are compared. */
export interface Sides {
  readonly before: Reader;
  readonly after: Reader;
}

/**
 * Reads what `tacet diff` is given: two of files, folders and `REVISION:PATH`; a revision and a document; or a
 * document alone, which is compared with what HEAD has of it.
 */
export function readSides([first, second, third]: readonly string[]): Sides {
  if (first === undefined) throw new Refused('name what to compare: OLD NEW, REVISION DOCUMENT, or DOCUMENT');
  if (third !== undefined) throw new Refused(`two are compared, and ${third} is a third one`);
  if (second === undefined) return { before: keptIn('HEAD', first), after: side(first) };
  const isRevision = !existsSync(first) && !first.includes(':') && existsSync(second);
  return { before: isRevision ? keptIn(first, second) : side(first), after: side(second) };
}

/** The document as a revision has it. Throws {@link Refused} where git, the revision or the document is not there. */
export function keptIn(revision: string, document: string): Reader {
  if (!existsSync(document)) throw new Refused(`there is no file ${document}`);
  return readRevision({
    revision,
    path: `./${basename(document)}`,
    folder: dirname(document),
    shown: `${revision}:${document}`,
  });
}

/** A document, a folder, or `REVISION:PATH`. Throws {@link Refused} where it cannot be read. */
export function side(written: string): Reader {
  const colon = written.indexOf(':');
  if (colon < 0 || existsSync(written)) return readSpecification(written, []);
  return readRevision({
    revision: written.slice(0, colon),
    path: written.slice(colon + 1),
    folder: '.',
    shown: written,
  });
}
