import { plain, pretty } from '../source/diagnostic.ts';
import type { Specification } from '../specification/model/specification.ts';
import { readLedger } from '../specification/openness/ledger.ts';
import type { Reader } from '../specification/read.ts';
import { readSpecification } from './document.ts';
import { readText } from './files.ts';
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
  const { assumptions, diagnostics } =
    ledger === undefined ? { assumptions: [], diagnostics: [] } : readLedger(ledger, readText(ledger));
  const found = readSpecification(path, assumptions, guesses);
  const errors = [...diagnostics, ...found.diagnostics].filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DocumentRefused(errors);
  loaded.set(found.specification, { document: path, ledger, takesGuesses: guesses });
  return found.specification;
}

/** From which files a specification was loaded; undefined: it was read in another way. */
export function soughtFor(specification: Specification): Sought | undefined {
  return loaded.get(specification);
}
