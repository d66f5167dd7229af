import { type Code, codes } from '../../source/codes.ts';
import { range, type Span } from '../../source/text.ts';
import { markdownPage, sentence, withoutLinks } from '../page.ts';
import type { Checked } from './checked.ts';
import { sarifLog, uri } from './sarif-log.ts';

/** A log in SARIF 2.1.0, one run with a result for each diagnostic. */
export function sarif(checked: readonly Checked[], version: string): string {
  const all = checked.flatMap((one) => one.diagnostics);
  const rules = [...new Set(all.map((one) => one.code))].sort();
  return sarifLog({
    version,
    rules: rules.map(rule),
    results: all.map((one) => ({
      ruleId: one.code,
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
  });
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
