import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { draft07 } from './draft-07.ts';
import type { Schema } from './subschemas.ts';

const file = (name: string): URL => new URL(`../../schemas/${name}`, import.meta.url);
const schema = JSON.parse(readFileSync(file('specification.schema.json'), 'utf8')) as Schema;

describe('the schema in draft-07', () => {
  it('is what the one in 2020-12 gives; `vitest run -u` writes it anew', async () => {
    const given = `${JSON.stringify(draft07(schema), null, 2)}\n`;
    await expect(given).toMatchFileSnapshot(file('specification.draft-07.schema.json').pathname);
  });
});

describe('draft07', () => {
  const kept = (of: Schema): unknown => {
    const { $schema: _, ...rest } = draft07(of);
    return rest;
  };

  it('keeps what stands beside a reference', () => {
    expect(kept({ $ref: '#/$defs/a', description: 'x', allOf: [{ type: 'string' }] })).toEqual({
      description: 'x',
      allOf: [{ $ref: '#/definitions/a' }, { type: 'string' }],
    });
    expect(kept({ items: { $ref: '#/$defs/a' } })).toEqual({ items: { $ref: '#/definitions/a' } });
  });

  it('renames dependentRequired, and leaves properties of that name alone', () => {
    const properties = { dependentRequired: { type: 'object' }, prefixItems: true };
    expect(kept({ dependentRequired: { a: ['b'] }, properties })).toEqual({
      dependencies: { a: ['b'] },
      properties,
    });
  });

  it('refuses what it cannot tell', () => {
    expect(() => draft07({ items: { prefixItems: [] } })).toThrow('no rule for prefixItems');
  });
});
