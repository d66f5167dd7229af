import type { Diagnostic } from '../../source/diagnostic.ts';

/** What `check` found in one document, or in one folder of them: what every format is made from. */
export interface Checked {
  /** The document, or the folder, by the name that was given for it. */
  readonly file: string;
  /** The service's name; empty where the document says none. */
  readonly name: string;
  /** How many operations it states. */
  readonly operations: number;
  readonly diagnostics: readonly Diagnostic[];
}
