import { describe, expect, it } from 'vitest';
import { Explorer } from '../../../src/conformance/explore/explorer.ts';
import { Mending } from '../../../src/conformance/explore/mending.ts';
import { Following } from '../../../src/conformance/play/chooser.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { isAccessLost } from '../../../src/conformance/requests/senders.ts';
import type { Walk } from '../../../src/conformance/search/plan.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { step } from '../../../src/semantics/request/request.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Task:
    identifier: id
    fields:
      id: { type: string, pattern: "^[a-z]{8}$" }
      done: { type: boolean, default: false, writable: false }
endpoints:
  PUT /tasks/{id}: { operation: add, does: create Task, response: { status: 201, body: Task } }
  GET /tasks/{id}: { operation: read, does: read Task, response: { status: 200, body: Task } }
  PUT /tasks/{id}/done: { operation: finish, does: { update: Task, with: { done: "\${true}" } }, response: { status: 200, body: Task } }
errors:
  codes: { full: { when: quota exceeded, status: 409 }, gone: { when: unknown, status: 404 } }
limits: { quotas: { tasks: { of: Task, when: "\${!this.done}", allow: 2 } } }
authentication: (none)
`);
const url = 'http://127.0.0.1';
const seeds = [1, 2, 3, 4];
const pool = new Pool(specification, seeded(1));
const explorer = new Explorer(pool, url, specification.operations);
const mending = new Mending(explorer, pool);
const add = specification.operations.filter(({ name }) => name === 'add');

const adding = (world: World): Request => explorer.usual(world, world.received, add).request;
const after = (world: World, request: Request): World => step(world, request).at(-1)?.world as World;

const empty = begunWorld(specification);
const one = after(empty, adding(empty));
const full = after(one, adding(one));

it('a request makes room for one that a quota refuses', () => {
  const request = adding(full);
  const room = explorer.makingRoom(request, full, full.received);
  expect(room?.operation.name).toBe('finish');
  expect(step(after(full, room as Request), request).at(-1)?.prediction.status).toEqual([201]);
});

it('none is sent where there is room', () => {
  expect(explorer.makingRoom(adding(one), one, one.received)).toBeNull();
});

it('a planned walk goes on as planned once there is room', () => {
  const request = adding(full);
  const walk = { requests: [request], statuses: [[201]], waits: [], told: new Map() } as unknown as Walk;
  const playing = { url, fresh: (text: string) => text, beganMs: 0 };
  const chooser = new Following(walk, full, playing, (...request) => mending.mended(...request));
  const first = chooser.next(full, full.received) as Request;
  expect(first.operation.name).toBe('finish');
  const roomy = after(full, first);
  chooser.note(200, full, roomy, true);
  const second = chooser.next(roomy, roomy.received) as Request;
  expect(second.operation.name).toBe('add');
  chooser.note(201, roomy, after(roomy, second), true);
  expect(chooser.next(after(roomy, second), roomy.received)).toBeNull();
  expect(chooser.wentAsPlanned(0)).toBe(true);
});

it('a planned log-in gives the secret that its account has by now', () => {
  const accounts = specificationOf(`
complete: true
resources:
  Account:
    identifier: name
    fields: { name: { type: string }, password: { type: string, minLength: 4, secret: hashed } }
    items: [{ name: ann, password: first-of-ann }, { name: bob, password: first-of-bob }]
endpoints:
  others: refuse
  POST /sessions:
    operation: logIn
    does: { authenticate: Account, by: { name: "\${request.body.name}", password: "\${request.body.password}" } }
    request: { body: { fields: { name: { type: string }, password: { type: string } }, required: [name, password] } }
    response: { status: 201, body: { token: "\${issue('token', this)}" } }
  PUT /accounts/{name}/password:
    operation: change
    does: update Account
    request: { body: { of: Account, shows: [password] } }
    response: 204
authentication:
  schemes: { token: { type: http, scheme: bearer, credentials: { issued: opaque }, actor: Account } }
  otherwise: anyone
errors: { codes: { wrong: { when: wrong credentials, status: 401 }, bad: { when: invalid, status: 422 } } }
`);
  const [logIn, change] = accounts.operations as [Operation, Operation];
  const requestOf = (operation: Operation, path: object, content: object): Request =>
    ({ operation, path, query: {}, headers: {}, credentials: [], content, url }) as unknown as Request;
  const begun = begunWorld(accounts);
  const changed = after(begun, requestOf(change, { name: 'ann' }, { password: 'second-of-ann' }));
  const among = new Pool(accounts, seeded(1));
  const own = new Mending(new Explorer(among, url, accounts.operations), among);
  const planned = requestOf(logIn, {}, { name: 'ann', password: 'first-of-ann' });
  expect(own.mended(planned, begun, begun.received)).toBeNull();
  expect(own.mended(planned, changed, changed.received)).toMatchObject({
    request: { content: { name: 'ann', password: 'second-of-ann' } },
    isInPlace: true,
  });
});

describe('where an account of the beginning may be deleted', () => {
  const keys = specificationOf(`
complete: true
resources:
  Key:
    identifier: name
    fields: { name: { type: string, pattern: "^[a-z]{8}$" }, token: { type: string, unique: true, minLength: 8 } }
    items: [{ name: thefirst, token: token-of-the-first }]
endpoints:
  others: refuse
  GET /keys/{name}: { operation: read, does: read Key, response: { status: 200, body: { name: "\${this.name}" } } }
  DELETE /keys/{name}: { operation: end, does: delete Key, response: 204 }
authentication:
  schemes: { key: { type: http, scheme: bearer, credentials: { kept: Key.token }, actor: Key } }
  otherwise: anyone
errors: { codes: { gone: { when: unknown, status: 404 }, bad: { when: invalid, status: 422 } } }
`);
  const isEnded = (seed: number, keepsAccess: boolean): boolean => {
    const begun = begunWorld(keys);
    const pool = new Pool(keys, seeded(seed));
    const explorer = new Explorer(pool, url, keys.operations, { keepsAccess });
    let world = begun;
    for (let sent = 0; sent < 20; sent++) {
      const chosen = explorer.next(world, world.received);
      world = chosen.steps.at(-1)?.world ?? world;
    }
    return isAccessLost(begun, world);
  };

  it('it stays if others need it', () => {
    expect(seeds.map((seed) => isEnded(seed, true))).not.toContain(true);
  });

  it('else it does not', () => {
    expect(seeds.map((seed) => isEnded(seed, false))).toContain(true);
  });
});

it('a planned request has another body where the planned one is in the way of an item', () => {
  const slots = specificationOf(`
complete: true
resources:
  Slot: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } }, at: { type: string, pattern: "^[a-z]{8}$", unique: true } }, required: [at] }
endpoints:
  others: refuse
  POST /slots: { operation: open, does: create Slot, request: { body: Slot }, response: { status: 201, body: Slot } }
errors: { codes: { taken: { when: not unique, status: 409 }, bad: { when: invalid, status: 422 } } }
authentication: (none)
`);
  const own = new Pool(slots, seeded(1));
  const explorer = new Explorer(own, url, slots.operations);
  const begun = begunWorld(slots);
  const { request } = explorer.usual(begun, begun.received, slots.operations);
  const taken = after(begun, request);
  const mended = new Mending(explorer, own).mended(request, taken, taken.received);
  expect(mended?.isInPlace).toBe(true);
  expect(step(taken, mended?.request as Request).at(-1)?.prediction.status).toEqual([201]);
});
