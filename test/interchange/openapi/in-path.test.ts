import { describe, expect, it } from 'vitest';
import { exportOpenApi } from '../../../src/interchange/openapi/export/export.ts';
import { importOpenApi, outlined } from '../../../src/interchange/openapi/import.ts';
import { jsonOf } from '../../../src/interchange/openapi/piece.ts';
import { type Json, json as plain } from '../../../src/source/node.ts';
import { readOutlined } from '../../../src/specification/read.ts';
import { specificationOf } from '../../service/served.ts';
import { body, guessed, json, to } from './guessed.ts';

const at = (key: string): string => `endpoints["${key}"]`;
const inPath = (name: string, schema: object, more: object = {}): object => ({
  ...{ name, in: 'path', required: true, schema },
  ...more,
});

/** Pens, and the nibs of each; their keys have these types. */
function pens(pen: object, member: object): object {
  return {
    '/pens': {
      get: { responses: json({ type: 'array', items: to('Pen') }) },
      post: { requestBody: body('Pen'), responses: json(to('Pen'), '201') },
    },
    '/pens/{penId}': {
      parameters: [inPath('penId', pen)],
      get: { responses: json(to('Pen')) },
    },
    '/pens/{penId}/nibs': {
      parameters: [inPath('penId', pen)],
      get: { responses: json({ type: 'array', items: to('Nib') }) },
      post: { requestBody: body('Nib'), responses: json(to('Nib'), '201') },
    },
    '/pens/{penId}/nibs/{id}': {
      parameters: [inPath('penId', pen), inPath('id', member)],
      get: { responses: json(to('Nib')) },
    },
    '/reports/{kind}': {
      parameters: [inPath('kind', { type: 'string', enum: ['day', 'month'] }, { description: 'How long.' })],
      get: { responses: { 204: { description: 'It is sent.' } } },
    },
  };
}

const schemas = {
  Pen: {
    type: 'object',
    properties: { id: { type: 'integer', readOnly: true }, colour: { type: 'string' } },
  },
  Nib: { type: 'object', properties: { id: { type: 'integer', readOnly: true }, width: { type: 'number' } } },
};

const description = (paths: object, named: object = schemas): string =>
  JSON.stringify({
    ...{ openapi: '3.1.0', info: { title: 'Pens', version: '1' } },
    ...{ paths, components: { schemas: named } },
  });

/** What the path of an operation states, and what is lost. */
function stated(paths: object, key: string): readonly [unknown, readonly string[]] {
  const { parts, losses } = importOpenApi('x.json', description(paths));
  const endpoints = jsonOf(parts.get('endpoints') as never) as Record<string, { request?: { path?: Json } }>;
  const gaps = losses.counts().flatMap(({ kind, what }) => (kind === 'gap' ? [what] : []));
  return [endpoints[key]?.request?.path, gaps];
}

describe('a parameter of a path', () => {
  const whole = { type: 'integer', minimum: 1 };

  it('has its shape, and what it names is guessed beside it', () => {
    const paths = pens(whole, whole);
    expect(stated(paths, 'GET /pens/{penId}/nibs/{id}')).toEqual([{ penId: whole, id: whole }, []]);
    const { all, waiting } = guessed(paths, schemas);
    expect(waiting).toEqual(['GET /reports/{kind}']);
    expect(all[`${at('GET /pens/{penId}')}.request.path.penId.is`]).toBe('Pen.id');
    expect(all[`${at('GET /pens/{penId}/nibs')}.request.path.penId.is`]).toBe('Pen.id as pen');
    // What is called like the key needs no guess (language §E.3).
    expect(Object.keys(all).filter((each) => each.includes('.path.id'))).toEqual([]);
  });

  it('that names nothing has its shape, and what people read of it', () => {
    expect(stated(pens(whole, whole), 'GET /reports/{kind}')[0]).toEqual({
      kind: { type: 'string', enum: ['day', 'month'], description: 'How long.' },
    });
  });

  it('loses a shape that no key has, and names the item all the same', () => {
    const paths = pens({ type: 'string', pattern: '^[0-9]+$' }, { type: 'string' });
    expect(stated(paths, 'GET /pens/{penId}')).toEqual([
      undefined,
      ['the shape of a parameter of the path, where the member has another type'],
    ]);
    const { all, waiting } = guessed(paths, schemas);
    expect(waiting).toEqual(['GET /reports/{kind}']);
    expect(all[`${at('GET /pens/{penId}')}.request.path.penId`]).toBe('Pen.id');
  });

  it('of which nobody knows what it names tells items apart by its own type', () => {
    const under = (type: string): object => ({
      '/shops/{shop}/pens': {
        parameters: [inPath('shop', { type })],
        get: { responses: json({ type: 'array', items: to('Pen') }) },
        post: { requestBody: body('Pen'), responses: json(to('Pen'), '201') },
      },
      '/shops/{shop}/pens/{penId}': {
        parameters: [inPath('shop', { type }), inPath('penId', { type: 'integer' })],
        get: { responses: json(to('Pen')) },
      },
    });
    for (const type of ['integer', 'string']) {
      const { all, waiting } = guessed(under(type), schemas);
      expect(waiting).toEqual([]);
      expect(all['resources.Pen.fields.shop']).toEqual({ type, readable: false, writable: false });
    }
  });

  it('may have literal text around it, and then leads to no item', () => {
    const paths = {
      ...pens(whole, whole),
      '/pens/{penId}.json': { parameters: [inPath('penId', whole)], get: { responses: json(to('Pen')) } },
      '/pens/{penId}.json/nibs': {
        parameters: [inPath('penId', whole)],
        get: { responses: json({ type: 'array', items: to('Nib') }) },
      },
    };
    expect(stated(paths, 'GET /pens/{penId}.json')).toEqual([{ penId: whole }, []]);
    expect(guessed(paths, schemas).waiting).toEqual([
      'GET /reports/{kind}',
      'GET /pens/{penId}.json',
      'GET /pens/{penId}.json/nibs',
    ]);
  });

  it('comes out again with its shape, and with what it names in an extension', () => {
    const of = specificationOf(`
resources: { Pen: { identifier: id, fields: { id: { type: integer } } } }
endpoints:
  GET /pens/{pen}: { does: read Pen, request: { path: { pen: { type: integer, minimum: 1, is: Pen.id } } }, response: 204 }
  GET /days/{day}: { does: (none), request: { path: { day: { type: string, format: date, description: Which. } } }, response: 204 }
`);
    const { description: out } = exportOpenApi(of, '3.1');
    const parameters = (path: string): unknown =>
      (out['paths'] as Record<string, { get: { parameters: unknown } }>)[path]?.get.parameters;
    expect(parameters('/pens/{pen}')).toEqual([
      inPath('pen', { type: 'integer', minimum: 1 }, { 'x-tacet-is': 'Pen.id' }),
    ]);
    expect(parameters('/days/{day}')).toEqual([
      inPath('day', { type: 'string', format: 'date' }, { description: 'Which.' }),
    ]);
    const again = importOpenApi('again.json', JSON.stringify(out));
    expect(plain(readOutlined('again.json', outlined(again)).specification.tree)).toEqual(plain(of.tree));
  });
});
