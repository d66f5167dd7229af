import { describe, expect, it } from 'vitest';
import { draft07 } from '../../src/specification/description/draft-07.ts';
import { schemas } from '../../src/specification/description/schemas.ts';
import type { Schema } from '../../src/specification/reading/form.ts';
import { file } from './documents.ts';

describe('the schemas of a specification', () => {
  it.each([...schemas()])(
    '%s is what the vocabulary gives; `npm run schemas` writes it anew',
    (name, content) => {
      expect(file(`schemas/${name}`) === content).toBe(true);
    },
  );
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
