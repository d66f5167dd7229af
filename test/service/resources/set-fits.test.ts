import { describe, expect, it } from 'vitest';
import { read } from '../../../src/specification/read.ts';
import { client, documentOf } from './kept.ts';

describe('what the service sets', () => {
  const article = `
Article:
  identifier: slug
  fields:
    slug: { type: string, pattern: "^[a-z]+$", set: { create: "\${slug(this.title)}" } }
    title: { type: string }
    size: { type: integer, maximum: 4, set: { create: "\${size(this.title)}", update: "\${size(this.title)}" } }
  required: [title]`;
  const text = documentOf(article, ['Article']).replaceAll('{id}', '{slug}');

  it('on creation fits the keywords of its field', async () => {
    const { call } = await client(text);
    expect(await call('POST /Article', { title: '???' })).toEqual([
      422,
      { code: 'invalid', of: ['slug pattern'] },
    ]);
    expect(await call('POST /Article', { title: 'abcde' })).toEqual([
      422,
      { code: 'invalid', of: ['size maximum'] },
    ]);
    expect(await call('GET /Article')).toEqual([200, []]);
  });

  it('at a change fits them too, and the item stays as it was', async () => {
    const { call } = await client(text);
    const made = { slug: 'abcd', title: 'abcd', size: 4 };
    expect(await call('POST /Article', { title: 'abcd' })).toEqual([201, made]);
    expect(await call('PATCH /Article/abcd', { title: 'abcde' })).toEqual([
      422,
      { code: 'invalid', of: ['size maximum'] },
    ]);
    expect(await call('GET /Article/abcd')).toEqual([200, made]);
  });
});

describe('what is stored', () => {
  const resources = `
Note:
  identifier: id
  fields:
    id: { type: string }
    title: { type: string, minLength: 1 }
    state: { type: string }
    first: { type: string, set: { create: "\${'off'}" } }
    later: { type: integer, minimum: 1, writable: false }
  required: [title]
Copy:
  identifier: id
  fields: { id: { type: string }, title: { type: string, minLength: 1 } }
  required: [title]`;
  const text = documentOf(
    resources,
    ['Note', 'Copy'],
    `
POST /copies/{id}:
  operation: copy
  does: (none)
  also: { create: Copy, with: { id: "\${request.path.id}", title: "\${request.query.title == null ? absent() : request.query.title}" } }
  request: { path: { id: { type: string } }, query: { title: { type: string } } }
  response: 204
POST /notes/{id}/start: { operation: start, does: start Note, request: { query: { by: { type: integer } } }, response: 204 }`,
  ).replace(
    'states: (none)',
    `states:
  Note.state:
    states: [on, off]
    initial: "\${lower(this.id)}"
    transitions: { start: { from: off, to: on, set: { later: "\${size(this.title) - 2}" } } }`,
  );

  it('begins in a state of its machine', async () => {
    const { call } = await client(text);
    expect(await call('POST /Note', { id: 'x', title: 'a' })).toEqual([
      422,
      { code: 'invalid', of: ['state enum'] },
    ]);
    expect((await call('POST /Note', { id: 'Off', title: 'a' }))[0]).toBe(201);
  });

  it('fits what a transition sets', async () => {
    const { call } = await client(text);
    await call('POST /Note', { id: 'off', title: 'no' });
    expect(await call('POST /notes/off/start')).toEqual([422, { code: 'invalid', of: ['later minimum'] }]);
    await call('POST /Note', { id: 'OFF', title: 'yes' });
    expect((await call('POST /notes/OFF/start'))[0]).toBe(204);
  });

  it('has what is required, also where a change that follows makes it', async () => {
    const { call } = await client(text);
    expect(await call('POST /copies/a')).toEqual([422, { code: 'invalid', of: ['title required'] }]);
    expect(await call('POST /copies/a?title=')).toEqual([422, { code: 'invalid', of: ['title minLength'] }]);
    expect((await call('POST /copies/a?title=b'))[0]).toBe(204);
    expect(await call('GET /Copy')).toEqual([200, [{ id: 'a', title: 'b' }]]);
  });
});

describe('unique(text)', () => {
  const resources = (unique: string) => `
Page:
  identifier: id
  fields:
    id: { type: string }
    title: { type: string }
    slug: { type: string, ${unique}set: { create: "\${unique(slug(this.title))}", update: "\${unique(slug(this.title))}" } }
  required: [title]`;

  it.each(['unique: true, ', 'unique: caseless, ', 'unique: ever, ', ''])(
    'at a change does not count the value of the item itself (%s)',
    async (unique) => {
      const { call } = await client(documentOf(resources(unique), ['Page']));
      await call('POST /Page', { id: 'a', title: 'One' });
      await call('POST /Page', { id: 'b', title: 'Two' });
      const changed = await call('PATCH /Page/a', { title: 'one' });
      expect(changed).toEqual([200, { id: 'a', title: 'one', slug: 'one' }]);
      const [status, body] = await call('PATCH /Page/a', { title: 'Two' });
      expect(status).toBe(200);
      expect((body as { slug: string }).slug).toMatch(/^two-[a-z0-9]{4,}$/);
    },
  );
});

describe('a literal that its field cannot hold', () => {
  const documented = (create: string, set: string, given: string): string => `
tacet: 1
resources:
  Note:
    identifier: id
    fields:
      id: { type: string }
      title: { type: string, minLength: 2, set: { create: ${create} } }
      size: { type: integer, maximum: 4, writable: false }
      state: { type: string }
states:
  Note.state:
    states: [a, b]
    transitions: { go: { from: a, to: b, set: { size: ${set} } } }
endpoints:
  POST /notes: { does: { create: Note, with: { size: ${given} } }, response: 204 }
`;

  it('is told when the document is read', () => {
    const messages = (text: string) =>
      read('service.yaml', text).diagnostics.map(({ code, message }) => [code, message]);
    expect(messages(documented('ab', '4', '"${4}"'))).toEqual([]);
    const wrong = (key: string, keyword: string, of: string, found: string) => [
      'bad-keyword',
      `${key} takes a value that ${keyword} of ${of} admits, and this is ${found}`,
    ];
    expect(messages(documented('a', '5', '"${6}"'))).toEqual([
      wrong('set', 'minLength', 'title', 'a'),
      wrong('set', 'maximum', 'size', '5'),
      wrong('with', 'maximum', 'size', '${6}'),
    ]);
  });
});
