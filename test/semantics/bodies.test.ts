import { expect, it } from 'vitest';
import { statusesOf, walk } from './walking.ts';

const text = `
complete: true
resources:
  Note:
    identifier: id
    fields:
      id: { type: string }
      title: { type: string, maxLength: 3 }
      at: { type: object, properties: { town: { type: string } } }
endpoints:
  protocol: RFC 9110
  others: refuse
  PUT /notes/{id}:
    operation: put
    does: { create: Note, present: replace }
    request: { media: [application/x-www-form-urlencoded, application/json], body: Note }
    response: 204
  PATCH /merged/{id}:
    operation: merge
    does: { update: Note, same: changed }
    request: { media: application/merge-patch+json, body: Note }
    response: { status: 200, body: Note }
  PATCH /patched/{id}:
    operation: patch
    does: { update: Note, same: changed }
    request: { media: application/json-patch+json, body: Note }
    response: { status: 200, body: Note }
authentication: (none)
errors:
  payload: { body: "\${error.failures.map(f, f.field + ' ' + f.keyword)}" }
  codes: { unfit: { when: invalid, status: 422 }, unread: { when: malformed, status: 400 }, none: { when: unknown, status: 404 } }
`;
const path = { id: 'a' };

it('content is JSON, also where other media types are stated', async () => {
  const put = (content: object) => ['put', { path, content: content as never }] as const;
  expect(await statusesOf(text, [put({ title: 'abc' }), put({ title: 'long' }), put({ more: 1 })])).toEqual([
    204, 422, 422,
  ]);
});

it('a merge patch sets its members, and removes those that are null (language §H.2, rule 4)', async () => {
  const merge = (content: object) => ['merge', { path, content: content as never }] as const;
  const requests = [merge({ title: 'long' }), ['put', { path, content: {} }], merge({ title: 'b' })] as const;
  expect(await statusesOf(text, requests)).toEqual([404, 204, 200]);
  expect(await statusesOf(text, [...requests, merge({ title: 'long' })])).toEqual([404, 204, 200, 422]);
  for (const [content, count] of [
    [{ title: null }, 0],
    [{ at: { town: 'x' } }, 1],
  ] as const)
    expect((await walk(text, [...requests, merge(content)])).map((each) => each.undetermined)).toEqual([
      0,
      0,
      0,
      count,
    ]);
});

it('a merge patch that is no object is malformed, also of an item that is not there (language §H.4, rule 9)', async () => {
  const merge = (content: unknown) => ['merge', { path, content: content as never }] as const;
  expect(await statusesOf(text, [merge([]), merge('title'), merge({})])).toEqual([400, 400, 404]);
});

it('content that is no JSON Patch is malformed (language §H.4, rule 9)', async () => {
  const patch = (content: unknown) => ['patch', { path, content: content as never }] as const;
  const put = ['put', { path, content: {} }] as const;
  const wrong = [
    {},
    'add',
    [{ op: 'add', path: '/title' }],
    [{ op: 'turn', path: '/title', value: 1 }],
    [{ op: 'copy', path: '/title' }],
    [{ op: 'remove', path: 'title' }],
  ];
  const statuses = await statusesOf(text, [put, ...wrong.map(patch)]);
  expect(statuses).toEqual([204, ...wrong.map(() => 400)]);
  expect(await statusesOf(text, [patch([{ op: 'remove', path: '/title' }])])).toEqual([404]);
});

it('a field may be writable by an expression, or with the value that it has (language §2.2, rule 4)', async () => {
  const text = `
complete: true
resources:
  Note:
    identifier: id
    fields:
      id: { type: string }
      state: { type: string }
      text: { type: string, writable: "\${this.state == 'open'}" }
      word: { type: string, writable: "\${request.query.may == 'yes'}" }
      kind: { type: string, writable: same }
endpoints:
  protocol: RFC 9110
  others: refuse
  POST /notes:
    operation: add
    does: create Note
    request: { query: { may: { type: string } }, body: { of: Note, omits: [text] } }
    response: { status: 201, body: Note }
  PATCH /notes/{id}:
    operation: change
    does: { update: Note, same: changed }
    request: { query: { may: { type: string } }, body: Note }
    response: { status: 200, body: Note }
authentication: (none)
errors:
  payload: { body: "\${error.failures.map(f, f.field + ' ' + f.keyword)}" }
  codes: { unfit: { when: invalid, status: 422 } }
`;
  const may = { may: 'yes' };
  const add = (content: object, query = {}) => ['add', { content: content as never, query }] as const;
  const change = (content: object, query = {}) =>
    ['change', { path: { id: 'a' }, content: content as never, query }] as const;
  const requests = [
    add({ id: 'a', state: 'open', kind: 'x', word: 'b' }),
    add({ id: 'a', state: 'open', kind: 'x', word: 'b' }, may),
    change({ text: 'new' }),
    change({ kind: 'x' }),
    change({ kind: 'y' }),
    change({ word: 'c' }),
    change({ word: 'c', state: 'closed' }, may),
    change({ text: 'newer' }),
  ];
  expect(await statusesOf(text, requests)).toEqual([422, 201, 200, 200, 422, 422, 200, 422]);
  const [last] = (await walk(text, [...requests, change({ text: 4 })])).slice(-1);
  expect([last?.differences, last?.undetermined]).toEqual([[], 1]);
});

it('a parameter of the path that binds nothing has to fit its shape (language §4.2)', async () => {
  const marks = `
complete: true
resources:
  Mark: { identifier: [name, kind], fields: { name: { type: string }, kind: { type: string } } }
endpoints:
  protocol: RFC 9110
  DELETE /marks/{name}/{kind}:
    operation: unmark
    does: { delete: Mark, where: "\${this.name == request.path.name && this.kind == request.path.kind}", absent: ignore }
    request: { path: { name: { type: string }, kind: { type: string, enum: [good, bad] } } }
    response: 204
authentication: (none)
errors: { payload: { body: "\${error.code}" }, codes: { unfit: { when: invalid, status: 422 } } }
`;
  const unmark = (kind: string) => ['unmark', { path: { name: 'a', kind } }] as const;
  expect(await statusesOf(marks, [unmark('good'), unmark('best')])).toEqual([204, 422]);
});

it('a body with a shape of its own brings the fields that a client may write (language §H.2, rule 7)', async () => {
  const apart = `
complete: true
resources:
  Note:
    identifier: id
    fields: { id: { type: string }, title: { type: string }, by: { type: string, writable: false, default: us } }
endpoints:
  others: keep
  PUT /notes/{id}:
    operation: put
    does: { create: Note, present: replace }
    request: { body: { fields: { title: { type: string }, name: { type: string }, by: { type: string } } } }
    response: 204
  GET /notes/{id}: { operation: get, does: read Note, response: { status: 200, body: Note } }
authentication: (none)
`;
  const content = { title: 'a', name: 'b', by: 'them', more: 1 };
  const [put, get] = await walk(apart, [
    ['put', { path, content }],
    ['get', { path }],
  ]);
  expect([put?.differences, get?.differences, get?.undetermined]).toEqual([[], [], 0]);
  expect(get?.answer.body).toEqual({ id: 'a', title: 'a', by: 'us' });
});
