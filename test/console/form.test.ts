import { describe, expect, it } from 'vitest';
import { exampleOf, filledBy, membersOf, nothing, sentBy } from '../../src/console/page/form.ts';
import { snippets } from '../../src/console/page/snippets.ts';

const entry = { method: 'PATCH', path: '/lists/{list}/notes/{id}' };
const schema = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string', maxLength: 5 },
    rank: { type: ['integer', 'null'], minimum: 1 },
    kind: { enum: ['memo', 2] },
    done: { type: 'boolean' },
    tags: { type: 'array' },
  },
};
const detail = (body: unknown) => ({ entry, body }) as never;
const json = detail({ media: 'application/json', schema });

describe('the form of an operation', () => {
  it('asks for the members of a body, each by its type', () => {
    expect(membersOf({ media: null, schema })).toEqual([
      { name: 'text', isRequired: true, kind: 'text', choices: [], says: 'string, at most 5' },
      { name: 'rank', isRequired: false, kind: 'number', choices: [], says: 'integer, from 1' },
      { name: 'kind', isRequired: false, kind: 'choice', choices: ['memo', '2'], says: '' },
      { name: 'done', isRequired: false, kind: 'choice', choices: ['true', 'false'], says: '' },
      { name: 'tags', isRequired: false, kind: 'json', choices: [], says: 'array' },
    ]);
    expect(membersOf({ media: null, schema: true })).toBeNull();
    expect(membersOf(null)).toBeNull();
  });

  it('sends what was typed, and leaves out what was not', () => {
    const filled = {
      ...nothing,
      path: { list: 'a/b', id: '7' },
      query: { deep: 'yes & no', shallow: '' },
      header: { 'If-Match': '"1"', Accept: '' },
      members: { text: '7', rank: '7', kind: '2', done: 'false', tags: '["a"]' },
    };
    expect({ ...sentBy(json, filled), body: JSON.parse(sentBy(json, filled).body) }).toEqual({
      method: 'PATCH',
      target: '/lists/a%2Fb/notes/7?deep=yes+%26+no',
      headers: { 'If-Match': '"1"', 'Content-Type': 'application/json' },
      body: { text: '7', rank: 7, kind: 2, done: false, tags: ['a'] },
    });
  });

  it('lets a wrong value be sent, too', () => {
    expect(JSON.parse(sentBy(json, { ...nothing, members: { rank: 'many' } }).body)).toEqual({
      rank: 'many',
    });
  });

  it('sends a form as a form, a text as it was typed, and nothing where nothing is taken', () => {
    const form = detail({ media: 'application/x-www-form-urlencoded', schema });
    expect(sentBy(form, { ...nothing, members: { text: 'a b', rank: '1' } }).body).toBe('text=a+b&rank=1');
    expect(sentBy(json, { ...nothing, text: '{' }).body).toBe('{');
    expect(sentBy(detail(null), nothing)).toEqual({
      method: 'PATCH',
      target: '/lists//notes/',
      headers: {},
      body: '',
    });
  });

  it('is filled with an example', () => {
    const example = { name: 'a', path: { id: 7 }, query: {}, header: {}, body: '{}', hasExpressions: false };
    expect(filledBy(example)).toEqual({ path: { id: '7' }, query: {}, header: {}, members: {}, text: '{}' });
  });
});

describe('what a form sent, as an example', () => {
  it('has what was sent, who sent it by name, and the status', () => {
    const filled = { ...nothing, path: { list: 'a', id: '7' }, query: { deep: '' }, members: { rank: '7' } };
    expect(exampleOf(json, filled, { desk: 'clerk' }, 200)).toEqual({
      by: { desk: 'clerk' },
      request: { path: { list: 'a', id: '7' }, body: { rank: 7 } },
      response: { status: 200 },
    });
    expect(exampleOf(detail(null), nothing, {}, 404)).toEqual({ response: { status: 404 } });
    expect(exampleOf(json, { ...nothing, text: 'no JSON' }, {}, 400)).toEqual({
      request: { body: 'no JSON' },
      response: { status: 400 },
    });
  });
});

describe('a request as a program sends it', () => {
  const post = {
    method: 'POST',
    url: 'http://127.0.0.1:1/notes?q=1',
    headers: { 'Content-Type': 'application/json' },
    body: `{"text":"it's"}`,
  };
  const get = { method: 'GET', url: 'http://127.0.0.1:1/notes', headers: {}, body: '' };

  it('is a line of curl, with a quotation mark kept from the shell', () => {
    expect(snippets['curl']?.(get)).toBe("curl -i 'http://127.0.0.1:1/notes'");
    expect(snippets['curl']?.(post)).toBe(
      [
        "curl -i -X POST 'http://127.0.0.1:1/notes?q=1' \\",
        "  -H 'Content-Type: application/json' \\",
        `  -d '{"text":"it'\\''s"}'`,
      ].join('\n'),
    );
  });

  it('is a call of fetch', async () => {
    const sent: unknown[] = [];
    const run = new Function('fetch', 'console', `return (async () => { ${snippets['fetch']?.(post)} })()`);
    const answer = { status: 201, text: async () => '' };
    const called = async (...all: unknown[]) => {
      sent.push(...all);
      return answer;
    };
    await run(called, { log: () => {} });
    expect(sent).toEqual([post.url, { method: 'POST', headers: post.headers, body: post.body }]);
  });

  it('is a call of Python', () => {
    expect(snippets['Python']?.(get)).toBe(
      'import requests\n\nresponse = requests.request(\n    "GET",\n    "http://127.0.0.1:1/notes",\n)\nprint(response.status_code, response.text)',
    );
  });
});
