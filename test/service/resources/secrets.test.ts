import { describe, expect, it, vi } from 'vitest';
import { digestOf, hashed, hashedNow, proves } from '../../../src/service/resource/secrets.ts';
import { client, documentOf } from './kept.ts';

vi.unmock('../../../src/service/resource/hash-cost.ts');

const resources = `
Account:
  identifier: id
  fields:
    id: { type: string }
    password: { type: string, minLength: 8, maxLength: 20, secret: hashed, holds: { no word: "\${value != 'password'}" } }
    key: { type: string, secret: hashed, set: { create: "\${'k_' + random(32)}" } }
    name: { type: string }
    told: { derived: "\${this.password}" }
  required: [id]`;
const endpoints = `
POST /keys: { operation: makeKey, does: create Account, request: { body: Account }, response: { status: 201, body: { key: "\${this.key}", password: "\${this.password}" } } }
GET /keys/{id}: { operation: readKey, does: read Account, response: { status: 200, body: { key: "\${this.key}", password: "\${this.password}" } } }`;

describe('a secret', () => {
  it('is kept in a form that does not give it back, and shown to nobody', async () => {
    const { call, service } = await client(documentOf(resources, ['Account'], endpoints));
    const password = 'correct horse';
    expect(await call('POST /Account', { id: 'a', password })).toEqual([201, { id: 'a', told: null }]);
    expect(await call('PATCH /Account/a', { name: 'n' })).toEqual([200, { id: 'a', name: 'n', told: null }]);
    const kept = JSON.stringify(await service.rows());
    expect(kept).not.toContain(password);
    const [, text] = /password\\":\\"(scrypt:[^\\]+)\\"/.exec(kept) ?? [];
    expect(await proves(text, password)).toBe(true);
    expect(await proves(text, 'another horse')).toBe(false);
  });

  it('is held against its shape and its sentences as it was given', async () => {
    const { call } = await client(documentOf(resources, ['Account'], endpoints));
    const refused = (of: string) => [422, { code: 'invalid', of: [of] }];
    expect(await call('POST /Account', { id: 'a', password: 'short' })).toEqual(
      refused('password minLength'),
    );
    expect(await call('POST /Account', { id: 'a', password: 'password' })).toEqual(refused('password holds'));
    await call('POST /Account', { id: 'a' });
    expect(await call('PATCH /Account/a', { password: 'password' })).toEqual(refused('password holds'));
    const merge = ['Content-Type: application/merge-patch+json'];
    expect(await call('PATCH /Account/a', { password: 'short' }, merge)).toEqual(
      refused('password minLength'),
    );
    expect((await call('PATCH /Account/a', { password: 'long enough' }, merge))[0]).toBe(200);
  });

  it('that the service made is told in the answer of the operation that made it, and never again', async () => {
    const { call, service } = await client(documentOf(resources, ['Account'], endpoints));
    const [status, made] = await call('POST /keys', { id: 'a', password: 'correct horse' });
    expect([status, made]).toEqual([
      201,
      { key: expect.stringMatching(/^k_[A-Za-z0-9]{32}$/), password: null },
    ]);
    const { key } = made as { key: string };
    expect(JSON.stringify(await service.rows())).not.toContain(key);
    expect(JSON.stringify(await service.rows())).toContain(digestOf(key));
    expect(await call('GET /keys/a')).toEqual([200, { key: null, password: null }]);
  });

  it('that was given is hashed at a cost that OWASP holds to be enough', async () => {
    for (const kept of [await hashed('s'), hashedNow('s')]) expect(kept).toMatch(/^scrypt:16384:8:5:/);
  });

  it('is proved by itself alone, in whatever form it is kept, and whatever that cost', async () => {
    const cheap = 'scrypt:2:1:1:AAAA:pvnJNQ';
    for (const kept of [digestOf('s'), await hashed('s'), hashedNow('s'), cheap]) {
      expect(await proves(kept, 's')).toBe(true);
      expect(await proves(kept, 't')).toBe(false);
    }
    expect(await hashed('s')).not.toBe(await hashed('s'));
    expect(await proves(null, 's')).toBe(false);
    expect(await proves(null, '')).toBe(false);
  });
});
