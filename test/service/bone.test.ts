import { request } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { StartRefused, serve } from '../../src/service/service.ts';
import { sampled } from '../long.ts';
import type { Sent } from './accountant.ts';
import { type Document, type Json, map, type Path, todo, without } from './document.ts';
import { bench, ids, type Running, reader, todosFor } from './running.ts';

const { serving, file, end } = bench();
afterAll(end);

const full = todo();
const made = '0a1b2c3d-1111-4000-8000-000000000000';
const keys = ['GET /', 'POST /', 'DELETE /', 'GET /{id}', 'PATCH /{id}', 'DELETE /{id}'];
const everyEndpoint = (...further: string[]): Path[] => keys.map((key) => ['endpoints', key, ...further]);

/** What is left of the to-do list when all but these parts are taken out. */
function only(...parts: readonly string[]): Document {
  return Object.fromEntries(
    Object.entries(full).filter(([key]) => ['name', 'tacet', ...parts].includes(key)),
  );
}

/** The to-do list with a statement changed. */
function stating(path: Path, value: Json, document: Document = full): Document {
  const changed = structuredClone(document);
  const holder = path.slice(0, -1).reduce((here, name) => here[name] as Document, changed);
  holder[path.at(-1) as string] = value;
  return changed;
}

interface Seen {
  /** Sends `METHOD TARGET` with a JSON text, and gives the whole answer as text, but for its date. */
  readonly ask: (line: string, body?: string | null, fields?: Sent['fields']) => Promise<string>;
  readonly running: Running;
}

/** Every document of this file that was served. */
const served: Document[] = [];

/** Serves a document that three to-dos are kept under, so far as they can be. */
function under<T>(document: Document, use: (seen: Seen) => Promise<T>): Promise<T> {
  return serving(
    document,
    async (running) => {
      served.push(document);
      running.kept.put(todosFor(document));
      const ask: Seen['ask'] = async (line, body = null, more = {}) => {
        const [method = '', target = ''] = line.split(' ');
        const fields = body === null ? more : { 'Content-Type': 'application/json', ...more };
        const answer = await running.call({ method, target, body, fields });
        const dates = answer.fields.filter(([name]) => name === 'Date');
        expect(dates).toHaveLength(1);
        expect(Date.parse(dates[0]?.[1] ?? '')).not.toBeNaN();
        const others = answer.fields
          .filter(([name]) => name !== 'Date')
          .map(([name, value]) => `${name}: ${value}`);
        return [answer.status, ...others.sort(), '', answer.body].join('\n').trimEnd();
      };
      return use({ ask, running });
    },
    {
      url: 'http://todo.test',
      makers: { uuid: () => made, random: (length) => 'x'.repeat(length) },
    },
  );
}

/** What the tester, which was written apart from the service, finds in a service under this document. */
function tested(
  document: Document,
): Promise<{ readonly conforms: number; readonly violates: readonly string[] }> {
  return serving(document, async ({ address }) => {
    const { specification } = reader(document);
    const { results } = await testService(specification, { url: address, seed: 1, walks: 20 });
    const of = (wanted: string) => results.filter(({ verdict }) => verdict === wanted);
    return { conforms: of('conforms').length, violates: of('violates').map(({ says }) => says) };
  });
}

/** An answer, written as it is sent. */
const http = (...lines: readonly string[]): string => lines.join('\n');
const empty = (status: number, ...fields: readonly string[]): string =>
  http(...[String(status), ...[...fields, 'Content-Length: 0'].sort()]);
const any = 'Access-Control-Allow-Origin: *';

/** Asks for each of these, and expects 501 that names these points and changes nothing. */
async function heldUp(
  { ask, running }: Seen,
  wanted: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const before = running.kept.dump();
  for (const [line, points] of Object.entries(wanted)) {
    const body = /^(POST|PATCH)/.test(line) ? '{"title":"a"}' : null;
    expect(await ask(line, body), line).toBe(empty(501, any));
    expect({ line, points: running.held() }).toEqual({ line, points });
  }
  expect(running.kept.dump()).toBe(before);
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'];

describe('a to-do list of which this is open:', () => {
  it('all but the resources: nothing stands anywhere', () =>
    under(only('resources'), async ({ ask }) => {
      for (const method of methods)
        for (const target of ['/', `/${ids[0]}`, '/todos'])
          expect(await ask(`${method} ${target}`)).toBe(empty(404));
    }));

  it('all but the endpoints: what needs to know no item is done, and the rest waits for the identifier', () =>
    under(only('endpoints'), async (seen) => {
      expect(await seen.ask('GET /')).toBe(
        http('200', any, 'Content-Length: 2', 'Content-Type: application/json', '', '[]'),
      );
      expect(await seen.ask('DELETE /')).toBe(http('204', any));
      const points = ['resources.Todo.identifier'];
      await heldUp(seen, { 'POST /': points, 'GET /1': points, 'PATCH /1': points, 'DELETE /1': points });
      expect(await seen.ask('PUT /')).toBe(empty(405, 'Allow: GET, HEAD, POST, DELETE'));
    }));

  it('what each endpoint does: 501, and what is done is named', () =>
    under(without(full, ...everyEndpoint('does').filter(([, key]) => key !== 'GET /')), (seen) =>
      heldUp(seen, {
        'POST /': ['endpoints["POST /"].does'],
        'DELETE /': ['endpoints["DELETE /"].does'],
        [`GET /${ids[0]}`]: ['endpoints["GET /{id}"].does'],
        [`PATCH /${ids[0]}`]: ['endpoints["PATCH /{id}"].does'],
        [`DELETE /${ids[0]}`]: ['endpoints["DELETE /{id}"].does'],
      }),
    ));

  it('what the endpoint does whose answer shows a page: 501, and what is done is named', () =>
    under(without(full, ['endpoints', 'GET /', 'does']), (seen) =>
      heldUp(seen, { 'GET /': ['endpoints["GET /"].does'], 'HEAD /': ['endpoints["GET /"].does'] }),
    ));

  describe('the status of every success', () => {
    const statusless = without(
      full,
      ...keys.map(
        (key): Path =>
          key.startsWith('DELETE')
            ? ['endpoints', key, 'response']
            : ['endpoints', key, 'response', 'status'],
      ),
    );

    it('501, and the status is named', () =>
      under(statusless, (seen) =>
        heldUp(seen, {
          'GET /': ['endpoints["GET /"].response.status'],
          'POST /': ['endpoints["POST /"].response.status'],
          'DELETE /': ['endpoints["DELETE /"].response.status'],
          [`GET /${ids[0]}`]: ['endpoints["GET /{id}"].response.status'],
          [`PATCH /${ids[0]}`]: ['endpoints["PATCH /{id}"].response.status'],
          [`DELETE /${ids[0]}`]: ['endpoints["DELETE /{id}"].response.status'],
        }),
      ));

    /** Announces a body, sends it when told to go on, and gives what came back first. */
    const announced = (address: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const headers = {
          'Content-Type': 'application/json',
          'Content-Length': '13',
          Expect: '100-continue',
        };
        const outgoing = request(`${address}/`, { method: 'POST', headers });
        const first = (what: string): void => {
          resolve(what);
          outgoing.on('error', () => {});
          outgoing.destroy();
        };
        outgoing.on('continue', () => first('100'));
        outgoing.on('response', (answer) => first(String(answer.statusCode)));
        outgoing.on('error', reject);
        outgoing.flushHeaders();
      });

    it('501 before a body is sent that the client announces', async () => {
      expect(await under(statusless, ({ running }) => announced(running.address))).toBe('501');
      expect(await under(full, ({ running }) => announced(running.address))).toBe('100');
    });
  });

  it('errors: the floor, with no content', () =>
    under(without(full, ['errors']), async ({ ask }) => {
      expect(await ask('POST /', '{"title":')).toBe(empty(400, any));
      expect(await ask('POST /', '{"title":"a"}', { 'Content-Type': 'text/plain' })).toBe(empty(415, any));
      expect(await ask('GET /none')).toBe(empty(404, any));
      expect(await ask('POST /', '{"title":""}')).toBe(empty(400, any));
      expect(await ask('POST /', '{"title":"a","more":1}')).toBe(empty(400, any));
      expect(await ask('GET /a/b')).toBe(empty(404));
      expect(await ask('PUT /none', '{}')).toBe(empty(405, 'Allow: GET, HEAD, PATCH, DELETE'));
    }));

  it('the body of every answer: the stated status and fields, no content', () =>
    under(without(full, ...everyEndpoint('response', 'body')), async ({ ask }) => {
      expect(await ask('GET /')).toBe(empty(200, any));
      expect(await ask('POST /', '{"title":"a"}')).toBe(
        empty(201, any, `Location: http://todo.test/${made}`),
      );
      expect(await ask(`GET /${made}`)).toBe(empty(200, any));
      expect(await ask(`PATCH /${made}`, '{"order":2}')).toBe(empty(200, any));
      expect(await ask(`DELETE /${made}`)).toBe(http('204', any));
    }));

  it("a field's type: any JSON value is taken, kept and given back unchanged", () =>
    under(stating(['resources', 'Todo', 'fields', 'title'], {}), async ({ ask }) => {
      for (const value of [
        'null',
        'true',
        '0',
        '-0.1',
        '1e+21',
        '""',
        '"\u2028é\\"\\\\"',
        '[]',
        '{}',
        '[1,["",{"a":null,"b":{"c":[]}}]]',
      ]) {
        const sent = await ask('POST /', `{"title":${value}}`);
        expect(sent.split('\n\n')[1]).toBe(
          `{"title":${value},"completed":false,"url":"http://todo.test/${made}"}`,
        );
        expect((await ask(`GET /${made}`)).split('\n\n')[1]).toBe(sent.split('\n\n')[1]);
        await ask(`DELETE /${made}`);
      }
    }));

  it('members that no statement names: 501, the rule is named, and nothing is changed', () =>
    under(without(full, ['endpoints', 'others']), async ({ ask, running }) => {
      const before = running.kept.dump();
      expect(await ask('POST /', '{"title":"a","more":1}')).toBe(empty(501, any));
      expect(running.held()).toEqual(['endpoints["POST /"].request.others']);
      expect(await ask(`PATCH /${ids[0]}`, '{"order":9,"url":"http://a.test"}')).toBe(empty(501, any));
      expect(running.held()).toEqual(['endpoints["PATCH /{id}"].request.others']);
      expect(running.kept.dump()).toBe(before);
      expect(await ask('POST /', '{"title":"a"}')).toMatch(/^201\n/);
    }));

  it('who makes the identifier: the client gives it, and where it does not, 501', () =>
    under(without(full, ['resources', 'Todo', 'fields', 'id', 'set']), async ({ ask, running }) => {
      expect(await ask('POST /', '{"title":"a"}')).toBe(empty(501, any));
      expect(running.held()).toEqual(['resources.Todo.fields.id.set.create']);
      const given = `{"title":"a","id":"${made}"}`;
      expect(await ask('POST /', given)).toMatch(/^201\n/);
      expect(await ask('POST /', given)).toBe(empty(400, any));
      expect(running.kept.items().map(({ key }) => key)).toEqual([...ids, made]);
    }));

  it('the form of the identifier that the service must make: 501 to create, and the rest is done', () =>
    under(
      stating(['resources', 'Todo', 'fields', 'id'], { readOnly: true, readable: false }),
      async (seen) => {
        await heldUp(seen, { 'POST /': ['resources.Todo.fields.id.set.create'] });
        expect(await seen.ask(`DELETE /${ids[0]}`)).toBe(http('204', any));
      },
    ));

  it("the status of an error: the payload with the floor's", () =>
    under(without(full, ['errors', 'codes', 'not_a_todo', 'status']), async ({ ask }) => {
      const body = '{"message":"title"}';
      expect(await ask('POST /', '{"title":""}')).toBe(
        http('400', any, `Content-Length: ${body.length}`, 'Content-Type: application/json', '', body),
      );
    }));

  it('the payload of errors: their status, no content', () =>
    under(without(full, ['errors', 'payload']), async ({ ask }) => {
      expect(await ask('POST /', '{"title":""}')).toBe(empty(422, any));
      expect(await ask('GET /none')).toBe(empty(404, any));
    }));

  it('nothing of a payload, but it cannot be worked out: the status, no content', () =>
    under(
      stating(['errors', 'payload', 'body'], { message: '${6 / error.failures.size()}' }),
      async ({ ask }) => {
        expect(await ask('GET /none')).toBe(empty(404, any));
        expect(await ask('POST /', '{"title":""}')).toMatch(/\{"message":6\}$/);
      },
    ));

  it('which of several conditions answers: the first of the list of conditions', () =>
    under(without(full, ['errors', 'order']), async ({ ask }) => {
      expect(await ask('PATCH /none', '{"title":""')).toMatch(/^400\n/);
      expect(await ask('PATCH /none', '{"title":""}')).toMatch(/^404\n/);
    }));

  it('what other origins may do: no field about it, and OPTIONS is a method that is not listed', () =>
    under(without(full, ['endpoints', 'cors']), async ({ ask }) => {
      const origin = { Origin: 'http://elsewhere.test' };
      expect(await ask('DELETE /', null, origin)).toBe('204');
      expect(await ask('OPTIONS /', null, { ...origin, 'Access-Control-Request-Method': 'POST' })).toBe(
        empty(405, 'Allow: GET, HEAD, POST, DELETE'),
      );
    }));

  it('paging: the whole list, however long', () =>
    under(full, async ({ ask, running }) => {
      const many = Array.from({ length: 2500 }, (_, n) => ({ key: `k${n}`, members: { title: `t${n}` } }));
      running.kept.put(many);
      const [head, body] = (await ask('GET /')).split('\n\n') as [string, string];
      expect(head).toBe(http('200', any, 'Content-Type: application/json', 'Transfer-Encoding: chunked'));
      expect(JSON.parse(body)).toEqual(
        many.map(({ key, members }) => ({ ...members, url: `http://todo.test/${key}` })),
      );
    }));

  it("what a list's parameter does: 501 when it is given", () =>
    under(
      stating(['endpoints', 'GET /', 'request'], { query: { limit: { type: 'integer' } } }),
      async ({ ask, running }) => {
        expect(await ask('GET /?limit=2')).toBe(empty(501, any));
        expect(running.held()).not.toEqual([]);
        expect(await ask('GET /')).toMatch(/^200\n/);
      },
    ));

  it('states, events, limits and versioning: one version of what is stated, and none of these', () =>
    under(only('resources', 'endpoints', 'errors'), async ({ ask }) => {
      const shown = (more: string): string =>
        `{"title":"a","completed":false,${more}"url":"http://todo.test/${made}"}`;
      const sends = (status: number, body: string, ...fields: string[]): string =>
        http(
          String(status),
          ...[any, `Content-Length: ${body.length}`, 'Content-Type: application/json', ...fields].sort(),
          '',
          body,
        );
      expect(await ask('POST /', '{"title":"a"}')).toBe(
        sends(201, shown(''), `Location: http://todo.test/${made}`),
      );
      expect(await ask(`PATCH /${made}`, '{"order":2}')).toBe(sends(200, shown('"order":2,')));
      expect(await ask(`GET /${made}`)).toBe(sends(200, shown('"order":2,')));
      expect(await ask(`DELETE /${made}`)).toBe(http('204', any));
      expect(await ask(`GET /${made}`)).toBe(sends(404, '{"message":"there is no such to-do"}'));
    }));
});

describe('a to-do list of which it is open who may ask', () => {
  const open = without(full, ['authentication']);
  const start = async (
    document: Document,
    options: { host: string; exposeUnauthenticated?: boolean },
  ): Promise<string> => {
    const service = await serve(reader(document).specification, { data: file(), ...options });
    await service.close();
    return 'runs';
  };

  it('listens on loopback alone, unless the operator takes the risk', async () => {
    expect(await start(open, { host: '127.0.0.1' })).toBe('runs');
    await expect(start(open, { host: '0.0.0.0' })).rejects.toThrow(StartRefused);
    await expect(start(open, { host: '0.0.0.0' })).rejects.toThrow('--expose-unauthenticated');
    expect(await start(open, { host: '0.0.0.0', exposeUnauthenticated: true })).toBe('runs');
    expect(await start(full, { host: '0.0.0.0' })).toBe('runs');
    // That it is free who may ask is no leave for anybody.
    const free = stating(['authentication'], '(any)', open);
    await expect(start(free, { host: '0.0.0.0' })).rejects.toThrow(StartRefused);
  });

  it('answers 501 where an answer would tell who asks', () =>
    under(stating(['endpoints', 'GET /', 'response', 'body'], { by: '${actor}' }, open), async (seen) => {
      await heldUp(seen, { 'GET /': ['authentication'] });
      expect(await seen.ask('DELETE /')).toBe(http('204', any));
    }));

  it('answers 501 where it is stated how to ask, and not who may', () =>
    under(
      stating(['authentication'], { schemes: { token: { type: 'http', scheme: 'bearer' } } }),
      async ({ ask, running }) => {
        expect(map(full['endpoints'])).toHaveProperty(['GET /']);
        expect(await ask('GET /')).toBe(empty(501, any));
        expect(running.held()).not.toEqual([]);
      },
    ));
});

describe('the tester, asked about each of these', () => {
  it('objects to nothing', { timeout: 120_000 }, async () => {
    for (const document of sampled(served, 4))
      expect({ document, ...(await tested(document)) }).toMatchObject({ document, violates: [] });
  });

  it('exercises nothing where nothing stands', async () => {
    expect(await tested(only('resources'))).toEqual({ conforms: 0, violates: [] });
    expect((await tested(only('endpoints'))).conforms).toBeGreaterThan(0);
  });
});
