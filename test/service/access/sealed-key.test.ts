import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decryptKey, encryptKey } from '../../../src/service/access/sealed-key.ts';
import { type Answer, answer, ask, place, type Served, start } from '../served.ts';

const document = `
name: Tickets
complete: true
resources:
  Guest: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } } } }
endpoints:
  POST /guests:
    operation: enter
    does: create Guest
    response: { status: 201, body: { ticket: "\${issue('ticket', this)}" } }
  GET /me: { operation: me, does: (none), response: 204 }
authentication:
  schemes:
    ticket: { type: http, scheme: bearer, credentials: { issued: opaque, life: P1D }, challenge: Bearer, actor: Guest, wrong: refuse }
  authorization: { enter: anyone, me: known }
errors:
  codes: { unknown: { when: [not authenticated, wrong credentials], status: 401 } }
`;

const [first, second] = ['a secret of more than 22', 'another secret than that'] as const;

/** Serves the document under secrets while `use` runs. */
async function serving<T>(
  data: string,
  storeSecrets: readonly string[],
  use: (service: Served) => Promise<T>,
): Promise<T> {
  const service = await start(document, { data, storeSecrets });
  const found = await use(service);
  await service.close();
  return found;
}

async function ticketOf(service: Served): Promise<string> {
  const { body } = await ask(service, 'POST /guests');
  return (body as { readonly ticket: string }).ticket;
}

function show(service: Served, ticket: string): Promise<Answer> {
  return ask(service, 'GET /me', undefined, [`Authorization: Bearer ${ticket}`]);
}

/** What the store keeps of the key. */
async function keptKey(service: Served): Promise<object> {
  const [, rows] = (await service.rows()).find(([name]) => /signing/.test(name)) ?? [];
  const texts = (rows ?? []).flat().filter((one) => typeof one === 'string' && one.startsWith('{'));
  return JSON.parse(String(texts[0])) as object;
}

describe('the key that signs credentials', () => {
  it('is kept as it is without a secret, and encrypted at the next start with one', async () => {
    const data = await place();
    const [ticket, plain] = await serving(data, [], async (service) => [
      await ticketOf(service),
      (await keptKey(service)) as { readonly key: string },
    ]);
    expect(Object.keys(plain)).toEqual(['key']);
    await serving(data, [first], async (service) => {
      expect(await show(service, ticket)).toEqual(answer(204));
      const kept = await keptKey(service);
      expect(Object.keys(kept)).toEqual(['encrypted']);
      expect(decryptKey((kept as { encrypted: string }).encrypted, first)).toBe(plain.key);
    });
    expect(['', '-wal'].some((suffix) => contentOf(data + suffix).includes(plain.key))).toBe(false);
  });

  it('keeps its form where nothing changes, and is read again', async () => {
    const data = await place();
    const [ticket, kept] = await serving(data, [first], async (service) => [
      await ticketOf(service),
      await keptKey(service),
    ]);
    await serving(data, [first], async (service) => {
      expect(await show(service, ticket)).toEqual(answer(204));
      expect(await keptKey(service)).toEqual(kept);
    });
  });

  it('is encrypted anew when the secret is changed, the old one being named after it', async () => {
    const data = await place();
    const ticket = await serving(data, [first], ticketOf);
    for (const secrets of [[second, first], [second]])
      await serving(data, secrets, async (service) => {
        expect(await show(service, ticket)).toEqual(answer(204));
        expect(
          decryptKey(((await keptKey(service)) as { encrypted: string }).encrypted, second),
        ).not.toBeNull();
      });
  });

  it('is refused without the secret, or with another, and nothing is lost', async () => {
    const data = await place();
    const ticket = await serving(data, [first], ticketOf);
    await expect(start(document, { data })).rejects.toThrow(
      'the store keeps the key that signs credentials encrypted, and TACET_SECRET_STORE is not set; start with the secret that encrypted it. Nothing was changed',
    );
    await expect(start(document, { data, storeSecrets: [second] })).rejects.toThrow(
      'no secret in TACET_SECRET_STORE is the one that encrypted it',
    );
    await serving(data, [first], async (service) => {
      expect(await show(service, ticket)).toEqual(answer(204));
    });
  });

  it('is not encrypted under a secret that can be guessed', async () => {
    await expect(start(document, { data: await place(), storeSecrets: ['short'] })).rejects.toThrow(
      'a secret in TACET_SECRET_STORE has fewer than 22 characters; make one at random: openssl rand -base64 32',
    );
  });

  it('is not read from what was changed', () => {
    const { encrypted } = encryptKey('the key', first) as { readonly encrypted: string };
    expect(decryptKey(encrypted, first)).toBe('the key');
    const bytes = Buffer.from(encrypted, 'base64url');
    for (const [at, byte] of bytes.entries()) {
      const changed = Buffer.from(bytes);
      changed[at] = byte ^ 1;
      expect(decryptKey(changed.toString('base64url'), first)).toBeNull();
    }
    expect(decryptKey('', first)).toBeNull();
  });
});

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
