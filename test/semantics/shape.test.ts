import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failuresOf, fits } from '../../src/semantics/shape/shape.ts';
import { type Members, Unknown, unknown, type Value } from '../../src/semantics/value/value.ts';
import { Validators } from '../../src/service/shape/validate.ts';
import { definitions, schemas, value } from '../service/shapes.ts';

const runs = process.env['TACET_LONG'] ? 5_000 : 150;

/** What this does not carry out. */
const isCarriedOut = (schema: unknown): boolean => !/unevaluated/.test(JSON.stringify(schema));

/** A value of which some parts are hidden. */
function hidden(whole: unknown, hides: (path: string) => boolean, path = '$'): Value {
  if (hides(path)) return unknown([]);
  if (Array.isArray(whole)) return whole.map((item, place) => hidden(item, hides, `${path}.${place}`));
  if (typeof whole !== 'object' || whole === null) return whole as Value;
  return Object.fromEntries(
    Object.entries(whole).map(([name, member]) => [name, hidden(member, hides, `${path}.${name}`)]),
  );
}

const paths = ['$', '$.0', '$.1', '$.a', '$.b', '$.ab', '$.a.0', '$.a.a', '$.b.0', '$.0.a'];

describe('a value fits a shape, over partial knowledge (language §H.1)', () => {
  it.each(schemas.map((schema) => [JSON.stringify(schema), schema] as const))('%s', (_, schema) => {
    const admits = new Validators(definitions).compile(schema);
    fc.assert(
      fc.property(value, fc.subarray(paths), (whole, hiding) => {
        const isFit = admits(whole) === null;
        const known = fits(schema, whole as Value, definitions);
        if (isCarriedOut(schema)) expect(known).toBe(isFit);
        const found = fits(
          schema,
          hidden(whole, (path) => hiding.includes(path)),
          definitions,
        );
        if (!(found instanceof Unknown)) expect(found).toBe(isFit);
      }),
      { numRuns: runs, seed: 20_261_123 },
    );
  });

  it('tells elements that stand twice, of whatever kind they are', () => {
    const schema = { uniqueItems: true };
    expect(
      [
        ['a', 'a'],
        [1, 2, 1],
        [{ a: 1 }, { a: 1 }],
      ].map((list) => fits(schema, list, {})),
    ).toEqual([false, false, false]);
    expect(fits(schema, ['a', 'b', 1, '1'], {})).toBe(true);
  });

  it('names the failures as the service names them', () => {
    const schema: Members = {
      type: 'object',
      properties: { a: { type: 'string', minLength: 2 }, b: { type: 'array', items: { maximum: 3 } } },
      required: ['c'],
    };
    const failures = failuresOf(schema as never, { a: '', b: [4, unknown([])] }, {});
    expect(
      failures.map(({ path, keyword, limit, holds }) => [path.join('.'), keyword, limit, holds === true]),
    ).toEqual([
      ['a', 'minLength', 2, true],
      ['b.0', 'maximum', 3, true],
      ['b.1', 'maximum', 3, false],
      ['c', 'required', null, true],
    ]);
  });
});
