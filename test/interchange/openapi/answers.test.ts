import { describe, expect, it } from 'vitest';
import { exportOpenApi } from '../../../src/interchange/openapi/export/export.ts';
import { importOpenApi, outlined } from '../../../src/interchange/openapi/import.ts';
import { jsonOf } from '../../../src/interchange/openapi/piece.ts';
import { at } from '../../../src/source/text.ts';
import { readOutlined } from '../../../src/specification/read.ts';
import { stated } from '../../../src/specification/reading/said.ts';
import { body, guessed, json, object, to } from './guessed.ts';

const schemas = { Room: object(['name', 'floor']), Job: object(['state']) };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const none = (status: string, description = 'done') => ({ [status]: { description } });

/** Rooms, with an operation on one that has several answers of success. */
function rooms(method: string, responses: object, others: object = {}) {
  const operation = method === 'delete' || method === 'get' ? {} : { requestBody: body('Room') };
  return {
    '/rooms': { get: { responses: json({ type: 'array', items: to('Room') }) }, ...others },
    '/rooms/{id}': {
      parameters: [id],
      get: { responses: json(to('Room')) },
      [method]: { ...operation, responses },
    },
  };
}

const imported = (paths: object) =>
  importOpenApi(
    'x.json',
    JSON.stringify({
      ...{ openapi: '3.1.0', info: { title: 'Rooms', version: '1' } },
      ...{ paths, components: { schemas } },
    }),
  );

/** What a document says of the answers. */
function answersIn(paths: object, key: string): unknown {
  const endpoints = jsonOf(imported(paths).parts.get('endpoints') as never);
  return (endpoints as Record<string, { response: unknown }>)[key]?.response;
}

/** The guesses about answers, with how sure they are. */
function guessesIn(paths: object, key: string): Record<string, unknown> {
  const { all, sure } = guessed(paths, schemas);
  const start = `endpoints["${key}"].response`;
  const found = Object.entries(all).filter(([address]) => address.startsWith(start));
  return Object.fromEntries(
    found.map(([address, value]) => [address.slice(start.length), [value, sure[address]]]),
  );
}

describe('several statuses of success', () => {
  const made = rooms('put', { ...json(to('Room')), ...json(to('Room'), '201') });

  it('that PUT makes an item is told by its status (RFC 9110 §9.3.4)', () => {
    expect(answersIn(made, 'PUT /rooms/{id}')).toMatchObject([
      { when: '(open) created?', status: 201, shape: 'Room' },
      { status: 200, shape: 'Room' },
    ]);
    expect(guessesIn(made, 'PUT /rooms/{id}')).toEqual({
      '[0].when': ['created', 'high'],
      '[0].body': ['Room', 'high'],
      '[1].body': ['Room', 'high'],
    });
    expect(guessed(made, schemas).waiting).toEqual([]);
  });

  it('nothing is judged by 201 of a POST, and none is made by an operation that makes nothing', () => {
    const both = { ...none('200'), ...none('201') };
    const posted = rooms('get', json(to('Room')), { post: { requestBody: body('Room'), responses: both } });
    expect(guessesIn(posted, 'POST /rooms')).toEqual({ '[0].when': ['created', 'stand-in'] });
    const replaced = rooms('put', both, {
      post: { requestBody: body('Room'), responses: json(to('Room'), '201') },
    });
    expect(guessesIn(replaced, 'PUT /rooms/{id}')).toEqual({ '[0].when': ['${false}', 'stand-in'] });
  });

  it('that look alike are one answer, of which each may come', () => {
    const alike = rooms('delete', { ...none('202', 'later'), ...none('204', 'now') });
    expect(answersIn(alike, 'DELETE /rooms/{id}')).toEqual({
      status: [204, 202],
      description: '204: now\n\n202: later',
    });
    expect(guessesIn(alike, 'DELETE /rooms/{id}')).toEqual({});
  });

  it('that differ are asked when they are sent, and the first stands in', () => {
    const differing = rooms('delete', { ...json(to('Room')), ...json(to('Job'), '202') });
    expect(answersIn(differing, 'DELETE /rooms/{id}')).toMatchObject([
      { when: '(open) when is it 200, and not 202?', status: 200, shape: 'Room' },
      { status: 202, shape: 'Job' },
    ]);
    expect(guessesIn(differing, 'DELETE /rooms/{id}')).toMatchObject({ '[0].when': ['${true}', 'stand-in'] });
  });

  it('an answer points to its own place, and what the reader refuses in it is left out alone', () => {
    const wrong = rooms('put', {
      ...json(to('Room')),
      ...json({ type: 'object', minProperties: -1 }, '202'),
    });
    const found = imported(wrong);
    expect(found.losses.all.filter(({ kind }) => kind === 'gap')).toMatchObject([
      { pointer: expect.stringMatching(/response\/1\/shape$/) },
    ]);
    const { specification } = readOutlined('x.json', outlined(imported(made)));
    const put = specification.operations.find(({ key }) => key === 'PUT /rooms/{id}');
    const places = (stated(put?.response) ?? []).map(({ status }) => at(status.at));
    expect(new Set(places).size).toBe(2);
  });

  it.each(['put', 'delete'])('of %s come out again, with what extensions say of each', (method) => {
    const description = { ...json(to('Room')), ...json(to('Room'), '201'), ...none('202') };
    const { specification } = readOutlined('x.json', outlined(imported(rooms(method, description))));
    const exported = exportOpenApi(specification, '3.1').description as {
      paths: Record<string, Record<string, { responses: Record<string, object> }>>;
    };
    const { responses } = exported.paths['/rooms/{id}']?.[method] ?? { responses: {} };
    expect(Object.keys(responses)).toEqual(['200', '201', '202']);
    const again = importOpenApi('y.json', JSON.stringify(exported));
    expect(jsonOf(again.parts.get('endpoints') as never)).toEqual(
      jsonOf(imported(rooms(method, description)).parts.get('endpoints') as never),
    );
  });

  it('of a document come out as extensions of their own responses', () => {
    const answers = JSON.stringify({
      'x-tacet-when': 'created',
      ...(made['/rooms/{id}'].put as { responses: Record<string, object> }).responses['201'],
    });
    const stated = rooms('put', { ...json(to('Room')), 201: JSON.parse(answers) });
    expect(answersIn(stated, 'PUT /rooms/{id}')).toMatchObject([
      { when: 'created', status: 201, shape: 'Room' },
      { status: 200, shape: 'Room' },
    ]);
  });
});
