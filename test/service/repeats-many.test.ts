import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { begin } from './processes.ts';
import { dataFile } from './served.ts';
import { absence, schema } from './store/postgres.ts';

const keys = process.env['TACET_LONG'] ? 1000 : 40;
const repeats = 20;
/** How many keys are sent at a time, each on connections of its own: no more than a host takes at once. */
const keysAtOnce = 20;
const missing = await absence();

/** Each order is counted, and has a receipt, so that one effect too many would show in three ways. */
const shop = `
name: Orders
resources:
  Order:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      number: { type: integer, set: { create: "\${sequence()}" } }
      what: { type: string }
  Receipt: { identifier: of, fields: { of: { type: string } } }
endpoints:
  others: refuse
  POST /orders:
    does: create Order
    also: [{ create: Receipt, with: { of: "\${this.id}" } }]
    request: { body: Order }
    response: { status: 201, body: Order }
    idempotency: { header: Idempotency-Key, life: PT24H, per: key, remembers: successes }
  GET /orders: { does: { list: Order, order: [number] }, response: { status: 200, body: "\${Order(page.items)}" } }
  GET /receipts: { does: { list: Receipt }, response: { status: 200, body: "\${Receipt(page.items)}" } }
errors:
  codes: { key_in_use: { when: key busy, status: 409 } }
`;

interface Order {
  readonly id: string;
  readonly number: number;
  readonly what: string;
}

/** Starts so many processes of the shop on one place; gives where they are. */
async function opened(count: number, data: string): Promise<readonly string[]> {
  return (await begin(count, data, shop)).map(({ address }) => address);
}

/** Asks for an order until its key is not busy any more. */
async function order(agent: Agent, address: string, index: number): Promise<string> {
  const content = JSON.stringify({ what: `${index}` });
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': `key ${index}` };
  for (;;) {
    const asked = request(`${address}/orders`, { agent, method: 'POST', headers });
    asked.end(content);
    const [answer] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    if (answer.statusCode !== 409) return `${answer.statusCode} ${Buffer.concat(chunks)}`;
  }
}

/** What came of all of it: every answer of every key, and what there is by then. */
async function ordered(addresses: readonly string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  onTestFinished(() => agent.destroy());
  const answers: Set<string>[] = [];
  for (let from = 0; from < keys; from += keysAtOnce) {
    const some = Array.from({ length: Math.min(keysAtOnce, keys - from) }, (_, index) => from + index);
    const found = await Promise.all(
      some.map((index) =>
        Promise.all(
          Array.from({ length: repeats }, (_, at) =>
            order(agent, addresses[at % addresses.length] as string, index),
          ),
        ),
      ),
    );
    answers.push(...found.map((all) => new Set(all)));
  }
  const [address = ''] = addresses;
  const get = async (path: string): Promise<unknown> => (await fetch(`${address}${path}`)).json();
  const orders = (await get('/orders')) as readonly Order[];
  const receipts = (await get('/receipts')) as readonly { readonly of: string }[];
  return { answers, orders, receipts };
}

/** One order and one receipt a key, no number twice, and one answer, which tells of that order. */
async function expectOneEach(addresses: readonly string[]): Promise<void> {
  const { answers, orders, receipts } = await ordered(addresses);
  const byKey = new Map(orders.map((one) => [one.what, one]));
  const told = (index: number): string => `201 ${JSON.stringify(byKey.get(`${index}`))}`;
  expect(answers.map((some) => [...some])).toEqual(answers.map((_, index) => [told(index)]));
  expect(orders).toHaveLength(keys);
  expect(byKey.size).toBe(keys);
  expect(new Set(orders.map(({ number }) => number)).size).toBe(keys);
  expect(receipts.map(({ of }) => of).sort()).toEqual(orders.map(({ id }) => id).sort());
}

describe(`${keys} keys, ${repeats} requests with each at once, over several connections`, () => {
  it('come to one effect a key, and one answer, in SQLite', { timeout: 600_000 }, async () => {
    await expectOneEach(await opened(1, dataFile()));
  });

  it.skipIf(missing !== null)(
    'come to one effect a key, and one answer, in PostgreSQL, whichever of three processes is asked',
    { timeout: 600_000 },
    async () => {
      const { address } = await schema();
      await expectOneEach(await opened(3, address));
    },
  );
});
