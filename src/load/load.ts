import { plain, pretty } from '../source/diagnostic.ts';
import type { Specification } from '../specification/model/specification.ts';
import type { Reader } from '../specification/read.ts';
import { readWithLedger } from './document.ts';
import { Refused } from './refused.ts';
import type { Sought } from './searching.ts';

export interface LoadOptions {
  /** The file of the ledger of assumptions. Default: nothing is assumed */
  readonly ledger?: string;
  /** Whether points that an OpenAPI description cannot state are guessed. Default: true */
  readonly guesses?: boolean;
}

/** A document has errors: the message shows each with its place and what to do. */
export class DocumentRefused extends Refused {
  readonly diagnostics: Reader['diagnostics'];

  constructor(diagnostics: Reader['diagnostics']) {
    super(diagnostics.map((each) => pretty(each, plain)).join('\n\n'));
    this.diagnostics = diagnostics;
  }
}

/** From which files specifications were loaded. */
const loaded = new WeakMap<Specification, Sought>();

/**
 * Reads a document, a folder of documents, or an OpenAPI description.
 *
 * @throws DocumentRefused if it has errors, and Refused if it cannot be read
 */
export function load(path: string, { ledger, guesses = true }: LoadOptions = {}): Specification {
  const { specification, diagnostics } = readWithLedger(path, ledger, guesses);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DocumentRefused(errors);
  loaded.set(specification, { document: path, ledger, takesGuesses: guesses });
  return specification;
}

/** From which files a specification was loaded; undefined: it was read in another way. */
export function soughtFor(specification: Specification): Sought | undefined {
  return loaded.get(specification);
}
