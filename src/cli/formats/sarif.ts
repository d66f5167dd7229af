import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Code, codes } from '../../source/codes.ts';
import { range, type Span } from '../../source/text.ts';
import { markdownPage, sentence, withoutLinks } from '../page.ts';
import type { Checked } from './checked.ts';

/**
 * A log in SARIF 2.1.0, one run with all results:
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html
 */
export function sarif(checked: readonly Checked[], version: string): string {
  const all = checked.flatMap((one) => one.diagnostics);
  const rules = [...new Set(all.map((one) => one.code))].sort();
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'tacet', semanticVersion: version, rules: rules.map(rule) } },
        columnKind: 'utf16CodeUnits',
        results: all.map((one) => ({
          ruleId: one.code,
          ruleIndex: rules.indexOf(one.code),
          level: one.severity,
          message: { text: one.hint === null ? one.message : `${one.message}; ${one.hint}` },
          locations: [{ physicalLocation: place(one.span) }],
          ...(one.related.length > 0 && {
            relatedLocations: one.related.map((other, id) => ({
              id,
              message: { text: 'see also' },
              physicalLocation: place(other),
            })),
          }),
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function rule(code: Code) {
  const page = markdownPage(code);
  return {
    id: code,
    shortDescription: { text: sentence(page) },
    help: { text: `language §${codes[code].section}; tacet explain ${code}`, markdown: withoutLinks(page) },
    defaultConfiguration: { level: codes[code].severity },
  };
}

function place(where: Span) {
  const { start, end } = range(where);
  return {
    artifactLocation: { uri: uri(where.text.file) },
    region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column },
  };
}

/** A name of a file as a URI reference: relative as it was given, percent-encoded (RFC 3986 §4.2). */
function uri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.toWellFormed().split(sep).map(encodeURIComponent).join('/');
}
