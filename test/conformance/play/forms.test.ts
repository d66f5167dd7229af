import { expect, it } from 'vitest';
import { client } from '../../../src/conformance/http.ts';
import { walks } from '../../../src/conformance/play/play.ts';
import { seeded } from '../../../src/conformance/random.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { start } from '../../service/served.ts';
import { targetAt } from './target.ts';

const orders = `
complete: true
resources:
  Order:
    identifier: id
    fields:
      id:    { type: integer, set: { create: "\${sequence()}" } }
      count: { type: integer, minimum: 1 }
      tags:  { type: array, items: { type: string }, default: [] }
    required: [count]
endpoints:
  others: refuse
  POST /orders:
    does: create Order
    request: { media: application/x-www-form-urlencoded, nesting: brackets, body: Order }
    response: { status: 201, body: Order }
  GET /orders/{id}: { does: read Order, response: { status: 200, body: Order } }
errors:
  codes:
    unread: { when: [malformed, unsupported media], status: 400 }
    unfit:  { when: invalid, status: 422 }
    none:   { when: [unknown path, unknown Order], status: 404 }
authentication: (none)
events: (none)
limits: (none)
states: (none)
versioning: (none)
`;

/** What walks judge of an operation that takes forms, on the service of another document. */
async function walked(served: string): Promise<readonly Result[]> {
  const { address: url, close } = await start(served);
  const http = client();
  const target = targetAt(url, orders, http);
  const results: Result[] = [];
  for await (const play of walks(target, { requests: 160, random: seeded(1) }))
    results.push(...(await play()));
  http.close();
  await close();
  return results;
}

const violations = (results: readonly Result[]): readonly Result[] =>
  results.filter(({ verdict }) => verdict === 'violates');

it('walks send forms, and blame nobody who reads them as it is stated', async () => {
  const results = await walked(orders);
  expect(violations(results)).toEqual([]);
  const succeeded = results.filter(
    ({ response, verdict }) => response?.status === 201 && verdict === 'conforms',
  );
  expect(succeeded.length).toBeGreaterThan(0);
});

it.each([
  ['another bound', 'minimum: 1', 'minimum: 2'],
  ['lists of numbers', 'items: { type: string }', 'items: { type: integer }'],
])('walks find %s in a form', async (_, stated, other) => {
  expect(violations(await walked(orders.replace(stated, other))).length).toBeGreaterThan(0);
});
