import { expect, it } from 'vitest';
import { Probing } from '../../../src/conformance/explore/probing.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { hostileValues, markedTexts } from '../../../src/conformance/requests/hostile.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import type { Json } from '../../../src/source/node.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
resources:
  Note:
    identifier: id
    fields:
      id:   { type: string, format: uuid, set: { create: "\${uuid()}" } }
      text: { type: string, minLength: 3, maxLength: 9 }
      mark: { enum: [low, high] }
    required: [text]
endpoints:
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 201 }
`);

it('values at the bounds that are stated have their turn before all others', () => {
  const [operation] = specification.operations;
  if (operation === undefined) throw new TypeError('no operation');
  const body = { text: 'right', mark: 'low' };
  const request: Request = {
    ...{ operation, path: {}, query: {}, headers: {}, credentials: [], url: 'http://localhost' },
    content: body,
  };
  const pool = new Pool(specification, seeded(1));
  const probing = new Probing();
  const sent: (Json | undefined)[] = [];
  const weight = (): number => probing.untried(operation, pool);
  // What keywords state weighs ten times as much.
  for (let before = weight(); ; before = weight()) {
    const next = probing.next(request, pool)?.content as Json | undefined;
    if (before - weight() < 10) break;
    sent.push(next);
  }
  const texts = sent.map((each) => (each as Partial<typeof body> | undefined)?.text);
  for (const length of [2, 3, 9, 10]) expect(texts.map((text) => text?.length)).toContain(length);
  expect(sent).toContainEqual({ mark: 'low' });
  expect(sent).toContainEqual({ ...body, mark: 'high' });
  expect(sent).not.toContainEqual({ ...body, unstated: 'x' });
  expect(weight()).toBeGreaterThan(0);
});

/** The values of a member of one shape in every turn. */
function valuesOf(shape: string): readonly (Json | undefined)[] {
  const of = specificationOf(`
resources:
  Note: { identifier: id, fields: { id: { type: string }, some: ${shape} } }
endpoints:
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 201 }
`);
  const [operation] = of.operations;
  if (operation === undefined) throw new TypeError('no operation');
  const pool = new Pool(of, seeded(1));
  const probing = new Probing();
  const sent: (Json | undefined)[] = [];
  const usual = { operation, path: {}, query: {}, headers: {}, credentials: [], url: 'http://localhost' };
  while (probing.untried(operation, pool) > 0) {
    const next = probing.next({ ...usual, content: { id: 'a', some: 1 } }, pool);
    sent.push((next?.content as { readonly some?: Json } | null | undefined)?.some);
  }
  return sent;
}

it('what no keyword rules out is long, large, small and odd', () => {
  expect(valuesOf('{ type: integer }')).toContain(Number.MAX_SAFE_INTEGER - 1);
  expect(valuesOf('{ type: integer, minimum: 0 }')).not.toContain(-(2 ** 31) - 1);
  const texts = [...markedTexts, ...hostileValues.filter((value) => typeof value === 'string')];
  expect(valuesOf('{ type: string }')).toEqual(expect.arrayContaining(texts));
  expect(valuesOf('{ type: string, maxLength: 10 }')).not.toContain('x'.repeat(2500));
});

it('texts about the bounds have their turn in the query, in header fields and in the path', () => {
  const of = specificationOf(`
resources:
  Note: { identifier: id, fields: { id: { type: string, maxLength: 5 }, text: { type: string } } }
endpoints:
  PUT /notes/{id}:
    does: { create: Note, present: replace }
    conditional: { etag: strong, ifMatch: allowed, ifNoneMatch: allowed }
    request: { body: Note, query: { some: { type: integer } }, headers: { X-Some: { type: string, minLength: 3 } } }
    response: 201
  GET /notes/{id}: { does: read Note, response: 200 }
`);
  const [put, get] = of.operations;
  if (put === undefined || get === undefined) throw new TypeError('no operation');
  const pool = new Pool(of, seeded(1));
  const sentTo = (operation: Request['operation']): readonly Request[] => {
    const probing = new Probing();
    const headers = { 'if-match': '"a"', 'x-some': 'some' };
    const request = { operation, path: { id: 'a' }, query: {}, headers };
    const sent: Request[] = [];
    while (probing.untried(operation, pool) > 0) {
      const next = probing.next({ ...request, credentials: [], content: {}, url: 'http://localhost' }, pool);
      if (next) sent.push(next);
    }
    return sent;
  };
  const sent = sentTo(put);
  expect(sent.map(({ path }) => String(path['id']).length)).toEqual(expect.arrayContaining([5, 6]));
  expect(sent.map(({ query }) => query['some'])).toContain('1.5');
  expect(sent.map(({ headers }) => headers['x-some'])).toContain(undefined);
  expect(sent.map(({ headers }) => String(headers['x-some']).length)).toContain(2);
  const conditions = sent
    .map(({ headers }) => headers['if-none-match'])
    .filter((value) => value !== undefined);
  expect(new Set(conditions)).toEqual(new Set(['*', '"nonsense"']));
  expect(sentTo(get).filter(({ path }) => path['id'] !== 'a')).toEqual([]);
});

it('a request that has a credential is sent without it in one of the turns', () => {
  const locked = specificationOf(`
endpoints:
  GET /: { does: (none), response: 204 }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: operator } }
  otherwise: known
`);
  const [operation] = locked.operations;
  if (operation === undefined) throw new TypeError('no operation');
  const credentials = [{ scheme: 'key', value: 'secret' }];
  const request = { operation, path: {}, query: {}, headers: {}, credentials, content: undefined, url: '' };
  const pool = new Pool(locked, seeded(1));
  const probing = new Probing();
  const sent = Array.from({ length: probing.untried(operation, pool) }, () => probing.next(request, pool));
  expect(sent.some((each) => each?.credentials.length === 0)).toBe(true);
});
