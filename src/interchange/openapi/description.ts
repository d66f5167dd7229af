import { posix } from 'node:path';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node as YamlNode } from 'yaml';
import { markPattern, questionMarked } from '../../source/clarification.ts';
import { type Entry, get, type Mapping, type Node } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { type Span, span, type Text, text } from '../../source/text.ts';
import { withMarksQuoted } from '../../source/yaml.ts';
import type { Loss } from '../losses.ts';
import { type Apart, inOneFile } from './files.ts';
import { counted, jsonNode } from './json.ts';
import { upgraded } from './swagger.ts';
import { Unreadable } from './unreadable.ts';

/** A description in the form of OpenAPI 3, each value with its place. */
export interface Description {
  readonly text: Text;
  readonly root: Node;
  readonly format: Format;
  /** As it is written: `3.0.3`, or `2.0`, which is read as 3.0. */
  readonly version: string;
  /** What was lost when it was brought into this form. Default: nothing */
  readonly losses?: readonly Loss[];
  /** The ways in which events leave. Default: webhooks, if there are any */
  readonly ways?: readonly Way[];
}

export type Format = 'OpenAPI' | 'AsyncAPI';

/** A way in which events leave, which is asked for. */
export interface Way {
  readonly name: string;
  readonly question: string;
  /** What people read about it; `''`: nothing. */
  readonly prose: string;
  readonly at: Span;
}

/** Keys of which each description has one. */
const formatKeys = ['openapi', 'swagger', 'asyncapi'] as const;
const formatKey = new RegExp(`["']?(${formatKeys.join('|')})["']?\\s*:\\s*["']?\\d`, 'm');
const outermostKey = new RegExp(`^${formatKey.source}`, 'm');
const firstKey = new RegExp(`^\\s*(?:\\{\\s*)?${formatKey.source}`, 'm');

/** The format of which a text is meant as a description, whatever its version, by its first key that says so. */
export function formatOf(content: string): Format | undefined {
  const [, key = lateKey(content)] = firstKey.exec(content.slice(0, 100_000)) ?? [];
  return key === undefined ? undefined : key === 'asyncapi' ? 'AsyncAPI' : 'OpenAPI';
}

/** The key, if it is one of the outermost, however much stands before it, as where keys are sorted. */
function lateKey(content: string): string | undefined {
  if (!formatKey.test(content)) return undefined;
  if (!/^\uFEFF?\s*\{/.test(content)) return outermostKey.exec(content)?.[1];
  try {
    const members = JSON.parse(content.replace(/^\uFEFF/, '')) as object;
    return formatKeys.find((key) => Object.hasOwn(members, key));
  } catch {
    return undefined;
  }
}

/** The content of another file, by its path from the folder of the description; null: there is none. */
export type ReadFile = (path: string) => string | null;

/**
 * Reads a description in YAML or JSON (OpenAPI 3.0 to 3.2, §4.1 and §4.2, and 2.0), with the files to which it refers.
 *
 * @param file the name to show in messages
 * @param readFile reads the other files. Default: there are none
 * @throws Unreadable
 */
export function readDescription(file: string, content: string, readFile: ReadFile = () => null): Description {
  const tree = readTree(file, content, ['openapi', 'swagger']);
  const { source, version } = tree;
  if (!/^(3\.[0-2]|2\.0)(\.|$)/.test(version)) throw wrongVersion('OpenAPI', tree, '2.0, 3.0, 3.1 and 3.2');
  const root = joined(tree, readFile);
  return {
    text: source,
    root: version.startsWith('2') ? inThree(root) : root,
    format: 'OpenAPI',
    version,
  };
}

/** A description as it stands in its file. */
export interface Tree {
  readonly source: Text;
  readonly root: Mapping;
  /** As it is written; `''`: it is not said. */
  readonly version: string;
  readonly versionAt: Span;
}

/** A description as it stands in its file, with its version, which one of some keys says. Throws {@link Unreadable}. */
export function readTree(file: string, content: string, keys: readonly string[]): Tree {
  const { source, root } = parsed(file, content);
  const whole = span(source, 0, 0);
  if (root?.kind !== 'map')
    throw new Unreadable('description-form', `a description is a map with the key ${keys[0]}`, whole);
  const version = keys.map((key) => get(root, key)).find((each) => each !== undefined);
  const written = version?.kind === 'scalar' ? version.written : '';
  return { source, root, version: written, versionAt: version?.span ?? whole };
}

/** @param read the versions that are read, for people */
export function wrongVersion(format: Format, { version, versionAt }: Tree, read: string): Unreadable {
  const named = version === '' ? 'of no version' : version;
  return new Unreadable('description-version', `${format} ${named} is not read, but ${read} are`, versionAt);
}

/** A description with what it refers to in other files. Throws {@link Unreadable}. */
export function joined({ source, root }: Tree, readFile: ReadFile, apart?: Apart): Mapping {
  const { file } = source;
  const folder = posix.dirname(file);
  const other = once((path: string): Node | null => {
    const read = readFile(path);
    return read === null ? null : parsed(posix.join(folder, path), read).root;
  });
  return inOneFile(root, posix.basename(file), other, apart);
}

function inThree(root: Node): Node {
  try {
    return upgraded(root);
  } catch (error) {
    throw new Unreadable(
      'description-form',
      `this is no OpenAPI 2.0: ${(error as Error).message}`,
      root.span,
    );
  }
}

/** A file in YAML or JSON. Throws {@link Unreadable} if it is neither. */
function parsed(file: string, content: string): { readonly source: Text; readonly root: Node | null } {
  const source = text(file, content);
  const asJson = /^\uFEFF?\s*[[{]/.test(content) ? jsonNode(source) : null;
  const hasMarks = content.search(markPattern) !== -1;
  if (asJson !== null) return { source, root: hasMarks ? withQuestions(asJson, '') : asJson };
  const lines = new LineCounter();
  const document = parseDocument(withMarksQuoted(content), {
    lineCounter: lines,
    merge: true,
    uniqueKeys: false,
  });
  const [fault] = document.errors;
  if (fault)
    throw new Unreadable(
      'description-syntax',
      `this is no YAML: ${fault.message.split(' at line')[0]}`,
      span(source, ...fault.pos),
    );
  const root = document.contents && new Converter(source, document).convert(document.contents, 0);
  return { source, root: root && hasMarks ? withQuestions(root, '') : root };
}

/** The keys of what people read: a mark in it stays as it is. */
const proseKeys = ['title', 'summary', 'description'];

/** A value with the questions of its marks as the language writes them: `(open) a question?`. */
function withQuestions(node: Node, key: string): Node {
  const written = node.span.text.content.slice(node.span.start, node.span.end);
  const question = questionMarked(written);
  if (question !== undefined) {
    const said = proseKeys.includes(key) ? written.replace(/^(["'])(.*)\1$/, '$2') : question;
    return { kind: 'scalar', value: said, written: said, from: null, span: node.span };
  }
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => withQuestions(item, '')) };
  if (node.kind === 'scalar') return node;
  const entries = [...node.entries].map(
    ([name, entry]) => [name, { ...entry, value: withQuestions(entry.value, name) }] as const,
  );
  return { ...node, entries: new Map(entries) };
}

class Converter {
  readonly #source: Text;
  readonly #document: ReturnType<typeof parseDocument>;
  #values = 0;

  constructor(source: Text, document: ReturnType<typeof parseDocument>) {
    this.#source = source;
    this.#document = document;
  }

  convert(node: YamlNode, depth: number): Node {
    const [start, end] = node.range ?? [0, 0];
    const at = span(this.#source, start, end);
    this.#values = counted(this.#values, depth, () => at);
    if (isAlias(node)) {
      const meant = node.resolve(this.#document);
      if (meant === undefined) throw new Unreadable('description-syntax', `*${node.source} is no anchor`, at);
      return this.convert(meant, depth + 1);
    }
    if (isSeq(node))
      return {
        kind: 'list',
        items: node.items.map((item) => this.convert(item as YamlNode, depth + 1)),
        span: at,
      };
    if (!isMap(node)) return scalarOf(node, at);
    const entries = new Map<string, Entry>();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      const keyAt = span(
        this.#source,
        ...(((key as YamlNode).range ?? [start, end]).slice(0, 2) as [number, number]),
      );
      const inner: Node = value ? this.convert(value as YamlNode, depth + 1) : scalarOf(null, keyAt);
      entries.set(name, { key: keyAt, value: inner });
    }
    return { kind: 'map', entries, span: at };
  }
}

function scalarOf(node: YamlNode | null, at: Span): Node {
  const value = isScalar(node) ? node.value : null;
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
  const known = isPlain ? (value as string) : value === null ? null : String(value);
  return {
    kind: 'scalar',
    value: known,
    written: known === null ? 'null' : String(known),
    from: null,
    span: at,
  };
}
