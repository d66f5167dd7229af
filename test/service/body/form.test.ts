import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readForm } from '../../../src/service/body/form.ts';
import { compileSpelling } from '../../../src/service/shape/spelling.ts';
import type { Json } from '../../../src/source/node.ts';

const limits = { depth: 8, nodes: 100 };
const known = {
  Node: {
    type: 'object',
    properties: { n: { type: 'integer' }, next: { $ref: '#/$defs/Node' }, tags: { type: 'array' } },
  },
} as const;

const read = (text: string | Buffer, schema: Json = {}, nests = false): unknown => {
  const found = readForm(Buffer.from(text), compileSpelling(schema, known), nests, limits);
  return found.kind === 'value' ? found.value : found.kind;
};
const nested = (text: string, schema: Json = {}): unknown => read(text, schema, true);
const members = (properties: Json): Json => ({ type: 'object', properties });

describe('a form', () => {
  it('holds texts, decoded', () => {
    expect(read('a=1&b=x+y%26&c&=d&%61b=%F0%9F%98%80')).toEqual({
      a: '1',
      b: 'x y&',
      c: '',
      '': 'd',
      ab: '😀',
    });
  });

  it('holds values of the types of its shape, in their one spelling', () => {
    const schema = members({
      i: { type: 'integer' },
      n: { type: 'number' },
      b: { type: 'boolean' },
      s: { type: 'string' },
      o: { type: ['integer', 'null'] },
    });
    expect(read('i=5&n=0.5&b=true&s=5&o=7', schema)).toEqual({ i: 5, n: 0.5, b: true, s: '5', o: 7 });
    expect(read('i=05&n=x&b=TRUE', schema)).toEqual({ i: '05', n: 'x', b: 'TRUE' });
  });

  it('finds a shape by its name, and beside others', () => {
    expect(read('n=5', { $ref: '#/$defs/Node' })).toEqual({ n: 5 });
    expect(read('n=5', { allOf: [{ minProperties: 1 }, { $ref: '#/$defs/Node' }] })).toEqual({ n: 5 });
    expect(read('x=5', { additionalProperties: { type: 'integer' } })).toEqual({ x: 5 });
  });

  it('holds a list by repetition, of one element too', () => {
    const schema = members({ l: { type: 'array', items: { type: 'integer' } } });
    expect(read('l=1&l=2', schema)).toEqual({ l: [1, 2] });
    expect(read('l=1', schema)).toEqual({ l: [1] });
  });

  it.each(['a=1&a=2', '%=1', 'a=%', 'a=%zz', 'a=%ff', 'a=%00', '%00=a', 'a=%ed%a0%80'])(
    '%s is malformed',
    (text) => {
      expect(read(text)).toBe('malformed');
    },
  );

  it('of bytes that are no UTF-8 is malformed', () => {
    expect(read(Buffer.from([0x61, 0x3d, 0xff]))).toBe('malformed');
  });

  it('of more pairs than the host bears, or deeper, is too large', () => {
    expect(read('a=1&'.repeat(101))).toBe('too large');
    expect(nested(`a${'[b]'.repeat(8)}=1`)).toBe('too large');
    expect(read(`a${'[b]'.repeat(8)}=1`)).toEqual({ [`a${'[b]'.repeat(8)}`]: '1' });
  });

  it('keeps brackets where no nesting is stated', () => {
    expect(read('a[b]=1&a[]=2')).toEqual({ 'a[b]': '1', 'a[]': '2' });
  });
});

describe('a form whose nesting is spelled with brackets', () => {
  it('holds members within members', () => {
    expect(nested('a[b][c]=d&a[b][e]=f&g=h')).toEqual({ a: { b: { c: 'd', e: 'f' } }, g: 'h' });
    expect(nested('a%5Bb%5D=1')).toEqual({ a: { b: '1' } });
  });

  it('holds lists, of types too', () => {
    expect(nested('a[b][]=c&a[b][]=d')).toEqual({ a: { b: ['c', 'd'] } });
    expect(nested('next[next][n]=5&next[tags][]=x', { $ref: '#/$defs/Node' })).toEqual({
      next: { next: { n: 5 }, tags: ['x'] },
    });
    expect(nested('a[]=1', members({ a: { prefixItems: [{ type: 'integer' }] } }))).toEqual({ a: [1] });
  });

  it.each([
    'a[b=1',
    'a]b=1',
    'a[b]c=1',
    '[a]=1',
    '[]=1',
    'a[][b]=1',
    'a[[b]]=1',
    'a=1&a[b]=2',
    'a[b]=1&a=2',
    'a[]=1&a=2',
    'a[]=1&a[b]=2',
    'a[b]=1&a[b]=2',
  ])('%s is malformed', (text) => {
    expect(nested(text)).toBe('malformed');
  });

  it('holds members named as objects have them', () => {
    expect(JSON.stringify(nested('__proto__[x]=1&constructor=2'))).toBe(
      '{"__proto__":{"x":"1"},"constructor":"2"}',
    );
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('is read back as it is written', () => {
    const name = fc.stringMatching(/^[a-z%&=+ é]{1,5}$/);
    const value = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\u0000')),
        fc.array(fc.stringMatching(/^\w*$/), { minLength: 1, maxLength: 3 }),
        fc.dictionary(name, tie('any'), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      ),
    })).any;
    const write = (at: string, of: unknown): string[] => {
      if (typeof of === 'string') return [`${encodeURIComponent(at)}=${encodeURIComponent(of)}`];
      if (Array.isArray(of)) return of.map((one: string) => `${encodeURIComponent(`${at}[]`)}=${one}`);
      return Object.entries(of as object).flatMap(([inner, one]) => write(`${at}[${inner}]`, one));
    };
    fc.assert(
      fc.property(name, value, (at, of) => {
        expect(nested(write(at, of).join('&'))).toEqual({ [at]: of });
      }),
    );
  });
});
