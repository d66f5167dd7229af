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

  it('are about the item of the body, and of a unique field that is set', async () => {
    const service = await start(text);
    const post = async (body: object, ...fields: string[]) =>
      (await ask(service, 'POST /profiles', body, fields)).status;
    expect(await post({ key: 'a', text: 'one' }, none)).toBe(201);
    expect(await post({ key: 'a', text: 'two' }, none)).toBe(412);
    expect(await post({ key: 'b', text: 'One' }, none)).toBe(412);
    expect(await post({ key: 'b', text: 'two' }, 'If-Match: *')).toBe(412);
    expect(await post({ key: 'a', text: 'two' }, 'If-Match: *')).toBe(204);
  });
});
