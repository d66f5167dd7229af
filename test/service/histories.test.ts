import { request } from 'node:http';
import { expect, it } from 'vitest';
import { start } from './served.ts';

/** How many requests a history has: 10,000 in the long form. */
const length = process.env['TACET_LONG'] ? 10_000 : 2_000;
const clients = 32;

const text = `
name: Histories
complete: true
resources:
  Name:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      name: { type: string, unique: caseless }
    required: [name]
  Ticket:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      queue: { type: string }
      number: { type: integer, set: { create: "\${sequence()}" } }
      place: { type: integer, set: { create: "\${sequence(this.queue)}" } }
    required: [queue]
  Counter:
    identifier: id
    fields: { id: { type: string }, n: { type: integer, default: 0, writable: false }, status: { type: string } }
    required: [id]
states:
  Counter.status:
    states: [free, held]
    initial: free
    transitions: { hold: { from: free, to: held }, free: { from: held, to: free } }
endpoints:
  others: refuse
  POST /names: { does: create Name, request: { body: Name }, response: { status: 201, body: Name } }
  DELETE /names/{id}: { does: delete Name, response: 204 }
  GET /names: { does: list Name, response: { status: 200, body: "\${Name(page.items)}" } }
  POST /tickets: { does: create Ticket, request: { body: Ticket }, response: { status: 201, body: Ticket } }
  POST /counters: { does: create Counter, request: { body: Counter }, response: { status: 201, body: Counter } }
  POST /counters/{id}/up: { does: { update: Counter, with: { n: "\${this.n + 1}" } }, response: { status: 200, body: Counter } }
  POST /counters/{id}/hold: { does: hold Counter, response: 204 }
  POST /counters/{id}/free: { does: free Counter, response: 204 }
errors:
  codes:
    taken: { when: not unique, status: 409 }
    gone: { when: unknown, status: 404 }
    wrong: { when: transition refused, status: 409 }
    invalid: { when: invalid, status: 400 }
`;

type Asked = readonly [method: string, path: string, body?: object];

/** An answer, and when it was asked for and came, counted in events of the whole history. */
interface Event {
  readonly asked: Asked;
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly began: number;
  readonly ended: number;
}

/** Sends the requests of a history from several clients at once, each its own next as soon as one is answered. */
async function history(port: number, next: (last: Event | null) => Asked): Promise<Event[]> {
  let tick = 0;
  let left = length;
  const events: Event[] = [];
  const send = (...asked: Asked): Promise<Event> =>
    new Promise((resolve, reject) => {
      const [method, path, body] = asked;
      const began = tick++;
      const headers = body ? { 'Content-Type': 'application/json' } : {};
      const sent = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
        let written = '';
        response.setEncoding('utf8').on('data', (piece: string) => (written += piece));
        response.on('end', () => {
          const value = written === '' ? {} : (JSON.parse(written) as Record<string, unknown>);
          resolve({ asked, status: response.statusCode ?? 0, body: value, began, ended: tick++ });
        });
      });
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });
  const client = async (): Promise<void> => {
    let last: Event | null = null;
    while (left-- > 0) {
      last = await send(...next(last));
      events.push(last);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return events;
}

it('no number of a sequence is given twice, and each one of its own counts by itself', async () => {
  const { port } = await start(text);
  let n = 0;
  const events = await history(port, () => ['POST', '/tickets', { queue: `q${n++ % 7}` }]);
  expect(events.every(({ status }) => status === 201)).toBe(true);
  expect(new Set(events.map(({ body }) => body['number'])).size).toBe(events.length);
  const places = events.map(({ body }) => `${body['queue']} ${body['place']}`);
  expect(new Set(places).size).toBe(events.length);
  // What was answered before another was asked for has the lower number.
  const byEnd = [...events].sort((a, b) => a.began - b.began);
  let answered = 0;
  const ended = [...events].sort((a, b) => a.ended - b.ended);
  let most = 0;
  for (const event of byEnd) {
    for (; (ended[answered]?.ended ?? Number.POSITIVE_INFINITY) < event.began; answered += 1)
      most = Math.max(most, ended[answered]?.body['number'] as number);
    expect(event.body['number'] as number).toBeGreaterThan(most);
  }
});

it('no update is lost: each that was answered is counted, once', async () => {
  const { port } = await start(text);
  const counted = await fetch(`http://127.0.0.1:${port}/counters`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"id":"c"}',
  });
  expect(counted.status).toBe(201);
  const events = await history(port, () => ['POST', '/counters/c/up']);
  const seen = events.map(({ body }) => body['n'] as number).sort((a, b) => a - b);
  expect(seen).toEqual(Array.from({ length }, (_, index) => index + 1));
});

it('no two have a name at once, however they race for it and give it up', async () => {
  const { port } = await start(text);
  let turn = 0;
  const events = await history(port, (last) => {
    if (last?.status === 201) return ['DELETE', `/names/${last.body['id']}`];
    const name = `name${turn++ % 12}`;
    return ['POST', '/names', { name: turn % 2 === 0 ? name : name.toUpperCase() }];
  });
  const freed = new Map(
    events.flatMap(({ asked: [method, path], began }) => (method === 'DELETE' ? [[path, began]] : [])),
  );
  /** When each name was had for certain: from when that was answered until it was asked to be given up. */
  const held = new Map<string, { readonly from: number; readonly to: number }[]>();
  for (const { status, body, ended } of events) {
    if (status !== 201) continue;
    const name = String(body['name']).toLowerCase();
    const to = freed.get(`/names/${body['id']}`) ?? Number.POSITIVE_INFINITY;
    held.set(name, [...(held.get(name) ?? []), { from: ended, to }]);
  }
  for (const spans of held.values()) {
    spans.sort((one, other) => one.from - other.from);
    for (const [index, { from }] of spans.slice(1).entries())
      expect(from).toBeGreaterThan((spans[index] as { to: number }).to);
  }
  const statuses = new Set(events.map(({ status }) => status));
  expect(statuses).toEqual(new Set([201, 204, 409]));
});

it('one of those who ask for a move at once makes it, round after round', async () => {
  const { port } = await start(text);
  const at = `http://127.0.0.1:${port}/counters`;
  await fetch(at, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"id":"c"}' });
  const ask = async (path: string): Promise<number> =>
    (await fetch(`${at}/c/${path}`, { method: 'POST' })).status;
  for (let round = 0; round < (process.env['TACET_LONG'] ? 200 : 20); round += 1) {
    const racers = await Promise.all(Array.from({ length: 50 }, () => ask('hold')));
    expect([...racers].sort()).toEqual([204, ...Array.from({ length: 49 }, () => 409)]);
    expect(await ask('free')).toBe(204);
  }
});
