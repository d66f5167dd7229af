import { codes } from '../../source/codes.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { type Position, range, type Span } from '../../source/text.ts';
import { pageFolder } from '../page.ts';
import type { Checked } from './checked.ts';

/** One JSON object; its form is `schemas/diagnostics.schema.json`. */
export function json(checked: readonly Checked[]): string {
  const all = checked.flatMap((one) => one.diagnostics);
  const of = (severity: Diagnostic['severity']): number =>
    all.filter((one) => one.severity === severity).length;
  const report = {
    documents: checked.map(({ file, name, operations }) => ({ file, name, operations })),
    errors: of('error'),
    warnings: of('warning'),
    diagnostics: all.map((one) => ({
      code: one.code,
      severity: one.severity,
      message: one.message,
      hint: one.hint,
      at: place(one.span),
      related: one.related.map(place),
      section: codes[one.code].section,
      page: `${pageFolder}/${one.code}.md`,
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function place(where: Span): { file: string; start: Position; end: Position } {
  return { file: where.text.file, ...range(where) };
}
