import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../src/source/diagnostic.ts';
import { whole } from '../../src/source/markdown.ts';
import { json, type Node } from '../../src/source/node.ts';
import { type Span, text } from '../../src/source/text.ts';
import { readYaml } from '../../src/source/yaml.ts';
import { read } from '../../src/specification/read.ts';
import { find, isUnder, rest, step } from '../../src/specification/reading/address.ts';
import { outline } from '../../src/specification/reading/document.ts';

/** Every document that is known to be right. */
const documents = ['test/documents/valid', 'examples'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md') && (folder !== 'examples' || name !== 'todo.md'))
    .map((name) => `${folder}/${name}`),
);

/** Every statement in the long form; else one of so many, so that the whole takes some seconds. */
const every = process.env['TACET_LONG'] === '1' ? 1 : 307;

/** What is done to a statement. */
type Change =
  /** It is taken out. */
  | 'gone'
  /** Its value is a list of a list of a list. */
  | 'kind'
  /** Its key is one that nobody knows. */
  | 'key'
  /** It names something that there is not, where it named something that there is. */
  | 'name';

/** Where a change is no fault, and leaves no point: why that is right, or what the reader does not see yet. */
const exceptions: readonly {
  readonly changes: readonly Change[];
  readonly at: RegExp;
  readonly because: string;
}[] = [
  {
    changes: ['gone'],
    at: /^(tacet|complete|open\b.*)$/,
    because: 'the head says nothing about the service (A.3)',
  },
  {
    changes: ['gone', 'kind', 'key', 'name'],
    at: /^(endpoints\[".*?"\]\.response(\[\d+\])?\.body|errors\.(payload|codes\.[\w-]+)\.(body|extra)|events\.(envelope|kinds(\.\w+|\[".*?"\])\.body))\b/,
    because: 'a payload is any JSON, and its members are no points (H.3)',
  },
  {
    changes: ['gone', 'kind', 'key'],
    at: /\.((does|also\[\d+\])\.with|derived\.\w+|replay)\b/,
    because: 'what is given is any JSON, to members that an open list may name; with need not be said (E.7)',
  },
  {
    changes: ['gone'],
    at: /\[\d+\]$/,
    because: 'a list of words, rows or values is one statement, and nothing tells that it was longer',
  },
  {
    changes: ['name'],
    at: /\.(operation|under|field|const|derived|handled|(enum|states)\[\d+\])$|^(service\.scope|states\[".*?"\]\.states)\b/,
    because: 'a name of its own, or a text that names nothing',
  },
  {
    changes: ['key'],
    at: /^endpoints\[".*?"\]\.does\.\w+$/,
    because: 'an unknown verb may be a transition where the list of these is open (D.1)',
  },
  {
    changes: ['gone'],
    at: /^limits\.defaults\b/,
    because: 'it is another way to write the default of a field or parameter, which is an entry (E.17)',
  },
  {
    changes: ['gone'],
    at: /\.request\.query\.limit\.type$/,
    because: 'what is text now has a default in part 8 that is none (E.13, E.17)',
  },
  {
    changes: ['gone', 'kind'],
    at: /\.description$/,
    because: 'a description states nothing, whatever it is (E.18)',
  },
  {
    changes: ['gone'],
    at: /^endpoints\["every /,
    because: 'it is said of each endpoint that the rule is about, and open there',
  },
  {
    changes: ['gone'],
    at: /^endpoints\.cors\.\w+$/,
    because: 'it is said of each endpoint, and open there',
  },
  {
    changes: ['gone'],
    at: /\.(does\.present|response\[\d+\]\.when|codes\.[\w-]+\.operations|authorization\.\w+|operation|fields(\.name(\.unique)?)?)$/,
    because: 'what rests on it is told of where that stands: an answer, a row, an expression',
  },
  {
    changes: ['gone'],
    at: /^resources\.\w+\.omits$/,
    because: 'what a view shows is open then, at `shows`',
  },
  {
    changes: ['gone'],
    at: /\.unique\[\d+\]\.caseless$/,
    because: 'known hole: whether texts are compared caselessly is no point of its own (2)',
  },
  {
    changes: ['gone', 'kind', 'name'],
    at: /\.request\.body\.(of|required\b.*)$/,
    because: 'known hole: beside `of`, `required` is a keyword, and what it names is not looked up (E.4)',
  },
  {
    changes: ['gone', 'kind'],
    at: /\.differs\["resources.*?"\]\.\w+$/,
    because: 'known hole: what one older version says of a field has no rest, and is not typed by it (9.3)',
  },
  {
    changes: ['kind'],
    at: /\.(derived|shown|const|default|items\.enum(\[\d+\])?)$/,
    because: 'known hole: a view’s field, what is shown, and items are not held against a type (A.4)',
  },
  {
    changes: ['gone'],
    at: /(\.properties\.\w+|^authentication\.(authorization|otherwise)\b.*\.schemes\.\w+)$/,
    because:
      'known hole: the rest of `properties` in a JSON Schema, and of the schemes of a rule, is no point (D.1)',
  },
  {
    changes: ['gone', 'key'],
    at: /^endpoints\["[^"]+"\](\.\w+)?\.examples\b/,
    because: 'examples state nothing (4.6)',
  },
  {
    changes: ['kind'],
    at: /^resources\.Booking\.fields\.booked_by\.set\.create$/,
    because: 'a field of which no type is stated',
  },
  {
    changes: ['name'],
    at: /^authentication\.schemes\.\w+\.(scheme|prefix\[\d+\])$/,
    because: 'a word of its own, that is like the name of something here',
  },
];

type Path = readonly (string | number)[];
type Tree = ReturnType<typeof json>;

describe('every statement of a document that is right', () => {
  const used = new Set<RegExp>();

  it.each(documents)(
    '%s: taken out, it is open, denied, or missed where it was used; broken, it is found where it stands',
    (name) => {
      const { head, tree } = outline([text('x.md', readFileSync(name, 'utf8'))]);
      const document = { ...(head && (json(head) as object)), ...(json(tree) as object) } as Tree;
      expect(read('x.json', print(document)).diagnostics).toEqual([]);
      const all = [...statements(parsed(print(document)))];
      const names = new Set(all.flatMap(({ path, node }) => named(path, node)));
      const found: string[] = [];
      for (const { path, node } of all.filter((_, index) => index % every === 0)) {
        const address = addressOf(path);
        for (const change of changesOf(path, node, names)) {
          const fault = judged(change, path, node, changed(document, path, change));
          const excused = exceptions.find(({ changes, at }) => changes.includes(change) && at.test(address));
          if (excused && fault !== undefined) used.add(excused.at);
          if (fault !== undefined && !excused) found.push(`${change} ${address}: ${fault}`);
        }
      }
      expect(found).toEqual([]);
    },
    600_000,
  );

  it.runIf(every === 1)('is excused by nothing that is not needed', () => {
    expect(exceptions.filter(({ at }) => !used.has(at))).toEqual([]);
  });
});

function print(document: Tree): string {
  return JSON.stringify(document, null, 1);
}

function parsed(content: string): Node {
  return readYaml(whole(text('x.json', content))).node as Node;
}

/** Every entry of a map and every item of a list, from the outside in. */
function* statements(node: Node, path: Path = []): Generator<{ path: Path; node: Node }> {
  if (path.length > 0) yield { path, node };
  if (node.kind === 'map')
    for (const [key, entry] of node.entries) yield* statements(entry.value, [...path, key]);
  if (node.kind === 'list')
    for (const [index, item] of node.items.entries()) yield* statements(item, [...path, index]);
}

function addressOf(path: Path): string {
  return path.slice(1).reduce<string>(step, String(path[0]));
}

/** The names that a statement gives to something. */
function named(path: Path, node: Node): string[] {
  const [above, own] = path.slice(-2);
  const maps = [
    'resources',
    'fields',
    'transitions',
    'codes',
    'kinds',
    'actors',
    'schemes',
    'rates',
    'versions',
  ];
  if (typeof own === 'string' && maps.includes(String(above))) return [own];
  const isName = own === 'operation' || (above === 'states' && typeof own === 'number');
  return isName && node.kind === 'scalar' ? [node.written] : [];
}

function changesOf(path: Path, node: Node, names: ReadonlySet<string>): Change[] {
  const isName = node.kind === 'scalar' && names.has(node.written);
  return [
    'gone',
    'kind',
    ...(typeof path.at(-1) === 'string' ? (['key'] as const) : []),
    ...(isName ? (['name'] as const) : []),
  ];
}

const unknown = 'Nobody';

function changed(document: Tree, path: Path, change: Change): Tree {
  const [key, ...further] = path;
  if (further.length > 0) {
    const inner = changed((document as never)[key as never], further, change);
    return Array.isArray(document)
      ? document.with(key as number, inner)
      : { ...(document as object), [String(key)]: inner };
  }
  if (Array.isArray(document))
    return change === 'gone'
      ? document.toSpliced(key as number, 1)
      : document.with(key as number, change === 'kind' ? [[[]]] : unknown);
  const entries = Object.entries(document as object).flatMap(([name, value]): [string, Tree][] => {
    if (name !== key) return [[name, value]];
    if (change === 'gone') return [];
    if (change === 'key') return [[name + unknown, value]];
    return [[name, change === 'kind' ? [[[]]] : unknown]];
  });
  return Object.fromEntries(entries);
}

/** What is amiss with the reading of a changed document; undefined where it is as it should be. */
function judged(change: Change, path: Path, was: Node, document: Tree): string | undefined {
  const content = print(document);
  const { specification, diagnostics } = read('x.json', content);
  const points = [...specification.points.values()];
  const tree = parsed(content);
  const [around, last] = [path.slice(0, -1), path.at(-1) as string | number];
  const holder = find(tree, around) as Node;
  const words = new Set([...path.map(String), ...textsOf(was)].flatMap(wordsOf));
  const isAtWord = ({ span }: Diagnostic): boolean =>
    wordsOf(content.slice(span.start, span.end)).some((word) => words.has(word));
  const told = diagnostics.map(
    ({ code, span }) => `${code} at ${content.slice(span.start, span.end).split('\n')[0]}`,
  );
  if (change === 'gone') {
    const address = addressOf(path);
    const list = around.length > 0 ? rest(addressOf(around)) : '';
    const isLeft = points.some(
      (one) =>
        one.address === list ||
        (isUnder(one.address, address) && (one.state === 'open' || one.address === rest(address))),
    );
    if (diagnostics.length === 0) return isLeft ? undefined : 'no diagnostic, and no open point';
    // A warning may tell of whatever has become idle.
    const errors = diagnostics.filter((one) => one.severity === 'error');
    const isRight = errors.every((one) => isAtWord(one) || contains(holder.span, one.span));
    return isRight ? undefined : told.join(', ');
  }
  const key = change === 'key' ? `${last}${unknown}` : last;
  const entry = holder.kind === 'map' ? holder.entries.get(String(key)) : undefined;
  const value = find(tree, [...around, key]) as Node;
  const isWithin = ({ span }: Diagnostic): boolean =>
    contains(value.span, span) || (entry !== undefined && contains(entry.key, span));
  // A name of its own may be any other: then it is the name of something else.
  if (change === 'key' && diagnostics.length === 0)
    return points.some((one) => isUnder(one.address, addressOf([...around, key])))
      ? undefined
      : 'no diagnostic';
  if (diagnostics.length === 0) return 'no diagnostic';
  return diagnostics.some((one) => isWithin(one) || isAtWord(one)) ? undefined : told.join(', ');
}

function contains(outer: Span, inner: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function textsOf(node: Node): string[] {
  if (node.kind === 'scalar') return [node.written];
  if (node.kind === 'list') return node.items.flatMap(textsOf);
  return [...node.entries].flatMap(([key, entry]) => [key, ...textsOf(entry.value)]);
}

function wordsOf(written: string): string[] {
  return written.match(/[\w$]+/g) ?? [];
}
