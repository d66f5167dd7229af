import { describe, expect, it } from 'vitest';
import { type Answer, answer, ask, start } from '../served.ts';

/** One operation with one parameter, which answers what that came to. */
async function given(
  place: 'path' | 'query' | 'headers',
  parameter: string,
  written: readonly string[],
): Promise<unknown[]> {
  const path = place === 'path' ? '/v1/{color}/end' : '/end';
  const service = await start(`
name: Echo
endpoints:
  base: /base
  GET ${path}:
    does: (none)
    request: { others: refuse, ${place}: { color: { ${parameter} } } }
    response: { status: 200, body: "\${request.${place}}" }
errors:
  payload: { body: "\${error.failures}" }
  codes: { wrong: { when: invalid, status: 422 } }
`);
  const line = (text: string): string =>
    place === 'path' ? `GET /base/v1/${text}/end` : `GET /base/end${place === 'query' ? `?${text}` : ''}`;
  const found = await Promise.all(
    written.map((text) => ask(service, line(text), undefined, place === 'headers' ? [`color: ${text}`] : [])),
  );
  return found.map(came);
}

function came({ status, body }: Answer): unknown {
  if (status === 200) return (body as { color?: unknown }).color;
  return status === 422 ? (body as { keyword: string }[]).map((one) => one.keyword) : status;
}

const list = 'type: array, items: { type: integer }';
const texts = 'type: array';
const object = 'type: object, properties: { R: { type: integer }, G: { type: integer } }';

describe('a parameter of the path (OpenAPI 3.2, style values)', () => {
  it.each([
    ['type: integer', '5', 5],
    [list, '3,4,5', [3, 4, 5]],
    [`${list}, explode: true`, '3,4', [3, 4]],
    [texts, 'a%2Cb,c', ['a,b', 'c']],
    [texts, 'a+b', ['a+b']],
    [object, 'R,100,G,200', { R: 100, G: 200 }],
    [`${object}, explode: true`, 'R=100,G=200', { R: 100, G: 200 }],
    [object, 'R,100,G', 400],
    [object, 'R,1,R,2', 400],
    [`${object}, explode: true`, 'R=100,G', 400],
    ['type: integer, style: label', '.5', 5],
    ['style: label', '.a%2Eb', 'a.b'],
    [`${list}, style: label`, '.3,4,5', [3, 4, 5]],
    [`${list}, style: label, explode: true`, '.3.4.5', [3, 4, 5]],
    [`${object}, style: label`, '.R,100,G,200', { R: 100, G: 200 }],
    [`${object}, style: label, explode: true`, '.R=100.G=200', { R: 100, G: 200 }],
    ['type: integer, style: label', '5', 400],
    ['type: integer, style: matrix', ';color=5', 5],
    ['style: matrix', ';color', ''],
    ['style: matrix', ';color=a=b', 'a=b'],
    ['style: matrix', ';c%6Flor=a%3Bb', 'a;b'],
    [`${list}, style: matrix`, ';color=3,4,5', [3, 4, 5]],
    [`${list}, style: matrix, explode: true`, ';color=3;color=4', [3, 4]],
    [`${object}, style: matrix`, ';color=R,100,G,200', { R: 100, G: 200 }],
    [`${object}, style: matrix, explode: true`, ';R=100;G=200', { R: 100, G: 200 }],
    ['style: matrix', 'color=5', 400],
    ['style: matrix', ';colour=5', 400],
    ['style: matrix', ';color=5;color=6', 400],
    [`${list}, style: matrix, explode: true`, ';color=3;c=4', 400],
    [`${list}, style: label`, '.3,x', ['type']],
  ])('%s: %s', async (parameter, written, expected) => {
    expect(await given('path', parameter, [written])).toEqual([expected]);
  });
});

describe('a parameter of the query', () => {
  it.each([
    [list, 'color=3&color=4', [3, 4]],
    [`${list}, explode: false`, 'color=3,4,5', [3, 4, 5]],
    [`${texts}, explode: false`, 'color=a%2Cb,c+d', ['a,b', 'c d']],
    [`${list}, explode: false`, 'color=3&color=4', ['twice']],
    [`${list}, style: spaceDelimited`, 'color=3%204+5', [3, 4, 5]],
    [`${list}, style: pipeDelimited`, 'color=3%7C4|5', [3, 4, 5]],
    [`${object}, explode: false`, 'color=R,100,G,200', { R: 100, G: 200 }],
    [`${object}, style: spaceDelimited`, 'color=R%20100%20G%20200', { R: 100, G: 200 }],
    [`${object}, style: pipeDelimited`, 'color=R|100|G|200', { R: 100, G: 200 }],
    [`${object}, style: pipeDelimited`, 'color=R|100|G', 400],
    [object, 'G=200&R=100', { R: 100, G: 200 }],
    [object, 'R=100', { R: 100 }],
    [object, 'R=1&R=2', ['twice']],
    [object, 'color=1', ['others']],
    [`${object}, required: true`, '', ['required']],
    [`${object}, style: deepObject`, 'color[R]=100&color%5BG%5D=200', { R: 100, G: 200 }],
    [
      'type: object, properties: { R: { type: array } }, style: deepObject',
      'color[R]=1&color[R]=2',
      { R: ['1', '2'] },
    ],
    [`${object}, style: deepObject`, 'color[R]=1&color[R]=2', ['twice']],
    [`${object}, style: deepObject`, 'color[R=1', 400],
    [`${object}, style: deepObject`, 'color[R][x]=1', 400],
    [`${object}, style: deepObject`, 'color[R]=x', ['type']],
    [`${object}, style: deepObject`, 'color=1', ['others']],
  ])('%s: %s', async (parameter, written, expected) => {
    expect(await given('query', parameter, [written])).toEqual([expected]);
  });
});

describe('a header field', () => {
  it.each([
    [list, '3, 4 ,5', [3, 4, 5]],
    [object, 'R,100,G,200', { R: 100, G: 200 }],
    [`${object}, explode: true`, 'R=100, G=200', { R: 100, G: 200 }],
    [object, 'R', 400],
    [texts, 'a%2Cb', ['a%2Cb']],
  ])('%s: %s', async (parameter, written, expected) => {
    expect(await given('headers', parameter, [written])).toEqual([expected]);
  });
});

describe('a parameter that is a JSON text', () => {
  const json = (type: string): string => `${type}, style: json`;
  const encoded = encodeURIComponent;

  it.each([
    ['type: integer', '5', 5],
    ['type: string', '"a, b"', 'a, b'],
    ['maxLength: 5', '"é"', 'é'],
    ['type: [string, "null"]', 'null', null],
    [list, '[3, 4]', [3, 4]],
    [object, '{"R":100,"G":200}', { R: 100, G: 200 }],
    [object, '{"R":"x"}', ['type']],
    ['type: integer', '"5"', ['type']],
    ['type: string', 'a', 400],
    [object, '{"R":1', 400],
    [object, '{"R":1,"R":2}', 400],
    ['type: number', '9007199254740993', 400],
    [list, `${'['.repeat(40)}${']'.repeat(40)}`, 400],
    [list, '', 400],
  ])('%s: %s', async (type, text, expected) => {
    expect(await given('query', json(type), [`color=${encoded(text)}`])).toEqual([expected]);
    if (text !== '') expect(await given('path', json(type), [encoded(text)])).toEqual([expected]);
    expect(await given('headers', json(type), [text])).toEqual([expected]);
  });

  it('is given once', async () => {
    expect(await given('query', json(list), ['color=[1]&color=[2]', ''])).toEqual([['twice'], undefined]);
    expect(await given('query', json(object), ['R=1'])).toEqual([['others']]);
  });

  it('is read by expressions', async () => {
    const service = await start(`
name: People
resources:
  Person: { identifier: id, fields: { id: { type: string }, name: { type: string }, age: { type: integer } } }
endpoints:
  others: refuse
  POST /people: { does: create Person, request: { body: Person }, response: 201 }
  GET /people:
    does: list Person
    request:
      query:
        like:
          style: json
          type: object
          fields: { name: { type: string }, over: { type: integer } }
          filter: "\${this.name == request.query.like.name && this.age > request.query.like.over}"
    response: { status: 200, body: "\${page.items.map(p, p.id)}" }
`);
    for (const [id, age] of [
      ['a', 30],
      ['b', 40],
    ])
      await ask(service, 'POST /people', { id, name: 'Ann', age });
    const line = `GET /people?like=${encoded('{"name":"Ann","over":35}')}`;
    expect(await ask(service, line)).toEqual(answer(200, ['b']));
    expect((await ask(service, `GET /people?like=${encoded('{"name":5}')}`)).status).toBe(400);
  });
});

describe('members of an object named as objects have them', () => {
  it('are members as any others', async () => {
    expect(
      JSON.stringify(
        await given('query', 'type: object, style: deepObject', ['color[__proto__]=1&color[toString]=2']),
      ),
    ).toBe('[{"__proto__":"1","toString":"2"}]');
    expect(await given('query', 'type: object, explode: false', ['color=toString,1'])).toEqual([
      { toString: '1' },
    ]);
  });
});

describe('a value that is taken in (language §2.2, `taken`)', () => {
  const service = (request: string) =>
    start(`
name: Echo
endpoints:
  GET /{id}:
    does: (none)
    request: { others: refuse, ${request} }
    response: { status: 200, body: { path: "\${request.path}", query: "\${request.query}", key: "\${request.headers['x-key']}" } }
errors:
  payload: { body: "\${error.failures}" }
  codes: { wrong: { when: invalid, status: 422 } }
`);

  it('is what the request has, wherever it comes from', async () => {
    const one = await service(
      'path: { id: { taken: "${lower(value)}" } }, query: { n: { type: integer, taken: "${value * 2}", default: 4 }, m: { taken: "${value + request.path.id}" } }, headers: { x-key: { type: array, taken: "${value.size()}" } }',
    );
    expect(await ask(one, 'GET /ABC?n=3&m=z', undefined, ['X-Key: a, b'])).toEqual(
      answer(200, { path: { id: 'abc' }, query: { n: 6, m: 'zABC' }, key: 2 }),
    );
    expect((await ask(one, 'GET /a')).body).toEqual({ path: { id: 'a' }, query: { n: 8 } });
  });

  it('is held against its shape as it is given', async () => {
    const one = await service(
      'headers: { X-Key: {} }, query: { q: { maxLength: 3, taken: "${value + value}" } }',
    );
    expect((await ask(one, 'GET /a?q=abc')).body).toEqual({ path: { id: 'a' }, query: { q: 'abcabc' } });
    expect(await ask(one, 'GET /a?q=abcd')).toEqual(answer(422, [{ field: 'q', keyword: 'maxLength' }]));
  });
});
