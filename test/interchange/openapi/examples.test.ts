import { describe, expect, it } from 'vitest';
import { exportOpenApi } from '../../../src/interchange/openapi/export/export.ts';
import { importOpenApi, outlined } from '../../../src/interchange/openapi/import.ts';
import { jsonOf } from '../../../src/interchange/openapi/piece.ts';
import type { Json } from '../../../src/source/node.ts';
import { readOutlined } from '../../../src/specification/read.ts';
import { guessed, json, object, to } from './guessed.ts';

/** The example by which a GET answers, if it has these, and its answer this schema; undefined: none. */
function answered(schema: object, ...examples: readonly Json[]): unknown {
  const named = Object.fromEntries(examples.map((value, index) => [`e${index}`, { value }]));
  const content = { 'application/json': { schema, ...(examples.length > 0 && { examples: named }) } };
  const { all } = guessed(
    { '/a': { get: { responses: { 200: { description: 'it', content } } } } },
    { Day: object(['opens']) },
  );
  return all['endpoints["GET /a"].response.body'];
}

describe('an example stands in for an answer', () => {
  it('if it fits the shape of the answer: the first that does', () => {
    expect(answered(to('Day'), { opens: '9:00' })).toEqual({ opens: '9:00' });
    expect(answered(to('Day'), 9, { opens: '10:00' })).toEqual({ opens: '10:00' });
    expect(answered({ type: 'object', additionalProperties: { type: 'integer' } }, { a: 1 })).toEqual({
      a: 1,
    });
  });

  it.each<readonly [string, object, Json]>([
    ['of another type', { type: 'object' }, [1]],
    ['null', to('Day'), null],
    ['with a member of another type', to('Day'), { opens: 9 }],
    ['without a member', { type: 'object', properties: {}, required: ['a'] }, { b: 1 }],
    ['with a member too many', { type: 'object', properties: {}, additionalProperties: false }, { b: 1 }],
    ['with a wrong member', { type: 'object', additionalProperties: { type: 'integer' } }, { a: 'x' }],
    ['with a wrong element', { type: 'array', items: to('Day') }, [{ opens: 9 }]],
    ['with too few elements', { type: 'array', minItems: 2, items: {} }, [1]],
    ['past a bound', { type: 'integer', maximum: 3 }, 4],
    ['of another form', { type: 'string', format: 'date' }, 'today'],
    [
      'that one of all refuses',
      { allOf: [to('Day'), { type: 'object', required: ['a'] }] },
      { opens: '9:00' },
    ],
    ['that each of several refuses', { anyOf: [to('Day'), { type: 'integer' }] }, 'x'],
    ['that two of several take', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, 1],
  ])('not if it is %s', (_, schema, example) => {
    expect(answered(schema, example)).toBeUndefined();
  });

  it('not if it is put together, and does not fit as a whole', () => {
    const row = (least: number) => ({
      type: 'array',
      minItems: least,
      items: { type: 'string', example: '.' },
    });
    expect(answered(row(1))).toEqual(['.']);
    expect(answered(row(3))).toBeUndefined();
  });

  it('also of an operation of which only the answer is not known', () => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const gone = (example?: Json): Json | undefined => {
      const schema = { type: 'object', properties: { message: { type: 'string' } } };
      const content = { 'application/json': { schema, ...(example !== undefined && { example }) } };
      const { all, sure } = guessed(
        {
          '/days': { get: { responses: json({ type: 'array', items: to('Day') }) } },
          '/days/{id}': {
            parameters: [id],
            get: { responses: json(to('Day')) },
            delete: { responses: { 200: { description: 'gone', content } } },
          },
        },
        { Day: object(['opens']) },
      );
      const at = 'endpoints["DELETE /days/{id}"]';
      return [all[`${at}.does`], all[`${at}.response.body`], sure[`${at}.response.body`]] as Json;
    };
    expect(gone({ message: 'bye' })).toEqual(['delete Day', { message: 'bye' }, 'stand-in']);
    expect(gone({ message: 7 })).toEqual(['delete Day', undefined, undefined]);
    expect(gone()).toEqual(['delete Day', undefined, undefined]);
  });

  it('without what may be left out and does not fit', () => {
    const days = { type: 'array', items: to('Day') };
    const week = { type: 'object', properties: { days, best: to('Day') }, required: ['days'] };
    const day = (opens: Json): Json => ({ opens });
    expect(answered(week, { days: [day('9:00')], best: null })).toEqual({ days: [day('9:00')] });
    expect(answered(week, { days: [{ id: 'a', opens: 9 }, 7], best: day('1:00') })).toEqual({
      days: [{ id: 'a' }],
      best: day('1:00'),
    });
    expect(answered(week, { days: 'none', best: day('9:00') })).toBeUndefined();
  });

  it('also if it is written as a text of JSON', () => {
    expect(answered(to('Day'), '{ "opens": "9:00" }')).toEqual({ opens: '9:00' });
    expect(answered({ type: 'string' }, '{ "opens": "9:00" }')).toBe('{ "opens": "9:00" }');
    expect(answered(to('Day'), '{ opens: ')).toBeUndefined();
  });
});

describe('null beside an object', () => {
  const thing = (version: string, properties: object) => ({
    ...{ openapi: version, info: { title: 'Things', version: '1' }, paths: {} },
    components: {
      schemas: {
        Owner: { type: 'object', properties: { name: { type: 'string' } } },
        Gone: { type: 'object', nullable: true, properties: { at: { type: 'string' } } },
        Thing: { type: 'object', properties },
      },
    },
  });

  const fieldsOf = (description: object): unknown => {
    const { parts } = importOpenApi('x.json', JSON.stringify(description));
    const { Thing } = jsonOf(parts.get('resources') as never) as {
      readonly Thing: { readonly fields: unknown };
    };
    return Thing.fields;
  };

  const none = { type: 'null' };
  const inner = { properties: { b: { type: 'string' } } };

  it('is a second shape', () => {
    const old = {
      a: { nullable: true, allOf: [to('Owner')] },
      b: { type: 'object', nullable: true, description: 'B.', ...inner },
      c: { type: 'array', items: { nullable: true, anyOf: [{ type: 'string' }, to('Owner')] } },
      d: to('Gone'),
      e: { type: 'string', nullable: true },
      f: { nullable: true },
    };
    expect(fieldsOf(thing('3.0.0', old))).toEqual({
      a: { anyOf: ['Owner', none] },
      b: { anyOf: [{ fields: { b: { type: 'string' } } }, none], description: 'B.' },
      c: { type: 'array', items: { anyOf: [{ type: 'string' }, 'Owner', none] } },
      d: { anyOf: ['Gone', none] },
      e: { type: ['string', 'null'] },
      f: {},
    });
    expect(fieldsOf(thing('3.1.0', { a: { type: ['object', 'null'], ...inner } }))).toEqual({
      a: { anyOf: [{ fields: { b: { type: 'string' } } }, none] },
    });
  });

  it('is no listed value where the type does not take it', () => {
    const state = { type: 'string', enum: ['on', 'off', null] };
    expect(
      fieldsOf(thing('3.0.0', { a: state, b: { ...state, nullable: true }, c: { enum: ['on', null] } })),
    ).toEqual({
      a: { type: 'string', enum: ['on', 'off'] },
      b: { type: ['string', 'null'], enum: ['on', 'off', null] },
      c: { enum: ['on', null] },
    });
  });

  it('comes out again', () => {
    const description = thing('3.0.0', { a: { nullable: true, allOf: [to('Owner')] } });
    const imported = importOpenApi('x.json', JSON.stringify(description));
    const { specification } = readOutlined('x.json', outlined(imported), []);
    expect(exportOpenApi(specification, '3.1').description['components']).toMatchObject({
      schemas: { Thing: { properties: { a: { anyOf: [to('Owner'), none] } } } },
    });
  });
});
