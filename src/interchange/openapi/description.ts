import { posix } from 'node:path';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node as YamlNode } from 'yaml';
import { type Entry, get, type Node } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { type Span, span, type Text, text } from '../../source/text.ts';
import { inOneFile } from './files.ts';
import { upgraded } from './swagger.ts';
import { Unreadable } from './unreadable.ts';

/** What is read of a description at the most: a guard for the process. */
const most = { values: 2_000_000, depth: 200 } as const;

/** An OpenAPI description, each value with its place. */
export interface Description {
  readonly text: Text;
  readonly root: Node;
  /** As it is written: `3.0.3`, or `2.0`, which is read as 3.0. */
  readonly version: string;
}

/** Whether a text is meant as an OpenAPI description of any version, by its first key that says so. */
export function isOpenApi(content: string): boolean {
  return /^\s*(?:\{\s*)?["']?(?:openapi|swagger)["']?\s*:\s*["']?\d/m.test(content.slice(0, 100_000));
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
  const { source, root: first } = parsed(file, content);
  const whole = span(source, 0, 0);
  if (first?.kind !== 'map') throw new Unreadable('a description is a map with the key openapi', whole);
  const version = get(first, 'openapi') ?? get(first, 'swagger');
  const written = version?.kind === 'scalar' ? version.written : '';
  if (!/^(3\.[0-2]|2\.0)(\.|$)/.test(written))
    throw new Unreadable(
      `OpenAPI ${written === '' ? 'of no version' : written} is not read, but 2.0, 3.0, 3.1 and 3.2 are`,
      version?.span ?? whole,
    );
  const folder = posix.dirname(file);
  const other = once((path: string): Node | null => {
    const read = readFile(path);
    return read === null ? null : parsed(posix.join(folder, path), read).root;
  });
  const root = inOneFile(first, posix.basename(file), other);
  return { text: source, root: written.startsWith('2') ? inThree(root) : root, version: written };
}

function inThree(root: Node): Node {
  try {
    return upgraded(root);
  } catch (error) {
    throw new Unreadable(`this is no OpenAPI 2.0: ${(error as Error).message}`, root.span);
  }
}

/** A file in YAML or JSON. Throws {@link Unreadable} if it is neither. */
function parsed(file: string, content: string): { readonly source: Text; readonly root: Node | null } {
  const source = text(file, content);
  const lines = new LineCounter();
  const document = parseDocument(content, { lineCounter: lines, merge: true, uniqueKeys: false });
  const [fault] = document.errors;
  if (fault)
    throw new Unreadable(
      `this is no YAML: ${fault.message.split(' at line')[0]}`,
      span(source, ...fault.pos),
    );
  return { source, root: document.contents && new Converter(source, document).convert(document.contents, 0) };
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
    this.#values += 1;
    if (this.#values > most.values) throw new Unreadable(`there are more than ${most.values} values`, at);
    if (depth > most.depth) throw new Unreadable(`values stand in more than ${most.depth} others`, at);
    if (isAlias(node)) {
      const meant = node.resolve(this.#document);
      if (meant === undefined) throw new Unreadable(`*${node.source} is no anchor`, at);
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
