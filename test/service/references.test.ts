import { describe, expect, it } from 'vitest';
import { answer, ask, start } from './served.ts';

/** Accounts, and notes that refer to them by another field than their identifier. */
const text = `
name: References
resources:
  Account:
    identifier: id
    fields:
      id: { type: integer }
      name: { type: string, unique: true }
      notes: { type: integer, default: 0 }
      before: { type: integer }
      boss: { refers: Account, ifDeleted: keep }
  Note:
    identifier: id
    fields:
      id: { type: string }
      owner: { refers: Account.name, ifDeleted: keep }
      owned: { type: [integer, 'null'] }
endpoints:
  others: refuse
  POST /accounts: { does: create Account, request: { body: Account }, response: 201 }
  GET /accounts/{id}: { does: read Account, response: { status: 200, body: Account } }
  GET /notes: { does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
  POST /accounts/{id}/bump:
    does: read Account
    also: [{ update: this, as: x, with: { notes: "\${x.notes + 1}", before: "\${x.notes}" } }]
    response: { status: 200, body: "\${this.notes}" }
  POST /accounts/{id}/named:
    does: { create: Note, with: { id: "\${uuid()}" } }
    request: { path: { id: Account.id as a } }
    also:
      - { update: a, as: x, with: { notes: "\${x.notes + 1}", before: "\${x.notes}" } }
      - { update: a, as: x, with: { notes: "\${x.notes + 1}", before: "\${x.notes}" } }
    response: { status: 200, body: "\${x.notes}" }
  POST /notes:
    does: { create: Note, with: ["\${request.body}", { owned: "\${request.body.owner.notes}" }] }
    request: { body: Note }
    response:
      - when: "\${request.body.owner.boss.name == 'ada'}"
        status: 200
        body: { boss: "\${Account(request.body.owner.boss)}" }
      - status: 201
        body:
          name: "\${request.body.owner.name}"
          notes: "\${request.body.owner.notes}"
          boss: "\${request.body.owner.boss.id}"
          has: "\${has(request.body.owner.boss)}"
          key: "\${request.body.owner}"
          whole: "\${Account(request.body.owner)}"
  PUT /peers:
    does: { update: every Note, where: "\${this.owned == request.body.owner.notes}", with: { owned: "\${7}" } }
    request: { body: Note }
    response: 204
errors: { codes: { wrong: { when: invalid, status: 422 } } }
`;

async function served() {
  const service = await start(text);
  await ask(service, 'POST /accounts', { id: 1, name: 'ada', notes: 3 });
  await ask(service, 'POST /accounts', { id: 2, name: 'bo', notes: 5, boss: 1 });
  return service;
}

describe('the name that `as` gives to an item (language §H.2)', () => {
  it('is bound in its own `with`, where the item is `this`, and as the item is by then', async () => {
    const service = await served();
    expect(await ask(service, 'POST /accounts/1/bump')).toEqual(answer(200, 4));
    expect((await ask(service, 'GET /accounts/1')).body).toMatchObject({ notes: 4, before: 3 });
    expect(service.faults).toEqual([]);
  });

  it('and where it is a name that the path binds', async () => {
    const service = await served();
    expect(await ask(service, 'POST /accounts/1/named')).toEqual(answer(200, 5));
    expect((await ask(service, 'GET /accounts/1')).body).toMatchObject({ notes: 5, before: 4 });
    expect(service.faults).toEqual([]);
  });
});

describe('a reference that a request brings is the item that it refers to (language §G.3)', () => {
  it('in a change and in an answer', async () => {
    const service = await served();
    const whole = { id: 1, name: 'ada', notes: 3 };
    expect(await ask(service, 'POST /notes', { id: 'a', owner: 'ada' })).toEqual(
      answer(201, { name: 'ada', notes: 3, has: false, key: 'ada', whole }),
    );
    expect(await ask(service, 'POST /notes', { id: 'b', owner: 'bo' })).toEqual(answer(200, { boss: whole }));
    expect((await ask(service, 'GET /notes')).body).toEqual([
      { id: 'a', owner: 'ada', owned: 3 },
      { id: 'b', owner: 'bo', owned: 5 },
    ]);
  });

  it('where rows are found', async () => {
    const service = await served();
    for (const [id, owner] of [
      ['a', 'ada'],
      ['b', 'bo'],
    ])
      await ask(service, 'POST /notes', { id, owner });
    expect((await ask(service, 'PUT /peers', { owner: 'ada' })).status).toBe(204);
    expect((await ask(service, 'GET /notes')).body).toMatchObject([{ owned: 7 }, { owned: 5 }]);
    expect(service.faults).toEqual([]);
  });

  it('has no members where it is not given, or nobody’s', async () => {
    const service = await served();
    expect(await ask(service, 'POST /notes', { id: 'a' })).toEqual(answer(201, { has: false, whole: null }));
    expect(await ask(service, 'POST /notes', { id: 'b', owner: 'nobody' })).toEqual(answer(422));
  });
});

const notes = `
name: Notes
resources:
  Account: { identifier: id, fields: { id: { type: string } } }
  Note:
    identifier: id
    fields:
      id: { type: string }
      owner: { refers: Account, ifDeleted: keep }
      boss: { refers: Account, ifDeleted: keep }
      size: { type: integer, maximum: 5, holds: { odd: "\${value != 3}" } }
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { query: { n: { type: integer } }, body: Note }, response: 201 }
errors:
  payload: { body: "\${error.failures.map(f, f.field + ' ' + f.keyword)}" }
  codes: { wrong: { when: invalid, status: 422 } }
`;

it('a reference is looked up only if the shapes of the request fit (language §H.4)', async () => {
  const service = await start(notes);
  const failures = async (line: string, body: object) => (await ask(service, line, body)).body;
  const owner = 'nobody';
  expect(await failures('POST /notes', { id: 'a', owner, size: 9 })).toEqual(['size maximum']);
  expect(await failures('POST /notes?n=x', { id: 'a', owner })).toEqual(['n type']);
  expect(await failures('POST /notes?m=x', { id: 'a', owner })).toEqual(['m others']);
  expect(await failures('POST /notes', { id: 'a', owner, boss: owner })).toEqual([
    'owner refers',
    'boss refers',
  ]);
  expect(await failures('POST /notes', { id: 'a', owner, size: 3 })).toEqual(['owner refers', 'size holds']);
});

const refusing = `
name: Refusing
resources:
  Account:
    identifier: id
    fields: { id: { type: integer }, name: { type: string, unique: true }, closed: { type: boolean, default: false } }
  Note:
    identifier: id
    fields: { id: { type: string, maxLength: 2 }, owner: { refers: Account.name, ifDeleted: keep } }
  Memo:
    identifier: id
    fields: { id: { type: string, maxLength: 2 }, owner: { refers: Account, ifDeleted: keep } }
endpoints:
  others: refuse
  POST /accounts: { operation: open, does: create Account, request: { body: Account }, response: 201 }
  POST /notes: { operation: note, does: create Note, request: { body: Note }, response: 201 }
  POST /memos: { operation: memo, does: create Memo, request: { body: Memo }, response: 201 }
errors:
  payload: { body: { of: "\${request.body.owner.id}", key: "\${request.body.owner}", message: "\${error.message}", all: "\${error.failures}" } }
  messages: { maxLength: "too long for \${request.body.owner.name}" }
  codes:
    wrong: { when: invalid, status: 422 }
    closed: { when: "\${request.body.owner.closed}", operations: [note, memo], status: 409, message: "\${request.body.owner.name} is closed" }
`;

it('a reference of a body is followed in rows, messages and payloads (language §G.3)', async () => {
  const service = await start(refusing);
  await ask(service, 'POST /accounts', { id: 1, name: 'ada', closed: true });
  await ask(service, 'POST /accounts', { id: 2, name: 'bo' });
  const message = 'ada is closed';
  for (const [line, ada, bo] of [
    ['POST /notes', 'ada', 'bo'],
    ['POST /memos', 1, 2],
  ]) {
    const refused = await ask(service, String(line), { id: 'a', owner: ada });
    expect([refused.status, refused.body]).toEqual([409, { of: 1, key: ada, message, all: [] }]);
    const long = await ask(service, String(line), { id: 'long', owner: bo });
    const all = [{ field: 'id', keyword: 'maxLength', message: 'too long for bo' }];
    expect([long.status, long.body]).toEqual([422, { of: 2, key: bo, all }]);
    expect((await ask(service, String(line), { id: 'b', owner: bo })).status).toBe(201);
    expect((await ask(service, String(line), { id: 'c' })).status).toBe(201);
    expect((await ask(service, String(line), { id: 'd', owner: [1] })).status).toBe(422);
  }
  expect(service.faults).toEqual([]);
});
