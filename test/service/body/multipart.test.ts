import { describe, expect, it } from 'vitest';
import { readFormParts } from '../../../src/service/body/multipart.ts';
import { type Answer, answer, ask, type Served, start } from '../served.ts';

const text = (request = '', others = 'refuse'): string => `
name: Albums
resources:
  Picture:
    identifier: id
    fields:
      id: { type: string, set: { create: "p1" } }
      title: { type: string, minLength: 1 }
      size: { type: integer }
      tags: { type: array, items: { type: string } }
      where: { type: object, fields: { town: { type: string }, zip: { type: integer } }, required: [town] }
      image: { type: string, contentEncoding: base64, contentMediaType: image/png }
      thumbs: { type: array, items: { type: string, contentEncoding: base64url } }
    required: [title]
endpoints:
  others: ${others}
  POST /pictures:
    does: create Picture
    request: { body: Picture, media: [multipart/form-data, application/json] ${request} }
    response: { status: 201, body: Picture }
errors:
  payload: { body: "\${error.failures}" }
  codes: { broken: { when: malformed, status: 400 }, media: { when: unsupported media, status: 415 }, wrong: { when: invalid, status: 422 } }
`;

/** What browsers and Node send for a form. */
async function sent(form: FormData): Promise<{ readonly type: string; readonly bytes: Buffer }> {
  const request = new Request('http://localhost', { method: 'POST', body: form });
  return {
    type: request.headers.get('content-type') ?? '',
    bytes: Buffer.from(await request.arrayBuffer()),
  };
}

async function post(service: Served, form: FormData): Promise<Answer> {
  const { type, bytes } = await sent(form);
  return await ask(service, 'POST /pictures', bytes, [`Content-Type: ${type}`]);
}

function formOf(fields: Readonly<Record<string, string | Blob | readonly (string | Blob)[]>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) form.append(name, one as string);
  return form;
}

const raw = async (body: string, type = 'multipart/form-data; boundary=b'): Promise<Answer> =>
  await ask(await start(text()), 'POST /pictures', body, [`Content-Type: ${type}`]);
const part = (fields: string, content: string): string => `--b\r\n${fields}\r\n\r\n${content}\r\n`;
const title = part('Content-Disposition: form-data; name="title"', 'a');

describe('a form in parts (RFC 7578)', () => {
  it('is an object whose values are of the types of the shape, a list being given once for each element', async () => {
    const service = await start(text());
    const made = await post(service, formOf({ title: 'Ä "a"\r\nb', size: '12', tags: ['x', 'y'] }));
    expect([made.status, made.body]).toEqual([
      201,
      { id: 'p1', title: 'Ä "a"\r\nb', size: 12, tags: ['x', 'y'] },
    ]);
  });

  it('has files as texts in the coding that their field states, byte for byte', async () => {
    const service = await start(text());
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const parts = ['\r\n', '--', '\r\n--b', ''].map((one) => Buffer.from(one));
    const made = await post(
      service,
      formOf({
        title: new Blob(['in a file'], { type: 'text/plain' }),
        image: new Blob([bytes], { type: 'image/png' }),
        thumbs: parts.map((one) => new Blob([one])),
      }),
    );
    expect(made.body).toEqual({
      id: 'p1',
      title: 'in a file',
      image: Buffer.from(bytes).toString('base64'),
      thumbs: parts.map((one) => one.toString('base64url')),
    });
  });

  it('is nested by brackets where that is stated', async () => {
    const service = await start(text(', nesting: brackets'));
    const made = await post(
      service,
      formOf({ title: 'a', 'where[town]': 't', 'where[zip]': '7', 'tags[]': 'x' }),
    );
    expect(made.body).toEqual({ id: 'p1', title: 'a', tags: ['x'], where: { town: 't', zip: 7 } });
  });

  it('is held against the shape', async () => {
    const service = await start(text());
    const failures = async (fields: Parameters<typeof formOf>[0]): Promise<unknown> => {
      const { status, body } = await post(service, formOf(fields));
      return [
        status,
        (body as { field: string; keyword: string }[]).map((one) => `${one.field} ${one.keyword}`),
      ];
    };
    expect(await failures({ title: '', size: 'many' })).toEqual([422, ['title minLength', 'size type']]);
    expect(await failures({ size: '1' })).toEqual([422, ['title required']]);
    expect(await failures({ title: 'a', other: 'x' })).toEqual([422, ['other others']]);
    expect(await post(service, formOf({ title: ['a', 'b'] }))).toEqual(answer(400, []));
    expect(await post(service, formOf({ title: new Blob([Buffer.from([0xff])]) }))).toEqual(answer(400, []));
    expect(await post(service, formOf({ title: 'a\u0000' }))).toEqual(answer(400, []));
  });

  it.each([
    ['with text before the first boundary and after the last', `before\r\n${title}--b--\r\nafter`],
    ['with nothing after the last boundary', `${title}--b--`],
    ['with white space after boundaries', `${title.replace('--b', '--b \t')}--b--  \r\n`],
    ['with an empty content', `${title}${part('Content-Disposition: form-data; name="note"', '')}--b--`],
    ['with a name that is no quoted text', `${title.replace('"title"', 'title')}--b--`],
    ['with further fields', `${title.replace('form-data', 'form-data; x=y')}--b--`],
    [
      'whose charset is said to be UTF-8',
      `${part('Content-Disposition: form-data; name="title"\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit', 'a')}--b--`,
    ],
  ])('is taken %s', async (_, body) => {
    const found = readFormParts(Buffer.from(body), 'multipart/form-data; boundary="b"');
    expect(found?.[0]?.name).toBe('title');
    expect(found?.[0]?.content.toString()).toBe('a');
  });

  it.each([
    ['without an end', title],
    ['cut short', `${title}--b`],
    ['without a part', '--c--'],
    ['in which a part has no fields', '--b\r\n\r\na\r\n--b--'],
    ['in which a part has no name', `${part('Content-Disposition: form-data', 'a')}--b--`],
    ['in which a part is no form data', `${part('Content-Disposition: attachment; name="title"', 'a')}--b--`],
    ['in which a part says nothing of what it is', `${part('Content-Type: text/plain', 'a')}--b--`],
    [
      'with a field twice',
      `${part('Content-Disposition: form-data; name="a"\r\ncontent-disposition: form-data; name="b"', 'a')}--b--`,
    ],
    [
      'with a field that is none',
      `${part('Content-Disposition: form-data; name="a"\r\nno field', 'a')}--b--`,
    ],
    [
      'in another transfer coding',
      `${part('Content-Disposition: form-data; name="title"\r\nContent-Transfer-Encoding: base64', 'YQ==')}--b--`,
    ],
    [
      'in another charset',
      `${part('Content-Disposition: form-data; name="title"\r\nContent-Type: text/plain; charset=latin1', 'a')}--b--`,
    ],
    ['with more in the line of a boundary', `${title.replace('--b', '--b x')}--b--`],
  ])('is malformed %s', async (_, body) => {
    expect(await raw(body)).toEqual(answer(400, []));
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary="b "'])(
    'is malformed without a boundary: %s',
    async (type) => {
      expect(await raw(`${title}--b--`, type)).toEqual(answer(400, []));
    },
  );

  it('is no other content in parts', async () => {
    expect(await raw(`${title}--b--`, 'multipart/mixed; boundary=b')).toEqual(answer(415, []));
  });
});
