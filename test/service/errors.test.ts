import { describe, expect, it } from 'vitest';
import { CannotWorkOut } from '../../src/expression/values.ts';
import { Unsent } from '../../src/service/message/reply.ts';
import { type Answer, answer, ask, type Served, start } from './served.ts';

/** Things, and part 7 as it is given. */
const things = (errors: string, endpoints = ''): string => `
name: Things
resources:
  Thing:
    identifier: id
    required: [name]
    minProperties: 2
    fields:
      id: { type: string }
      name: { type: string, minLength: 2, pattern: "^[a-z]*$" }
      size: { type: integer, minimum: 0, maximum: 9 }
      address: Address
  Address: { identifier: (none), fields: { town: { type: string } }, required: [town] }
endpoints:
  others: refuse
  POST /things: { operation: add, does: create Thing, request: { body: Thing, query: { wait: { type: boolean }, page: { type: integer, required: true, default: 1 } } }, response: { status: 201, body: Thing } }
  PATCH /things/{id}: { operation: change, does: update Thing, request: { body: Thing }, response: { status: 200, body: Thing } }
  GET /things/{id}: { operation: one, does: read Thing, response: { status: 200, body: Thing } }
  DELETE /things/{id}: { operation: remove, does: delete Thing, response: 204 }
  ${endpoints}
errors:
${errors
  .trim()
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
`;

const good = { id: 'a', name: 'abc' };
const code = 'payload: { body: { code: "${error.code}" } }\n';

async function codeOf(answered: Promise<Answer>): Promise<unknown> {
  const { status, body } = await answered;
  return (body as { code?: unknown }).code ?? status;
}

describe('of the rows that fit a refusal', () => {
  const add = (to: Served, members: object) => codeOf(ask(to, 'POST /things', { ...good, ...members }));

  it('the one with the longest subject answers', async () => {
    const service = await start(
      things(`${code}codes:
  any: { when: invalid, status: 400 }
  keyword: { when: invalid Thing.name.minLength, status: 400 }
  thing: { when: invalid Thing, status: 400 }
  field: { when: invalid Thing.name, status: 400 }
  nested: { when: invalid Thing.address.town, status: 400 }
  query: { when: invalid query.wait, status: 400 }
  whole: { when: invalid Thing.$, status: 400 }
  unstated: { when: invalid Thing.others, status: 400 }`),
    );
    expect(await add(service, { name: 'a' })).toBe('keyword');
    expect(await add(service, { name: 'ABC' })).toBe('field');
    expect(await add(service, { size: 10 })).toBe('thing');
    expect(await add(service, { address: {} })).toBe('nested');
    expect(await add(service, { note: 1 })).toBe('unstated');
    expect(await codeOf(ask(service, 'POST /things', { name: 'abc' }))).toBe('whole');
    expect(await codeOf(ask(service, 'POST /things?wait=maybe', good))).toBe('query');
    expect(await codeOf(ask(service, 'POST /things?other=1', good))).toBe('any');
  });

  it('what cannot be read has a place: body, path, query.NAME, headers.NAME', async () => {
    const service = await start(
      things(
        `${code}codes:
  any: { when: malformed, status: 400 }
  content: { when: malformed body, status: 400 }
  address: { when: malformed path, status: 400 }
  asked: { when: malformed query, status: 400 }
  page: { when: malformed query.page, status: 400 }
  field: { when: malformed headers.X-Range, status: 400 }`,
        'GET /ranges/{of}: { operation: ranges, does: (none), request: { path: { of: { type: array, style: matrix } }, headers: { X-Range: { type: object, style: simple } } }, response: 204 }',
      ),
    );
    const get = (path: string, ...fields: string[]) => codeOf(ask(service, `GET ${path}`, undefined, fields));
    expect(await codeOf(ask(service, 'POST /things', '{'))).toBe('content');
    expect(await codeOf(ask(service, 'POST /things?page=%ff', good))).toBe('page');
    expect(await codeOf(ask(service, 'POST /things?%ff=1', good))).toBe('asked');
    expect(await codeOf(ask(service, 'POST /things?wait=%ff', good))).toBe('asked');
    expect(await get('/things/%ff')).toBe('address');
    expect(await get('/ranges/a')).toBe('address');
    expect(await get('/ranges/;of=1', 'X-Range: a')).toBe('field');
    expect(await get('/ranges/;of=1', 'X-Range: a,1')).toBe(204);
  });

  it('of two places that cannot be read, `order` chooses', async () => {
    const service = await start(
      things(`${code}codes:
  content: { when: malformed body, status: 400 }
  asked: { when: malformed query, status: 400 }
order: listed`),
    );
    expect(await codeOf(ask(service, 'POST /things?page=%ff', '{'))).toBe('content');
  });

  it('a keyword alone comes before none, and after any other subject', async () => {
    const service = await start(
      things(`${code}codes:
  any: { when: invalid, status: 400 }
  lacking: { when: invalid required, status: 400 }
  unknown: { when: invalid others, status: 400 }
  short: { when: invalid minLength, status: 400 }
  field: { when: invalid Thing.name, status: 400 }`),
    );
    expect(await codeOf(ask(service, 'POST /things', { id: 'a', size: 1 }))).toBe('field');
    expect(await add(service, { address: {} })).toBe('lacking');
    expect(await add(service, { note: 1 })).toBe('unknown');
    expect(await add(service, { name: 'a' })).toBe('field');
    expect(await add(service, { size: 10 })).toBe('any');
    await service.close();
  });

  it('a name that begins alike is another subject', async () => {
    const service = await start(
      things(`${code}codes:
  size: { when: invalid Thing.siz, status: 400 }
  name: { when: invalid Thing.size.max, status: 400 }`),
    );
    expect(await add(service, { size: 10 })).toBe(400);
  });

  it('those that name the operation go before a longer subject, and others are for all', async () => {
    const service = await start(
      things(`${code}codes:
  field: { when: invalid Thing.name, status: 400 }
  adding: { when: invalid, operations: [add], status: 400 }
  one_gone: { when: unknown Thing, operations: [one, remove], status: 410 }
  gone: { when: unknown, status: 404 }`),
    );
    expect(await add(service, { name: 'a' })).toBe('adding');
    expect(await codeOf(ask(service, 'GET /things/b'))).toBe('one_gone');
    expect(await codeOf(ask(service, 'DELETE /things/b'))).toBe('one_gone');
    expect(await codeOf(ask(service, 'PATCH /things/b', { name: 'abc' }))).toBe('gone');
  });

  it('one row may list several conditions, and one condition stand for two', async () => {
    const service = await start(
      things(`${code}codes:
  nothing: { when: [unknown path, unknown Thing], status: 404 }
  bad: { when: [malformed, invalid, not unique], status: 400 }`),
    );
    await ask(service, 'POST /things', good);
    expect(await codeOf(ask(service, 'GET /nowhere'))).toBe('nothing');
    expect(await codeOf(ask(service, 'GET /things/b'))).toBe('nothing');
    expect(await codeOf(ask(service, 'POST /things', '{'))).toBe('bad');
    expect(await codeOf(ask(service, 'POST /things', good))).toBe('bad');
  });

  it('requests that reach no operation have those that name none', async () => {
    const service = await start(
      things(`${code}codes:
  nowhere: { when: unknown path, status: 404 }
  never: { when: method not allowed, status: 405 }
  broken: { when: malformed, status: 400 }
  mine: { when: malformed, operations: [add], status: 422 }`),
    );
    expect(await ask(service, 'GET /')).toEqual(answer(404, { code: 'nowhere' }));
    expect(await ask(service, 'PUT /things')).toEqual(answer(405, { code: 'never' }, ['Allow: POST']));
    expect(await ask(service, 'GET /%zz')).toEqual(answer(400, { code: 'broken' }));
    expect(await codeOf(ask(service, 'POST /things', '{'))).toBe('mine');
    expect(await codeOf(ask(service, 'PATCH /things/a', '{'))).toBe('broken');
  });

  it('a method that is not allowed is answered without Allow where its row states another status', async () => {
    const service = await start(
      things(`${code}codes: { nowhere: { when: [unknown path, method not allowed], status: 404 } }`),
    );
    expect(await ask(service, 'PUT /things')).toEqual(answer(404, { code: 'nowhere' }));
    expect(await ask(service, 'OPTIONS /things')).toEqual(answer(404, { code: 'nowhere' }));
  });

  it('none: the floor answers, with no content', async () => {
    const service = await start(things('codes: {}'));
    await ask(service, 'POST /things', good);
    const text = ['Content-Type: text/plain'];
    expect([
      await ask(service, 'GET /'),
      await ask(service, 'PUT /things'),
      await ask(service, 'POST /things', '{'),
      await ask(service, 'POST /things', 'x', text),
      await ask(service, 'POST /things', {}),
      await ask(service, 'POST /things', good),
      await ask(service, 'GET /things/b'),
    ]).toEqual([
      answer(404),
      answer(405, '', ['Allow: POST']),
      answer(400),
      answer(415),
      answer(400),
      answer(400),
      answer(404),
    ]);
  });

  it('one without a status: the floor has it, and the row its payload', async () => {
    const service = await start(
      things(`payload: { body: { status: "\${error.status}" } }
codes:
  gone: { when: unknown Thing }
  wrong: { when: invalid }
  media: { when: unsupported media }`),
    );
    expect(await ask(service, 'GET /things/b')).toEqual(answer(404, { status: 404 }));
    expect(await ask(service, 'POST /things', {})).toEqual(answer(400, { status: 400 }));
    expect(await ask(service, 'POST /things', 'x', ['Content-Type: a/b'])).toEqual(
      answer(415, { status: 415 }),
    );
  });
});

describe('the payload of a row', () => {
  const gone = (row: string, payload: string): Promise<Answer> =>
    start(things(`${payload}\ncodes: { gone: { when: unknown Thing, status: 404, ${row} } }`)).then(
      (service) => ask(service, 'GET /things/b'),
    );
  const problem =
    'payload: { media: application/problem+json, headers: { X-Code: "${error.code}", X-Title: "${error.message}" }, body: { title: "${error.message}" } }';

  it('is that of all rows, each point by itself, where the row does not state it (language §E.16)', async () => {
    const shared = (media: string, body: unknown, fields: readonly string[]) => ({
      ...answer(404, body, fields),
      fields: answer(404, body, fields).fields.map((one) =>
        one.startsWith('Content-Type') ? `Content-Type: ${media}` : one,
      ),
    });
    const media = 'application/problem+json';
    const fields = ['X-Code: gone', 'X-Title: Gone'];
    expect(await gone('message: Gone', problem)).toEqual(shared(media, { title: 'Gone' }, fields));
    expect(await gone('message: Gone, body: { mine: 1 }', problem)).toEqual(
      shared(media, { mine: 1 }, fields),
    );
    expect(await gone('message: Gone, media: application/x+json', problem)).toEqual(
      shared('application/x+json', { title: 'Gone' }, fields),
    );
    expect(await gone('message: Gone, headers: { X-Mine: yes }', problem)).toEqual(
      shared(media, { title: 'Gone' }, ['X-Mine: yes']),
    );
    expect(await gone('message: Gone, body: (none)', problem)).toEqual(answer(404, '', fields));
    expect(await gone('message: Gone, headers: (none)', problem)).toEqual(
      shared(media, { title: 'Gone' }, []),
    );
  });

  it('that is open is no content, whatever the row says', async () => {
    expect(await gone('message: gone', '')).toEqual(answer(404));
    expect(await gone('message: gone', 'payload: { body: (open) which? }')).toEqual(answer(404));
    expect(await gone('message: gone, body: { text: "${error.message}" }', '')).toMatchObject({
      status: 404,
      body: { text: 'gone' },
    });
  });

  const everything =
    'payload: { body: { code: "${error.code}", status: "${error.status}", message: "${error.message}", field: "${error.field}", extra: "${error.extra}", operation: "${error.operation}", failures: "${error.failures}", fields: "${error.fields}" } }';

  it('has what its row states, and leaves out what it does not', async () => {
    const failures = { failures: [], fields: {} };
    expect((await gone('', everything)).body).toEqual({
      code: 'gone',
      status: 404,
      operation: 'one',
      ...failures,
    });
    expect(
      (
        await gone(
          'code: E404, message: "no ${request.path.id}", field: id, extra: { at: "${request.url}", list: ["${error.status}"] }',
          everything,
        )
      ).body,
    ).toEqual({
      code: 'E404',
      status: 404,
      message: 'no b',
      field: 'id',
      extra: { at: '/things/b', list: [404] },
      operation: 'one',
      failures: [],
      fields: { id: ['no b'] },
    });
    const nowhere = await start(
      things(`${everything}\ncodes: { nowhere: { when: unknown path, status: 404 } }`),
    );
    expect((await ask(nowhere, 'GET /')).body).toEqual({ code: 'nowhere', status: 404, ...failures });
  });

  it('that cannot be evaluated is not sent, and the log says so; the status and the other headers are', async () => {
    const gone = async (row: string, payload: string) => {
      const errors = `payload: ${payload}\ncodes: { gone: { when: unknown Thing, status: 404, ${row} } }`;
      const service = await start(things(errors));
      return [await ask(service, 'GET /things/b'), service.faults.map(String)];
    };
    const unsent = 'Error: content not sent';
    expect(
      await gone(
        '',
        '{ headers: { X-Code: "${error.code}", X-Fault: "${1 / 0}" }, body: { half: "${1 / 0}" } }',
      ),
    ).toEqual([answer(404, '', ['X-Code: gone']), [unsent, 'Error: header field X-Fault not sent']]);
    // What a row states and nothing reads is not evaluated.
    const half = 'message: "${1 / 0}", extra: { a: "${1 / 0}", b: 1 }';
    expect(await gone(half, '{ body: "${error.message}" }')).toEqual([answer(404), [unsent]]);
    expect(await gone(half, '{ body: "${error.extra}" }')).toEqual([answer(404), [unsent]]);
    expect(await gone(half, '{ body: { b: "${error.extra.b}" } }')).toEqual([answer(404, { b: 1 }), []]);
  });

  it('of a failure that has a message which cannot be evaluated is not sent', async () => {
    const errors = 'codes: { wrong: { when: invalid, status: 422 } }\nmessages: { maximum: "${1 / 0}" }';
    const service = await start(things(`payload: { body: "\${error.fields}" }\n${errors}`));
    expect(await ask(service, 'POST /things', { ...good, size: 1000 })).toEqual(answer(422));
    expect(service.faults.map(String)).toEqual(['Error: content not sent']);
  });

  it('of `internal` that cannot be evaluated is not sent; the log has both causes', async () => {
    const rows = 'codes: { ours: { when: internal, status: 503, body: "${1 / 0}" } }';
    const service = await start(
      things(rows, 'GET /odd: { does: (none), response: { status: 200, body: "${2 / 0}" } }'),
    );
    expect(await ask(service, 'GET /odd')).toEqual(answer(503));
    expect(service.faults).toEqual([expect.any(CannotWorkOut), expect.any(Unsent)]);
  });

  it('may use the request, and writes what a client gave as data', async () => {
    const service = await start(
      things(
        'payload: { body: { message: "<${request.body.name}> at ${request.url}" } }\ncodes: { wrong: { when: invalid, status: 400 } }',
      ),
    );
    const name = '"},{"${7*7}\u2028</script>';
    expect(await ask(service, 'POST /things?wait=true', { id: 'a', name })).toEqual(
      answer(400, { message: `<${name}> at /things?wait=true` }),
    );
  });
});

describe('failures', () => {
  const shown =
    'payload: { body: { failures: "${error.failures}", fields: "${error.fields}" } }\ncodes: { wrong: { when: invalid, status: 422 } }\n';

  it('stand with their fields and keywords, in written order, parameters first', async () => {
    const service = await start(things(shown));
    const found = await ask(service, 'POST /things?wait=maybe&wait=no&page=x&more=1', {
      zip: 1,
      address: { town: 1, street: 2 },
      size: 9.5,
      name: 'A',
    });
    expect(found).toEqual(
      answer(422, {
        failures: [
          { field: 'wait', keyword: 'twice' },
          { field: 'page', keyword: 'type' },
          { field: 'more', keyword: 'others' },
          { field: 'name', keyword: 'minLength' },
          { field: 'name', keyword: 'pattern' },
          { field: 'size', keyword: 'type' },
          { field: 'size', keyword: 'maximum' },
          { field: 'address.town', keyword: 'type' },
          { field: 'address.street', keyword: 'others' },
          { field: 'zip', keyword: 'others' },
        ],
        fields: {},
      }),
    );
  });

  const pairs = (codes: string) =>
    start(
      things(codes)
        .replace('identifier: id\n', 'identifier: id\n    unique: [[name, size]]\n')
        .replace('      size:', '      note: { type: string, unique: caseless }\n      size:'),
    );

  it('of what is not unique are the fields that another item has, each once, as they are written', async () => {
    const service = await pairs(`${shown.replace('invalid', 'not unique')}
messages: { unique: "\${value} is there", Thing.size: "so is \${value}" }`);
    await ask(service, 'POST /things', { ...good, size: 1, note: 'N' });
    const second = (members: object) => ask(service, 'POST /things', { ...good, id: 'b', ...members });
    expect(await second({ size: 1, note: 'n' })).toEqual(
      answer(422, {
        failures: [
          { field: 'name', keyword: 'unique', message: 'abc is there' },
          { field: 'note', keyword: 'unique', message: 'n is there' },
          { field: 'size', keyword: 'unique', message: 'so is 1' },
        ],
        fields: { name: ['abc is there'], note: ['n is there'], size: ['so is 1'] },
      }),
    );
    expect((await ask(service, 'POST /things', good)).body).toEqual({
      failures: [{ field: 'id', keyword: 'unique', message: 'a is there' }],
      fields: { id: ['a is there'] },
    });
    expect((await second({ size: 2 })).status).toBe(201);
  });

  it('are those alone that the row lists, or what the row itself says', async () => {
    const service = await pairs(`payload: { body: { code: "\${error.code}", fields: "\${error.fields}" } }
codes:
  noted: { when: not unique Thing.note, status: 409, field: remark, message: is known }
  taken: { when: not unique, status: 409 }
order: [noted, taken]
messages: { unique: is taken }`);
    await ask(service, 'POST /things', { ...good, size: 1, note: 'N' });
    const second = { ...good, id: 'b', size: 1 };
    const body = async (members: object) =>
      (await ask(service, 'POST /things', { ...second, ...members })).body;
    expect(await body({ note: 'n' })).toEqual({ code: 'noted', fields: { remark: ['is known'] } });
    expect(await body({ note: 'm' })).toEqual({
      code: 'taken',
      fields: { name: ['is taken'], size: ['is taken'] },
    });
  });

  it('have their messages: by field and keyword, else by field, else by keyword, else none', async () => {
    const service = await start(
      things(`${shown}
messages:
  minLength: "is shorter than \${error.limit}"
  required: is missing
  Thing.name.pattern: "has no \${value}"
  Thing.size: "\${value} is no size up to \${error.limit}"
  Thing.address.town: where?
  others: is not known`),
    );
    const { body } = await ask(service, 'POST /things?page=x', { name: 'A', size: 10, address: {}, zip: 1 });
    expect(body).toEqual({
      failures: [
        { field: 'page', keyword: 'type' },
        { field: 'name', keyword: 'minLength', message: 'is shorter than 2' },
        { field: 'name', keyword: 'pattern', message: 'has no A' },
        { field: 'size', keyword: 'maximum', message: '10 is no size up to 9' },
        { field: 'address.town', keyword: 'required', message: 'where?' },
        { field: 'zip', keyword: 'others', message: 'is not known' },
      ],
      fields: {
        name: ['is shorter than 2', 'has no A'],
        size: ['10 is no size up to 9'],
        'address.town': ['where?'],
        zip: ['is not known'],
      },
    });
  });

  it('of a field named __proto__ are told as any other, and change no prototype', async () => {
    const service = await start(things(`${shown}messages: { others: is not known }`));
    const { body } = await ask(service, 'POST /things', '{"id":"a","name":"abc","__proto__":1}');
    expect(Object.entries((body as { fields: object }).fields)).toEqual([['__proto__', ['is not known']]]);
  });

  it('that lead to several rows: the row that errors.order puts first answers with its own failures', async () => {
    const rows = (order: string): string =>
      things(`payload: { body: { code: "\${error.code}", fields: "\${error.failures.map(f, f.field)}" } }
codes:
  name: { when: invalid Thing.name, status: 400 }
  size: { when: invalid Thing.size, status: 422 }
${order}`);
    const both = { id: 'a', size: 10, name: 'A', zip: 1 };
    expect(await ask(await start(rows('')), 'POST /things', both)).toEqual(
      answer(400, { code: 'name', fields: ['name', 'name'] }),
    );
    expect(await ask(await start(rows('order: [size, name]')), 'POST /things', both)).toEqual(
      answer(422, { code: 'size', fields: ['size'] }),
    );
    // What no row lists is not told where another failure has a row.
    expect(await ask(await start(rows('')), 'POST /things', { ...good, zip: 1 })).toEqual(answer(400));
  });
});

describe('a reference to nothing, beside a member that does not fit,', () => {
  const of = async (members: object, order: string): Promise<unknown> => {
    const service = await start(`
name: Books
resources:
  Author: { identifier: id, fields: { id: { type: string } } }
  Book:
    identifier: id
    fields: { id: { type: string }, title: { type: string }, year: { type: integer }, author: { refers: Author, ifDeleted: refuse } }
    required: [title]
endpoints:
  others: ignore
  POST /authors: { does: create Author, request: { body: Author }, response: { status: 201, body: Author } }
  POST /books: { does: create Book, request: { body: { of: Book, omits: [year] } }, response: { status: 201, body: Book } }
errors:
  ${code.trim()}
  codes: { nobody: { when: invalid Book.author.refers, status: 409 }, wrong: { when: invalid, status: 422 } }
  ${order}
`);
    await ask(service, 'POST /authors', { id: 'ada' });
    return await codeOf(ask(service, 'POST /books', { id: 'b', ...members }));
  };
  const [first, last] = ['order: [nobody, wrong]', 'order: [wrong, nobody]'];

  it.each([
    ['wrong', { title: 5, author: 'nobody' }, first],
    ['wrong', { author: 'nobody' }, first],
    ['wrong', { title: 5, author: 'nobody' }, last],
    ['wrong', { title: 5, author: 'ada' }, first],
    ['nobody', { title: 'a', author: 'nobody' }, first],
    ['nobody', { title: 'a', author: 'nobody' }, last],
  ])('is not looked up, whatever errors.order says: %s of %j, %s', async (row, members, order) => {
    expect(await of(members, order)).toBe(row);
  });
});

describe("a condition of one's own", () => {
  const own = (when: string): string =>
    things(`${code}codes:
  mine: { when: "\${${when}}", operations: [add, change, one, remove], status: 409 }
  gone: { when: unknown Thing, status: 404 }
  wrong: { when: invalid, status: 422 }
`);

  it('about the request refuses where it is true, and nothing is changed', async () => {
    const service = await start(own('request.query.wait != true'));
    const before = await service.rows();
    expect(await codeOf(ask(service, 'POST /things', good))).toBe('mine');
    expect(await codeOf(ask(service, 'POST /things?wait=false', good))).toBe('mine');
    expect(await service.rows()).toEqual(before);
    expect(await ask(service, 'POST /things?wait=true', good)).toEqual(answer(201, good));
  });

  it('comes after all others that hold', async () => {
    const service = await start(own("request.method != 'PUT'"));
    expect(await codeOf(ask(service, 'POST /things', '{'))).toBe(400);
    expect(await codeOf(ask(service, 'POST /things', {}))).toBe('wrong');
    expect(await codeOf(ask(service, 'GET /things/a'))).toBe('gone');
    expect(await codeOf(ask(service, 'POST /things', good))).toBe('mine');
  });

  it('about the item refuses for that item alone, as it was before the change', async () => {
    const service = await start(own('this.size > 5'));
    expect(await ask(service, 'POST /things', { ...good, size: 6 })).toEqual(
      answer(201, { ...good, size: 6 }),
    );
    expect(await ask(service, 'POST /things', { ...good, id: 'b', size: 5 })).toEqual(
      answer(201, { ...good, id: 'b', size: 5 }),
    );
    expect(await codeOf(ask(service, 'GET /things/a'))).toBe('mine');
    expect(await codeOf(ask(service, 'DELETE /things/a'))).toBe('mine');
    expect(await codeOf(ask(service, 'PATCH /things/a', { size: 1 }))).toBe('mine');
    expect(await codeOf(ask(service, 'PATCH /things/b', { size: 9 }))).toBe(200);
    expect(await codeOf(ask(service, 'PATCH /things/b', { size: 1 }))).toBe('mine');
    expect(await codeOf(ask(service, 'GET /things/c'))).toBe('gone');
  });

  it('that cannot be worked out refuses nothing', async () => {
    const service = await start(own('1 / this.size == 1'));
    expect((await ask(service, 'POST /things', { ...good, size: 0 })).status).toBe(201);
    expect((await ask(service, 'GET /things/a')).status).toBe(200);
    expect((await ask(service, 'PATCH /things/a', { size: 1 })).status).toBe(200);
    expect(await codeOf(ask(service, 'GET /things/a'))).toBe('mine');
    expect(service.faults).toEqual([]);
  });

  it('is judged only for the operations that it names', async () => {
    const service = await start(
      things(`${code}codes: { mine: { when: "\${true}", operations: [remove], status: 409 } }`),
    );
    await ask(service, 'POST /things', good);
    expect((await ask(service, 'GET /things/a')).status).toBe(200);
    expect(await codeOf(ask(service, 'DELETE /things/a'))).toBe('mine');
    expect((await ask(service, 'GET /things/a')).status).toBe(200);
  });
});

describe('of several conditions that hold', () => {
  /** Requests that earn two or three refusals, by the codes that each could be answered with. */
  const requests: readonly (readonly [readonly string[], string, string])[] = [
    [['unreadable', 'gone'], 'PATCH /things/b', '{'],
    [['gone', 'wrong'], 'PATCH /things/b', '{"name":"A"}'],
    [['unreadable'], 'POST /things', '{'],
    [['wrong', 'mine'], 'PATCH /things/a', '{"name":"A"}'],
    [['gone'], 'PATCH /things/b', '{"name":"abc"}'],
    [['unreadable', 'mine'], 'PATCH /things/a', '{'],
  ];
  const rows = (order: readonly string[] | null): string =>
    things(`${code}codes:
  unreadable: { when: malformed, status: 400 }
  gone: { when: unknown Thing, status: 404 }
  wrong: { when: invalid, status: 422 }
  mine: { when: "\${this.id == 'a'}", operations: [change], status: 409 }
${order ? `order: [${order.join(', ')}]` : ''}`);
  const permuted = (of: readonly string[]): string[][] =>
    of.length === 0
      ? [[]]
      : of.flatMap((one) => permuted(of.filter((other) => other !== one)).map((rest) => [one, ...rest]));
  const listed = ['unreadable', 'gone', 'wrong', 'mine'];

  it.each([null, ...permuted(listed)].map((order) => ({ order })))(
    'that which errors.order puts first answers: $order',
    async ({ order }) => {
      const service = await start(rows(order));
      await ask(service, 'POST /things', good);
      const before = await service.rows();
      for (const [earned, line, body] of requests) {
        const first = (order ?? listed).find((one) => earned.includes(one));
        expect([line, body, await codeOf(ask(service, line, body))]).toEqual([line, body, first]);
      }
      expect(await service.rows()).toEqual(before);
      expect(service.faults).toEqual([]);
    },
  );
});

describe('a fault of the service', () => {
  it('is "internal", tells nothing of itself, and is for the log', async () => {
    const service = await start(
      things(
        `${code}codes: { ours: { when: internal, status: 503 } }`,
        'GET /sum: { operation: sum, does: (none), response: [{ when: "${1 / 0 == 1}", status: 200 }] }',
      ),
    );
    expect(await ask(service, 'GET /sum')).toEqual(answer(503, { code: 'ours' }));
    expect(service.faults).toEqual([expect.any(Error)]);
  });
});

it('a payload may make something new, such as the name of the occasion', async () => {
  const service = await start(
    things('payload: { body: { id: "${random(8)}" } }\ncodes: { any: { when: unknown, status: 404 } }'),
  );
  const { body } = await ask(service, 'GET /things/none');
  expect(body).toEqual({ id: expect.stringMatching(/^[A-Za-z0-9]{8}$/) });
});

it('a change that cannot be worked out is the last reason to refuse (language §H.4)', async () => {
  const text = `
name: Notes
resources:
  Note:
    identifier: id
    fields: { id: { type: string }, word: { type: string } }
    invariants: { "is a word": "\${lower(this.word) != ''}" }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 201 }
  POST /open: { operation: addFreely, does: create Note, request: { body: Note }, response: 201 }
service: { actors: { office: all } }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: operator, actor: office, challenge: Key } }
  authorization: { add: "\${false}", addFreely: anyone }
errors:
  codes:
    taken: { when: not unique, status: 409 }
    broken: { when: invariant broken, status: 422 }
    barred: { when: [not authorized, credential missing], status: 403 }
  order: listed
`;
  const service = await start(text, { credentials: { key: { main: 'k' } } });
  const send = async (path: string) => (await ask(service, `POST ${path}`, { id: 'a' }, ['X-Key: k'])).status;
  expect([await send('/notes'), await send('/open')]).toEqual([403, 500]);
});

describe('a message for a cursor that the list did not give (language §7, rules 13 and 15)', () => {
  it('stands under the keyword', async () => {
    const { address } = await start(`
name: Notes
tacet: 1
resources: { Note: { identifier: id, fields: { id: { type: string } } } }
endpoints:
  others: refuse
  GET /notes:
    does: { list: Note, order: [id] }
    request: { query: { from: { page: cursor } } }
    response: { status: 200, body: "\${page.items.map(n, n.id)}" }
authentication: (none)
errors:
  messages: { cursor: "nothing begins at \${value}" }
  codes: { bad: { when: invalid, status: 422, body: "\${error.failures.map(f, f.message)}" } }
`);
    const answer = await fetch(`${address}/notes?from=nowhere`);
    expect([answer.status, await answer.json()]).toEqual([422, ['nothing begins at nowhere']]);
  });
});
