import { createHmac } from 'node:crypto';
import Database from 'better-sqlite3';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { ServiceOptions } from '../../../src/service/service.ts';
import { StartRefused } from '../../../src/service/service.ts';
import { answer, ask, dataFile, type Served, start } from '../served.ts';
import { absence, schema } from '../store/postgres.ts';
import { deliveriesIn, eventsIn, until } from './kept.ts';
import { type Posted, receiver } from './receiver.ts';

const missing = await absence();

const text = (
  hooks: string,
  envelope = 'envelope: cloudevents\n  source: notes',
  body = '{ id: "${this.id}" }',
): string => `
name: Notes
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, topic: { type: string }, of: { type: integer } } }
  Hook:
    identifier: id
    fields:
      id: { type: string }
      url: { type: [string, "null"] }
      topic: { type: string }
      secret: { type: [string, array, "null"] }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 204 }
  PATCH /notes/{id}: { operation: change, does: update Note, request: { body: Note }, response: 204 }
  POST /hooks: { operation: hook, does: create Hook, request: { body: Hook }, response: 204 }
  PATCH /hooks/{id}: { operation: move, does: update Hook, request: { body: Hook }, response: 204 }
  DELETE /hooks/{id}: { operation: unhook, does: delete Hook, response: 204 }
errors: { codes: { taken: { when: not unique, status: 409 } } }
events:
  kinds: { added: { by: [add], body: ${body} }, changed: { by: [change], body: { id: "\${this.id}", of: "\${this.of}" } } }
  ${envelope}
  delivery: { hooks: { ${hooks} } }
`;

const allowed = { allowPrivate: ['127.0.0.1'] };

async function notes(document: string, options: Partial<ServiceOptions> = {}): Promise<Served> {
  return start(document, { ...allowed, ...options });
}

async function send(service: Served, line: string, body?: unknown): Promise<void> {
  expect([line, (await ask(service, line, body)).status]).toEqual([line, 204]);
}

const ids = (posted: readonly Posted[]): unknown[] =>
  posted.map(({ content }) => (JSON.parse(content) as { data: { id: string } }).data.id);

describe('a webhook (language §6.3)', () => {
  it('is posted to the address of each item for which `where` held with the change, and to no other', async () => {
    const service = await notes(text('webhook: Hook.url, where: "${this.topic == event.item.topic}"'));
    const [one, other] = [await receiver(), await receiver()];
    await send(service, 'POST /hooks', { id: 'a', url: `${one.url}in?x=1`, topic: 'news' });
    await send(service, 'POST /hooks', { id: 'b', url: other.url, topic: 'else' });
    await send(service, 'POST /hooks', { id: 'c', url: null, topic: 'else' });
    await send(service, 'POST /notes', { id: '1', topic: 'news' });
    await send(service, 'POST /notes', { id: '2', topic: 'else' });
    const [first] = await one.count(1);
    const [event, second] = eventsIn(service);
    expect({ ...first, headers: undefined }).toEqual({
      method: 'POST',
      url: '/in?x=1',
      headers: undefined,
      raw: [
        'Host',
        new URL(one.url).host,
        'Content-Type',
        'application/cloudevents+json',
        'Content-Length',
        String(event?.content?.length),
        'Connection',
        'keep-alive',
      ],
      content: event?.content,
    });
    expect((await other.count(1)).map(({ content }) => content)).toEqual([second?.content]);
  });

  it('finds where it goes through an index', async () => {
    const service = await notes(text('webhook: Hook.url, where: "${this.topic == event.item.topic}"'));
    await send(service, 'POST /notes', { id: '1', topic: 'news' });
    await service.close();
    const database = new Database(service.data, { readonly: true });
    const made = database
      .prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = '_hook'")
      .pluck()
      .all();
    database.close();
    expect(made).toContainEqual(expect.stringContaining('"topic"'));
  });

  it('goes where the address is by then, and nowhere once its item is gone', async () => {
    let isDown = true;
    const service = await notes(text('webhook: Hook.url, retries: [PT0S, PT0.1S, PT0.1S, PT0.1S]'));
    const [before, after] = [
      await receiver((_, response) => void response.writeHead(isDown ? 500 : 204).end()),
      await receiver(),
    ];
    await send(service, 'POST /hooks', { id: 'a', url: before.url });
    await send(service, 'POST /notes', { id: '1' });
    await before.count(1);
    await send(service, 'PATCH /hooks/a', { url: after.url });
    expect(ids(await after.count(1))).toEqual(['1']);
    await send(service, 'PATCH /hooks/a', { url: before.url });
    await send(service, 'POST /notes', { id: '2' });
    await before.count(before.posted.length + 1);
    await send(service, 'DELETE /hooks/a');
    isDown = false;
    await send(service, 'POST /hooks', { id: 'b', url: before.url });
    await send(service, 'POST /notes', { id: '3' });
    const all = before.posted;
    while (ids(all).at(-1) !== '3') await before.count(all.length + 1);
    expect(new Set(ids(all))).toEqual(new Set(['1', '2', '3']));
  });

  it('has the header fields and the media type that are stated', async () => {
    const service = await notes(
      text(
        'webhook: Hook.url, media: application/json, headers: { X-Kind: "${event.kind}", X-Of: "${event.item.of}", X-Topic: "${event.item.topic}" }',
        'envelope: (none)',
      ),
    );
    const { url, count } = await receiver();
    await send(service, 'POST /hooks', { id: 'a', url });
    await send(service, 'POST /notes', { id: '1', of: 3 });
    const [first] = await count(1);
    expect(first?.raw.slice(2, 8)).toEqual([
      'Content-Type',
      'application/json',
      'X-Kind',
      'added',
      'X-Of',
      '3',
    ]);
    expect(first?.content).toBe('{"id":"1"}');
  });

  it('has no media type where none is stated, and a text as it is under one of texts', async () => {
    const { url, count } = await receiver();
    for (const media of ['', ', media: text/plain']) {
      const service = await notes(
        text(`webhook: operator${media}`, 'envelope: (none)', '"${this.id} is new"'),
        { deliver: { hooks: url } },
      );
      await send(service, 'POST /notes', { id: '1' });
      await service.close();
    }
    const [plain, typed] = await count(2);
    expect([plain?.headers['content-type'], plain?.content]).toEqual([undefined, '"1 is new"']);
    expect([typed?.headers['content-type'], typed?.content]).toEqual(['text/plain', '1 is new']);
  });

  it('is signed as Standard Webhooks have it: by each of its keys, with a time of its own at each attempt', async () => {
    const clock = { now: Date.now() };
    const service = await notes(
      text('webhook: Hook.url, sign: standard-webhooks, secret: Hook.secret, retries: [PT1M]'),
      { milliseconds: () => clock.now },
    );
    const { url, count } = await receiver(
      (_, response, index) => void response.writeHead(index === 0 ? 500 : 204).end(),
    );
    const [old, fresh] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
    await send(service, 'POST /hooks', { id: 'a', url, secret: [old, fresh] });
    await send(service, 'POST /notes', { id: 'é' });
    await until(() => deliveriesIn(service)[0]?.tries === 1);
    clock.now += 60_000;
    const [first, second] = await count(2);
    const [event] = eventsIn(service);
    const fields = (posted: Posted | undefined, name: string): string =>
      String(posted?.headers[`webhook-${name}`]);
    expect([fields(first, 'id'), fields(second, 'id')]).toEqual([event?.id, event?.id]);
    expect(Number(fields(second, 'timestamp')) - Number(fields(first, 'timestamp'))).toBe(60);
    for (const key of [old, fresh]) {
      const verifier = new Webhook(key);
      const { content, headers } = first as Posted;
      expect(verifier.verify(content, headers as Record<string, string>)).toMatchObject({
        data: { id: 'é' },
      });
      expect(() => verifier.verify(content.replace('é', 'e'), headers as Record<string, string>)).toThrow();
    }
    expect(() =>
      new Webhook('whsec_AAAA').verify(first?.content ?? '', first?.headers as Record<string, string>),
    ).toThrow();
  });

  it('is signed in a field of one’s own, over what is stated; unsigned where the key is null', async () => {
    const service = await notes(
      text(
        'webhook: Hook.url, secret: Hook.secret, sign: { header: X-Signature, hmac: sha512, over: "${int(now)}.${event.item.of}.${event.content}", as: "t=${int(now)},v1=${event.signature.hex},v2=${event.signature.base64}" }',
      ),
      { milliseconds: () => 1_700_000_000_000 },
    );
    const { url, count } = await receiver();
    await send(service, 'POST /hooks', { id: 'a', url, secret: 'sésame ouvre-toi' });
    await send(service, 'POST /notes', { id: '1', of: 7 });
    const [first] = await count(1);
    const over = `1700000000.7.${first?.content}`;
    const digest = (as: 'hex' | 'base64'): string =>
      createHmac('sha512', 'sésame ouvre-toi').update(over).digest(as);
    expect(first?.headers['x-signature']).toBe(`t=1700000000,v1=${digest('hex')},v2=${digest('base64')}`);
    await send(service, 'PATCH /hooks/a', { secret: null });
    await send(service, 'POST /notes', { id: '2' });
    const [, second] = await count(2);
    expect(second?.headers['x-signature']).toBeUndefined();
  });

  it.each([
    ['any 2xx ends the attempts', '', [302, 500, 299]],
    ['those that are stated do, and no other', ', success: [409]', [200, 500, 409]],
  ])('%s; a redirect is followed nowhere', async (_, success, statuses) => {
    const elsewhere = await receiver();
    const service = await notes(text(`webhook: Hook.url, retries: [PT0S, PT0S, PT0S, PT0S]${success}`));
    const { url, count, posted } = await receiver((_, response, index) =>
      response.writeHead(statuses[index] ?? 500, { Location: elsewhere.url }).end(),
    );
    await send(service, 'POST /hooks', { id: 'a', url });
    await send(service, 'POST /notes', { id: '1' });
    await count(3);
    await service.close();
    expect([posted.length, elsewhere.posted.length]).toEqual([3, 0]);
  });

  it('is given up where no answer comes in the time that is stated, and is tried again', async () => {
    const service = await notes(text('webhook: Hook.url, timeout: PT0.05S, retries: [PT0S]'));
    const { url, count } = await receiver((_, response, index) => {
      if (index === 1) response.writeHead(204).end();
    });
    await send(service, 'POST /hooks', { id: 'a', url });
    await send(service, 'POST /notes', { id: '1' });
    expect(ids(await count(2))).toEqual(['1', '1']);
  });

  describe('once the last attempt has failed', () => {
    const failing = (guard = '') =>
      text('webhook: Hook.url, where: "${this.state != \'off\'}", retries: [PT0S], exhausted: Hook.fail')
        .replace(
          'topic: { type: string }\n      secret',
          'topic: { type: string }\n      state: { type: string }\n      secret',
        )
        .replace(
          '\nendpoints:',
          `\nstates:\n  Hook.state: { states: [on, off], initial: on, final: [off], transitions: { fail: { from: on, to: off${guard} } } }\nendpoints:`,
        )
        .replace(
          'kinds: {',
          'kinds: { failed: { by: [Hook.fail], body: { by: "${event.by}", hook: "${this.id}", was: "${old.state}" } },',
        );
    const down = () => receiver((_, response) => void response.writeHead(500).end());
    const lastOf = (service: Served) =>
      deliveriesIn(service).map(({ tries, due, last }) => [tries, due, last]);

    it('the transition that is stated is made of the item, and told of', async () => {
      const service = await notes(failing());
      const [broken, good] = [await down(), await receiver()];
      await send(service, 'POST /hooks', { id: 'a', url: broken.url });
      await send(service, 'POST /hooks', { id: 'b', url: good.url });
      await send(service, 'POST /notes', { id: '1' });
      const told = await good.count(2);
      expect(told.map(({ content }) => (JSON.parse(content) as { data: unknown }).data)).toEqual([
        { id: '1' },
        { by: 'Hook.fail', hook: 'a', was: 'on' },
      ]);
      expect(broken.posted).toHaveLength(2);
      await send(service, 'POST /notes', { id: '2' });
      await good.count(3);
      expect(broken.posted).toHaveLength(2);
    });

    it('nothing is made where its guard does not hold, and the attempts end all the same', async () => {
      const service = await notes(failing(', when: "${this.topic == \'frail\'}"'));
      const broken = await down();
      await send(service, 'POST /hooks', { id: 'a', url: broken.url, topic: 'sound' });
      await send(service, 'POST /notes', { id: '1' });
      await until(() => deliveriesIn(service).every(({ tries }) => tries === 2));
      await service.close();
      expect(lastOf(service)).toEqual([[2, undefined, '500']]);
      expect(eventsIn(service).map(({ kind }) => kind)).toEqual(['added']);
    });

    it('nothing follows while it is open how many attempts there are', async () => {
      const service = await notes(failing().replace('retries: [PT0S]', 'retries: (open) how often?'));
      const broken = await down();
      await send(service, 'POST /hooks', { id: 'a', url: broken.url });
      await send(service, 'POST /notes', { id: '1' });
      await until(() => deliveriesIn(service).every(({ tries }) => tries === 1));
      await service.close();
      expect(eventsIn(service).map(({ kind }) => kind)).toEqual(['added']);
    });
  });

  it('is first tried in the order of the changes of an item, whatever the others wait for', async () => {
    const service = await notes(text('webhook: Hook.url'));
    const slow: ServerResponses = [];
    const { url, count, posted } = await receiver((one, response) => {
      if (one.content.includes('"id":"slow"')) slow.push(() => response.writeHead(204).end());
      else response.writeHead(204).end();
    });
    await send(service, 'POST /hooks', { id: 'a', url });
    await send(service, 'POST /notes', { id: 'slow' });
    await send(service, 'PATCH /notes/slow', { of: 1 });
    await send(service, 'POST /notes', { id: 'quick' });
    for (let of = 1; of <= 20; of += 1) await send(service, 'PATCH /notes/quick', { of });
    await count(22);
    expect(ids(posted).filter((id) => id === 'slow')).toHaveLength(1);
    const quick = posted.flatMap(({ content }) => {
      const { data } = JSON.parse(content) as { data: { id: string; of?: number } };
      return data.id === 'quick' ? [data.of ?? 0] : [];
    });
    expect(quick).toEqual(Array.from({ length: 21 }, (_, index) => index));
    slow.shift()?.();
    await count(23);
    slow.shift()?.();
  });

  it('goes in the order of everything where that is stated', async () => {
    const service = await notes(text('webhook: Hook.url, order: all'));
    const { url, count } = await receiver((_, response) => setImmediate(() => response.writeHead(500).end()));
    await send(service, 'POST /hooks', { id: 'a', url });
    await Promise.all(Array.from({ length: 40 }, (_, id) => ask(service, 'POST /notes', { id: `n${id}` })));
    const posted = await count(40);
    expect(posted.map(({ content }) => content)).toEqual(eventsIn(service).map(({ content }) => content));
  });

  it('that could not be sent is sent after a restart, once and no more', async () => {
    const data = dataFile();
    const document = text('webhook: Hook.url, retries: [PT0S, PT0S, PT1H]');
    const { url, count, posted } = await receiver(
      (_, response, index) => void response.writeHead(index < 2 ? 500 : 204).end(),
    );
    const clock = { now: Date.now() };
    const options = { data, milliseconds: () => clock.now };
    const service = await notes(document, options);
    await send(service, 'POST /hooks', { id: 'a', url: 'http://127.0.0.1:1/' });
    await send(service, 'POST /notes', { id: '1' });
    await service.close();
    const again = await notes(document, options);
    await send(again, 'PATCH /hooks/a', { url });
    clock.now += 3_600_000;
    await count(1);
    await again.close();
    expect(posted).toHaveLength(1);
  });

  it.skipIf(missing !== null)(
    'is sent by one process of several, and by the next when that is gone',
    async () => {
      const { address } = await schema();
      const document = text('webhook: Hook.url');
      const [one, other] = [
        await notes(document, { data: address }),
        await notes(document, { data: address }),
      ];
      const { url, count } = await receiver();
      await send(one, 'POST /hooks', { id: 'a', url });
      await Promise.all(
        Array.from({ length: 20 }, (_, id) =>
          ask(id % 2 === 0 ? one : other, 'POST /notes', { id: `n${id}` }),
        ),
      );
      expect(new Set(ids(await count(20))).size).toBe(20);
      await one.close();
      await send(other, 'POST /notes', { id: 'last' });
      expect(ids(await count(21)).at(-1)).toBe('last');
    },
  );
});

type ServerResponses = (() => void)[];

describe('what a webhook is not sent to (reliability, “Outbound”)', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://127.1/',
    'http://１２７.0.0.1/',
    'http://localhost./',
    'http://a.localhost/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://10.1.2.3/',
    'http://100.64.0.1/',
    'http://169.254.169.254/',
    'http://[fd00::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:1::]/',
    'http://[::7f00:1]/',
    'http://168.63.129.16/',
  ])('%s is refused when it is given: the host’s word, and no content', async (url) => {
    const service = await start(text('webhook: Hook.url'));
    expect(await ask(service, 'POST /hooks', { id: 'a', url })).toEqual(answer(400));
    await send(service, 'POST /hooks', { id: 'a', url: 'https://example.com/' });
    expect(await ask(service, 'PATCH /hooks/a', { url })).toEqual(answer(400));
  });
});

describe('an address that is not of HTTP', () => {
  it.each(['ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'example.com', ''])(
    '%s is refused when it is given, and the log says why',
    async (url) => {
      const reasons: string[] = [];
      const service = await start(text('webhook: Hook.url'), {
        onRefused: ({ method, url: path }, reason) => void reasons.push(`${method} ${path}: ${reason}`),
      });
      expect(await ask(service, 'POST /hooks', { id: 'a', url })).toEqual(answer(400));
      await send(service, 'POST /hooks', { id: 'a', url: 'https://example.com/' });
      expect(await ask(service, 'PATCH /hooks/a', { url })).toEqual(answer(400));
      expect(reasons).toEqual([
        'POST /hooks: Hook.url: an address of http or https is wanted',
        'PATCH /hooks/a: Hook.url: an address of http or https is wanted',
      ]);
    },
  );

  it('and is kept from before is never attempted', async () => {
    const service = await notes(text('webhook: Hook.url, retries: [PT0S, PT0S]'));
    await send(service, 'POST /hooks', { id: 'a', url: 'https://example.com/' });
    await service.close();
    const database = new Database(service.data);
    database.prepare('UPDATE _hook SET members = ?').run('{"url":"ftp://example.com/"}');
    database.close();
    const again = await notes(text('webhook: Hook.url, retries: [PT0S, PT0S]'), { data: service.data });
    await send(again, 'POST /notes', { id: '1' });
    await until(() => deliveriesIn(again)[0]?.tries === 1);
    await again.close();
    expect(deliveriesIn(again).map(({ tries, due, last }) => [tries, due, last])).toEqual([
      [1, undefined, 'it is no address of HTTP'],
    ]);
  });
});

describe('whose a target is', () => {
  it('is told by what is set from `actor` when its item is made', async () => {
    const service = await start(
      `
name: Owned
complete: true
service: { actors: { machine: whatever has a key } }
resources:
  Person: { identifier: name, fields: { name: { type: string } }, items: [{ name: ada }, { name: eve }] }
  Hook:
    identifier: id
    fields: { id: { type: string }, url: { type: string }, owner: { refers: Person, set: { create: "\${actor}" } } }
endpoints:
  others: refuse
  POST /hooks: { operation: hook, does: create Hook, request: { body: Hook }, response: 204 }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: operator, actor: Person.name } }
  authorization: { hook: known }
events:
  kinds: { hooked: { by: [hook], body: { id: "\${this.id}" } } }
  envelope: (none)
  delivery: { hooks: { webhook: Hook.url } }
errors: { codes: { missing: { when: credential missing, status: 401 } } }
states: (none)
limits: (none)
versioning: (none)
`,
      { ...allowed, credentials: { key: { ada: 'k-ada', eve: 'k-eve' } } },
    );
    const { url, count } = await receiver();
    for (const [id, key] of [
      ['a', 'k-ada'],
      ['b', 'k-eve'],
    ])
      expect((await ask(service, 'POST /hooks', { id, url }, [`X-Key: ${key}`])).status).toBe(204);
    await count(3);
    await service.close();
    expect(deliveriesIn(service).map(({ target, owner }) => [target, owner])).toEqual([
      ['["a"]', '["ada"]'],
      ['["a"]', '["ada"]'],
      ['["b"]', '["eve"]'],
    ]);
  });
});

describe('what the operator has to say of a webhook', () => {
  it('is where it goes and what signs it; without it the service does not start', async () => {
    const document = text('webhook: operator, sign: standard-webhooks, secret: operator');
    const { url, count } = await receiver();
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const refused = (options: Partial<ServiceOptions>): Promise<unknown> =>
      start(document, options).then(
        () => 'started',
        (error: unknown) => error instanceof StartRefused && error.message,
      );
    expect(await refused({})).toBe(
      "where hooks delivers to is the operator's to say: --deliver hooks=https://HOST/PATH",
    );
    expect(await refused({ deliver: { hooks: url } })).toBe(
      "what signs the deliveries of hooks is the operator's to say: set TACET_SECRET_hooks in the environment",
    );
    expect(await refused({ deliver: { hooks: url, bus: url }, secrets: { hooks: secret } })).toBe(
      'bus is no delivery that waits for an address; leave --deliver bus out',
    );
    expect(await refused({ deliver: { hooks: 'here' }, secrets: { hooks: secret } })).toBe(
      'here is no address to deliver to; https://HOST/PATH is wanted',
    );
    expect(
      await refused({ deliver: { hooks: url }, secrets: { hooks: secret }, allowPrivate: ['10.0.0.0/33'] }),
    ).toBe('10.0.0.0/33 is no address, and no range of addresses; see --allow-private');
    // What the operator names may be of the operator's own network.
    const service = await start(document, { deliver: { hooks: url }, secrets: { hooks: secret } });
    await send(service, 'POST /notes', { id: '1' });
    const [first] = await count(1);
    expect(
      new Webhook(secret).verify(first?.content ?? '', first?.headers as Record<string, string>),
    ).toBeTruthy();
  });

  it.each([
    ['whom it goes to', 'webhook: (open) whom?'],
    ['its key', 'webhook: Hook.url, sign: standard-webhooks, secret: (open) which?'],
    [
      'one of what signs it',
      'webhook: Hook.url, secret: Hook.secret, sign: { header: X-S, hmac: sha256, over: "${event.content}" }',
    ],
  ])('%s being open, events are stored and nothing is sent', async (_, hooks) => {
    const service = await notes(text(hooks));
    const { url, posted } = await receiver();
    await send(service, 'POST /hooks', { id: 'a', url, secret: 'x' });
    await send(service, 'POST /notes', { id: '1' });
    await service.close();
    expect([eventsIn(service).length, posted.length]).toEqual([1, 0]);
  });
});
