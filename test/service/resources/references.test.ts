import { describe, expect, it } from 'vitest';
import { client, documentOf } from './kept.ts';

const people = `
Person:
  identifier: id
  fields:
    id: { type: string }
    name: { type: string, unique: true }
    friend: { refers: Person, ifDeleted: clear }
    friendly: { derived: "\${this.friend.name}" }
    mutual: { type: boolean, derived: "\${this.friend.friend == this}" }
    called: { type: boolean, derived: "\${this.friend == 'ann'}" }
  required: [id]
Note:
  identifier: id
  fields:
    id: { type: integer, set: { create: "\${sequence()}" } }
    by: { refers: Person.name, ifDeleted: keep }
    who: { derived: "\${this.by.id}" }
    text: { type: string }`;

describe('a reference', () => {
  it('is written as its key, and followed to what it refers to', async () => {
    const { call } = await client(documentOf(people, ['Person', 'Note']));
    await call('POST /Person', { id: 'ann', name: 'Ann' });
    expect(await call('POST /Person', { id: 'bob', name: 'Bob', friend: 'ann' })).toEqual([
      201,
      { id: 'bob', name: 'Bob', friend: 'ann', friendly: 'Ann', mutual: false, called: true },
    ]);
    await call('PATCH /Person/ann', { friend: 'bob' });
    expect(await call('GET /Person/bob')).toEqual([
      200,
      { id: 'bob', name: 'Bob', friend: 'ann', friendly: 'Ann', mutual: true, called: true },
    ]);
  });

  it('goes by a unique field where that is stated, and shows the key of what is gone where it is kept', async () => {
    const { call } = await client(documentOf(people, ['Person', 'Note']));
    await call('POST /Person', { id: 'ann', name: 'Ann' });
    expect(await call('POST /Note', { by: 'Ann' })).toEqual([201, { id: 1, by: 'Ann', who: 'ann' }]);
    expect(await call('DELETE /Person/ann')).toEqual([204, '']);
    expect(await call('GET /Note/1')).toEqual([200, { id: 1, by: 'Ann', who: null }]);
    expect(await call('PATCH /Note/1', { text: 'x' })).toEqual([
      200,
      { id: 1, by: 'Ann', text: 'x', who: null },
    ]);
  });

  it('may be given as an item that is known by another field', async () => {
    const parts = `
Person: { identifier: id, fields: { id: { type: string }, name: { type: string, unique: true } }, required: [id] }
Note:
  identifier: id
  fields:
    id:   { type: string }
    of:   { refers: Person }
    by:   { refers: Person.name, set: { always: "\${this.of}" } }
    back: { refers: Person, set: { always: "\${this.by}" } }
  required: [id]`;
    const { call } = await client(documentOf(parts, ['Person', 'Note']));
    await call('POST /Person', { id: 'ann', name: 'Ann' });
    await call('POST /Person', { id: 'bob', name: 'Bob' });
    const noted = (of: string, by: string): object => ({ id: '1', of, by, back: of });
    expect(await call('POST /Note', { id: '1', of: 'ann' })).toEqual([201, noted('ann', 'Ann')]);
    expect(await call('PATCH /Note/1', { of: 'bob' })).toEqual([200, noted('bob', 'Bob')]);
  });

  it('to nothing is refused, when it is given', async () => {
    const { call } = await client(documentOf(people, ['Person', 'Note']));
    const refused = [422, { code: 'invalid', of: ['friend refers'] }];
    expect(await call('POST /Person', { id: 'bob', friend: 'ann' })).toEqual(refused);
    expect(await call('POST /Person', { id: 'bob' })).toEqual([201, expect.anything()]);
    expect(await call('PATCH /Person/bob', { friend: 'ann' })).toEqual(refused);
    expect(await call('PATCH /Person/bob', { friend: 'bob' })).toEqual([200, expect.anything()]);
    expect(await call('POST /Note', { by: 'Nobody' })).toEqual([422, { code: 'invalid', of: ['by refers'] }]);
    expect(await call('POST /Note', { by: 7 })).toEqual([422, { code: 'invalid', of: ['by refers'] }]);
  });

  it.each([
    ['refuse', [409, { code: 'in_use', of: [] }], [200, { id: '1', of: 'a' }]],
    ['delete', [204, ''], [404, { code: 'unknown', of: [] }]],
    ['clear', [204, ''], [200, { id: '1', of: null }]],
    ['keep', [204, ''], [200, { id: '1', of: 'a' }]],
  ] as const)('to an item that is deleted: %s', async (word, deleted, left) => {
    const parts = `
Whole: { identifier: id, fields: { id: { type: string } }, required: [id] }
Part: { identifier: id, fields: { id: { type: string }, of: { refers: Whole, ifDeleted: ${word} } }, required: [id] }`;
    const { call } = await client(documentOf(parts, ['Whole', 'Part']));
    await call('POST /Whole', { id: 'a' });
    await call('POST /Part', { id: '1', of: 'a' });
    expect(await call('DELETE /Whole/a')).toEqual(deleted);
    expect(await call('GET /Part/1')).toEqual(left);
  });

  it('may be an identifier of several fields, each of which refers', async () => {
    const likes = `
Person: { identifier: id, fields: { id: { type: string }, name: { type: string } }, required: [id] }
Like:
  identifier: [by, of]
  fields:
    by: { refers: Person, ifDeleted: delete }
    of: { refers: Person, ifDeleted: delete }
    told: { derived: "\${this.by.name + ' likes ' + this.of.name}" }
  required: [by, of]`;
    const endpoint = `
GET /likes/{by}/{of}: { operation: like, does: read Like, request: { path: { by: Like.by, of: Like.of } }, response: { status: 200, body: Like } }
POST /likes: { operation: likes, does: create Like, request: { body: Like }, response: 201 }`;
    const { call } = await client(documentOf(likes, ['Person'], endpoint));
    for (const id of ['a', 'b']) await call('POST /Person', { id, name: id.toUpperCase() });
    expect(await call('POST /likes', { by: 'a', of: 'b' })).toEqual([201, '']);
    const taken = [409, { code: 'taken', of: ['by unique', 'of unique'] }];
    expect(await call('POST /likes', { by: 'a', of: 'b' })).toEqual(taken);
    expect(await call('GET /likes/a/b')).toEqual([200, { by: 'a', of: 'b', told: 'A likes B' }]);
    await call('DELETE /Person/b');
    expect((await call('GET /likes/a/b'))[0]).toBe(404);
  });
});
