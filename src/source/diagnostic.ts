import { type Code, codes, type ParametersOf, type Severity } from './codes.ts';
import { at, byFile, lineText, position, range, type Span, type Use } from './text.ts';

/** Something found in a document: it points, it has a stable code, it says what to do (language §A). */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  /** What to do about it; null where the message says it already. */
  readonly hint: string | null;
  readonly span: Span;
  /** Other places that belong to it, such as the first of two equal keys. */
  readonly related: readonly Span[];
}

export function diagnose<C extends Code>(
  code: C,
  span: Span,
  parameters: ParametersOf<C>,
  more: { readonly related?: readonly Span[]; readonly hint?: string | null } = {},
): Diagnostic {
  const definition = codes[code];
  const fill = (text: ((p: never) => string) | string): string =>
    typeof text === 'string' ? text : text(parameters as never);
  const uses = usesOf(span);
  const within = uses.map(({ name }) => `in let ${name}: `).join('');
  return {
    code,
    severity: definition.severity,
    message: `${within}${fill(definition.message)}`,
    hint: more.hint ?? (definition.hint === null ? null : fill(definition.hint)),
    span,
    related: [...uses.map((use) => use.at), ...(more.related ?? [])],
  };
}

/** The uses that lead to what stands in a `let`, the outermost first (language §E.19). */
function usesOf({ used }: Span): Use[] {
  return used ? [...usesOf(used.at), used] : [];
}

/** In the order of the text, each fault once. */
export function sorted(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return [...diagnostics]
    .sort((a, b) => byFile(a.span.text, b.span.text) || a.span.start - b.span.start)
    .filter((one) => {
      const key = `${one.code} ${at(one.span)} ${one.message}`;
      return !seen.has(key) && seen.add(key);
    });
}

/** Colours for a terminal; the identity where there is none. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** A diagnostic for people: place, severity, code, message, excerpt with a caret, hint. */
export function pretty(one: Diagnostic, paint: Paint): string {
  const colour = one.severity === 'error' ? paint.red : paint.yellow;
  const { start, end } = range(one.span);
  const to = end.line > start.line ? paint.dim(` to ${end.line}:${end.column}`) : '';
  const lines = [
    `${paint.bold(visible(at(one.span)))}${to} ${colour(one.severity)} ${paint.dim(one.code)}`,
    `  ${visible(one.message)}`,
    excerpt(one.span, colour, paint),
  ];
  for (const other of one.related)
    lines.push(`  see also ${visible(at(other))}`, excerpt(other, paint.dim, paint));
  if (one.hint !== null) lines.push(`  ${paint.cyan('help:')} ${visible(one.hint)}`);
  return lines.join('\n');
}

/** A text on one line of a terminal: a document's control characters would move the caret, or act on it. */
export function visible(text: string): string {
  return text.replaceAll('\t', ' ').replace(/\p{Cc}/gu, '\uFFFD');
}

/** The line that a span begins on, and a caret under what it covers there. */
export function excerpt(where: Span, colour: (text: string) => string, paint: Paint): string {
  const { line, column } = position(where.text, where.start);
  const full = lineText(where.text, line);
  const shift = Math.max(0, Math.min(column - 40, full.length - 110));
  const shown = full.slice(shift, shift + 110);
  const begin = Math.min(column - 1 - shift, shown.length);
  const width = Math.max(1, Math.min(where.end - where.start, shown.length - begin));
  const gutter = String(line).padStart(5);
  return `${paint.dim(`${gutter} |`)} ${visible(shown)}\n${paint.dim('      |')} ${' '.repeat(begin)}${colour('^'.repeat(width))}`;
}

const asItIs = (value: string): string => value;

/** No colours. */
export const plain: Paint = {
  bold: asItIs,
  dim: asItIs,
  red: asItIs,
  green: asItIs,
  yellow: asItIs,
  cyan: asItIs,
};
