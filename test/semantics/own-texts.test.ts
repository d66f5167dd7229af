import { expect, it } from 'vitest';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { type Step, step } from '../../src/semantics/request/request.ts';
import { Unknown } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Note:
    identifier: id
    fields: { id: { type: string, maxLength: 20 }, title: { type: string, maxLength: 20, unique: true } }
endpoints:
  others: refuse
  POST /notes:
    does: create Note
    idempotency: { header: Idempotency-Key, required: false, life: P1D, per: key, remembers: all, replay: (none) }
    request: { body: Note }
    response: { status: 201, body: Note }
errors:
  codes:
    reused: { when: key reused, status: 409 }
    taken: { when: not unique, status: 423 }
    html: { when: not acceptable, status: 406 }
  order: [taken, html]
`);
const [operation] = specification.operations as [Request['operation']];

/** What may come of a note where others make notes, too. */
function add(world: World, id: string, title: string, headers: Request['headers'] = {}): readonly Step[] {
  const content = { id, title };
  return step(world, { operation, path: {}, query: {}, headers, credentials: [], content, url: 'http://a' });
}

const statuses = (steps: readonly Step[]): readonly unknown[] =>
  [...new Set<unknown>(steps.flatMap(({ prediction: { status } }) => [status].flat()))].toSorted();

function shared(): World {
  const world = new World(specification, { isShared: true });
  world.own = new Set(['mine-1', 'mine-2', 'chance', 'other-1', 'key-of-chance']);
  return world;
}

it('nobody else has a text of chance that the client made', () => {
  expect(statuses(add(shared(), 'mine-1', 'chance'))).toEqual([201]);
  expect(statuses(add(shared(), 'mine-1', 'Monday'))).toEqual([201, 423]);
});

const key = { 'idempotency-key': 'key-of-chance' };
const html = { accept: 'text/html' };

it('nobody else used a key of chance', () => {
  expect(statuses(add(shared(), 'mine-1', 'chance', key))).toEqual([201]);
  expect(statuses(add(shared(), 'mine-1', 'chance', { 'idempotency-key': '1' }))).toEqual([201, 409]);
});

it('a refusal before the key is known, if nobody used the key', () => {
  expect(statuses(add(shared(), 'mine-1', 'chance', { ...key, ...html }))).toEqual([406]);
});

it('whether a refusal is remembered that the order puts before the key, nobody states', () => {
  const [{ world }] = add(shared(), 'mine-1', 'chance') as [Step];
  const refused = add(world as World, 'mine-2', 'chance', { ...key, ...html });
  expect(statuses(refused)).toEqual([423]);
  const again = refused.flatMap((each) => add(each.world as World, 'mine-2', 'other-1', key));
  expect(statuses(again)).toEqual([201, 409]);
});

it('whether a repeat is answered before what only the change tells, where the order puts that first, is not worked out', () => {
  const first = add(shared(), 'mine-1', 'chance', key);
  expect(statuses(first)).toEqual([201]);
  const again = first.flatMap((each) => add(each.world as World, 'mine-1', 'chance', key));
  expect(again.some(({ prediction: { status } }) => status instanceof Unknown)).toBe(true);
});

it('content that is not read is refused before a key that is missing', () => {
  const strict = specificationOf(`
complete: true
resources: { Note: { identifier: id, fields: { id: { type: string } } } }
endpoints:
  others: refuse
  POST /notes:
    does: create Note
    idempotency: { header: Idempotency-Key, required: true, life: P1D, per: key, remembers: successes, replay: (none) }
    request: { body: Note }
    response: 201
errors:
  codes:
    needed: { when: key missing, status: 428 }
    media: { when: unsupported media, status: 415 }
  order: listed
`);
  const [add] = strict.operations as [Request['operation']];
  const request = { operation: add, path: {}, query: {}, credentials: [], content: 'x', url: 'http://a' };
  const steps = step(new World(strict), { ...request, headers: { 'content-type': 'text/plain' } });
  expect(statuses(steps)).toEqual([415]);
});
