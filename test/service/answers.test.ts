import { describe, expect, it } from 'vitest';
import { CannotWorkOut } from '../../src/expression/values.ts';
import { at, type Span } from '../../src/source/text.ts';
import { answer, ask, request, start, wire } from './served.ts';

/** One resource, and endpoints to it. */
const things = (fields: string, endpoints: string, more = ''): string => `
name: Things
resources:
  Thing:
    identifier: id
    fields:
${indented(fields, 6)}
endpoints:
  others: refuse
${indented(endpoints, 2)}
${more}`;

const indented = (text: string, by: number): string =>
  text
    .trim()
    .split('\n')
    .map((line) => ' '.repeat(by) + line)
    .join('\n');

const add =
  'POST /things: { does: create Thing, request: { body: Thing }, response: { status: 201, body: Thing } }';
const one = 'GET /things/{id}: { does: read Thing, response: { status: 200, body: Thing } }';
const all = 'GET /things: { does: list Thing, response: { status: 200, body: "${Thing(page.items)}" } }';
const change =
  'PATCH /things/{id}: { does: update Thing, request: { body: Thing, media: [application/json, application/merge-patch+json] }, response: { status: 200, body: Thing } }';
const remove = 'DELETE /things/{id}: { does: delete Thing, response: 204 }';
const ids = 'id: { type: string }\nsize: { type: integer }\n';

describe('of several answers the first that holds is sent (language §H.3)', () => {
  it('by what the change came to', async () => {
    const service = await start(
      things(
        ids,
        `
POST /things: { does: create Thing, request: { body: Thing }, response: [{ when: "\${this.size > 5}", status: 200 }, { when: created, status: 201 }] }
PATCH /things/{id}:
  does: update Thing
  request: { body: Thing }
  response: [{ when: "\${this.size > 5}", status: 203 }, { when: unchanged, status: 200, body: same }, { status: 202, body: "\${outcome}" }]
DELETE /things/{id}: { does: delete Thing, response: [{ when: deleted, status: 200, body: Thing }] }
DELETE /things: { does: delete every Thing, response: [{ when: deleted, status: 202 }] }
${one}`,
      ),
    );
    expect(await ask(service, 'POST /things', { id: 'a', size: 1 })).toEqual(answer(201));
    expect((await ask(service, 'PATCH /things/a', { size: 1 })).body).toBe('same');
    expect((await ask(service, 'PATCH /things/a', { size: 2 })).body).toBe('changed');
    // A deleted item is shown as it was.
    expect(await ask(service, 'DELETE /things/a')).toEqual(answer(200, { id: 'a', size: 2 }));
    expect(await ask(service, 'GET /things/a')).toEqual(answer(404));
    expect(await ask(service, 'DELETE /things')).toEqual(answer(202));
  });

  it('by an expression, over the item as it is and as it was', async () => {
    const service = await start(
      things(
        ids,
        `
PATCH /things/{id}:
  does: update Thing
  request: { body: Thing }
  response:
    - { when: "\${old.size == null}", status: 201 }
    - { when: "\${this.size > old.size && request.body.size < 100}", status: 202 }
    - { status: 200 }
${add}`,
      ),
    );
    await ask(service, 'POST /things', { id: 'a' });
    const sizes = [5, 6, 6, 4, 200];
    const statuses: number[] = [];
    for (const size of sizes) statuses.push((await ask(service, 'PATCH /things/a', { size })).status);
    expect(statuses).toEqual([201, 202, 200, 200, 200]);
  });

  it('and where none holds: 501, nothing is written, and the log names the rest of the answers', async () => {
    const service = await start(
      things(
        ids,
        `
POST /things: { does: create Thing, request: { body: Thing }, response: [{ when: "\${this.size > 5}", status: 201 }] }
PATCH /things/{id}: { does: update Thing, request: { body: Thing }, response: [{ when: unchanged, status: 200 }] }
DELETE /things/{id}: { does: delete Thing, response: [{ when: "\${this.size > 6}", status: 204 }] }
DELETE /things: { does: delete every Thing, response: [{ when: "\${now == null}", status: 204 }] }
GET /things: { does: list Thing, response: [{ when: "\${page.total > 5}", status: 200 }] }
${one}`,
      ),
    );
    expect(await ask(service, 'POST /things', { id: 'a', size: 5 })).toEqual(answer(501));
    expect(await ask(service, 'GET /things/a')).toEqual(answer(404));
    expect(await ask(service, 'POST /things', { id: 'a', size: 6 })).toEqual(answer(201));
    const before = await service.rows();
    for (const line of ['PATCH /things/a', 'DELETE /things/a', 'DELETE /things', 'GET /things'])
      expect([line, await ask(service, line, line.startsWith('PATCH') ? { size: 1 } : undefined)]).toEqual([
        line,
        answer(501),
      ]);
    expect(await service.rows()).toEqual(before);
    expect(service.heldUp).toEqual(
      ['POST /things', 'PATCH /things/{id}', 'DELETE /things/{id}', 'DELETE /things', 'GET /things'].map(
        (key) => [`endpoints["${key}"].response.*`],
      ),
    );
  });

  it('and one whose condition cannot be worked out is a fault of the service, and nothing is written', async () => {
    const when = (verb: string): string => `response: [{ when: "\${1 / this.size == 1}", status: 20${verb}}]`;
    const service = await start(
      things(
        ids,
        `
POST /things: { does: create Thing, request: { body: Thing }, ${when('1 ')} }
GET /things/{id}: { does: read Thing, ${when('0 ')} }
${all}`,
        'errors: { payload: { body: { code: "${error.code}" } }, codes: { ours: { when: internal, status: 500 } } }',
      ),
    );
    expect(await ask(service, 'POST /things', { id: 'a', size: 0 })).toEqual(answer(500, { code: 'ours' }));
    expect(await ask(service, 'GET /things')).toEqual(answer(200, []));
    expect(await ask(service, 'POST /things', { id: 'a', size: 1 })).toEqual(answer(201));
    expect(service.faults).toHaveLength(1);
  });
});

describe('header fields of an answer', () => {
  const headers = async (templates: string, body: object): Promise<readonly string[]> => {
    const service = await start(
      things(
        'id: { type: string }\ntext: {}\n',
        `POST /things: { does: create Thing, request: { body: Thing }, response: { status: 201, headers: { ${templates} } } }`,
      ),
    );
    const { fields } = await ask(service, 'POST /things', { id: 'a', ...body });
    expect(service.faults).toEqual([]);
    return fields.filter((one) => !/^(Date|Content-Length):/.test(one));
  };

  it('are templates', async () => {
    expect(
      await headers('Location: "${service.url}/things/${this.id}", X-Size: "${size(this.text)}"', {
        text: 'abc',
      }),
    ).toEqual([expect.stringMatching(/^Location: http:\/\/127\.0\.0\.1:\d+\/things\/a$/), 'X-Size: 3']);
  });

  it('are not sent where their value is null', async () => {
    const templates = 'X-None: "${this.text}", X-Text: "<${this.text}>", X-Last: last';
    expect(await headers(templates, {})).toEqual(['X-Last: last', 'X-Text: <>']);
    expect(await headers(templates, { text: null })).toEqual(['X-Last: last', 'X-Text: <>']);
  });

  it('that cannot be evaluated are a fault of the service, and nothing is written', async () => {
    for (const template of ['${1 / 0}', '${this.text}', '<${this.text}>']) {
      const service = await start(
        things(
          'id: { type: string }\ntext: {}\n',
          `POST /things: { does: create Thing, request: { body: Thing }, response: { status: 201, headers: { X: "${template}" } } }\n${all}`,
        ),
      );
      expect(await ask(service, 'POST /things', { id: 'a', text: [1] })).toEqual(answer(500));
      expect(await ask(service, 'GET /things')).toEqual(answer(200, []));
      expect(service.faults).toEqual([expect.any(CannotWorkOut)]);
    }
  });

  it('are numbers and truths as they are written', async () => {
    expect(await headers('X: "${this.text}"', { text: 1.5 })).toEqual(['X: 1.5']);
    expect(await headers('X: "${this.text}"', { text: false })).toEqual(['X: false']);
  });

  it('cannot be split, whatever a client gives', async () => {
    for (const [text, sent] of [
      ['a\r\nSet-Cookie: b=c', 'a%0D%0ASet-Cookie: b=c'],
      ['a\n\n<html>', 'a%0A%0A<html>'],
      ['a\rb', 'a%0Db'],
      ['a\u0085b\u2028c', 'a%C2%85b%E2%80%A8c'],
      ['č\u010d\u010a', '%C4%8D%C4%8D%C4%8A'],
      ['ünï😀', '%C3%BCn%C3%AF%F0%9F%98%80'],
      ['\u007f', '%7F'],
      ['a\tb', 'a\tb'],
      ['100% "a"; b', '100% "a"; b'],
    ])
      expect(await headers('X: "${this.text}"', { text })).toEqual([`X: ${sent}`]);
  });

  it('go before those of every answer in any spelling, and beside those of the protocol', async () => {
    const service = await start(
      things(
        ids,
        'headers: { vary: Accept, X-By: us }\nGET /things: { does: list Thing, cors: { origins: ["https://a.example"] }, response: { status: 200, headers: { VARY: Cookie } } }',
      ),
    );
    const fields = (await ask(service, 'GET /things')).fields.map((one) => one.toLowerCase());
    expect(fields).toEqual(expect.arrayContaining(['vary: cookie, origin', 'x-by: us']));
    expect(fields).not.toContain('vary: accept');
  });
});

describe('the body of an answer is a template', () => {
  it('of literals and expressions at any depth', async () => {
    const service = await start(
      things(
        ids,
        `
POST /things:
  does: create Thing
  request: { body: Thing }
  response:
    status: 201
    body:
      thing: "\${Thing(this)}"
      kind: thing
      list: [1, "\${this.size}", null, { deep: { id: "\${this.id}", text: "<\${this.size}>" } }, []]
      'a "name" of {odd} letters': true
      request: "\${request.body}"
      none: "\${null}"
      text: "\${'' + string(this.size)}"
      method: "\${request.method} \${request.body.address}"
`,
      ),
    );
    expect(await ask(service, 'POST /things', { id: 'a', size: 1 })).toEqual(
      answer(201, {
        thing: { id: 'a', size: 1 },
        kind: 'thing',
        list: [1, 1, null, { deep: { id: 'a', text: '<1>' } }, []],
        'a "name" of {odd} letters': true,
        request: { id: 'a', size: 1 },
        none: null,
        text: '1',
        method: 'POST ',
      }),
    );
  });

  it('in which a member that is not there is left out, and a null that is kept is sent (language §G.3)', async () => {
    const service = await start(
      things(
        'id: { type: string }\nnote: {}\n',
        'POST /things: { does: create Thing, request: { body: Thing }, response: { status: 201, body: { note: "${this.note}", notes: ["${this.note}"], has: "${has(this.note)}" } } }',
      ),
    );
    expect((await ask(service, 'POST /things', { id: 'a' })).body).toEqual({ notes: [null], has: false });
    expect((await ask(service, 'POST /things', { id: 'b', note: null })).body).toEqual({
      note: null,
      notes: [null],
      has: true,
    });
  });

  it('of lists within objects, whose page has what it says', async () => {
    const service = await start(
      things(
        ids,
        `${add}
GET /things:
  does: list Thing
  response:
    status: 200
    body: { things: "\${Thing(page.items)}", ids: "\${page.items.map(t, t.id)}", page: { total: "\${page.total}", size: "\${page.size}", offset: "\${page.offset}", number: "\${page.number}", next: "\${page.next}", previous: "\${page.previous}" } }
`,
      ),
    );
    for (const id of ['b', 'a']) await ask(service, 'POST /things', { id });
    expect((await ask(service, 'GET /things')).body).toEqual({
      things: [{ id: 'b' }, { id: 'a' }],
      ids: ['b', 'a'],
      page: { total: 2, size: 2, offset: 0, number: 1, next: null, previous: null },
    });
  });

  it('has the media type that an expression gives; what is no media type is a fault of the service', async () => {
    const service = await start(
      things(
        `${ids}media: { type: string }`,
        `${add}
GET /things/{id}: { does: read Thing, response: { status: 200, media: "\${this.media}", body: "\${this.id}" } }`,
        'errors: { payload: { media: "${error.extra.type}", body: no }, codes: { gone: { when: unknown Thing, status: 404, extra: { type: none } } } }',
      ),
    );
    const got = async (id: string, media: string | null): Promise<unknown> => {
      await ask(service, 'POST /things', { id, ...(media !== null && { media }) });
      const { status, fields, body } = await ask(service, `GET /things/${id}`);
      return [status, fields.find((field) => field.startsWith('Content-Type')) ?? null, body];
    };
    expect(await got('a', 'text/plain; charset=utf-8')).toEqual([
      200,
      'Content-Type: text/plain; charset=utf-8',
      'a',
    ]);
    expect(await got('b', 'application/json')).toEqual([200, 'Content-Type: application/json', 'b']);
    expect(service.faults).toEqual([]);
    for (const [id, media] of ['text', 'text/', 'a/b c', 'a/b\r\nX: y', null].entries())
      expect(await got(`${id}`, media)).toEqual([500, null, '']);
    expect((service.faults as CannotWorkOut[]).map(({ message }) => message)).toEqual(
      ['text', 'text/', 'a/b c', 'a/b\\r\\n', ''].map((text) => expect.stringContaining(`"${text}`)),
    );
    // The status of a row stays, and no content is sent.
    expect(await ask(service, 'GET /things/z')).toEqual(answer(404));
    expect(service.faults).toHaveLength(6);
  });

  it('of a media type that is not JSON is its text as it is', async () => {
    const body = async (media: string, template: string): Promise<string> => {
      const service = await start(
        things(
          ids,
          `GET /page: { does: (none), response: { status: 200, media: ${media}, body: ${template} } }`,
        ),
      );
      const { send, rest } = wire(service);
      send(request('GET /page', ['Connection: close']));
      return (await rest()).text.split('\r\n\r\n')[1] as string;
    };
    expect(await body('text/html', '"<p>${1 + 1} \\"two\\"</p>"')).toBe('<p>2 "two"</p>');
    expect(await body('text/plain; charset=utf-8', '"${\'é\'}"')).toBe('é');
    expect(await body('text/plain', '{ a: 1 }')).toBe('{"a":1}');
    for (const media of ['application/json', 'application/problem+json', 'application/vnd.a.b+json; v=1'])
      expect(await body(media, 'text')).toBe('"text"');
  });

  it('that cannot be evaluated is a fault of the service, and nothing is written', async () => {
    const service = await start(
      things(
        ids,
        `POST /things: { does: create Thing, request: { body: Thing }, response: { status: 201, body: { half: "\${8 / this.size}" } } }\n${all}`,
        'errors: { payload: { body: { code: "${error.code}" } }, codes: { ours: { when: internal, status: 503 } } }',
      ),
    );
    expect(await ask(service, 'POST /things', { id: 'a', size: 0 })).toEqual(answer(503, { code: 'ours' }));
    expect(await ask(service, 'GET /things')).toEqual(answer(200, []));
    expect(await ask(service, 'POST /things', { id: 'b', size: 4 })).toEqual(answer(201, { half: 2 }));
    // The log has the expression, the reason and the place.
    const [fault, ...others] = service.faults as CannotWorkOut[];
    expect([fault?.message, fault?.expression?.text, others]).toEqual([
      'the result is no number',
      '8 / this.size',
      [],
    ]);
    expect(at(fault?.expression?.at as Span)).toBe('service.yaml:11:107');
  });

  it('with a derived member that cannot be evaluated is a fault of the service', async () => {
    const service = await start(
      things(`${ids}half: { derived: "\${8 / this.size}" }\n`, `${add}\n${one}\n${all}`),
    );
    expect(await ask(service, 'POST /things', { id: 'a', size: 4 })).toEqual(
      answer(201, { id: 'a', size: 4, half: 2 }),
    );
    expect(await ask(service, 'POST /things', { id: 'b', size: 0 })).toEqual(answer(500));
    expect(await ask(service, 'GET /things/a')).toEqual(answer(200, { id: 'a', size: 4, half: 2 }));
    expect(await ask(service, 'GET /things/b')).toEqual(answer(404));
    expect((service.faults as CannotWorkOut[]).map(({ expression }) => expression?.text)).toEqual([
      '8 / this.size',
    ]);
  });

  it('of a list is a fault of the service where a member of one item cannot be evaluated', async () => {
    const service = await start(
      things(
        `${ids}half: { derived: "\${8 / this.size}" }\n`,
        `${add.replace(', body: Thing }', ' }')}\n${one}\n${all}`,
      ),
    );
    for (const [id, size] of [
      ['a', 4],
      ['b', 0],
    ])
      expect(await ask(service, 'POST /things', { id, size })).toEqual(answer(201));
    expect(await ask(service, 'GET /things')).toEqual(answer(500));
    expect(await ask(service, 'GET /things/b')).toEqual(answer(500));
    expect(service.faults).toEqual([expect.any(CannotWorkOut), expect.any(CannotWorkOut)]);
  });

  it('does not show what is not readable, and still may use it', async () => {
    const service = await start(
      things(
        'id: { type: string, readable: false }\nsecret: { type: string, writeOnly: true }\nhint: { derived: "${size(this.secret)}" }\n',
        `${add}\n${all}`,
      ),
    );
    expect(await ask(service, 'POST /things', { id: 'a', secret: 'abc' })).toEqual(answer(201, { hint: 3 }));
    expect(await ask(service, 'GET /things')).toEqual(answer(200, [{ hint: 3 }]));
  });

  it('does not show a member of which it is asked who may see it, or in what form', async () => {
    const service = await start(
      things(
        'id: { type: string }\nnumber: { shown: (open) masked how? }\ncode: { readable: (open) to whom? }\n',
        `${add}\n${all}`,
      ),
    );
    expect(await ask(service, 'POST /things', { id: 'a', number: '4242', code: 'x' })).toEqual(
      answer(201, { id: 'a' }),
    );
    expect(await ask(service, 'GET /things')).toEqual(answer(200, [{ id: 'a' }]));
  });
});

describe('what the service sets', () => {
  it('is a new UUID where any value will do', async () => {
    const service = await start(things('id: { type: string, set: { create: (any) } }', `${add}\n${one}`));
    const { body } = await ask(service, 'POST /things', {});
    const { id } = body as { id: string };
    expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(await ask(service, `GET /things/${id}`)).toEqual(answer(200, { id }));
  });

  it('is the next number where any integer will do', async () => {
    const service = await start(things('id: { type: integer, set: { create: (any) } }', `${add}\n${one}`));
    expect(await ask(service, 'POST /things', {})).toEqual(answer(201, { id: 1 }));
    expect(await ask(service, 'POST /things', {})).toEqual(answer(201, { id: 2 }));
    expect(await ask(service, 'GET /things/2')).toEqual(answer(200, { id: 2 }));
  });

  it('is made by its functions, from literals, other fields, the request and the time', async () => {
    const now = Date.UTC(2026, 10, 21, 4, 5, 6, 789);
    const service = await start(
      things(
        `
id: { type: string, set: { create: "\${uuid()}" } }
sorted: { set: { create: "\${uuid(7)}" } }
token: { set: { create: "pi_\${random(24)}" } }
at: { type: string, format: date-time, set: { create: "\${now}" } }
literal: { set: { create: { a: [1, "\${this.size}"] } } }
name: { set: { create: "\${upper(this.slug)}" } }
slug: { set: { create: "\${slug(this.title)}" } }
title: { type: string }
size: { type: integer, default: 3 }
by: { set: { create: "\${request.method} \${request.url}" } }
choice: { set: { create: fixed }, writable: true }
none: { set: { create: "\${null}" } }
day: { set: { create: "\${substring(string(now), 0, 10)}" } }
`,
        add,
      ),
      { milliseconds: () => now },
    );
    const { status, body } = await ask(service, 'POST /things?', { title: 'A b, C!' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      sorted: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      token: expect.stringMatching(/^pi_[A-Za-z\d]{24}$/),
      at: '2026-11-21T04:05:06.789000Z',
      literal: { a: [1, 3] },
      name: 'A-B-C',
      slug: 'a-b-c',
      title: 'A b, C!',
      size: 3,
      by: 'POST /things?',
      choice: 'fixed',
      none: null,
      day: '2026-11-21',
    });
    const { sorted } = body as { sorted: string };
    expect(Number.parseInt(sorted.replace('-', '').slice(0, 12), 16)).toBe(now);
    expect((await ask(service, 'POST /things', { choice: 'mine', title: '' })).body).toMatchObject({
      choice: 'mine',
    });
  });

  it('the time is the same throughout a request, and later in the next', async () => {
    const service = await start(
      things(
        'id: { type: string }\na: { set: { create: "${now}" } }\nb: { set: { create: "${now}" } }\n',
        'POST /things: { does: create Thing, request: { body: Thing }, response: { status: 201, body: { at: ["${this.a}", "${this.b}", "${now}"] } } }',
      ),
      { milliseconds: () => 0 },
    );
    const times: string[] = [];
    for (const id of ['a', 'b', 'c']) {
      const { at } = (await ask(service, 'POST /things', { id })).body as { at: string[] };
      expect(new Set(at).size).toBe(1);
      times.push(at[0] as string);
    }
    expect(times).toEqual([...new Set(times)].sort());
    expect(times).toHaveLength(3);
  });

  it('that cannot be worked out refuses the request as a fault of the service, and nothing is written', async () => {
    const service = await start(
      things(
        'id: { type: string }\nsize: { type: integer }\nhalf: { set: { create: "${8 / this.size}" } }\n',
        `${add}\n${all}`,
      ),
    );
    expect(await ask(service, 'POST /things', { id: 'a', size: 0 })).toEqual(answer(500));
    expect(await ask(service, 'GET /things')).toEqual(answer(200, []));
    expect(service.faults).toHaveLength(1);
  });

  it('a default stands where nothing is given, and only on creation', async () => {
    const service = await start(
      things(
        'id: { type: string }\nsize: { type: integer, default: 3 }\ntags: { default: [a] }\n',
        `${add}\n${change}`,
      ),
    );
    expect(await ask(service, 'POST /things', { id: 'a' })).toEqual(
      answer(201, { id: 'a', size: 3, tags: ['a'] }),
    );
    expect(await ask(service, 'POST /things', { id: 'b', size: 0, tags: null })).toEqual(
      answer(201, { id: 'b', size: 0, tags: null }),
    );
    const merge = ['Content-Type: application/merge-patch+json'];
    expect(await ask(service, 'PATCH /things/a', { size: null, tags: null }, merge)).toEqual(
      answer(200, { id: 'a' }),
    );
  });
});

describe('an identifier that the client gives', () => {
  const endpoints = `${add}\n${one}\n${remove}\n${all}`;
  const listed = `
errors:
  payload: { body: { code: "\${error.code}" } }
  codes: { taken: { when: not unique Thing.id, status: 409 } }
`;

  it('of text: is that of one item, until it is deleted', async () => {
    const service = await start(things(ids, endpoints, listed));
    for (const id of ['a', 'A', '1', '', ' ', '\u00e9', 'e\u0301', 'ı', 'x'.repeat(300), '..', 'a/b'])
      expect([id, (await ask(service, 'POST /things', { id })).status]).toEqual([id, 201]);
    expect(await ask(service, 'POST /things', { id: 'a', size: 9 })).toEqual(answer(409, { code: 'taken' }));
    expect(await ask(service, 'GET /things/a')).toEqual(answer(200, { id: 'a' }));
    expect(await ask(service, 'GET /things/a%2Fb')).toEqual(answer(200, { id: 'a/b' }));
    expect(await ask(service, 'GET /things/%20')).toEqual(answer(200, { id: ' ' }));
    expect(await ask(service, 'DELETE /things/a')).toEqual(answer(204));
    expect(await ask(service, 'POST /things', { id: 'a' })).toEqual(answer(201, { id: 'a' }));
  });

  it('twice: where no row lists "not unique", the floor answers', async () => {
    const service = await start(things(ids, endpoints));
    await ask(service, 'POST /things', { id: 'a' });
    expect(await ask(service, 'POST /things', { id: 'a' })).toEqual(answer(400));
  });

  it('of whole numbers: is a number, in its one spelling', async () => {
    const service = await start(things('id: { type: integer }', endpoints));
    for (const id of [0, -5, 7, 9007199254740991])
      expect(await ask(service, 'POST /things', { id })).toEqual(answer(201, { id }));
    expect(await ask(service, 'POST /things', '{"id":7.0}')).toEqual(answer(400));
    expect(await ask(service, 'GET /things/7')).toEqual(answer(200, { id: 7 }));
    expect(await ask(service, 'GET /things/-5')).toEqual(answer(200, { id: -5 }));
    expect(await ask(service, 'GET /things/9007199254740991')).toEqual(answer(200, { id: 9007199254740991 }));
    for (const id of [
      '07',
      '7.0',
      '+7',
      '7e0',
      ' 7',
      '0x7',
      '8',
      'seven',
      '9007199254740993',
      '1e400',
      '%37%00',
    ])
      expect([id, (await ask(service, `GET /things/${id.replace(' ', '%20')}`)).status]).toEqual([
        id,
        id.includes('%00') ? 400 : 404,
      ]);
    expect(await ask(service, 'POST /things', { id: '7' })).toEqual(answer(400));
  });

  it('of which the type is open is text: a number holds the request up, for in a path it could be either', async () => {
    const service = await start(things('id: {}', endpoints));
    expect(await ask(service, 'POST /things', { id: '5' })).toEqual(answer(201, { id: '5' }));
    expect(await ask(service, 'GET /things/5')).toEqual(answer(200, { id: '5' }));
    for (const id of [5, true, null, [1], {}])
      expect(await ask(service, 'POST /things', { id })).toEqual(answer(501));
    expect(service.heldUp).toEqual(Array(5).fill(['resources.Thing.fields.id.type']));
    expect(await ask(service, 'GET /things')).toEqual(answer(200, [{ id: '5' }]));
  });

  it('of a named type is read by that type', async () => {
    const service = await start(
      things('id: Number', endpoints).replace(
        '  Thing:',
        '  Number: { identifier: (none), type: integer }\n  Thing:',
      ),
    );
    await ask(service, 'POST /things', { id: 7 });
    expect(await ask(service, 'GET /things/7')).toEqual(answer(200, { id: 7 }));
  });

  it('of several fields: is all of them together', async () => {
    const document = things(
      'shelf: { type: string }\nplace: { type: integer }\nsize: {}\n',
      `
POST /things: { does: create Thing, request: { body: Thing }, response: { status: 201, body: Thing } }
GET /shelves/{shelf}/places/{place}: { does: read Thing, response: { status: 200, body: Thing } }
PATCH /shelves/{shelf}/places/{place}: { does: update Thing, request: { body: Thing }, response: { status: 200, body: Thing } }
DELETE /{place}/{shelf}: { does: delete Thing, response: 204 }
PUT /shelves/{shelf}/places/{place}: { does: create Thing, request: { body: Thing }, response: { status: 201, body: Thing } }
`,
    ).replace('identifier: id', 'identifier: [shelf, place]');
    const service = await start(document);
    const at = '/shelves/a/places/1';
    expect(await ask(service, 'POST /things', { shelf: 'a', place: 1 })).toEqual(
      answer(201, { shelf: 'a', place: 1 }),
    );
    expect(await ask(service, 'POST /things', { shelf: 'a', place: 2 })).toEqual(
      answer(201, { shelf: 'a', place: 2 }),
    );
    expect(await ask(service, 'POST /things', { shelf: 'a', place: 1 })).toEqual(answer(400));
    expect(await ask(service, 'POST /things', { shelf: 'a' })).toEqual(answer(501));
    expect(service.heldUp).toEqual([['resources.Thing.fields.place.set.create']]);
    expect(await ask(service, `PATCH ${at}`, { size: 5 })).toEqual(
      answer(200, { shelf: 'a', place: 1, size: 5 }),
    );
    expect(await ask(service, `PATCH ${at}`, { place: 3 })).toEqual(answer(400));
    expect(await ask(service, 'GET /shelves/b/places/1')).toEqual(answer(404));
    expect(await ask(service, 'PUT /shelves/b/places/1', { size: 7 })).toEqual(
      answer(201, { shelf: 'b', place: 1, size: 7 }),
    );
    expect(await ask(service, 'PUT /shelves/b/places/2', { shelf: 'b' })).toEqual(answer(400));
    expect(await ask(service, 'DELETE /1/a')).toEqual(answer(204));
    expect(await ask(service, `GET ${at}`)).toEqual(answer(404));
    expect(await ask(service, 'GET /shelves/a/places/2')).toEqual(answer(200, { shelf: 'a', place: 2 }));
  });

  it('in the path meets the shape of its field', async () => {
    const service = await start(
      things(
        'id: { type: string, pattern: "^[a-z]+$", maxLength: 3 }',
        `PUT /things/{id}: { does: create Thing, response: { status: 201, body: Thing } }\n${one}`,
        'errors: { payload: { body: "${error.failures}" }, codes: { wrong: { when: invalid Thing.id, status: 422 } } }',
      ),
    );
    expect(await ask(service, 'PUT /things/abc')).toEqual(answer(201, { id: 'abc' }));
    expect(await ask(service, 'PUT /things/ABCD')).toEqual(
      answer(422, [
        { field: 'id', keyword: 'pattern' },
        { field: 'id', keyword: 'maxLength' },
      ]),
    );
    expect(await ask(service, 'GET /things/ABCD')).toEqual(answer(404));
  });
});

/** RFC 7396, appendix A: target, patch, result; undefined: the member is gone. */
const vectors: readonly (readonly [unknown, unknown, unknown])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, undefined],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe('an update', () => {
  const document = things('id: { type: string }\nv: {}\nw: { type: integer }\n', `${add}\n${change}\n${one}`);
  const merge = ['Content-Type: application/merge-patch+json'];

  it.each(vectors.map(([target, patch, result]) => ({ target, patch, result })))(
    'by a merge patch (RFC 7396): $patch on $target is $result',
    async ({ target, patch, result }) => {
      const service = await start(document);
      await ask(service, 'POST /things', { id: 'a', v: target });
      const expected = answer(200, result === undefined ? { id: 'a' } : { id: 'a', v: result });
      expect(await ask(service, 'PATCH /things/a', { v: patch }, merge)).toEqual(expected);
      expect(await ask(service, 'GET /things/a')).toEqual(expected);
    },
  );

  it.each(vectors.map(([target, patch]) => ({ target, patch })))(
    'by plain JSON sets what is given: $patch, whatever was there',
    async ({ target, patch }) => {
      const service = await start(document);
      await ask(service, 'POST /things', { id: 'a', v: target, w: 1 });
      const expected = answer(200, { id: 'a', v: patch, w: 1 });
      expect(await ask(service, 'PATCH /things/a', { v: patch })).toEqual(expected);
      expect(await ask(service, 'GET /things/a')).toEqual(expected);
    },
  );

  it('is judged by what it leads to: a member that is required cannot go', async () => {
    const service = await start(
      document.replace('    fields:', '    required: [w]\n    minProperties: 3\n    fields:'),
    );
    await ask(service, 'POST /things', { id: 'a', v: 1, w: 1 });
    expect(await ask(service, 'PATCH /things/a', { w: null }, merge)).toEqual(answer(400));
    expect(await ask(service, 'PATCH /things/a', { w: 'x' }, merge)).toEqual(answer(400));
    expect(await ask(service, 'PATCH /things/a', { v: null }, merge)).toEqual(answer(400));
    expect(await ask(service, 'PATCH /things/a', {})).toEqual(answer(200, { id: 'a', v: 1, w: 1 }));
    expect(await ask(service, 'GET /things/a')).toEqual(answer(200, { id: 'a', v: 1, w: 1 }));
  });

  it('is told of the shape that it does not fit, before what should hold of values that do', async () => {
    const fields = `id: { type: string }\nv: { type: string, holds: { no x: "\${value != 'x'}" } }\nw: { type: integer }`;
    const errors =
      'errors: { payload: { body: "${error.failures}" }, codes: { invalid: { when: invalid, status: 422 } } }';
    const service = await start(things(fields, `${add}\n${change}`, errors));
    await ask(service, 'POST /things', { id: 'a', v: 'y', w: 1 });
    const failing = (field: string, keyword: string) => answer(422, [{ field, keyword }]);
    for (const [way, headers] of [['POST /things'], ['PATCH /things/a', merge]] as const) {
      const id = way === 'POST /things' ? { id: 'b' } : {};
      expect(await ask(service, way, { ...id, v: 'x', w: 'x' }, headers)).toEqual(failing('w', 'type'));
      expect(await ask(service, way, { ...id, v: 'x', w: 2 }, headers)).toEqual(failing('v', 'holds'));
    }
  });

  it('whose body has further keywords is judged by them as it came', async () => {
    const service = await start(
      document.replace(
        'body: Thing, media: [application/json, application/merge-patch+json]',
        'body: { of: Thing, minProperties: 1, dependentRequired: { v: [w] } }',
      ),
    );
    await ask(service, 'POST /things', { id: 'a', w: 1 });
    expect(await ask(service, 'PATCH /things/a', {})).toEqual(answer(400));
    expect(await ask(service, 'PATCH /things/a', { v: 1 })).toEqual(answer(400));
    expect(await ask(service, 'PATCH /things/a', { v: 1, w: 2 })).toEqual(
      answer(200, { id: 'a', v: 1, w: 2 }),
    );
  });
});

describe('what is stated to be free, the service picks (language §B)', () => {
  it('a status, and a body', async () => {
    const service = await start(
      things(ids, 'GET /free: { does: (none), response: { status: (any), body: (any) } }'),
    );
    expect(await ask(service, 'GET /free')).toEqual(answer(200));
  });

  it('a message: it is a text', async () => {
    const errors =
      'errors: { payload: { body: { message: "${error.message}" } }, codes: { gone: { when: unknown Thing, status: 404, message: (any) } } }';
    expect(await ask(await start(things(ids, one, errors)), 'GET /things/a')).toEqual(
      answer(404, { message: 'unknown' }),
    );
  });

  it('what becomes of members that nobody stated', async () => {
    const service = await start(things(ids, `${add}\n${all}`).replace('others: refuse', 'others: (any)'));
    expect(await ask(service, 'POST /things?x=1', { id: 'a', other: 1 })).toEqual(answer(201, { id: 'a' }));
  });
});

describe('content that the client does not take', () => {
  const lists = 'errors: { codes: { other: { when: not acceptable, status: 406 } } }';

  it('is sent all the same where no row lists "not acceptable"', async () => {
    const service = await start(things(ids, all));
    expect(await ask(service, 'GET /things', undefined, ['Accept: text/html'])).toEqual(answer(200, []));
  });

  it('is refused where a row lists it, before anything is changed', async () => {
    const service = await start(things(ids, `${add}\n${all}\n${remove}`, lists));
    for (const accept of [
      'text/html',
      'application/json;q=0',
      'application/xml, text/*',
      'application/*;q=0.0',
      '*/*;q=0',
      'application/json;v=2',
    ])
      expect([accept, await ask(service, 'POST /things', { id: 'a' }, [`Accept: ${accept}`])]).toEqual([
        accept,
        answer(406),
      ]);
    expect(await ask(service, 'GET /things')).toEqual(answer(200, []));
    for (const accept of [
      'application/json',
      '*/*',
      'application/*',
      'text/html, */*;q=0.1',
      'APPLICATION/JSON;q=0.5',
      'text/html;q=0, application/json',
      'garbage',
      '',
    ])
      expect([accept, (await ask(service, 'GET /things', undefined, [`Accept: ${accept}`])).status]).toEqual([
        accept,
        200,
      ]);
    // Where there is no content, there is nothing not to take.
    await ask(service, 'POST /things', { id: 'a' });
    expect(await ask(service, 'DELETE /things/a', undefined, ['Accept: text/html'])).toEqual(answer(204));
  });
});

describe('an operation that only answers', () => {
  it('takes a body of a named shape, and gives it back', async () => {
    const service = await start(
      things(
        ids,
        'POST /echo: { does: (none), request: { body: Place }, response: { status: 200, body: "${request.body}" } }',
      ).replace(
        '  Thing:',
        '  Place: { identifier: (none), fields: { town: { type: string } }, required: [town] }\n  Thing:',
      ),
    );
    expect(await ask(service, 'POST /echo', { town: 'a' })).toEqual(answer(200, { town: 'a' }));
    for (const body of [{}, { town: 1 }, { town: 'a', street: 'b' }])
      expect(await ask(service, 'POST /echo', body)).toEqual(answer(400));
    expect(await ask(service, 'POST /echo', '[1]')).toEqual(answer(400));
  });

  it('takes a body of a schema of its own, of any type', async () => {
    const service = await start(
      things(
        ids,
        'POST /echo: { does: (none), request: { body: { type: [array, "null"], items: { type: integer } } }, response: { status: 200, body: "${request.body}" } }',
      ),
    );
    expect(await ask(service, 'POST /echo', '[1,2]')).toEqual(answer(200, [1, 2]));
    expect(await ask(service, 'POST /echo', 'null')).toEqual({ ...answer(200, null) });
    expect(await ask(service, 'POST /echo', '["a"]')).toEqual(answer(400));
    expect(await ask(service, 'POST /echo', '{}')).toEqual(answer(400));
  });
});
