import { describe, expect, it } from 'vitest';
import { bodySchemas } from '../../../src/service/body/schema.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { stated } from '../../../src/specification/reading/said.ts';
import type { Body } from '../../../src/specification/vocabulary/request.ts';
import { type Answer, answer, ask, specificationOf, start } from '../served.ts';

const wrong = (...failures: readonly (readonly [string, string])[]): Answer =>
  answer(
    422,
    failures.map(([field, keyword]) => ({ field, keyword })),
  );

const errors = (payload = 'body: "${error.failures}"', when = 'invalid'): string => `
errors:
  payload: { ${payload} }
  codes: { broken: { when: malformed, status: 400 }, wrong: { when: ${when}, status: 422 } }
`;

const document = (endpoints: string, further = errors()): string => `
name: Notes
resources:
  Note:
    identifier: id
    fields:
      id: { type: string, set: { create: n1 } }
      title: { type: string }
      body: { type: string }
      author: { type: string }
    required: [title, author]
  Brief: { identifier: (none), fields: { title: { type: string }, body: { type: string } }, required: [title, body] }
endpoints:
${endpoints}
${further}`;

const create = (request: string, others = 'refuse'): string =>
  `  POST /: { does: create Note, request: { ${request}, others: ${others} }, response: { status: 201, under: note, body: Note } }`;
const full = { title: 'a', body: 'b', author: 'c' };

describe('a body under a member (language §H.3)', () => {
  const post = async (body: unknown, others = 'refuse', more = errors()): Promise<Answer> =>
    ask(await start(document(create('body: Note, under: note', others), more)), 'POST /', body);

  it('is what stands there, and so is the answer', async () => {
    expect(await post({ note: full })).toEqual(answer(201, { note: { id: 'n1', ...full } }));
  });

  it('counts the fields of its failures from there', async () => {
    expect(await post({ note: { ...full, title: 5, x: 1 } })).toEqual(
      wrong(['title', 'type'], ['x', 'others']),
    );
  });

  it('that is not there is required, by that name', async () => {
    expect(await post({ title: 'a' }, 'ignore')).toEqual(wrong(['note', 'required']));
    expect(
      await post({}, 'refuse', errors('body: "${error.failures}"', 'invalid body.note.required')),
    ).toEqual(wrong(['note', 'required']));
  });

  it('that has members beside it is one of which nobody stated them', async () => {
    expect(await post({ note: { ...full, title: 5 }, x: 1 })).toEqual(
      wrong(['x', 'others'], ['title', 'type']),
    );
    expect((await post({ note: full, x: 1 }, 'ignore')).status).toBe(201);
    const open = await start(document(create('body: Note, under: note', '(open)')));
    expect((await ask(open, 'POST /', { note: full, x: 1 })).status).toBe(501);
    expect(open.heldUp).toEqual([['endpoints["POST /"].request.others']]);
  });

  it('is malformed where it, or what has it, is no object', async () => {
    for (const body of [[], 5, null, { note: 5 }, { note: null }, { note: [] }])
      expect([body, await post(body)]).toEqual([body, answer(400, [])]);
  });

  it('is that of a refusal, too', async () => {
    const payload = 'under: errors, body: { failures: "${error.failures}" }';
    expect(await post({ note: { title: 'a' } }, 'refuse', errors(payload))).toEqual(
      answer(422, { errors: { failures: [{ field: 'author', keyword: 'required' }] } }),
    );
    const row = errors().replace('status: 422', 'status: 422, under: problem, body: { a: 1 }');
    expect(await post({ note: {} }, 'refuse', row)).toEqual(answer(422, { problem: { a: 1 } }));
  });

  it('is what `request.body` is', async () => {
    const echo =
      '  POST /: { does: (none), request: { body: { type: integer }, under: n }, response: { status: 200, body: { got: "${request.body}" } } }';
    expect(await ask(await start(document(echo)), 'POST /', { n: 5 })).toEqual(answer(200, { got: 5 }));
  });
});

describe('a body of some members (language §E.4)', () => {
  /** The service gives the author that the body leaves out. */
  const withAuthor = '{ create: Note, with: [{ author: z }, "${request.body}"] }';
  const post = async (request: string, body: unknown, others?: string): Promise<Answer> =>
    ask(await start(document(create(request, others).replace('create Note', withAuthor))), 'POST /', body);

  it('leaves out those that are omitted: they are required no more, and are others', async () => {
    expect((await post('body: { of: Note, omits: [author] }', { title: 'a' })).status).toBe(201);
    expect(await post('body: { of: Note, omits: [author] }', full)).toEqual(wrong(['author', 'others']));
    expect(await post('body: { of: Note, omits: [author] }', full, 'ignore')).toEqual(
      answer(201, { note: { id: 'n1', title: 'a', body: 'b', author: 'z' } }),
    );
  });

  it('has those alone that are shown', async () => {
    expect((await post('body: { of: Note, shows: [title] }', { title: 'a' })).status).toBe(201);
    expect(await post('body: { of: Note, shows: [title] }', full)).toEqual(
      wrong(['body', 'others'], ['author', 'others']),
    );
    expect(await post('body: { of: Note, shows: [body], minProperties: 1 }', {})).toEqual(
      wrong(['', 'minProperties']),
    );
  });

  it('of a shape, too', async () => {
    expect((await post('body: { of: Brief, omits: [body] }', { title: 'a' })).status).toBe(201);
    expect(await post('body: { of: Brief, omits: [body] }', { title: 5, body: 'b' })).toEqual(
      wrong(['title', 'type'], ['body', 'others']),
    );
    expect(await post('body: { of: Brief, shows: [body], minProperties: 2 }', {})).toEqual(
      wrong(['', 'minProperties'], ['body', 'required']),
    );
  });
});

describe('the members of a resource that a body has (language §E.4)', () => {
  /** The members, and those that are required, by what is done and where. */
  const members = (does: string, path = '/{id}'): readonly [readonly string[], unknown] => {
    const text = document(`  PUT ${path}: { does: ${does}, request: { body: Note }, response: 204 }`)
      .replace('set: { create: n1 }', '')
      .replace('required: [title, author]', 'required: [id, title, author]')
      .replace('body: { type: string }', 'body: { type: string, writable: once }');
    const specification = specificationOf(text);
    const operation = specification.operations[0] as Operation;
    const rule = { rule: 'refuse', address: 'x' } as const;
    const body = stated(operation.request?.body) as Body;
    const { given } = bodySchemas(specification, operation, body, rule);
    return [Object.keys(given['properties'] as object), given['required']];
  };

  it('are all that may be written of one that is made, but what the path gives', () => {
    expect(members('create Note', '/')).toEqual([
      ['id', 'title', 'body', 'author'],
      ['id', 'title', 'author'],
    ]);
    expect(members('create Note')).toEqual([
      ['title', 'body', 'author'],
      ['title', 'author'],
    ]);
  });

  it('are none that is written once, and none is required, where a part of it is changed', () => {
    expect(members('update Note')).toEqual([['id', 'title', 'author'], []]);
    expect(members('publish Note')).toEqual([['id', 'title', 'author'], []]);
  });

  it('are required but where the path binds them, where it is replaced', () => {
    expect(members('replace Note')).toEqual([
      ['id', 'title', 'author'],
      ['title', 'author'],
    ]);
  });
});

describe('an identifier in a body that changes an item', () => {
  const service = (does: string, others: string, media = 'application/json') =>
    start(`
name: Keys
resources: { Key: { identifier: id, fields: { id: { type: string }, n: { type: integer } } } }
endpoints:
  POST /: { does: create Key, request: { body: Key, others: refuse }, response: 201 }
  PUT /{id}: { does: ${does} Key, request: { body: Key, others: ${others}, media: ${media} }, response: { status: 200, body: Key } }
${errors()}`);

  it('may be the one that it has', async () => {
    for (const does of ['update', 'replace']) {
      const to = await service(does, 'refuse');
      await ask(to, 'POST /', { id: 'a', n: 1 });
      expect([does, await ask(to, 'PUT /a', { id: 'a', n: 2 })]).toEqual([
        does,
        answer(200, { id: 'a', n: 2 }),
      ]);
    }
  });

  it('that is another is one of those that nobody stated', async () => {
    for (const does of ['update', 'replace']) {
      const [refusing, ignoring, open] = [
        await service(does, 'refuse'),
        await service(does, 'ignore'),
        await service(does, '(open)'),
      ];
      for (const to of [refusing, ignoring, open]) await ask(to, 'POST /', { id: 'a', n: 1 });
      const body = { id: 'b', n: 2 };
      expect([does, await ask(refusing, 'PUT /a', body)]).toEqual([does, wrong(['id', 'others'])]);
      expect([does, await ask(ignoring, 'PUT /a', body)]).toEqual([does, answer(200, { id: 'a', n: 2 })]);
      expect([does, (await ask(open, 'PUT /a', body)).status]).toEqual([does, 501]);
      expect(open.heldUp).toEqual([['endpoints["PUT /{id}"].request.others']]);
    }
  });

  it('does not go, and is not patched', async () => {
    const merge = await service('update', 'refuse', 'application/merge-patch+json');
    const patch = await service('update', 'refuse', 'application/json-patch+json');
    for (const to of [merge, patch]) await ask(to, 'POST /', { id: 'a', n: 1 });
    const sent = (to: typeof merge, type: string, body: unknown): Promise<Answer> =>
      ask(to, 'PUT /a', body, [`Content-Type: application/${type}+json`]);
    expect(await sent(merge, 'merge-patch', { id: null })).toEqual(wrong(['id', 'others']));
    expect(await sent(patch, 'json-patch', [{ op: 'remove', path: '/id' }])).toEqual(wrong(['id', 'others']));
    expect(await sent(patch, 'json-patch', [{ op: 'replace', path: '/id', value: 'b' }])).toEqual(
      wrong(['id', 'others']),
    );
    expect((await sent(merge, 'merge-patch', { id: 'a', n: 3 })).status).toBe(200);
  });
});

describe('a value that a patch leads to', () => {
  it('fits before it is taken in, hashed, or held against the one there is', async () => {
    const to = await start(`
name: Marks
resources:
  Mark:
    identifier: id
    fields:
      id: { type: string }
      text: { type: string, maxLength: 3, taken: "\${lower(value)}" }
      same: { type: string, taken: "\${lower(value)}", writable: same }
      pin: { type: string, secret: hashed }
endpoints:
  POST /: { does: create Mark, request: { body: Mark }, response: 201 }
  PATCH /{id}: { does: update Mark, request: { body: Mark, media: application/json-patch+json, others: refuse }, response: { status: 200, body: Mark } }
${errors()}`);
    await ask(to, 'POST /', { id: 'a', text: 'ABC', same: 'X', pin: 'x' });
    const patch = (name: string, value: unknown): Promise<Answer> =>
      ask(
        to,
        'PATCH /a',
        [{ op: 'add', path: `/${name}`, value }],
        ['Content-Type: application/json-patch+json'],
      );
    expect(await patch('text', 5)).toEqual(wrong(['text', 'type']));
    expect(await patch('text', 'ABCD')).toEqual(wrong(['text', 'maxLength']));
    expect(await patch('same', 5)).toEqual(wrong(['same', 'others']));
    expect(await patch('pin', 5)).toEqual(wrong(['pin', 'type']));
    expect((await patch('text', 'XY')).body).toMatchObject({ text: 'xy' });
    expect(to.faults).toEqual([]);
  });
});
