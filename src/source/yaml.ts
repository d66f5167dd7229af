import {
  type CST,
  Composer,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node as YamlNode,
  Parser,
} from 'yaml';
import { type Diagnostic, diagnose } from './diagnostic.ts';
import type { Embedded } from './markdown.ts';
import type { Entry, List, Mapping, Node, Scalar } from './node.ts';
import type { Span } from './text.ts';

/** What the reader takes before it says that a document is not one: a guard for the process, not a rule. */
export const readerLimits = { bytes: 1 << 20, depth: 64, nodes: 100_000 } as const;

/**
 * Reads YAML 1.2 (core schema), of which JSON is a part: no aliases, anchors, merge keys or tags, one
 * document, no key twice (language §A.4). `node` is undefined where the text is empty or cannot be read.
 */
export function readYaml(source: Embedded): { node: Node | undefined; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const tokens = [...new Parser().parse(source.content)];
  const deep = tooDeep(tokens);
  if (deep !== undefined) {
    diagnostics.push(diagnose('too-deep', source.locate(deep, deep + 1), { limit: readerLimits.depth }));
    return { node: undefined, diagnostics };
  }
  const composer = new Composer({ version: '1.2', schema: 'core', uniqueKeys: false, merge: false });
  const documents = [...composer.compose(tokens, true, source.content.length)];
  const [first, second] = documents;
  if (second !== undefined) {
    const start = second.range?.[0] ?? 0;
    diagnostics.push(diagnose('several-documents', source.locate(start, start), {}));
  }
  for (const document of documents) {
    for (const problem of [...document.errors, ...document.warnings]) {
      const tag = problem.code === 'TAG_RESOLVE_FAILED';
      const where = source.locate(problem.pos[0], problem.pos[1]);
      diagnostics.push(
        tag
          ? diagnose('yaml-feature', where, { feature: 'tags' })
          : diagnose('yaml-syntax', where, { problem: problem.message }),
      );
    }
  }
  const converter = new Converter(source, diagnostics);
  const contents = (first as Document | undefined)?.contents;
  const node = contents ? converter.convert(contents as YamlNode) : undefined;
  return { node, diagnostics };
}

/** The offset at which collections stand deeper than the limit, found without recursion. */
function tooDeep(tokens: readonly CST.Token[]): number | undefined {
  const open: { token: CST.Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (depth > readerLimits.depth) return token.offset;
    if (token.type === 'document') {
      if (token.value) open.push({ token: token.value, depth });
    } else if ('items' in token) {
      for (const item of token.items) {
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
  #count = 0;

  constructor(source: Embedded, diagnostics: Diagnostic[]) {
    this.#source = source;
    this.#diagnostics = diagnostics;
  }

  convert(node: YamlNode): Node {
    const span = this.#span(node);
    this.#count += 1;
    if (this.#count === readerLimits.nodes + 1)
      this.#diagnostics.push(diagnose('too-many-values', span, { limit: readerLimits.nodes }));
    if (this.#count > readerLimits.nodes) return this.#nothing(span);
    if (isAlias(node)) return this.#refuse('aliases', span);
    if (node.anchor) this.#refuse('anchors', span);
    if (node.tag && node.range && this.#source.content[node.range[0]] === '!') this.#refuse('tags', span);
    if (isMap(node)) return this.#map(node.items as unknown[], span);
    if (isSeq(node)) {
      const items = node.items.map((item) =>
        isPair(item) ? this.#map([item], span) : this.convert(item as YamlNode),
      );
      return { kind: 'list', items, span } satisfies List;
    }
    if (isScalar(node)) return this.#scalar(node, span);
    return this.#nothing(span);
  }

  #map(pairs: readonly unknown[], span: Span): Mapping {
    const entries = new Map<string, Entry>();
    for (const pair of pairs) {
      if (!isPair(pair)) continue;
      const key = pair.key as YamlNode | null;
      if (!isScalar(key)) {
        this.#diagnostics.push(diagnose('key-not-text', key ? this.#span(key) : span, {}));
        continue;
      }
      const keySpan = this.#span(key);
      const name = typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
      if (name === '<<') {
        this.#refuse('merge keys', keySpan);
        continue;
      }
      const twin = entries.get(name);
      if (twin) {
        this.#diagnostics.push(diagnose('key-twice', keySpan, { key: name }, { related: [twin.key] }));
        continue;
      }
      const value = pair.value ? this.convert(pair.value as YamlNode) : this.#nothing(keySpan);
      entries.set(name, { key: keySpan, value });
    }
    return { kind: 'map', entries, span };
  }

  #scalar(node: { value: unknown; source?: string; type?: string | null; range?: unknown }, span: Span): Scalar {
    const value = node.value as Scalar['value'];
    const written = typeof value === 'string' ? value : (node.source ?? String(value));
    const [start, end] = node.range as [number, number];
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

  #refuse(feature: string, span: Span): Scalar {
    this.#diagnostics.push(diagnose('yaml-feature', span, { feature }));
    return this.#nothing(span);
  }

  #nothing(span: Span): Scalar {
    return { kind: 'scalar', value: null, written: '', from: null, span };
  }

  #span(node: { range?: [number, number, number] | null | undefined }): Span {
    const [start, end] = node.range ?? [0, 0];
    return this.#source.locate(start, end);
  }
}
