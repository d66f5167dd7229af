import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { blamed } from './documents.ts';
import { exampleOf, testOwnService } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-by-timer-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const inFile = (): string => join(folder, `${files++}.sqlite`);

/** Flats, of which each is charged a bill a month; nobody makes a bill. */
const rent = `
complete: true
resources:
  Flat:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      status: { type: string }
  Bill:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      amount: { type: integer, readOnly: true }
      status: { type: string }
states:
  Flat.status:
    states: [let]
    initial: let
    transitions: { charge: { from: let, to: let, after: P30D, also: [{ create: Bill, with: { amount: 7 } }] } }
  Bill.status:
    states: [open, paid, waived]
    initial: open
    final: [paid, waived]
    transitions: { pay: { from: open, to: paid }, waive: { from: open, to: waived } }
endpoints:
  POST /flats: { operation: let, does: create Flat, response: { status: 201, body: Flat } }
  GET /flats/{id}: { operation: read, does: read Flat, response: { status: 200, body: Flat } }
  GET /bills: { operation: list, does: { list: Bill }, response: { status: 200, body: "\${Bill(page.items)}" } }
  POST /bills/{id}/payment: { operation: pay, does: pay Bill, response: { status: 200, body: Bill } }
authentication: (none)
`;

describe('items that timers make', () => {
  it('are waited for, and what is stated of them is tried', async () => {
    const { results } = await testOwnService('rent', rent, 1, inFile(), 'yaml');
    const verdictOf = (says: string) => results.find((one) => one.says === says)?.verdict;
    expect(results.filter(({ verdict }) => verdict === 'violates')).toEqual([]);
    expect(
      [
        'POST /bills/{id}/payment of a Bill in open takes it to paid',
        'POST /bills/{id}/payment shows amount in its shape',
        'GET /bills shows amount in its shape',
      ].map(verdictOf),
    ).toEqual(['conforms', 'conforms', 'conforms']);
  });

  it('are found out where they are not moved as it is stated', async () => {
    const served = rent.replace('pay: { from: open, to: paid }', 'pay: { from: open, to: waived }');
    const report = await testOwnService('rent', rent, 1, inFile(), 'yaml', { served });
    expect(blamed(report).join()).toContain('POST /bills/{id}/payment of a Bill in open takes it to paid');
  });
});

describe('attempts to post an event', () => {
  it('are each waited for from when the one before came, however late that was', async () => {
    const report = await testOwnService('subscriptions', exampleOf('subscriptions'), 1, inFile(), 'md', {
      lateMs: 20_000,
      options: { only: ({ name }) => name === 'event.attempts' },
    });
    const all = report.results.find(
      ({ check, says }) => check === 'event.attempts' && says.startsWith('an event that was never taken'),
    );
    expect([all?.verdict, all?.found]).toEqual(['conforms', '5']);
  });
});

/** Whose plan is the large one may ask more often; plans are there from the start. */
const plans = `
complete: true
resources:
  Plan:
    identifier: name
    fields: { name: { type: string, maxLength: 20 } }
    items: [{ name: large }, { name: small }]
  User:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      plan: { refers: Plan, ifDeleted: refuse }
      key: { type: string, secret: hashed, set: { create: "\${random(32)}" } }
    required: [plan]
endpoints:
  GET /plans: { operation: plans, does: { list: Plan }, response: { status: 200, body: "\${Plan(page.items)}" } }
  POST /users:
    operation: join
    does: create User
    request: { body: User }
    response: { status: 201, body: { id: "\${this.id}", plan: "\${this.plan}", key: "\${this.key}" } }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: User.key }, actor: User, wrong: refuse } }
  several: refuse
  authorization: { plans: anyone, join: anyone }
limits:
  rates:
    small: { allow: 3, every: PT1M, per: actor, window: fixed, operations: [plans], when: "\${actor.plan.name == 'small'}" }
    large: { allow: 5, every: PT1M, per: actor, window: fixed, operations: [plans], when: "\${actor.plan.name == 'large'}" }
errors: { codes: { often: { when: rate exceeded, status: 429 } } }
`;

describe('a rate that counts who refers to an item', () => {
  const judged = async (served: string) => {
    const { results } = await testOwnService('plans', plans, 1, inFile(), 'yaml', { served });
    return results
      .filter(({ check }) => check === 'rate.allows')
      .map(({ says, verdict }) => `${verdict}: ${says}`)
      .sort();
  };

  it('is used up by somebody who does', async () => {
    expect(await judged(plans)).toEqual([
      'conforms: GET /plans is let in 3 times',
      'conforms: GET /plans is let in 5 times',
    ]);
    expect(await judged(plans.replace('allow: 5', 'allow: 4'))).toContain(
      'violates: GET /plans is let in 5 times',
    );
    expect(await judged(plans.replace('allow: 3', 'allow: 2'))).toContain(
      'violates: GET /plans is let in 3 times',
    );
  });
});
