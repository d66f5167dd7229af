import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Answer, answer, ask, request, type Served, start, todo, wire } from '../served.ts';

const cors = 'Access-Control-Allow-Origin: *';
const withoutErrors = todo.replace(/## Errors[\s\S]*?(?=## Limits)/, '');

/** The to-do list as it is written, and with part 7 open: what each answers to a condition. */
const documents = {
  'as part 7 lists': {
    text: todo,
    malformed: answer(400, { message: 'this cannot be read' }, [cors]),
    invalid: (...fields: readonly string[]) => answer(422, { message: fields.join(', ') }, [cors]),
  },
  'by the floor, where part 7 is open': {
    text: withoutErrors,
    malformed: answer(400, '', [cors]),
    invalid: () => answer(400, '', [cors]),
  },
};
const tooLarge = answer(413, '', [cors]);
const unsupported = answer(415, '', [cors]);
const nothing = answer(200, [], [cors]);

const post = (to: Served, body?: string | Uint8Array, fields: readonly string[] = []): Promise<Answer> =>
  ask(to, 'POST /', body, fields);

/** The one to-do as it is kept. */
async function kept(to: Served): Promise<unknown> {
  const { body } = await ask(to, 'GET /');
  const [{ url: _, ...members }] = body as [Record<string, unknown>];
  return members;
}

describe.each(Object.entries(documents))('a body, answered %s', (_name, { text, malformed, invalid }) => {
  const todoText = '{"title":"milk"}';

  it('of another media type, or of none, is unsupported', async () => {
    const service = await start(text);
    for (const type of [
      'text/plain',
      'application/xml',
      'text/json',
      'application/merge-patch+json',
      'application/jsonx',
      'application',
      'application/json/',
      '*/*',
      'application/json; charset=utf-16',
      'application/json; charset="utf-16"',
      'application/json;charset=latin1',
      'application/json, text/plain',
      ';',
      '',
    ])
      expect([type, await post(service, todoText, [`Content-Type: ${type}`])]).toEqual([type, unsupported]);
    const { send, answer: next } = wire(service);
    send(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${todoText.length}\r\n\r\n${todoText}`);
    expect(await next()).toEqual(unsupported);
    expect(await ask(service, 'GET /')).toEqual(nothing);
  });

  it('of the media type, in any spelling, is read', async () => {
    const service = await start(text);
    for (const type of [
      'application/json',
      'APPLICATION/Json',
      'application/json ; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json; charset=utf8; profile=x',
      'application/json;',
    ])
      expect([type, (await post(service, todoText, [`Content-Type: ${type}`])).status]).toEqual([type, 201]);
  });

  it('in another coding is unsupported, a bomb too', async () => {
    const service = await start(text);
    const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20));
    for (const coding of ['gzip', 'deflate', 'br', 'zstd', 'x', 'gzip, gzip'])
      expect(await post(service, bomb, [`Content-Encoding: ${coding}`])).toEqual(unsupported);
    expect(await ask(service, 'GET /')).toEqual(nothing);
  });

  it('past the host limit by one byte is too large, and at it is read', async () => {
    const service = await start(text, { limits: { bodyBytes: 20 } });
    const sized = (size: number): string => JSON.stringify({ title: 'x'.repeat(size - 12) });
    expect(await post(service, sized(21))).toEqual(tooLarge);
    const chunked = (body: string): string =>
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`;
    const { send, answer: next } = wire(service);
    send(chunked(sized(21)));
    expect(await next()).toEqual(tooLarge);
    expect(await ask(service, 'GET /')).toEqual(nothing);
    send(chunked(sized(20)));
    expect((await next()).status).toBe(201);
    expect((await post(service, sized(20))).status).toBe(201);
  });

  it('far past the host limit is too large, however it comes, and the connection goes on', async () => {
    const service = await start(text);
    const large = Buffer.alloc(5_000_000, 0x20);
    const { send, answer: next } = wire(service);
    send(request('POST /', [], large));
    expect(await next()).toEqual(tooLarge);
    send(
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    send(`${large.length.toString(16)}\r\n`);
    send(large);
    send('\r\n0\r\n\r\n');
    expect(await next()).toEqual(tooLarge);
    send(request('GET /'));
    expect(await next()).toEqual(nothing);
  });

  it('that is none, or not one JSON text, or no object, is malformed', async () => {
    const service = await start(text);
    for (const body of [
      '',
      'null',
      '[]',
      '5',
      '"title"',
      'true',
      '{}{}',
      '{"title":"a"},',
      '{"title":"a",}',
      '{"title":"a" /* b */}',
      '// a\n{"title":"a"}',
      '{"title":NaN}',
      '\ufeff{"title":"a"}',
      '{title:"a"}',
      "{'title':'a'}",
      'title=a',
      '{"title":"a"',
    ])
      expect([body, await post(service, body)]).toEqual([body, malformed]);
    expect(await post(service)).toEqual(malformed);
    expect(await ask(service, 'GET /')).toEqual(nothing);
  });

  it('nested too deep, or of too many parts, is too large for the host, and is not parsed', async () => {
    const service = await start(text);
    const nested = (depth: number): string => `{"title":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(await post(service, nested(100_000))).toEqual(tooLarge);
    expect(await post(service, nested(32))).toEqual(tooLarge);
    expect(await post(service, nested(31))).toEqual(invalid('title'));
    expect(await post(service, `{"title":[${'[],'.repeat(350_000).slice(0, 1_000_000)}1]}`)).toEqual(
      tooLarge,
    );
    expect(await ask(service, 'GET /')).toEqual(nothing);
  });

  it('with a member twice is malformed, in any spelling', async () => {
    const service = await start(text);
    for (const body of [
      '{"title":"a","title":"b"}',
      '{"title":"a","\\u0074itle":"b"}',
      '{"title":"a","order":{"b":1,"b":2}}',
    ])
      expect(await post(service, body)).toEqual(malformed);
  });

  it('with names that objects have is refused for them as for others, and changes no prototype', async () => {
    const service = await start(text);
    for (const name of ['__proto__', '\\u005f_proto__', 'constructor', 'toString', 'prototype'])
      expect([name, await post(service, `{"title":"a","${name}":{"polluted":true}}`)]).toEqual([
        name,
        invalid(name.replace('\\u005f', '_')),
      ]);
    expect(await post(service, '{"__proto__":{"title":"a"}}')).toEqual(invalid('title', '__proto__'));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(await ask(service, 'GET /')).toEqual(nothing);
  });

  it('with a number that would be rounded is malformed', async () => {
    const service = await start(text);
    for (const number of ['9007199254740993', '1e400', '1e-400', '-9007199254740993.0'])
      expect([number, await post(service, `{"title":"a","order":${number}}`)]).toEqual([number, malformed]);
  });

  it('with a whole number, however it is spelled, is an integer; with another it is not', async () => {
    for (const [written, value] of [
      ['5.0', 5],
      ['5e0', 5],
      ['500e-2', 5],
      ['-0', 0],
      ['9007199254740991', 9007199254740991],
      ['1e21', 1e21],
    ] as const) {
      const service = await start(text);
      expect((await post(service, `{"title":"a","order":${written}}`)).status).toBe(201);
      expect(await kept(service)).toEqual({ title: 'a', completed: false, order: value });
    }
    const service = await start(text);
    for (const other of ['5.5', '0.1', '1e-7'])
      expect(await post(service, `{"title":"a","order":${other}}`)).toEqual(invalid('order'));
  });

  it('with half of a surrogate pair, U+0000 or bytes that are no UTF-8 is malformed', async () => {
    const service = await start(text);
    for (const body of [
      '{"title":"\\ud800"}',
      '{"title":"\\udc00\\ud800"}',
      '{"title":"\\u0000"}',
      '{"title":"a\u0000"}',
    ])
      expect(await post(service, body)).toEqual(malformed);
    for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]])
      expect(
        await post(
          service,
          Buffer.concat([Buffer.from('{"title":"'), Buffer.from(bytes), Buffer.from('"}')]),
        ),
      ).toEqual(malformed);
    expect(await ask(service, 'GET /')).toEqual(nothing);
  });

  it('with a value of another type is invalid: nothing is turned into what it is not', async () => {
    const service = await start(text);
    for (const [members, ...fields] of [
      [{ title: 5 }, 'title'],
      [{ title: null }, 'title'],
      [{ title: ['a'] }, 'title'],
      [{ title: 'a', completed: 'true' }, 'completed'],
      [{ title: 'a', completed: 1 }, 'completed'],
      [{ title: 'a', completed: null }, 'completed'],
      [{ title: 'a', order: '5' }, 'order'],
      [{ title: 'a', order: true }, 'order'],
      [{ title: 'a', order: [5] }, 'order'],
      [{ title: '', completed: 0, order: 'x' }, 'title', 'completed', 'order'],
      [{}, 'title'],
    ] as const)
      expect([members, await ask(service, 'POST /', members)]).toEqual([members, invalid(...fields)]);
    expect(await ask(service, 'GET /')).toEqual(nothing);
  });

  it('with members that nobody stated, or that the service sets, is invalid, and they are named', async () => {
    const service = await start(text);
    for (const name of ['id', 'url', 'state', 'owner', 'Title', 'title ', ''])
      expect([name, await ask(service, 'POST /', { title: 'a', [name]: 'x' })]).toEqual([
        name,
        invalid(name),
      ]);
    expect(await ask(service, 'GET /')).toEqual(nothing);
  });

  it('is kept and given back byte for byte, whatever its texts say', async () => {
    for (const title of [
      "'; DROP TABLE _todo; --",
      '" OR ""="',
      '{"$gt":""}',
      '${7*7}',
      '$${now}',
      '{{7*7}}',
      '<script>alert(1)</script>',
      '$(id) `id` | id',
      '%00 %s %n ../../etc/passwd',
      'a\r\nSet-Cookie: b=c',
      '\u00e9 and e\u0301',
      'ıİiI',
      'a\u200bb\u2060c',
      '\u202egnp.exe',
      'раураl',
      '\u007f\u0080\u2028\u2029\ufeff\uffff',
      '😀 👩‍👩‍👧‍👦 𠜎',
      ' a ',
      '\t\n\r\b\f',
      '__proto__',
    ]) {
      const service = await start(text);
      expect((await ask(service, 'POST /', { title })).status).toBe(201);
      expect(await kept(service)).toEqual({ title, completed: false });
    }
  });

  it('counts the length of a text in code points, and holds its forms apart', async () => {
    const service = await start(text.replace('minLength: 1', 'maxLength: 1'));
    for (const title of ['😀', '\u00e9']) expect((await ask(service, 'POST /', { title })).status).toBe(201);
    expect(await ask(service, 'POST /', { title: 'e\u0301' })).toEqual(invalid('title'));
  });

  it('with a time is invalid where there is no such time', async () => {
    const service = await start(text.replace('minLength: 1', 'format: date-time'));
    for (const title of [
      '2023-02-29T00:00:00Z',
      '2024-02-30T00:00:00Z',
      '2023-13-01T00:00:00Z',
      '2023-01-01T24:00:00Z',
      '2023-01-01T00:00:60Z',
      '10000-01-01T00:00:00Z',
      '2023-01-01T00:00:00',
      '2023-01-01',
      '2023-01-01 00:00:00Z',
      '2023-01-01T00:00Z',
      'now',
    ])
      expect([title, await ask(service, 'POST /', { title })]).toEqual([title, invalid('title')]);
    for (const title of [
      '2024-02-29T00:00:00Z',
      '2016-12-31T23:59:60Z',
      '2023-01-01T00:00:00.123456789+05:30',
    ]) {
      const one = await start(text.replace('minLength: 1', 'format: date-time'));
      expect((await ask(one, 'POST /', { title })).status).toBe(201);
      expect(await kept(one)).toEqual({ title, completed: false });
    }
  });

  it('is not looked at where none is stated', async () => {
    const service = await start(text);
    for (const line of ['GET /', 'DELETE /'])
      expect((await ask(service, line, 'not JSON', ['Content-Type: text/plain'])).status).toBeLessThan(300);
  });

  it('is judged after its media type and before what it is about', async () => {
    const service = await start(text);
    const unknown =
      text === todo ? answer(404, { message: 'there is no such to-do' }, [cors]) : answer(404, '', [cors]);
    const at = 'PATCH /0a1b2c3d-0000-4000-8000-000000000001';
    expect(await ask(service, at, '{', ['Content-Type: text/plain'])).toEqual(unsupported);
    expect(await ask(service, at, '{')).toEqual(malformed);
    expect(await ask(service, at, '{"title":5}')).toEqual(unknown);
    expect(await ask(service, at, '{"title":"a"}')).toEqual(unknown);
  });
});

describe('an identifier in the path', () => {
  const hostile = [
    '..%2F1',
    '1%3Fx=1',
    '1%2F1',
    '%7B%7D',
    '1%2500',
    '%20',
    '*',
    'null',
    'undefined',
    '__proto__',
    'constructor',
    "'%20OR%20''='",
    '%',
    '%00',
    '0a1b2c3d-0000-4000-8000-000000000001%0A',
    'x'.repeat(10_000),
    '%F0%9F%98%80',
    '-1',
    '1e3',
    'NaN',
  ];

  it('in no form that it could have names no item, and never is a fault', async () => {
    const service = await start(todo);
    await ask(service, 'POST /', { title: 'milk' });
    for (const id of hostile)
      for (const [line, body] of [
        [`GET /${id}`, undefined],
        [`PATCH /${id}`, { title: 'b' }],
        [`DELETE /${id}`, undefined],
      ] as const) {
        const found = await ask(service, line, body);
        const broken = id === '%' || id === '%00';
        expect([line.slice(0, 60), found]).toEqual([
          line.slice(0, 60),
          broken
            ? answer(400, { message: 'this cannot be read' })
            : answer(404, { message: 'there is no such to-do' }, [cors]),
        ]);
      }
    expect(await kept(service)).toEqual({ title: 'milk', completed: false });
    expect([service.faults, service.heldUp]).toEqual([[], []]);
  });
});

describe('a body with a shape of its own', () => {
  it('brings the resource only what is a field of it', async () => {
    const service = await start(`
name: Things
resources:
  Thing:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" }, readable: false }
      name: { type: string }
endpoints:
  POST /things:
    does: create Thing
    request: { body: { fields: { name: { type: string }, extra: { type: string } } }, others: refuse }
    response: { status: 201, body: Thing }
`);
    expect(await ask(service, 'POST /things', { name: 'a', extra: 'b' })).toEqual(answer(201, { name: 'a' }));
  });
});
