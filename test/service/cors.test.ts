import { describe, expect, it } from 'vitest';
import { type Answer, answer, ask, type Served, start, todo } from './served.ts';

const things = (cors: string, more = ''): string => `
name: Things
resources:
  Thing: { identifier: id, fields: { id: { type: string } } }
endpoints:
  others: refuse
  ${cors && `cors: ${cors}`}
  POST /things: { operation: add, does: create Thing, request: { body: Thing }, response: 201 }
  GET /things: { operation: all, does: list Thing, response: { status: 200, body: "\${page.total}" } }
  GET /silent: { operation: silent, response: 200 }
  ${more}
`;

const origin = (name: string): string[] => [`Origin: ${name}`];
const mine = 'https://a.example';

/** The fields of CORS in an answer, and Vary. */
const corsFields = ({ fields }: Answer): string[] =>
  fields.filter((one) => /^(access-control-|vary)/i.test(one)).sort();

const preflight = (
  to: Served,
  path: string,
  from: string,
  method = 'GET',
  headers?: string,
): Promise<Answer> =>
  ask(to, `OPTIONS ${path}`, undefined, [
    ...origin(from),
    `Access-Control-Request-Method: ${method}`,
    ...(headers === undefined ? [] : [`Access-Control-Request-Headers: ${headers}`]),
  ]);

describe('where CORS is not stated', () => {
  it('no answer has a field of it, and OPTIONS is a method like others', async () => {
    const service = await start(things(''));
    expect(await ask(service, 'GET /things', undefined, origin(mine))).toEqual(answer(200, 0));
    expect(await preflight(service, '/things', mine, 'POST')).toEqual(
      answer(405, '', ['Allow: POST, GET, HEAD']),
    );
    expect(await preflight(service, '/nowhere', mine)).toEqual(answer(404));
    expect(await ask(service, 'GET /silent', undefined, origin('null'))).toEqual(answer(501));
  });

  it('nor where it is stated to be nothing', async () => {
    const service = await start(
      things('{ origins: any, methods: any }').replace('POST /things: {', 'POST /things: { cors: (none),'),
    );
    expect(corsFields(await ask(service, 'POST /things', { id: 'a' }, origin(mine)))).toEqual([]);
    expect(corsFields(await ask(service, 'GET /things', undefined, origin(mine)))).toEqual([
      'Access-Control-Allow-Origin: *',
    ]);
  });
});

describe('for any origin', () => {
  it('every answer of an endpoint says so, errors and 501 too, whoever asks', async () => {
    const service = await start(things('{ origins: any }'), { limits: { bodyBytes: 100 } });
    const any = ['Access-Control-Allow-Origin: *'];
    for (const from of [[], origin(mine), origin('null'), origin('anything at all')]) {
      expect(await ask(service, 'GET /things', undefined, from)).toEqual(answer(200, 0, any));
      expect(await ask(service, 'HEAD /things', undefined, from)).toEqual({
        ...answer(200, 0, any),
        body: '',
      });
      expect(await ask(service, 'GET /silent', undefined, from)).toEqual(answer(501, '', any));
      expect(await ask(service, 'POST /things', '{', from)).toEqual(answer(400, '', any));
      expect(await ask(service, 'POST /things', { id: 5 }, from)).toEqual(answer(400, '', any));
      expect(await ask(service, 'POST /things', 'x'.repeat(101), from)).toEqual(answer(413, '', any));
      expect(await ask(service, 'POST /things', 'x', [...from, 'Content-Type: text/plain'])).toEqual(
        answer(415, '', any),
      );
      expect(await ask(service, 'GET /things?x=1', undefined, from)).toEqual(answer(400, '', any));
      expect(await ask(service, 'GET /things?%zz', undefined, from)).toEqual(answer(400, '', any));
    }
  });

  it('what stands at no endpoint has no field of it', async () => {
    const service = await start(things('{ origins: any }'));
    expect(await ask(service, 'GET /nowhere', undefined, origin(mine))).toEqual(answer(404));
    expect(await ask(service, 'PUT /things', undefined, origin(mine))).toEqual(
      answer(405, '', ['Allow: POST, GET, HEAD']),
    );
    expect(await ask(service, 'GET /%zz', undefined, origin(mine))).toEqual(answer(400));
  });
});

describe('for listed origins', () => {
  const listed = `{ origins: ["${mine}", "http://localhost:3000"] }`;

  it('only these are named, and the answer varies by them', async () => {
    const service = await start(things(listed));
    for (const from of [mine, 'http://localhost:3000'])
      expect(corsFields(await ask(service, 'GET /things', undefined, origin(from)))).toEqual([
        `Access-Control-Allow-Origin: ${from}`,
        'Vary: Origin',
      ]);
    expect(corsFields(await ask(service, 'GET /things'))).toEqual(['Vary: Origin']);
    expect(corsFields(await ask(service, 'GET /silent', undefined, origin(mine)))).toEqual([
      `Access-Control-Allow-Origin: ${mine}`,
      'Vary: Origin',
    ]);
  });

  it('no other is, however alike, and none is reflected', async () => {
    const service = await start(things(listed));
    for (const from of [
      'null',
      'https://a.example.evil.example',
      'https://evil-a.example',
      'https://a.example:443',
      'https://a.example/',
      'http://a.example',
      'HTTPS://A.EXAMPLE',
      'https://a.example https://b.example',
      'http://localhost:3001',
      '*',
      '',
    ]) {
      expect([from, corsFields(await ask(service, 'GET /things', undefined, origin(from)))]).toEqual([
        from,
        ['Vary: Origin'],
      ]);
      const answered = await preflight(service, '/things', from);
      expect([
        from,
        corsFields(answered).filter((one) => one.includes('Origin:') || one.includes('-Origin')),
      ]).toEqual([from, []]);
    }
  });

  it('two Origins are no request', async () => {
    const service = await start(things(listed));
    expect(await ask(service, 'GET /things', undefined, [...origin(mine), ...origin(mine)])).toEqual(
      answer(400, '', ['Connection: close']),
    );
  });
});

describe('with credentials', () => {
  it('the origin is named, never the wildcard, nor null (Fetch standard §3.3.5)', async () => {
    const service = await start(things('{ origins: any, credentials: true, exposes: [X-A, X-B] }'));
    expect(corsFields(await ask(service, 'GET /things', undefined, origin(mine)))).toEqual([
      'Access-Control-Allow-Credentials: true',
      `Access-Control-Allow-Origin: ${mine}`,
      'Access-Control-Expose-Headers: X-A, X-B',
      'Vary: Origin',
    ]);
    expect(corsFields(await ask(service, 'GET /things', undefined, origin('null')))).toEqual([
      'Access-Control-Expose-Headers: X-A, X-B',
      'Vary: Origin',
    ]);
  });

  it('any method and any header are those that were asked for, since the wildcard stands for itself', async () => {
    const service = await start(
      things(`{ origins: ["${mine}"], credentials: true, methods: any, headers: any }`),
    );
    expect(corsFields(await preflight(service, '/things', mine, 'POST', 'content-type,x-a'))).toEqual([
      'Access-Control-Allow-Credentials: true',
      'Access-Control-Allow-Headers: content-type,x-a',
      'Access-Control-Allow-Methods: POST',
      `Access-Control-Allow-Origin: ${mine}`,
      'Vary: Origin',
    ]);
    expect(corsFields(await preflight(service, '/things', 'https://b.example', 'POST', 'x-a'))).toEqual([
      'Vary: Origin',
    ]);
  });

  it('stated not to be allowed, they are not', async () => {
    const service = await start(things(`{ origins: ["${mine}"], credentials: false }`));
    expect(corsFields(await ask(service, 'GET /things', undefined, origin(mine)))).toEqual([
      `Access-Control-Allow-Origin: ${mine}`,
      'Vary: Origin',
    ]);
  });
});

describe('a preflight (Fetch standard §3.3.2)', () => {
  const all = `{ origins: ["${mine}"], methods: [GET, POST], headers: [Content-Type, X-A], exposes: [X-B], maxAge: 600 }`;

  it('to a path with CORS is answered with what is stated, and nothing more', async () => {
    const service = await start(things(all));
    expect(await preflight(service, '/things', mine, 'POST', 'content-type')).toEqual(
      answer(204, '', [
        'Access-Control-Allow-Headers: Content-Type, X-A',
        'Access-Control-Allow-Methods: GET, POST',
        `Access-Control-Allow-Origin: ${mine}`,
        'Access-Control-Max-Age: 600',
        'Vary: Origin',
      ]),
    );
  });

  it('says only what is stated', async () => {
    expect(await preflight(await start(things('{ origins: any }')), '/things', mine)).toEqual(
      answer(204, '', ['Access-Control-Allow-Origin: *']),
    );
    expect(
      await preflight(
        await start(things('{ origins: any, methods: any, headers: any, exposes: any, maxAge: 0 }')),
        '/things',
        mine,
      ),
    ).toEqual(
      answer(204, '', [
        'Access-Control-Allow-Headers: *',
        'Access-Control-Allow-Methods: *',
        'Access-Control-Allow-Origin: *',
        'Access-Control-Max-Age: 0',
      ]),
    );
  });

  it('is that of the endpoint whose method is asked for', async () => {
    const service = await start(
      things(all).replace('GET /things: {', 'GET /things: { cors: { origins: any, methods: [GET] },'),
    );
    expect(corsFields(await preflight(service, '/things', 'https://b.example', 'GET'))).toEqual([
      'Access-Control-Allow-Methods: GET',
      'Access-Control-Allow-Origin: *',
    ]);
    expect(corsFields(await preflight(service, '/things', 'https://b.example', 'POST'))).toEqual([
      'Vary: Origin',
    ]);
  });

  it('for a method that is not there is answered too, and does not allow it', async () => {
    const service = await start(things(all));
    const { status, fields } = await preflight(service, '/things', mine, 'PUT');
    expect([status, fields.includes('Access-Control-Allow-Methods: GET, POST')]).toEqual([204, true]);
  });

  it('to a path where nothing stands is 404, with no field of CORS', async () => {
    expect(await preflight(await start(things(all)), '/nowhere', mine)).toEqual(answer(404));
  });

  it('reaches no operation: a silent one does not hold it up, and nothing is made', async () => {
    const service = await start(things(all));
    expect((await preflight(service, '/silent', mine)).status).toBe(204);
    expect((await preflight(service, '/things', mine, 'POST')).status).toBe(204);
    expect((await ask(service, 'GET /things')).body).toBe(0);
    expect(service.heldUp).toEqual([]);
  });

  it('is none without an Origin or a method: OPTIONS is then a method that is not listed', async () => {
    const service = await start(things(all));
    const refused = answer(405, '', ['Allow: POST, GET, HEAD']);
    expect(await ask(service, 'OPTIONS /things')).toEqual(refused);
    expect(await ask(service, 'OPTIONS /things', undefined, origin(mine))).toEqual(refused);
    expect(await ask(service, 'OPTIONS /things', undefined, ['Access-Control-Request-Method: GET'])).toEqual(
      refused,
    );
  });

  it('goes before an OPTIONS that is stated, which answers all others', async () => {
    const service = await start(things(all, 'OPTIONS /things: { does: (none), response: 200 }'));
    expect((await ask(service, 'OPTIONS /things')).status).toBe(200);
    expect(await preflight(service, '/things', mine, 'POST')).toMatchObject({ status: 204 });
  });
});

describe('the to-do list', () => {
  it('may be used by pages of any origin, as it is stated', async () => {
    const service = await start(todo);
    expect(await preflight(service, '/', 'https://todo.example', 'POST', 'content-type')).toEqual(
      answer(204, '', [
        'Access-Control-Allow-Headers: Content-Type, Accept',
        'Access-Control-Allow-Methods: GET, POST, PATCH, DELETE',
        'Access-Control-Allow-Origin: *',
      ]),
    );
  });
});
