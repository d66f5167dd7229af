import {
  Composer,
  CST,
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type Node as YamlNode,
} from 'yaml';
import { markPattern, questionMarked } from './clarification.ts';
import { type Diagnostic, diagnose } from './diagnostic.ts';
import type { Embedded } from './markdown.ts';
import type { Entry, List, Mapping, Node, Scalar } from './node.ts';
import type { Span } from './text.ts';
import { atOnce, type Steps } from './turns.ts';

/** What the reader takes before it says that a document is not one: a guard for the process, not a rule. */
export const readerLimits = { bytes: 4 << 20, depth: 64, nodes: 200_000 } as const;

/** How much of a document was read already, over all its blocks: keys and values, and marks of any kind. */
export interface Effort {
  nodes: number;
  lexemes: number;
}

/** Faults of syntax lead to one another: so many of a block are shown. */
const mostSyntaxFaults = 20;

/**
 * Reads YAML 1.2 (core schema), of which JSON is a part: no aliases, anchors, merge keys, tags or directives,
 * one document, no key twice (language §A.4). `node` is undefined where the text is empty or cannot be read.
 */
export function readYaml(source: Embedded, effort: Effort = { nodes: 0, lexemes: 0 }): ReadYaml {
  return atOnce(readYamlInSteps(source, effort));
}

export interface ReadYaml {
  readonly node: Node | undefined;
  readonly diagnostics: Diagnostic[];
}

/** {@link readYaml} in steps. */
export function* readYamlInSteps(source: Embedded, effort: Effort): Steps<ReadYaml> {
  // What was too much already is told once.
  if (isSpent(effort)) return { node: undefined, diagnostics: [] };
  effort.nodes += blockCost;
  const tokens = yield* tokensOf(withMarksQuoted(source.content), effort);
  if (typeof tokens === 'number')
    return refused(
      diagnose('too-many-values', source.locate(tokens, tokens + 1), { limit: readerLimits.nodes }),
    );
  const diagnostics: Diagnostic[] = [];
  const control = unprintable.exec(source.content)?.index;
  if (control !== undefined)
    diagnostics.push(
      diagnose('yaml-feature', source.locate(control, control + 1), { feature: 'control characters' }),
    );
  const deep = walk(tokens, (feature, start, end) => {
    diagnostics.push(diagnose('yaml-feature', source.locate(start, end), { feature }));
  });
  if (deep !== undefined)
    return refused(diagnose('too-deep', source.locate(deep, deep + 1), { limit: readerLimits.depth }));
  yield;
  const composer = new Composer({ version: '1.2', schema: 'core', uniqueKeys: false, merge: false });
  const documents = [...composer.compose(tokens, true, source.content.length)];
  const [first, second] = documents;
  if (second !== undefined) {
    const start = second.range?.[0] ?? 0;
    diagnostics.push(diagnose('several-documents', source.locate(start, start), {}));
  }
  const problems = documents.flatMap((document) => [...document.errors, ...document.warnings]);
  const faults = problems.filter((problem) => problem.code !== 'TAG_RESOLVE_FAILED');
  for (const { pos, message } of faults.slice(0, mostSyntaxFaults))
    diagnostics.push(diagnose('yaml-syntax', source.locate(pos[0], pos[1]), { problem: message }));
  yield;
  const converter = new Converter(source, diagnostics);
  const contents = (first as Document | undefined)?.contents;
  const isEmpty = isScalar(contents) && contents.value === null && !contents.source;
  const node = contents && !isEmpty ? converter.convert(contents as YamlNode) : undefined;
  return { node, diagnostics };
}

function refused(diagnostic: Diagnostic): { node: undefined; diagnostics: Diagnostic[] } {
  return { node: undefined, diagnostics: [diagnostic] };
}

/** Whether blocks hold more keys and values than are read of a document. */
export function holdTooMuch(blocks: readonly string[]): boolean {
  const effort: Effort = { nodes: 0, lexemes: 0 };
  return blocks.some((content) => {
    effort.nodes += blockCost;
    return typeof atOnce(tokensOf(content, effort)) === 'number';
  });
}

/** A block takes about as long to read as so many values, however little stands in it. */
const blockCost = 10;

function isSpent({ nodes, lexemes }: Effort): boolean {
  return nodes > readerLimits.nodes || lexemes > 4 * readerLimits.nodes;
}

/** The control characters that neither YAML nor JSON has in any place (YAML 1.2.2 §5.1, nb-json). */
const unprintable = /[^\P{Cc}\t\n\r\u007f-\u009f]/u;

/** Lexemes that stand for no character of the text. */
const unwritten: readonly string[] = [CST.DOCUMENT, CST.FLOW_END, CST.SCALAR];

/**
 * A text in which each mark that stands as a value (`clarification.ts`) is one text in quotation marks, of the same
 * length: to YAML it would be a list, and its question might be no YAML at all.
 */
export function withMarksQuoted(content: string): string {
  const marks = new Map([...content.matchAll(markPattern)].map(({ index, 0: mark }) => [index, mark]));
  if (marks.size === 0) return content;
  let [offset, count, from, quoted] = [0, 0, 0, ''];
  for (const lexeme of new Lexer().lex(content)) {
    count += 1;
    if (count > 4 * readerLimits.nodes) break;
    const mark = lexeme === '[' ? marks.get(offset) : undefined;
    if (mark !== undefined) {
      quoted += `${content.slice(from, offset)}"${'?'.repeat(mark.length - 2)}"`;
      from = offset + mark.length;
    }
    if (!unwritten.includes(lexeme)) offset += lexeme.length;
  }
  return quoted + content.slice(from);
}

/** A step reads so many marks of any kind. */
const lexemesInStep = 1000;

/** The syntax of a text; or the offset at which it holds more than the reader takes, where it reads no further. */
function* tokensOf(content: string, effort: Effort): Steps<readonly CST.Token[] | number> {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let offset = 0;
  for (const lexeme of new Lexer().lex(content)) {
    effort.lexemes += 1;
    if (!/^[\s#,:]/.test(lexeme) && !lexeme.startsWith(CST.SCALAR)) effort.nodes += 1;
    // Line breaks and spaces are no values, and cost time all the same.
    if (isSpent(effort)) return offset;
    if (!unwritten.includes(lexeme)) offset += lexeme.length;
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (effort.lexemes % lexemesInStep === 0) yield;
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/**
 * Visits every token without recursion. Gives the offset at which collections stand deeper than the limit;
 * what A.4 leaves out goes to `report`.
 */
function walk(
  tokens: readonly CST.Token[],
  report: (feature: string, start: number, end: number) => void,
): number | undefined {
  const open: { token: CST.Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  const features = (around: readonly CST.SourceToken[] | undefined): void => {
    for (const { type, offset, source } of around ?? [])
      if (type === 'anchor' || type === 'tag') report(`${type}s`, offset, offset + source.length);
  };
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (depth > readerLimits.depth) return token.offset;
    if (token.type === 'alias') report('aliases', token.offset, token.offset + token.source.length);
    if (token.type === 'directive') report('directives', token.offset, token.offset + token.source.length);
    if (token.type === 'document') {
      features(token.start);
      if (token.value) open.push({ token: token.value, depth });
    } else if ('items' in token) {
      for (const item of token.items) {
        features(item.start);
        features(item.sep);
        if (item.key) open.push({ token: item.key, depth: depth + 1 });
        if (item.value) open.push({ token: item.value, depth: depth + 1 });
      }
    }
  }
  return undefined;
}

class Converter {
  readonly #source: Embedded;
  readonly #diagnostics: Diagnostic[];

  constructor(source: Embedded, diagnostics: Diagnostic[]) {
    this.#source = source;
    this.#diagnostics = diagnostics;
  }

  convert(node: YamlNode): Node {
    const span = this.#span(node);
    if (isMap(node)) return this.#map(node.items as unknown[], span, node.flow === true);
    if (isSeq(node)) {
      const items = node.items.map((item) =>
        isPair(item) ? this.#map([item], span, true) : this.convert(item as YamlNode),
      );
      return { kind: 'list', items, span } satisfies List;
    }
    return isScalar(node) ? this.#scalar(node, span) : nothing(span);
  }

  #map(pairs: readonly unknown[], span: Span, isFlow: boolean): Mapping {
    const entries = new Map<string, Entry>();
    for (const pair of pairs) {
      if (!isPair(pair)) continue;
      const key = pair.key as YamlNode | null;
      if (!isScalar(key) || (key.value === null && !key.source)) {
        this.#diagnostics.push(diagnose('key-not-text', key ? this.#span(key) : span, {}));
        continue;
      }
      const keySpan = this.#span(key);
      const name = typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
      if (!name.isWellFormed()) this.#refuse(halfCharacters, keySpan);
      if (name === '<<') {
        this.#refuse('merge keys', keySpan);
        continue;
      }
      const twin = entries.get(name);
      if (twin) {
        this.#diagnostics.push(diagnose('key-twice', keySpan, { key: name }, { related: [twin.key] }));
        continue;
      }
      // Outside of braces it is no YAML, and told as such.
      if (pair.value === null && isFlow) {
        this.#diagnostics.push(diagnose('key-alone', keySpan, { key: name }));
        continue;
      }
      const value = pair.value ? this.convert(pair.value as YamlNode) : nothing(keySpan);
      entries.set(name, { key: keySpan, value });
    }
    return { kind: 'map', entries, span };
  }

  #scalar(
    node: { value: unknown; source?: string; type?: string | null; range?: unknown },
    span: Span,
  ): Scalar {
    const [start, end] = node.range as [number, number];
    const asked = questionMarked(this.#source.content.slice(start, end));
    const value = asked ?? (node.value as Scalar['value']);
    const written = typeof value === 'string' ? value : (node.source ?? String(value));
    if (typeof value === 'number' && !isExact(value, written)) this.#refuse(inexactNumbers, span);
    if (typeof value === 'string' && !value.isWellFormed()) this.#refuse(halfCharacters, span);
    const quote = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0;
    const verbatim = this.#source.content.slice(start + quote, end - quote) === written;
    return {
      kind: 'scalar',
      value,
      written,
      from: verbatim ? this.#source.locate(start + quote, end).start : null,
      span,
    };
  }

  #refuse(feature: string, span: Span): void {
    this.#diagnostics.push(diagnose('yaml-feature', span, { feature }));
  }

  #span(node: { range?: [number, number, number] | null | undefined }): Span {
    const [start, end] = node.range ?? [0, 0];
    return this.#source.locate(start, end);
  }
}

const inexactNumbers = 'numbers that JSON has not, or past ±(2⁵³−1),';
const halfCharacters = 'halves of characters (lone surrogates)';

/** Whether a number is one of JSON's, and a whole number one that is kept exactly (language §G.6). */
function isExact(value: number, written: string): boolean {
  if (!Number.isFinite(value)) return false;
  return !/^([-+]?\d+|0o[0-7]+|0x[\da-f]+)$/i.test(written) || Number.isSafeInteger(value);
}

function nothing(span: Span): Scalar {
  return { kind: 'scalar', value: null, written: '', from: null, span };
}
