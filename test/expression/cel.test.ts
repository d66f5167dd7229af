import { afterAll, describe, expect, it } from 'vitest';
import { typeOf } from '../../src/expression/check.ts';
import { compile } from '../../src/expression/compile.ts';
import { isFault, parseExpression } from '../../src/expression/expression.ts';
import { sections } from '../docs/chapters.ts';
import { makers, outcome } from './answers.ts';
import { type Case, cases, type Foreign, scopeOf } from './cel.ts';
import { type Outside, outside } from './cel-outside.ts';
import { storedCase } from './cel-stored.ts';
import { type Postgres, postgres } from './postgres.ts';
import { askedInPostgres, askedInSqlite } from './row.ts';

const all = cases();

/** A schema of PostgreSQL's, or why there is none. */
const store = await postgres();
const missing = typeof store === 'string' ? store : null;
afterAll(async () => {
  if (typeof store !== 'string') await store.close();
});

/** What comes of a case: its value, `none`, or what reading it says. */
function resultOf(of: Case | Foreign): { readonly told: string } | { readonly value: unknown } {
  if ('foreign' in of) return { told: of.foreign };
  const parsed = parseExpression(of.text);
  if (isFault(parsed)) return { told: parsed.message };
  const told: string[] = [];
  typeOf(parsed.syntax, scopeOf(of), ({ message }) => told.push(message));
  if (told.length > 0) return { told: told.join('\n') };
  const run = compile(parsed, () => undefined);
  return { value: outcome(() => run({ names: of.values, makers })) };
}

/** Whether a case comes out as CEL has it; what is an error there may be refused when it is read. */
function holds(of: Case | Foreign): boolean {
  if ('foreign' in of) return false;
  const found = resultOf(of);
  if (of.expected === 'read') return 'value' in found;
  const value = 'told' in found ? 'none' : found.value;
  try {
    expect(value).toEqual(of.expected);
    return true;
  } catch {
    return false;
  }
}

function isOf(section: string, { name }: Pick<Case, 'name'>): boolean {
  return name.startsWith(`${section} / `);
}

function covers({ sections, told, says, cases: listed }: Outside, of: Case | Foreign): boolean {
  if (sections?.some((section) => isOf(section, of)) || listed?.includes(of.name)) return true;
  const found = resultOf(of);
  return 'told' in found && (told?.test(found.told) || ('text' in of && says?.test(of.text)) || false);
}

const inside = all.filter((one): one is Case => !outside.some((each) => covers(each, one)));

describe("CEL's conformance data holds, but for what the language has otherwise", () => {
  it.each(inside.map((one) => [one.name, one] as const))('%s', (_, one) => {
    expect([one.text, holds(one)]).toEqual([one.text, true]);
  });

  it('in most of the data that has a form here', () => {
    expect([all.length, inside.length]).toEqual([2344, 613]);
  });
});

describe('what is said to be outside the language is', () => {
  it.each(outside.map((one) => [one.because, one] as const))('%s', (_, one) => {
    const known = (name: string): boolean => all.some((each) => each.name === name || isOf(name, each));
    expect([...(one.sections ?? []), ...(one.cases ?? [])].filter((name) => !known(name))).toEqual([]);
    const covered = all.filter((each) => covers(one, each));
    expect(covered.length).toBeGreaterThan(0);
    // Of a section that is left out, a mistake may be one all the same.
    const held = covered.filter((each) => holds(each) && 'expected' in each && each.expected !== 'none');
    expect(held.map(({ name }) => name)).toEqual([]);
  });

  it.each(outside.map((one) => [one.language]))('%s is a section of the language', (section) => {
    expect(sections.has(section)).toBe(true);
  });
});

describe('what a store works out of the same values of a row comes out alike', () => {
  const stored = inside.flatMap((one) => {
    const found = one.expected === 'read' || 'told' in resultOf(one) ? undefined : storedCase(one);
    return found ? [[one.name, one, found] as const] : [];
  });

  it.each(stored)('%s', async (_, { expected }, one) => {
    expect([one.text, askedInSqlite(one)]).toEqual([one.text, expected]);
    if (missing === null)
      expect([one.text, await askedInPostgres(one, store as Postgres)]).toEqual([one.text, expected]);
  });

  it('in all kinds of cases', () => {
    expect(stored.length).toBe(419);
  });
});
