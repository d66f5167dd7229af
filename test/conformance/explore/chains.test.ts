import { describe, expect, it } from 'vitest';
import { nextWait, waitAsPlanned } from '../../../src/conformance/explore/waits.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { answering } from '../../../src/conformance/requests/receivers.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { step } from '../../../src/semantics/request/request.ts';
import { Range } from '../../../src/semantics/value/value.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import { specificationOf } from '../../service/served.ts';

/** A bid needs two senders, and a lot that was made, published in time, and has not closed. */
const auction = specificationOf(`
complete: true
resources:
  Account:
    identifier: name
    fields: { name: { type: string, pattern: "^[a-z]{3,20}$" }, password: { type: string, minLength: 8, secret: hashed }, joinedAt: { type: string, format: date-time, set: { create: "\${now}" } } }
    required: [name, password]
  Lot:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      seller: { refers: Account, ifDeleted: refuse, set: { create: "\${actor}" } }
      closesAt: { type: string, format: date-time }
      status: { type: string }
    required: [closesAt]
  Bid:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, lot: { refers: Lot, ifDeleted: delete, writable: false }, amount: { type: integer, minimum: 1 } }
    required: [amount]
states:
  Lot.status:
    states: [draft, open, closed]
    initial: draft
    transitions: { publish: { from: draft, to: open, when: "\${this.closesAt > now}" }, close: { from: open, to: closed, at: "\${this.closesAt}" } }
endpoints:
  others: refuse
  POST /accounts: { operation: register, does: create Account, request: { body: Account }, response: { status: 201, body: Account } }
  POST /sessions:
    operation: logIn
    does: { authenticate: Account, by: [name, password] }
    request: { body: { fields: { name: { type: string }, password: { type: string } }, required: [name, password] } }
    response: { status: 201, body: { token: "\${issue('session', this)}" } }
  POST /lots: { operation: addLot, does: create Lot, request: { body: Lot }, response: { status: 201, body: Lot } }
  POST /lots/{id}/publication: { operation: publish, does: publish Lot, response: { status: 200, body: Lot } }
  POST /lots/{id}/bids:
    operation: bid
    does: { create: Bid, with: ["\${request.body}", { lot: "\${lot}" }] }
    request: { path: { id: Lot.id as lot }, body: Bid }
    response: { status: 201, body: Bid }
authentication:
  schemes: { session: { type: http, scheme: bearer, credentials: { issued: opaque, life: P1D }, actor: Account } }
  authorization: { register: anyone, logIn: anyone }
  otherwise: known
errors:
  codes:
    own_lot: { when: "\${lot.seller == actor}", operations: [bid], status: 403 }
    not_open: { when: "\${lot.status != 'open'}", operations: [bid], status: 409 }
`);

/** Nothing but refused events pauses a hook, and nothing but time lets a note expire. */
const hooks = specificationOf(`
complete: true
resources:
  Hook:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, url: { type: string, format: uri }, wants: { type: string, enum: [red, green, blue, gray, pink] }, status: { type: string } }
    required: [url, wants]
  Note:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, color: { type: string, enum: [red, green, blue, gray, pink] }, status: { type: string } }
    required: [color]
states:
  Hook.status: { states: [active, paused], initial: active, transitions: { pause: { from: active, to: paused }, resume: { from: paused, to: active } } }
  Note.status: { states: [fresh, old], initial: fresh, transitions: { expire: { from: fresh, to: old, after: P20D }, renew: { from: old, to: fresh } } }
authentication: (none)
endpoints:
  others: refuse
  POST /hooks: { operation: listen, does: create Hook, request: { body: Hook }, response: { status: 201, body: Hook } }
  GET /hooks/{id}: { operation: look, does: read Hook, response: { status: 200, body: Hook } }
  POST /hooks/{id}/resumption: { operation: resume, does: resume Hook, response: { status: 201, body: Hook } }
  POST /notes: { operation: write, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes/{id}: { operation: read, does: read Note, response: { status: 200, body: Note } }
  POST /notes/{id}/renewal: { operation: renew, does: renew Note, response: { status: 201, body: Note } }
events:
  kinds: { made: { by: [write], body: { color: "\${this.color}" } } }
  envelope: (none)
  delivery: { hooks: { webhook: Hook.url, where: "\${this.status == 'active' && event.body.color == this.wants}", success: [200], retries: [PT1M, PT10M], exhausted: Hook.pause } }
`);

/** How many requests to an operation succeed in a walk. */
function successes(specification: Specification, seed: number): Readonly<Record<string, number>> {
  const { requests, worlds } = walk(begunWorld(specification), [], seeded(seed), 160);
  const found: Record<string, number> = {};
  for (const [place, request] of requests.entries()) {
    const status = step(worlds[place] as World, request).at(-1)?.prediction.status;
    const { name } = request.operation;
    if (Array.isArray(status) && status[0] === 201) found[name] = (found[name] ?? 0) + 1;
  }
  return found;
}

describe('a walk', () => {
  it('does what an operation needs before it succeeds: several senders, and an item in its state', () => {
    for (const seed of [1, 2]) expect(successes(auction, seed)['bid']).toBeGreaterThan(3);
  });

  it('brings items into states that only time or refused events lead to', () => {
    const walks = [1, 2, 3].map((seed) => successes(hooks, seed));
    // Now and then none of the waits of a walk is long enough.
    for (const name of ['resume', 'renew'])
      expect(walks.filter(({ [name]: count = 0 }) => count > 0).length).toBeGreaterThan(1);
  });

  it('waits in a run until just before or just after a move, as the run has it', () => {
    const world = begunWorld(auction);
    const timer = (handle: number, least: number, most: number, move = 'close'): void =>
      world.setTimer({
        ...{ kind: 'at', resource: 'Lot', handle, move, time: null },
        due: new Range(least, most),
      });
    timer(1, 60_000, 60_500);
    timer(2, 90_000, 90_500);
    timer(3, 61_000, 61_500, 'other');
    const now = world.at({ at: new Range(0, 1), offMs: 0 });
    const until = { resource: 'Lot', move: 'close' };
    expect(waitAsPlanned({ ms: 59_000, until: { ...until, isBefore: true } }, now)).toBe(59_949);
    expect(waitAsPlanned({ ms: 61_200, until: { ...until, isBefore: false } }, now)).toBe(60_500);
    expect(waitAsPlanned({ ms: 91_000, until: { ...until, isBefore: false } }, now)).toBe(90_500);
    // None is near: the time of the plan stands.
    expect(waitAsPlanned({ ms: 500_000, until: { ...until, isBefore: false } }, now)).toBe(500_000);
    expect(waitAsPlanned({ ms: 60_100 }, now)).toBe(60_100);
  });

  it('waits for what is due soon, and hardly ever for what is due in years', () => {
    const [pool, world] = [new Pool(auction, seeded(1)), begunWorld(auction)];
    const received = { at: new Range(0, 1), offMs: 0 };
    const day = 86_400_000;
    const timer = (handle: number, ms: number): void =>
      world.setTimer({
        ...{ kind: 'at', resource: 'Lot', handle, move: 'close', time: null },
        due: new Range(ms, ms),
      });
    for (let handle = 1; handle <= 8; handle++)
      timer(handle, handle < 5 ? handle * 1000 : handle * 1000 * day);
    const waits = Array.from({ length: 4000 }, () =>
      nextWait(world.at(received), pool, Number.POSITIVE_INFINITY),
    );
    const timed = waits.filter((wait) => wait.timer !== null);
    expect(timed.length).toBeGreaterThan(50);
    expect(Math.max(...timed.map(({ ms }) => ms))).toBeLessThan(day);
  });
});

describe('an address that a body gives', () => {
  const hooks = (delivery: string): Specification =>
    specificationOf(`
resources: { Hook: { identifier: id, fields: { id: { type: string }, url: { type: string, format: uri }, status: { type: string } } } }
states: { Hook.status: { states: [on, off], initial: on, transitions: { stop: { from: on, to: off } } } }
endpoints: { POST /hooks: { operation: listen, does: create Hook, request: { body: Hook }, response: 204 } }
events: { kinds: { made: { by: [listen], body: {} } }, envelope: (none), delivery: { hooks: { webhook: Hook.url, ${delivery} } } }
`);
  const statuses = (delivery: string): Set<string> => {
    const specification = hooks(delivery);
    const pool = new Pool(specification, seeded(1));
    const field = specification.resourcesByName.get('Hook')?.fields.get('url');
    const schema = { type: 'string', format: 'uri' };
    const given = Array.from({ length: 300 }, () => answering('https://a.example/b', field, schema, pool));
    return new Set(given.map((url) => /\/answers-(\d+)\//.exec(String(url))?.[1] ?? 'usual'));
  };

  it('is often one at which events get a success that is stated, or are refused', () => {
    const found = statuses('success: [200, 202], retries: [PT1M], exhausted: Hook.stop');
    for (const status of ['usual', '200', '202', '201', '503']) expect(found).toContain(status);
  });

  it('is a usual one if nothing is stated of what follows, or what follows may happen at any moment', () => {
    expect(statuses('retries: (open) how often?')).toEqual(new Set(['usual']));
    expect(statuses('success: [200], retries: [PT1S], exhausted: Hook.stop')).toEqual(
      new Set(['usual', '200']),
    );
  });
});
