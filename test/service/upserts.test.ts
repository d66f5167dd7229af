import { describe, expect, it } from 'vitest';
import { ask, start } from './served.ts';

const text = `
tacet: 1
complete: true
name: profiles
resources:
  Profile:
    identifier: key
    fields:
      key: { type: string }
      text: { type: string }
      slug: { type: string, unique: true, set: { create: "\${slug(this.text)}" } }
    required: [key]
states: (none)
endpoints:
  others: refuse
  PUT /profiles:
    does: { create: Profile, present: replace, with: ["\${request.body}", { key: "\${request.query.key}" }] }
    request:
      query: { key: { type: string, required: true } }
      body: { fields: { text: { type: string } }, others: refuse }
    conditional: { etag: strong, ifMatch: required, ifNoneMatch: allowed }
    response: [{ when: created, status: 201 }, { status: 204 }]
  POST /profiles:
    does: { create: Profile, present: update }
    request: { body: Profile }
    conditional: { etag: strong, ifMatch: allowed, ifNoneMatch: allowed }
    response: [{ when: created, status: 201 }, { status: 204 }]
  GET /profiles/{key}:
    does: read Profile
    conditional: { etag: strong }
    response: { status: 200, body: Profile }
authentication: (none)
events: (none)
errors:
  codes:
    no_profile: { when: unknown Profile, status: 404 }
    invalid: { when: invalid, status: 422 }
    taken: { when: not unique, status: 409 }
    tag_needed: { when: precondition missing, status: 428 }
    changed_since: { when: precondition failed, status: 412 }
limits: (none)
versioning: (none)
`;

const none = 'If-None-Match: *';

describe('preconditions of what makes an item or changes it', () => {
  it('are about the item of a query parameter', async () => {
    const service = await start(text);
    const put = async (body: object, ...fields: string[]) =>
      (await ask(service, 'PUT /profiles?key=a', body, fields)).status;
    expect(await put({ text: 'one' }, 'If-Match: "x"')).toBe(412);
    expect(await put({ text: 'one' }, none)).toBe(201);
    expect(await put({ text: 'two' }, none)).toBe(412);
    expect(await put({ text: 'two' })).toBe(428);
    const { body, fields } = await ask(service, 'GET /profiles/a');
    expect(body).toEqual({ key: 'a', text: 'one', slug: 'one' });
    const tag = fields.find((one) => /^etag: /i.test(one))?.slice('etag: '.length);
    expect(await put({ text: 'two' }, `If-Match: ${tag}`)).toBe(204);
    expect(await put({ text: 'three' }, `If-Match: ${tag}`)).toBe(412);
  });

  it('do not ask for a field where there is no item', async () => {
    const service = await start(text);
    expect((await ask(service, 'PUT /profiles?key=a', { text: 'one' })).status).toBe(201);
  });

  it('are about the item of the identifier that the body gives', async () => {
    const service = await start(text);
    const post = async (body: object, ...fields: string[]) =>
      (await ask(service, 'POST /profiles', body, fields)).status;
    expect(await post({ key: 'a', text: 'one' }, none)).toBe(201);
    expect(await post({ key: 'a', text: 'two' }, none)).toBe(412);
    expect(await post({ key: 'b', text: 'One' }, none)).toBe(409);
    expect(await post({ key: 'b', text: 'two' }, 'If-Match: *')).toBe(412);
    expect(await post({ key: 'a', text: 'two' }, 'If-Match: *')).toBe(204);
  });
});

const people = (present: string): string => `
tacet: 1
complete: true
name: people
resources:
  Person:
    identifier: id
    fields:
      id: { type: string, writable: true, set: { create: "\${uuid()}" } }
      email: { type: string, unique: true }
      name: { type: string }
    required: [email]
states: (none)
endpoints:
  others: refuse
  PUT /people/{id}:
    does: { create: Person, present: ${present} }
    request: { body: Person }
    conditional: { etag: strong, ifNoneMatch: allowed }
    response: [{ when: created, status: 201 }, { status: 200, body: Person }]
  POST /people:
    does: { create: Person, present: ${present} }
    request: { body: Person }
    response: [{ when: created, status: 201 }, { status: 200, body: Person }]
  POST /eve:
    does: { create: Person, present: ${present}, with: ["\${request.body}", { id: eve }] }
    request: { body: { fields: { email: { type: string }, name: { type: string } }, required: [email] } }
    response: [{ when: created, status: 201 }, { status: 200, body: Person }]
  GET /people: { does: { list: Person, order: [id] }, response: { status: 200, body: "\${Person(page.items)}" } }
authentication: (none)
events: (none)
errors:
  codes:
    taken: { when: not unique, status: 409 }
    differs: { when: different, status: 410 }
    changed_since: { when: precondition failed, status: 412 }
limits: (none)
versioning: (none)
`;

describe('the item that `present` is about (language §H.2)', () => {
  for (const present of ['replace', 'update', 'keep', 'match'])
    it(`is the one with the identifier that is given, and no other: ${present}`, async () => {
      const service = await start(people(present));
      const send = async (line: string, body: object, ...fields: string[]) =>
        (await ask(service, line, body, fields)).status;
      const [ada, bo] = [{ email: 'ada@a' }, { email: 'bo@a' }];
      expect(await send('PUT /people/ada', ada)).toBe(201);
      expect(await send('PUT /people/bo', bo)).toBe(201);
      expect(await send('PUT /people/eve', ada)).toBe(409);
      expect(await send('PUT /people/eve', ada, none)).toBe(409);
      expect(await send('POST /people', { ...ada, id: 'eve' })).toBe(409);
      expect(await send('POST /eve', ada)).toBe(409);
      expect(await send('PUT /people/ada', ada)).toBe(200);
      const both = { keep: 200, match: 410 }[present] ?? 409;
      expect(await send('PUT /people/ada', bo)).toBe(both);
      const { body } = await ask(service, 'GET /people');
      expect(body).toEqual([
        { id: 'ada', ...ada },
        { id: 'bo', ...bo },
      ]);
    });

  it('is the one with the same unique field, if no identifier is given', async () => {
    const service = await start(people('update'));
    expect((await ask(service, 'PUT /people/ada', { email: 'ada@a' })).status).toBe(201);
    const again = await ask(service, 'POST /people', { email: 'ada@a', name: 'Ada' });
    expect([again.status, again.body]).toEqual([200, { id: 'ada', email: 'ada@a', name: 'Ada' }]);
  });
});
