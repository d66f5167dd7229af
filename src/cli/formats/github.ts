import { at, range } from '../../source/text.ts';
import type { Checked } from './checked.ts';
import { workflowCommand } from './workflow-command.ts';

/** An annotation of GitHub Actions for each diagnostic. */
export function github(checked: readonly Checked[]): string {
  return checked
    .flatMap((one) => one.diagnostics)
    .map((one) => {
      const { start, end } = range(one.span);
      // Columns are taken only where an annotation stands on one line.
      const columns = start.line === end.line ? { col: start.column, endColumn: end.column } : {};
      return workflowCommand({
        level: one.severity,
        properties: {
          file: one.span.text.file,
          line: start.line,
          endLine: end.line,
          ...columns,
          title: `tacet: ${one.code}`,
        },
        message: [
          one.message,
          ...one.related.map((other) => `see also ${at(other)}`),
          ...(one.hint === null ? [] : [`help: ${one.hint}`]),
        ].join('\n'),
      });
    })
    .join('');
}
