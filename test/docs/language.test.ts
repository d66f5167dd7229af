import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { typeOf } from '../../src/expression/check.ts';
import { compile } from '../../src/expression/compile.ts';
import { codes } from '../../src/source/codes.ts';
import { parts } from '../../src/specification/reading/address.ts';
import { verbs } from '../../src/specification/vocabulary/change.ts';
import { parse, scope } from '../expression/scope.ts';
import { faults } from '../specification/documents.ts';
import { anchors, blocks, chapters, examples, index, page, rows, sections } from './chapters.ts';

const root = new URL('../../', import.meta.url);
const pages = [index, ...chapters];
const others = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/backup.md',
  'docs/data.md',
  'docs/agents.md',
  'docs/editors.md',
  'docs/reports.md',
  'docs/testing.md',
  'docs/traffic.md',
  ...['commands', 'comparing', 'examples', 'open-points', 'why'].map((name) => `docs/${name}.md`),
  ...['tutorial', 'recipes', 'coming-from'].flatMap((folder) =>
    readdirSync(new URL(`docs/${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${folder}/${name}`),
  ),
].map(page);

/** The files of a folder, with what stands in them. */
function files(folder: string): [string, string][] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|md|json)$/.test(name))
    .map((name) => [`${folder}/${name}`, readFileSync(new URL(`${folder}/${name}`, root), 'utf8')]);
}

/** The tables of a kind: `keys`, `functions`, `operators`, `conditions`. */
const tables = (kind: string, name?: string): string =>
  blocks
    .filter((block) => block.kind === kind && (name === undefined || block.name === name))
    .map((block) => block.table)
    .join('\n');

/** The labels of a list such as `A, A.1–A.5, I`. */
function labels(list: string): string[] {
  return list.split(', ').flatMap((range) => {
    const [, letter, first, last] = /^(\w)\.(\d+)–\w?\.?(\d+)$/.exec(range) ?? [];
    const from = Number(first);
    return last === undefined
      ? [range]
      : Array.from({ length: Number(last) - from + 1 }, (_, i) => `${letter}.${from + i}`);
  });
}

describe('a page', () => {
  it('is easy to read: 15 kB, lines of 400 characters, cells of two lines', () => {
    for (const { path, text } of [...pages, ...others]) {
      expect([path, Buffer.byteLength(text) <= 15_000]).toEqual([path, true]);
      const long = text.split('\n').filter((line) => line.length > 400);
      const cells = [...text.matchAll(/^\|.*\|$/gm)]
        .flatMap(([row]) => row.split(/(?<!\\)\|/))
        .filter((cell) => cell.replace(/<a id="[^"]*"><\/a>/, '').trim().length > 160);
      expect([path, long, cells]).toEqual([path, [], []]);
    }
  });
});

describe('the language reference', () => {
  it('has the sections that the code, the tests and the pages cite', () => {
    const cited = ['src', 'docs', 'schemas', 'test', 'examples']
      .flatMap(files)
      .flatMap(([file, text]) =>
        [...text.matchAll(/language ((?:§[A-I\d](?:\.\d+)?(?:, |–)?)+)/g)].flatMap((match) =>
          [...(match[1] as string).matchAll(/§([A-I\d](?:\.\d+)?)/g)].map((found) => [
            file,
            found[1] as string,
          ]),
        ),
      );
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(([, name]) => !sections.has(name as string))).toEqual([]);
    expect(Object.values(codes).filter((code) => !sections.has(code.section))).toEqual([]);
  });

  it('has the sections that its own pages cite', () => {
    const cited = pages.flatMap(({ path, text }) =>
      [
        ...text.matchAll(/(?<![\w.])([A-I]\.\d+)\b/g),
        ...text.matchAll(/(?<!RFC \d{4} |binding, )§([A-I1-9](?:\.\d+)?)/g),
      ].map((match) => [path, match[1] as string]),
    );
    expect(cited.length).toBeGreaterThan(200);
    expect(cited.filter(([, name]) => !sections.has(name as string))).toEqual([]);
  });

  it('has each section once, and numbers them without a gap', () => {
    const names = chapters.flatMap(anchors);
    expect(new Set(names).size).toBe(names.length);
    const groups = Map.groupBy(sections.keys(), (name) => name[0] as string);
    expect([...groups.keys()].sort().join('')).toBe('123456789ABCDEFGHI');
    for (const [letter, found] of groups)
      expect(found.sort((a, b) => Number(a.slice(2)) - Number(b.slice(2)))).toEqual([
        letter,
        ...found.slice(1).map((_, at) => `${letter}.${at + 1}`),
      ]);
    expect(sections.size).toBeGreaterThan(80);
  });

  it('says in its index where each section is', () => {
    const listed = [...index.text.matchAll(/^\| \[(\d+ .*)\]\((language\/.*\.md)\) \| (.*) \|$/gm)];
    expect(listed.map(([, , path]) => `docs/${path}`)).toEqual(chapters.map(({ path }) => path));
    for (const [at, chapter] of chapters.entries()) {
      const [, title, , list] = listed[at] as unknown as [string, string, string, string];
      expect(labels(list).sort()).toEqual(
        [...sections.keys()].filter((name) => sections.get(name) === chapter).sort(),
      );
      expect(chapter.text).toMatch(new RegExp(`^# (<a id="[a-z0-9-]+"></a>)?${title}\n`));
    }
  });

  it('links to anchors and pages that there are', () => {
    const broken = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)#]*)(?:#([^)]+))?\)/g)]
        .filter(([, to, id]) => {
          const target = to ? new URL(to, new URL(path, root)) : new URL(path, root);
          const found = pages.find(({ path }) => target.href === new URL(path, root).href);
          if (target.href.includes('/diagnostics/')) return !existsSync(target);
          return !found || (id && !anchors(found).includes(id) && id !== 'what-this-version-runs');
        })
        .map(([link]) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('names what `check` reports in the chapter of its section', () => {
    const silent = Object.entries(codes)
      .map(([code, { section }]) => [code, sections.get(section)] as const)
      .filter(([code, chapter]) => !chapter?.text.includes(`[\`${code}\`](../diagnostics/${code}.md)`))
      .map(([code, chapter]) => `${chapter?.path}: [\`${code}\`](../diagnostics/${code}.md)`);
    expect(silent).toEqual([]);
  });

  it('has a room in the code for each section', () => {
    const text = files('src')
      .map(([, content]) => content)
      .join('\n');
    const cited = new Set([...text.matchAll(/(?:§|')([A-I\d](?:\.\d+)?)\b/g)].map((match) => match[1]));
    const whole = [...sections.keys()].filter(
      (name) => ![...sections.keys()].some((other) => other.startsWith(`${name}.`)),
    );
    expect(whole.filter((name) => !cited.has(name))).toEqual([]);
  });

  it('names the nine parts, and the verbs that the code knows', () => {
    expect(rows(tables('keys', 'parts')).map(([, key]) => key)).toEqual(parts.map((part) => `\`${part}\``));
    for (const verb of verbs) expect(tables('keys', 'change.verbs')).toContain(`\`${verb}:`);
  });

  it('lists what this version does not run', () => {
    const source = readFileSync(new URL('src/specification/openness/unrun.ts', root), 'utf8');
    const [, list = ''] = index.text.split('## What this version runs');
    const places = /const handlersNotRun = \[([\s\S]*?)\]/.exec(source)?.[1] ?? '';
    const handled = [...places.matchAll(/'([^']+)'/g)].map((match) => match[1] as string);
    expect(handled).toContain('where');
    for (const word of handled) expect(list).toContain(word);
  });
});

describe('the examples of the reference', () => {
  it('show every part, in every chapter', () => {
    for (const { path, text } of chapters)
      expect([path, /^`{3,4}(yaml|markdown)/m.test(text)]).toEqual([path, true]);
    const shown = new Set(examples.flatMap(({ part, source }) => [part, ...source.content.split(/:.*\n/)]));
    for (const part of parts) expect(shown).toContain(part);
  });

  it.each(examples)('are read without a fault: $at', ({ source }) => {
    expect(faults(source.content, source.file)).toEqual([]);
  });

  it('show every key of the tables', () => {
    const shown = examples.map(({ source }) => source.content).join('\n');
    const silent = blocks.flatMap(({ kind, name, table }) =>
      (kind === 'keys' ? rows(table) : [])
        .flatMap(([first = '']) => [...first.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string))
        .filter((key) => /^[a-z]\w+$/.test(key) && !new RegExp(`\\b${key}\\b`).test(shown))
        .map((key) => `${name}: ${key}`),
    );
    expect(silent).toEqual([]);
  });

  const values = chapters
    .flatMap(({ text }) => [...text.matchAll(/^```cel\n([\s\S]*?)^```$/gm)])
    .flatMap(([, block = '']) => block.trim().split('\n'))
    .map((line) => line.split(/\s+\/\/ /) as [string, string]);

  it('give values of expressions', () => expect(values.length).toBeGreaterThan(5));

  it.each(values)('give the value of %s', (text, value) => {
    const expression = parse(text);
    expect(typeOf(expression.syntax, scope, (fault) => expect.fail(fault.message))).toBeDefined();
    expect(compile(expression, () => undefined)({ names: {} } as never)).toEqual(JSON.parse(value));
  });
});
