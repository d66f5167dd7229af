import { describe, expect, it } from 'vitest';
import { type Answer, answer, ask, start } from '../served.ts';

/** One operation with parameters, which answers what they came to. */
const echo = (path: string, request: string, body: string, more = ''): string => `
name: Echo
resources:
  Level: { identifier: (none), type: integer, minimum: 1 }
  Thing: { identifier: id, fields: { id: { type: integer } } }
endpoints:
  GET ${path}:
    operation: echo
    does: (none)
    request: ${request}
    response: { status: 200, body: ${body} }
${more}
errors:
  payload: { body: "\${error.failures}" }
  codes: { wrong: { when: invalid, status: 422 } }
`;

const query = async (parameters: string, ...queries: readonly string[]): Promise<Answer[]> => {
  const service = await start(
    echo('/', `{ others: refuse, query: { ${parameters} } }`, '{ got: "${request.query}" }'),
  );
  return Promise.all(queries.map((one) => ask(service, `GET /?${one}`)));
};
const got = (values: object): Answer => answer(200, { got: values });
const wrong = (...failures: readonly (readonly [string, string])[]): Answer =>
  answer(
    422,
    failures.map(([field, keyword]) => ({ field, keyword })),
  );

describe('a query parameter (language §4.2)', () => {
  it('without a type is text, as it stands once decoded', async () => {
    expect(
      await query('q: {}', 'q=5', 'q=', 'q', 'q=a+b%20c', 'q=%F0%9F%98%80', 'q=a=b', '%71=a', 'q=%26%3D%2B'),
    ).toEqual(['5', '', '', 'a b c', '😀', 'a=b', 'a', '&=+'].map((q) => got({ q })));
  });

  it('is a value of its type, in the one spelling of it', async () => {
    expect(await query('n: { type: integer }', 'n=5', 'n=-5', 'n=0', 'n=9007199254740991')).toEqual(
      [5, -5, 0, 9007199254740991].map((n) => got({ n })),
    );
    expect(await query('n: { type: number }', 'n=5', 'n=-0.5', 'n=1.5e3', 'n=1E-2')).toEqual(
      [5, -0.5, 1500, 0.01].map((n) => got({ n })),
    );
    expect(await query('b: { type: boolean }', 'b=true', 'b=false')).toEqual([
      got({ b: true }),
      got({ b: false }),
    ]);
    expect(await query('l: { type: array, items: Level }', 'l=3')).toEqual([got({ l: [3] })]);
  });

  it('in another form is invalid', async () => {
    for (const text of [
      '',
      'a',
      '5.5',
      '05',
      '+5',
      '5e0',
      '0x5',
      '%205',
      '9007199254740993',
      '1e400',
      'null',
      '%EF%BC%95',
    ])
      expect([text, await query('n: { type: integer }', `n=${text}`)]).toEqual([
        text,
        [wrong(['n', 'type'])],
      ]);
    for (const text of ['', '1', 'TRUE', 'yes', 'null'])
      expect([text, await query('b: { type: boolean }', `b=${text}`)]).toEqual([
        text,
        [wrong(['b', 'type'])],
      ]);
    expect(await query('l: { type: array, items: Level }', 'l=0')).toEqual([wrong(['l', 'minimum'])]);
  });

  it('meets its shape, each keyword', async () => {
    expect(await query('n: { type: integer, minimum: 1, maximum: 9 }', 'n=0', 'n=10', 'n=9')).toEqual([
      wrong(['n', 'minimum']),
      wrong(['n', 'maximum']),
      got({ n: 9 }),
    ]);
    expect(await query('q: { type: string, enum: [a, b] }', 'q=c', 'q=b')).toEqual([
      wrong(['q', 'enum']),
      got({ q: 'b' }),
    ]);
  });

  it('that is a list is given once for each element, each of its type', async () => {
    expect(
      await query(
        'n: { type: array, items: { type: integer }, maxItems: 2 }',
        'n=1&n=2',
        'n=1',
        'n=1&n=a',
        'n=1&n=2&n=3',
      ),
    ).toEqual([got({ n: [1, 2] }), got({ n: [1] }), wrong(['n', 'type']), wrong(['n', 'maxItems'])]);
    expect(await query('q: { type: array }', 'q=1&q=a')).toEqual([got({ q: ['1', 'a'] })]);
  });

  it('given twice where it is no list is invalid, and so is one that is missing and required', async () => {
    expect(await query('q: {}, r: { required: true }', 'q=1&q=1&r=', 'q=1')).toEqual([
      wrong(['q', 'twice']),
      wrong(['r', 'required']),
    ]);
  });

  it('that is not given is its default, else it is not there', async () => {
    expect(await query('q: {}, n: { type: integer, default: 5 }', '', 'n=6')).toEqual([
      got({ n: 5 }),
      got({ n: 6 }),
    ]);
  });

  it('named as objects have them is one as any other', async () => {
    const [found] = (await query(
      '__proto__: { type: integer }, constructor: {}',
      '__proto__=5&constructor=a',
    )) as [Answer];
    expect(Object.entries((found.body as { got: object }).got)).toEqual([
      ['__proto__', 5],
      ['constructor', 'a'],
    ]);
  });
});

describe('a header parameter', () => {
  const headers = async (parameters: string, body: string, ...fields: readonly string[]): Promise<Answer> =>
    ask(await start(echo('/', `{ headers: { ${parameters} } }`, body)), 'GET /', undefined, fields);

  it('is a value of its type, whatever the case of its name', async () => {
    const body = '{ level: "${request.headers[\'X-Level\']}", plain: "${request.headers[\'x-plain\']}" }';
    expect(
      await headers('X-Level: { type: integer }, X-Plain: {}', body, 'x-LEVEL: 5', 'X-Plain: a'),
    ).toEqual(answer(200, { level: 5, plain: 'a' }));
  });

  it('meets its shape, and is there where it is required', async () => {
    const parameters = 'X-Level: { type: integer, maximum: 5 }, X-Key: { required: true }';
    expect(await headers(parameters, 'ok', 'X-Level: 6')).toEqual(
      wrong(['X-Level', 'maximum'], ['X-Key', 'required']),
    );
    expect(await headers(parameters, 'ok', 'X-Level: five', 'X-Key: a')).toEqual(wrong(['X-Level', 'type']));
  });

  it('that is a list is written with commas, or in several fields', async () => {
    const body = '{ tags: "${request.headers[\'X-Tag\']}" }';
    for (const fields of [['X-Tag: a, b ,c'], ['X-Tag: a', 'X-Tag: b,c']])
      expect(await headers('X-Tag: { type: array }', body, ...fields)).toEqual(
        answer(200, { tags: ['a', 'b', 'c'] }),
      );
  });

  it('that is not given is its default', async () => {
    const body = '{ level: "${request.headers[\'X-Level\']}" }';
    expect(await headers('X-Level: { type: integer, default: 3 }', body)).toEqual(answer(200, { level: 3 }));
  });
});

describe('a path parameter', () => {
  it('that is bound to nothing is text', async () => {
    const service = await start(echo('/{a}/{b}', '{}', '{ a: "${request.path.a}", b: "${request.path.b}" }'));
    expect(await ask(service, 'GET /1/a%2Fb')).toEqual(answer(200, { a: '1', b: 'a/b' }));
    expect(await ask(service, 'GET //b')).toEqual(answer(404));
  });

  it('with a shape is a value of its type, and meets it', async () => {
    const service = await start(
      echo('/{a}', '{ path: { a: { type: integer, maximum: 5 } } }', '{ a: "${request.path.a}" }'),
    );
    expect(await ask(service, 'GET /5')).toEqual(answer(200, { a: 5 }));
    expect(await ask(service, 'GET /6')).toEqual(wrong(['a', 'maximum']));
    expect(await ask(service, 'GET /a')).toEqual(wrong(['a', 'type']));
  });

  it('bound to a field has the type of the field', async () => {
    const more = `
  PUT /things/{id}: { does: create Thing, response: { status: 201, body: { id: "\${request.path.id}" } } }
  GET /things/{number}: { does: read Thing, request: { path: { number: Thing.id } }, response: { status: 200, body: { id: "\${request.path.number}", next: "\${request.path.number + 1}" } } }`;
    const service = await start(echo('/', '{}', 'ok', more));
    expect(await ask(service, 'PUT /things/5')).toEqual(answer(201, { id: 5 }));
    expect(await ask(service, 'PUT /things/five')).toEqual(wrong(['id', 'type']));
    expect(await ask(service, 'GET /things/5')).toEqual(answer(200, { id: 5, next: 6 }));
    expect(await ask(service, 'GET /things/five')).toEqual(answer(404));
  });

  it('of which also the shape is stated finds an item only by a value that fits (language §4.2, rule 5)', async () => {
    const more = `
  PUT /things/{id}:
    does: { create: Thing, present: replace }
    request: { path: { id: { minimum: 3, is: Thing.id } } }
    response: { status: 200, body: { id: "\${request.path.id}" } }
  GET /things/{number}:
    does: read Thing
    request: { path: { number: { type: number, maximum: 5, is: Thing.id } } }
    response: { status: 200, body: { next: "\${request.path.number + 1}" } }`;
    const service = await start(echo('/', '{}', 'ok', more));
    expect(await ask(service, 'PUT /things/2')).toEqual(wrong(['id', 'minimum']));
    expect(await ask(service, 'PUT /things/five')).toEqual(wrong(['id', 'type']));
    expect(await ask(service, 'PUT /things/5')).toEqual(answer(200, { id: 5 }));
    expect(await ask(service, 'PUT /things/6')).toEqual(answer(200, { id: 6 }));
    expect(await ask(service, 'GET /things/5')).toEqual(answer(200, { next: 6 }));
    expect(await ask(service, 'GET /things/6')).toEqual(wrong(['number', 'maximum']));
    // There is no such thing, which is judged first (language §H.4).
    expect(await ask(service, 'GET /things/7')).toEqual(answer(404));
    expect(await ask(service, 'GET /things/five')).toEqual(answer(404));
  });

  it('of which it is open what it names is judged, and finds nothing', async () => {
    const more = `
  GET /things/{number}:
    does: read Thing
    request: { path: { number: { type: integer, is: (open) Thing.id? } } }
    response: 204`;
    const service = await start(echo('/', '{}', 'ok', more));
    expect((await ask(service, 'GET /things/5')).status).toBe(501);
  });
});

describe('failures of parameters', () => {
  it('stand in the order path, query, headers, and each has its own subject', async () => {
    const text = echo(
      '/{a}',
      '{ others: refuse, path: { a: { type: integer } }, query: { b: { type: integer } }, headers: { C: { type: integer } } }',
      'ok',
    );
    const line = 'GET /x?b=x&d=x';
    expect(await ask(await start(text), line, undefined, ['C: x'])).toEqual(
      wrong(['a', 'type'], ['b', 'type'], ['d', 'others'], ['C', 'type']),
    );
    for (const [when, field] of [
      ['path.a', 'a'],
      ['query.b.type', 'b'],
      ['query.d', 'd'],
      ['query.others', 'd'],
      ['headers.C', 'C'],
    ]) {
      const service = await start(text.replace('when: invalid', `when: invalid ${when}`));
      expect([when, (await ask(service, line, undefined, ['C: x'])).body]).toEqual([
        when,
        [expect.objectContaining({ field })],
      ]);
    }
  });
});
