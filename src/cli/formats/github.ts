import { at, range } from '../../source/text.ts';
import type { Checked } from './checked.ts';

/**
 * Workflow commands of GitHub Actions, which make annotations of them:
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export function github(checked: readonly Checked[]): string {
  return checked
    .flatMap((one) => one.diagnostics)
    .map((one) => {
      const { start, end } = range(one.span);
      // Columns are taken only where an annotation stands on one line.
      const columns = start.line === end.line ? { col: start.column, endColumn: end.column } : {};
      const properties = {
        file: one.span.text.file,
        line: start.line,
        endLine: end.line,
        ...columns,
        title: `tacet: ${one.code}`,
      };
      const message = [
        one.message,
        ...one.related.map((other) => `see also ${at(other)}`),
        ...(one.hint === null ? [] : [`help: ${one.hint}`]),
      ].join('\n');
      const written = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
      return `::${one.severity} ${written.join(',')}::${data(message)}\n`;
    })
    .join('');
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
