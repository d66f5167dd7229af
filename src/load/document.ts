import { atOnce, type Steps } from '../source/turns.ts';
import { type Assumption, readLedger } from '../specification/openness/ledger.ts';
import { type Reader, readFolder, readFolderInSteps } from '../specification/read.ts';
import type { NameUse } from '../specification/reading/name-use.ts';
import { formatIn, type Guesses, readDescribed } from './descriptions.ts';
import { readFound, readText, sourcesOf } from './files.ts';

/**
 * Reads the specification that stands in a document, or in a folder of documents (language §A.2), or that a description
 * of OpenAPI or AsyncAPI comes to.
 *
 * @param guesses which are taken of what such a description cannot state. Default: none
 *
 * @throws Refused if it cannot be read
 */
export function readSpecification(
  path: string,
  assumptions: readonly Assumption[],
  guesses: Guesses = 'none',
): Reader {
  return atOnce(readInSteps(path, assumptions, guesses));
}

function* readInSteps(path: string, assumptions: readonly Assumption[], guesses: Guesses): Steps<Reader> {
  const found = readFound(path);
  if (found.kind === 'file' && formatIn(path, found.source.content))
    return readDescribed(path, assumptions, guesses);
  const name = found.kind === 'file' ? found.source.file : found.folder;
  return yield* readFolderInSteps(name, sourcesOf(found), assumptions);
}

/**
 * Reads a document as if the texts of some of its files were others, such as before they are written.
 *
 * @param uses takes every place at which a name is used, for editors
 *
 * @throws Refused if it cannot be read
 */
export function readWithTexts(
  path: string,
  ledger: string | undefined,
  texts: ReadonlyMap<string, string>,
  uses: NameUse[] | null = null,
): Reader {
  const { assumptions, diagnostics } =
    ledger === undefined ? nothingAssumed : readLedger(ledger, readText(ledger));
  const found = readFound(path);
  const sources = sourcesOf(found).map(({ file, content }) => ({
    file,
    content: texts.get(file) ?? content,
  }));
  const [only] = sources;
  const name = found.kind === 'file' && only ? only.file : path;
  const reader = readFolder(name, sources, assumptions, uses);
  return { assumptions, ...reader, diagnostics: [...diagnostics, ...reader.diagnostics] };
}

const nothingAssumed = { assumptions: [], diagnostics: [] };

/**
 * The same with the ledger in a file, if there is one. What is wrong with the ledger comes first.
 *
 * @throws Refused if one of them cannot be read
 */
export function readWithLedger(path: string, ledger: string | undefined, guesses: Guesses): Reader {
  return atOnce(readWithLedgerInSteps(path, ledger, guesses));
}

/** {@link readWithLedger} in steps. A description of another format is read in one. */
export function* readWithLedgerInSteps(
  path: string,
  ledger: string | undefined,
  guesses: Guesses,
): Steps<Reader> {
  if (ledger === undefined) return yield* readInSteps(path, [], guesses);
  const { assumptions, diagnostics } = readLedger(ledger, readText(ledger));
  const reader = yield* readInSteps(path, assumptions, guesses);
  return { assumptions, ...reader, diagnostics: [...diagnostics, ...reader.diagnostics] };
}
