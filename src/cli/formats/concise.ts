import { visible } from '../../source/diagnostic.ts';
import { at } from '../../source/text.ts';
import type { Checked } from './checked.ts';

/** A line each, as compilers print them: `file:line:column: severity code: message`. */
export function concise(checked: readonly Checked[]): string {
  return checked
    .flatMap((one) => one.diagnostics)
    .map(
      ({ span, severity, code, message }) => `${visible(`${at(span)}: ${severity} ${code}: ${message}`)}\n`,
    )
    .join('');
}
