import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginOne, end, ended } from './processes.ts';
import { dataFile } from './served.ts';

const keys = process.env['TACET_LONG'] ? 1000 : 20;
const repeats = 20;
/** How many keys are sent at a time: beyond the connections that a host takes in time, its own limits would answer. */
const keysAtOnce = 50;
/** After how many answers the service is killed, each time that it was started. */
const killed = process.env['TACET_LONG'] ? [50, 400, 1500, 3000] : [5, 30];

const shop = `
name: Orders
resources:
  Order: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, what: { type: string } } }
endpoints:
  others: refuse
  POST /orders:
    does: create Order
    request: { body: Order }
    response: { status: 201, body: Order }
    idempotency: { header: Idempotency-Key, life: PT24H, per: key, remembers: successes }
  GET /orders: { does: { list: Order }, response: { status: 200, body: "\${Order(page.items)}" } }
errors:
  codes: { key_in_use: { when: key busy, status: 409 } }
`;

interface Order {
  readonly id: string;
  readonly what: string;
}

/** The answer's status and body; null where the connection ended before it came. */
async function order(address: string, index: number): Promise<{ status: number; body: Order } | null> {
  try {
    const answer = await fetch(`${address}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `key ${index}` },
      body: JSON.stringify({ what: `${index}` }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as Order };
  } catch {
    return null;
  }
}

/** All effects that there are, and all answers that each key was given, over several kills. */
async function ordered(
  mode: string,
): Promise<{ effects: readonly Order[]; answers: readonly Set<string>[] }> {
  const data = dataFile();
  const document = join(dirname(data), 'orders.yaml');
  writeFileSync(document, shop);
  const answers = Array.from({ length: keys }, () => new Set<string>());
  for (const killAfter of [...killed, null]) {
    const { child, address } = await beginOne(data, mode, document);
    let left = killAfter;
    const send = async (index: number): Promise<void> => {
      for (;;) {
        const found = await order(address, index);
        if (found === null) return;
        if (left !== null && --left === 0) child.kill('SIGKILL');
        if (found.status === 409) continue;
        answers[index]?.add(JSON.stringify(found));
        return;
      }
    };
    for (let from = 0; from < keys; from += keysAtOnce) {
      const some = Array.from({ length: Math.min(keysAtOnce, keys - from) }, (_, index) => from + index);
      await Promise.all(Array.from({ length: repeats }, () => some.map(send)).flat());
    }
    if (killAfter !== null) {
      await ended(child);
      continue;
    }
    const effects = (await (await fetch(`${address}/orders`)).json()) as Order[];
    await end(child);
    return { effects, answers };
  }
  throw new Error('it is always started once more');
}

describe(`${keys} keys, ${repeats} requests with each at once, and kills between commit and answer`, () => {
  it('come to one effect a key, and to one answer', { timeout: 600_000 }, async () => {
    const { effects, answers } = await ordered('durable');
    expect(effects.map(({ what }) => what).sort()).toEqual(
      Array.from({ length: keys }, (_, index) => `${index}`).sort(),
    );
    const byKey = new Map(effects.map((one) => [one.what, one]));
    expect(answers.map((some) => [...some])).toEqual(
      answers.map((_, index) => [JSON.stringify({ status: 201, body: byKey.get(`${index}`) })]),
    );
  });

  it('come to more where no answer is remembered, so that it would show', { timeout: 600_000 }, async () => {
    const { effects } = await ordered('forgetful');
    expect(effects.length).toBeGreaterThan(keys);
  });
});
