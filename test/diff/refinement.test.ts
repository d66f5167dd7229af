import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { diff, type Finding } from '../../src/diff/diff.ts';
import { holdsNames } from '../../src/diff/places.ts';
import { type Json, json, type Mapping, type Node, node } from '../../src/source/node.ts';
import { text } from '../../src/source/text.ts';
import { read } from '../../src/specification/read.ts';
import { replaced, step } from '../../src/specification/reading/address.ts';
import { outline } from '../../src/specification/reading/document.ts';
import { isLong } from '../long.ts';
import { randomFrom } from '../random.ts';
import { specification } from '../specification/documents.ts';

/** Every whole document that is known to be right. */
const documents = ['test/documents/valid', 'examples'].flatMap((folder) =>
  readdirSync(folder).map(
    (file) => [`${folder}/${file}`, readFileSync(`${folder}/${file}`, 'utf8')] as const,
  ),
);

/** A whole document as one tree, before notation, with the paths of everything that is written in it. */
function taken(content: string): { tree: Mapping; head: Json; paths: (string | number)[][] } {
  const { tree, head } = outline([text('x.md', content)]);
  const paths: (string | number)[][] = [];
  const visit = (at: Node, path: (string | number)[]): void => {
    if (path.length > 0) paths.push(path);
    if (at.kind === 'map') for (const [key, { value }] of at.entries) visit(value, [...path, key]);
    // An item that is one word is no point of its own.
    else if (at.kind === 'list')
      for (const [index, one] of at.items.entries()) if (one.kind !== 'scalar') visit(one, [...path, index]);
  };
  visit(tree, []);
  return { tree, head: head === undefined ? {} : json(head), paths };
}

function written(tree: Mapping, head: Json): string {
  return JSON.stringify({ ...(head as object), ...(json(tree) as object) });
}

describe('diff', () => {
  it.each(documents)('finds nothing between %s and itself', (_name, content) => {
    const found = diff(specification(content), specification(content));
    expect(found).toMatchObject({ refinement: true, findings: [] });
  });

  it.each(documents)('finds nothing between %s and the same in JSON', (_name, content) => {
    const { tree, head } = taken(content);
    const { specification: same, diagnostics } = read('x.json', written(tree, head));
    expect(diagnostics.filter((one) => one.severity === 'error')).toEqual([]);
    expect(diff(specification(content), same).findings).toEqual([]);
  });

  it.each(documents)(
    'calls it a refinement where an open point of %s is stated',
    { timeout: isLong ? 600_000 : 30_000 },
    (_name, content) => {
      const { tree, head, paths } = taken(content);
      const whole = specification(content);
      const tried: string[] = [];
      for (const path of isLong ? paths : sampled(paths)) {
        const opened = replaced(tree, path, node('(open)', tree.span), tree.span) as Mapping;
        const { specification: open, diagnostics } = read('x.json', written(opened, head));
        if (diagnostics.some((one) => one.severity === 'error')) continue;
        const address = addressOf(path);
        if (address.endsWith('.description')) continue;
        tried.push(address);
        const stated = diff(open, whole);
        const isAltered = (at: string): boolean =>
          altered.some(({ opened, changes }) => opened.test(address) && changes.test(at));
        expect
          .soft(
            stated.findings.map(judged).filter(([at, of]) => !isAltered(at) && !refines.includes(of)),
            address,
          )
          .toEqual([]);
        const withdrawn = diff(whole, open);
        expect.soft(withdrawn.findings.length === 0 || !withdrawn.refinement, address).toBe(true);
      }
      expect(tried.length).toBeGreaterThan(3);
    },
  );
});

type Path = readonly (string | number)[];

const addressOf = (path: Path): string =>
  path.slice(1).reduce<string>((above, name) => step(above, name), String(path[0]));

/**
 * Some of the paths, the same each time: of each kind of statement one, in every fourth document. Each that an older
 * version states otherwise is a kind of its own, and none of those is left out.
 */
function sampled(paths: readonly Path[]): readonly Path[] {
  const random = randomFrom(paths.length);
  const kindOf = (path: Path): string =>
    path
      .map((name, at) =>
        typeof name === 'number' || (at > 0 && holdsNames(path.slice(0, at).map(String))) ? '*' : name,
      )
      .slice(0, 5)
      .join('/');
  const differing = new Set(
    paths.flatMap((path) => (path.length === 5 && path[3] === 'differs' ? [String(path[4])] : [])),
  );
  const differs = paths.filter((path) => differing.has(addressOf(path)));
  const kinds = [...Map.groupBy(paths, kindOf).values()].filter(() => random() < 1 / 4);
  return [...differs, ...kinds.map((alike) => alike[Math.floor(random() * alike.length)] as Path)];
}

const refines: readonly string[] = ['refinement', 'stored data'];

const judged = (one: Finding): [string, string] => [one.address, one.class];

/** Where notation says something else once the point is stated, and so alters what it states (language §F.4). */
const altered: readonly { readonly opened: RegExp; readonly changes: RegExp }[] = [
  // E.8, E.9: a field that the service sets, derives or hides is written, or read, no longer; and so of a shape.
  { opened: /^resources\./, changes: /\.(readable|writable)$/ },
  { opened: /^states\b/, changes: /\.writable$/ },
  // E.6, before E.16 brings another media type.
  { opened: /^errors\.payload\.media$/, changes: /^errors\.codes\.\w+\.media$/ },
  // E.6, before E.15 brings another media type.
  { opened: /^endpoints\["every /, changes: /\.request\.media$/ },
  // E.17 adds to the list of the parameter's own keys, which is closed.
  { opened: /^limits(\.defaults.*)?$/, changes: /\.default$/ },
];
