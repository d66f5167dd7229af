import type { Diagnostic } from '../../source/diagnostic.ts';
import { at, position } from '../../source/text.ts';

/** A fault of a document, as the command line shows it, with its place in the text. */
export interface Fault {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly at: string;
  readonly file: string;
  readonly line: number;
  /** Offsets in the text (UTF-16 code units), the second exclusive. */
  readonly start: number;
  readonly end: number;
}

/** So many faults are listed. */
const most = 200;

export function faultsIn(diagnostics: readonly Diagnostic[]): readonly Fault[] {
  return diagnostics.slice(0, most).map(({ severity, code, message, hint, span }) => ({
    severity,
    code,
    message,
    hint,
    at: at(span),
    file: span.text.file,
    line: position(span.text, span.start).line,
    start: span.start,
    end: span.end,
  }));
}
