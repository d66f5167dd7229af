import { plain, pretty } from '../source/diagnostic.ts';
import type { Specification } from '../specification/model/specification.ts';
import type { Reader } from '../specification/read.ts';
import type { Guesses } from './descriptions.ts';
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

/** A specification as verdicts rest on it, and from which files it was loaded. */
interface Judged {
  readonly specification: Specification;
  readonly sought: Sought;
}

/** Those that were loaded from files. */
const loaded = new WeakMap<Specification, () => Judged>();

/**
 * Reads a document, a folder of documents, or a description of OpenAPI or AsyncAPI.
 *
 * @throws DocumentRefused if it has errors, and Refused if it cannot be read
 */
export function load(path: string, { ledger, guesses = true }: LoadOptions = {}): Specification {
  const read = (taken: Guesses): Reader => {
    const reader = readWithLedger(path, ledger, taken);
    const errors = reader.diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new DocumentRefused(errors);
    return reader;
  };
  const { specification, isImported = false } = read(guesses ? 'all' : 'none');
  const sought = { document: path, ledger, takesGuesses: guesses };
  loaded.set(specification, () => ({
    specification: isImported && guesses ? read('judged').specification : specification,
    sought,
  }));
  return specification;
}

/** A loaded specification without what stands in for what nobody knows; undefined: it was read in another way. */
export function judgedOf(specification: Specification): Judged | undefined {
  return loaded.get(specification)?.();
}
