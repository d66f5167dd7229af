import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pages, tables, tablesOn } from '../../scripts/reference.ts';
import { vocabularyKeys } from '../../src/specification/description/keys.ts';
import { parts } from '../../src/specification/reading/address.ts';
import { keywords } from '../../src/specification/vocabulary/keywords.ts';
import { sections } from './chapters.ts';

const root = new URL('../../', import.meta.url);
const written = [...pages().keys()].map((path) => readFileSync(new URL(path, root), 'utf8'));

describe('the tables of the reference', () => {
  it.each([...pages()])('are as the code has them: %s (npm run schemas)', (path, page) => {
    expect(readFileSync(new URL(path, root), 'utf8')).toBe(page);
  });

  it('stand in the reference once each', () => {
    expect(written.flatMap(tablesOn).sort()).toEqual([...tables().keys()].sort());
  });

  it('name each of their rows once', () => {
    for (const [name, { rows }] of tables()) {
      const first = rows.map((row) => row.find((cell) => cell.startsWith('`')));
      expect([name, first]).toEqual([name, [...new Set(first)]]);
    }
  });
});

describe('the tables of keys', () => {
  const flows = ['authorizationCode', 'clientCredentials', 'deviceAuthorization', 'implicit', 'password'];
  const ofFlow = ['authorizationUrl', 'deviceAuthorizationUrl', 'refreshUrl', 'scopes', 'tokenUrl'];

  it('have every key but the parts, and what JSON Schema and OpenAPI describe', () => {
    const silent = vocabularyKeys().filter(({ about }) => about.table === null);
    const names = [...new Set(silent.map(({ name }) => name))].sort();
    const ofJsonSchema = Object.keys(keywords).filter((name) => name !== 'required');
    expect(names).toEqual([...parts, ...ofJsonSchema, ...flows, ...ofFlow].sort());
  });

  it('name rules that the chapter of the table has', () => {
    const odd = vocabularyKeys().flatMap(({ name, about: { rules, table, section } }) => {
      const page = written.find((text) => tablesOn(text).includes(`keys: ${table}`)) ?? '';
      return (rules?.match(/\d+/g) ?? [])
        .filter((rule) => !new RegExp(`^${rule}\\. `, 'm').test(page))
        .map((rule) => `${name} (§${section}): rule ${rule}`);
    });
    expect(odd).toEqual([]);
    expect(sections.size).toBeGreaterThan(0);
  });
});

describe('the table of conditions', () => {
  it('numbers them from 1, without a gap', () => {
    const numbers =
      tables()
        .get('conditions')
        ?.rows.map(([number]) => Number(number)) ?? [];
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect([...new Set(numbers)]).toEqual(Array.from({ length: 16 }, (_, at) => at + 1));
  });
});
