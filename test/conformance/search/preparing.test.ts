import { expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import {
  isPreparing,
  itemsApart,
  itemsMoving,
  preparingFor,
  turnedFor,
} from '../../../src/conformance/search/preparing.ts';
import { begunWorld, url } from '../../../src/conformance/search/simulate.ts';
import { judge } from '../../../src/semantics/judge/judge.ts';
import { answerTo } from '../../../src/semantics/judge/permitted.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { step } from '../../../src/semantics/request/request.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import type { Json } from '../../../src/source/node.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Lot:
    identifier: id
    fields:
      id: { type: string }
      reserve: { type: integer, minimum: 1 }
      price: { type: integer, default: 0 }
      opens: { type: integer, default: 1 }
      closes: { type: integer, default: 9 }
      status: { type: string }
      met: { type: boolean, derived: "\${this.price >= this.reserve}" }
    required: [id, reserve]
    invariants: { "it opens before it closes": "\${this.opens < this.closes}" }
states:
  Lot.status:
    states: [open, sold]
    initial: open
    final: [sold]
    transitions: { sell: { from: open, to: sold, when: "\${this.price >= this.reserve}" } }
endpoints:
  others: refuse
  POST /lots: { operation: add, does: create Lot, request: { body: { of: Lot, omits: [price, status] } }, response: { status: 201, body: Lot } }
  POST /lots/{id}/bids: { operation: bid, does: { update: Lot, with: { price: "\${request.body.amount}" } }, request: { body: { fields: { amount: { type: integer, minimum: 1 } }, required: [amount] } }, response: { status: 200, body: Lot } }
  POST /lots/{id}/sale: { operation: sell, does: sell Lot, response: { status: 200, body: Lot } }
authentication: (none)
errors: { codes: { wrong: { when: invalid, status: 422 }, hours: { when: invariant broken, status: 409 }, early: { when: guard refused, status: 409 }, twice: { when: transition refused, status: 409 }, taken: { when: not unique, status: 409 }, unknown: { when: unknown, status: 404 } } }
limits: (none)
`);

const deviations = new Map(deviationsOf(specification).map((deviation) => [nameOf(deviation), deviation]));

function deviationOf(name: string) {
  const deviation = deviations.get(name);
  if (deviation === undefined) throw new TypeError(`no deviation: ${name}`);
  return deviation;
}

function requestTo(name: string, content?: Json, path: Request['path'] = {}): Request {
  const operation = specification.operations.find((each) => each.name === name);
  if (operation === undefined) throw new TypeError(`no operation ${name}`);
  return { operation, path, query: {}, headers: {}, credentials: [], content, url };
}

function after(world: World, request: Request): World {
  const steps = step(world, request);
  const answer = answerTo(steps.at(-1)?.prediction as never);
  return judge(steps, answer as never, true).world as World;
}

const bid = (amount: number): Request => requestTo('bid', { amount }, { id: 'vase' });
const [met, sell] = ['resources.Lot.fields.met.derived', 'states["Lot.status"].transitions.sell.when'].map(
  (address) => deviationOf(`${address}: it is this.price > this.reserve`),
);
const begun = after(begunWorld(specification), requestTo('add', { id: 'vase', reserve: 517 }));

/** The contents of the requests that are found with some seeds. */
function foundWith(find: (pool: Pool) => Request | null): readonly unknown[] {
  const pools = Array.from({ length: 8 }, (_, seed) => new Pool(specification, seeded(seed)));
  return pools.flatMap((pool) => find(pool)?.content ?? []);
}

it('a request writes an item of which a deviation decides otherwise', () => {
  for (const deviation of [met, sell] as const) {
    const found = foundWith((pool) =>
      preparingFor(deviation as never, begun, pool, ([operation]) =>
        operation?.name === 'bid' ? bid(3) : requestTo('add', { id: 'cup', reserve: 12 }),
      ),
    );
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(found.map(() => ({ amount: 517 })));
  }
});

it('items are told apart of which a deviation decides otherwise', () => {
  const reached = after(begun, bid(517));
  const [below, equal] = [after(begun, bid(516)), reached].map((world) =>
    itemsApart(met as never, world).map(({ members }) => members.get('id')),
  );
  expect({ below, equal }).toEqual({ below: [], equal: ['vase'] });
  // Time changes nothing of what a field is derived from.
  expect(itemsMoving(met as never, reached)).toEqual([]);
  expect(itemsMoving(sell as never, reached)).toHaveLength(1);
});

it('a request prepares nothing where an item is there already', () => {
  const reached = after(begun, bid(517));
  expect(isPreparing(met as never, begun, reached)).toBe(true);
  expect(isPreparing(met as never, reached, after(reached, bid(517)))).toBe(false);
  expect(isPreparing(met as never, begun, after(begun, bid(5)))).toBe(false);
});

it('a request gets a value at which an expression comes to something else', () => {
  const bound = deviationOf(
    'resources.Lot.invariants["it opens before it closes"]: it is this.opens <= this.closes',
  );
  const request = requestTo('add', { id: 'cup', reserve: 12, closes: 7 });
  const [found] = foundWith((pool) => turnedFor(bound, request, begun, pool));
  expect(found).toMatchObject({ closes: 1 });
  const noExpression = deviationOf('resources.Lot.fields.reserve.minimum: it is left out');
  expect(foundWith((pool) => turnedFor(noExpression, request, begun, pool))).toEqual([]);
});

it('a request gets the values of another item, where only several of them together decide', () => {
  const slots = specificationOf(`
complete: true
resources:
  Slot:
    identifier: id
    fields: { id: { type: string }, room: { type: string }, day: { type: string }, from: { type: integer } }
    required: [id, room, day, from]
    guards: { create: "\${!Slot.exists(s, s.id != this.id && s.room == this.room && s.day == this.day && s.from == this.from)}" }
endpoints:
  POST /slots: { operation: add, does: create Slot, request: { body: Slot }, response: { status: 201, body: Slot } }
authentication: (none)
errors: { codes: { taken: { when: guard refused, status: 409 } } }
`);
  const [operation] = slots.operations;
  const adds = (content: Json): Request =>
    ({ operation, path: {}, query: {}, headers: {}, credentials: [], content, url }) as unknown as Request;
  const world = after(begunWorld(slots), adds({ id: 'one', room: 'oak', day: 'monday', from: 9 }));
  const otherHour = deviationsOf(slots).find(
    ({ says }) =>
      says ===
      'it is !Slot.exists(s, s.id != this.id && s.room == this.room && s.day == this.day && s.from != this.from)',
  );
  const [found] = Array.from({ length: 8 }, (_, seed) => new Pool(slots, seeded(seed))).flatMap(
    (pool) =>
      turnedFor(otherHour as never, adds({ id: 'two', room: 'elm', day: 'friday', from: 3 }), world, pool) ??
      [],
  );
  expect(found?.content).toMatchObject({ room: 'oak', day: 'monday' });
});
