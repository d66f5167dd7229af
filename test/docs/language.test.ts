import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functions } from '../../src/expression/functions.ts';
import { codes } from '../../src/source/codes.ts';
import { parts } from '../../src/specification/address.ts';
import { verbs } from '../../src/specification/change.ts';
import { conditionNames, floorStatus } from '../../src/specification/condition.ts';

const root = new URL('../../', import.meta.url);
const language = readFileSync(new URL('docs/language.md', root), 'utf8');

/** Every section that the reference has: `A`, `A.1`, `E.17`, `4`, `4.2`. */
const sections = new Set([
  ...[...language.matchAll(/^## ([A-I]|\d)\. /gm)].map((match) => match[1]),
  ...[...language.matchAll(/^\*\*([A-H]\.\d+|\d\.\d+)[ *]/gm)].map((match) => match[1]),
  ...[...language.matchAll(/^\| (E\.\d+) /gm)].map((match) => match[1]),
]);

/** The files of a folder, with what stands in them. */
function files(folder: string): [string, string][] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|md)$/.test(name))
    .map((name) => [name, readFileSync(new URL(`${folder}/${name}`, root), 'utf8')]);
}

const section = (heading: string): string =>
  language.split(/^## /m).find((one) => one.startsWith(heading)) ?? '';

describe('the language reference', () => {
  it('has the sections that the code, the tests and the diagnostics cite', () => {
    const cited = [...files('src'), ...files('docs/diagnostics'), ...files('test/specification')].flatMap(
      ([file, text]) =>
        [...text.matchAll(/language ((?:§[A-I\d](?:\.\d+)?(?:, |–)?)+)/g)].flatMap((match) =>
          [...(match[1] as string).matchAll(/§([A-I\d](?:\.\d+)?)/g)].map((one) => [file, one[1]]),
        ),
    );
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(([, name]) => !sections.has(name))).toEqual([]);
    expect(Object.values(codes).filter((one) => !sections.has(one.section))).toEqual([]);
  });

  it('numbers its sections without a gap, in their order', () => {
    const names = [...sections] as string[];
    expect(names.filter((name) => !name.includes('.')).join('')).toBe('ABCDEFGH123456789I');
    const within = Map.groupBy(
      names.filter((name) => name.includes('.')),
      (name) => name.split('.')[0],
    );
    for (const [chapter, found] of within)
      expect(found).toEqual(found.map((_, index) => `${chapter}.${index + 1}`));
    expect(names.length).toBeGreaterThan(70);
  });

  it('has a room in the code for each section', () => {
    const text = files('src')
      .map(([, content]) => content)
      .join('\n');
    const cited = new Set([...text.matchAll(/(?:§|')([A-I\d](?:\.\d+)?)\b/g)].map((match) => match[1]));
    const whole = [...sections].filter((name) => ![...sections].some((one) => one?.startsWith(`${name}.`)));
    expect(whole.filter((name) => !cited.has(name))).toEqual([]);
  });

  it('names the nine parts, the verbs, the functions and the conditions that the code knows', () => {
    for (const part of parts) expect(section('A. ')).toContain(`| \`${part}\` |`);
    for (const verb of verbs) expect(section('H. ')).toContain(`\`${verb}:`);
    for (const name of functions.keys()) expect(section('G. ')).toMatch(new RegExp(`\\b${name}\\b`));
    for (const name of conditionNames) if (name !== 'expression') expect(section('H. ')).toContain(name);
  });

  it('gives each condition the floor’s status that the code sends', () => {
    const rows = [...section('H. ').matchAll(/^\| \d+ \|([^|]*)\|[^|]*\|([^|]*)\|$/gm)];
    expect(rows).toHaveLength(16);
    const shown = rows.flatMap(([, names = '', statuses = '']) => {
      const known = [...names.matchAll(/`([a-z ]+?)(?: [A-Z][A-Za-z.]*)*`/g)]
        .map((match) => match[1] as string)
        .filter((name) => name in floorStatus);
      const numbers = [...statuses.matchAll(/\d{3}|never/g)].map((match) => match[0]);
      const of = (index: number) => (numbers.length >= known.length ? numbers[index] : numbers[0]);
      return known.map((name, index) => [name, of(index)]);
    });
    expect([...new Set(shown.map(([name]) => name))].sort()).toEqual(
      conditionNames.filter((name) => name !== 'expression').sort(),
    );
    for (const [name, status] of shown)
      if (status !== 'never' && name !== 'credential wrong')
        expect([name, String(floorStatus[name as keyof typeof floorStatus])]).toEqual([name, status]);
  });

  it('lists what this version does not run', () => {
    const source = readFileSync(new URL('src/specification/unrun.ts', root), 'utf8');
    const list = section('What this version runs');
    const places = /const handlersNotRun = \[([\s\S]*?)\]/.exec(source)?.[1] ?? '';
    const handled = [...places.matchAll(/'([^']+)'/g)].map((match) => match[1] as string);
    expect(handled).toContain('where');
    for (const word of handled) expect(list).toContain(word);
  });
});
