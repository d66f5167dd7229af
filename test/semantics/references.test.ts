import { expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Range } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import { specificationOf, start } from '../service/served.ts';
import { send, worldOf } from './playing.ts';
import { statusesOf, walk } from './walking.ts';

const document = `
complete: true
resources:
  Box:
    identifier: id
    fields:
      id: { type: integer }
      name: { type: string, unique: true }
      pin: { type: string, secret: hashed, default: secret }
      hasPin: { type: boolean, derived: "\${this.pin != null}" }
      within: { refers: Box.name, ifDeleted: keep }
      around: { refers: Box, ifDeleted: keep }
      inner: { type: integer, derived: "\${this.within.id}" }
      count: { type: integer, default: 0, writable: false }
    required: [name]
endpoints:
  others: refuse
  PUT /boxes/{id}:
    operation: keep
    does: { create: Box, present: keep }
    request: { body: Box }
    response: { status: 200, body: Box }
  PATCH /boxes/{id}:
    operation: change
    does: { update: Box, same: changed }
    also: [{ update: every Box, as: each, where: "\${this.within == null}", with: { count: "\${this.id}" } }]
    request: { body: Box }
    response: { status: 200, body: Box }
  POST /boxes/{id}/insides:
    operation: put
    does: { create: Box, with: ["\${request.body}", { within: "\${box}" }] }
    request: { path: { id: Box.id as box }, body: Box }
    response: { status: 201, body: Box }
  GET /boxes/{id}/insides:
    operation: insides
    does: { list: Box, where: "\${this.within == box}", order: [id] }
    request: { path: { id: Box.id as box } }
    response: { status: 200, body: "\${Box(page.items)}" }
authentication: (none)
errors:
  payload: { body: { failures: "\${error.failures.map(f, f.field + ' ' + f.keyword)}" } }
  codes: { unfit: { when: invalid, status: 422 } }
`;

const box = (id: number, name: string, more: object = {}) =>
  ['keep', { path: { id }, content: { name, ...more } }] as const;

it('a reference by another field than the identifier leads to the item that has the key by then', async () => {
  const requests = [
    box(1, 'a'),
    ['put', { path: { id: 1 }, content: { id: 2, name: 'b' } }],
    ['insides', { path: { id: 1 } }],
    ['change', { path: { id: 1 }, content: { name: 'c' } }],
    ['insides', { path: { id: 1 } }],
    box(3, 'a'),
    ['insides', { path: { id: 3 } }],
  ] as const;
  expect(await statusesOf(document, requests)).toEqual([200, 201, 200, 200, 200, 200, 200]);
});

it('a reference is looked up only of an item that a change makes (language §H.4, rule 12)', async () => {
  const requests = [
    box(1, 'a', { within: 'none', around: 7 }),
    box(1, 'a'),
    box(1, 'a', { within: 'none' }),
    ['put', { path: { id: 1 }, content: { id: 2, name: 'b', within: 'none' } }],
    ['change', { path: { id: 1 }, content: { name: 5, within: 'none' } }],
  ] as const;
  expect(await statusesOf(document, requests)).toEqual([422, 200, 200, 201, 422]);
});

it('a replacement that keeps a reference to an item changes nothing', async () => {
  const text = `
complete: true
resources:
  Box: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } } } }
  Lid:
    identifier: id
    fields: { id: { type: string }, of: { refers: Box, ifDeleted: keep } }
  Knob:
    identifier: id
    fields: { id: { type: string }, made: { type: ["null"], set: { create: "\${uuid()}" } } }
endpoints:
  others: refuse
  POST /boxes: { operation: add, does: create Box, response: { status: 201, body: Box } }
  GET /boxes/{id}: { operation: show, does: read Box, response: { status: 200, body: Box } }
  POST /boxes/{id}/lids:
    operation: cover
    does: { create: Lid, with: ["\${request.body}", { of: "\${box}" }] }
    request: { path: { id: Box.id as box }, body: Lid }
    response: 201
  PUT /lids/{id}:
    operation: put
    does: replace Lid
    request: { body: Lid }
    response: [{ when: changed, status: 200 }, { when: unchanged, status: 204 }]
  POST /knobs: { operation: turn, does: create Knob, request: { body: Knob }, response: 201 }
authentication: (none)
errors:
  codes: { unfit: { when: invalid, status: 422, body: "\${error.failures.map(f, f.field + ' ' + f.keyword)}" } }
`;
  let world = worldOf(text, false);
  const { address: url, close } = await start(text);
  const asks = async (name: string, given: Partial<Request>) => {
    const operation = world.specification.operations.find(
      (each) => each.name === name,
    ) as Request['operation'];
    const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined };
    const request: Request = { ...usual, operation, url, ...given };
    const answer = await send(request, world.specification);
    const settled = judge(step(world, request), answer);
    expect(settled.differences).toEqual([]);
    world = settled.next as World;
    return answer;
  };
  const { body } = await asks('add', {});
  const { id } = body as { readonly id: string };
  await asks('cover', { path: { id }, content: { id: 'a' } });
  expect((await asks('put', { path: { id: 'a' }, content: { of: id } })).status).toBe(204);
  // What the service makes has to be of the type of its field (language §2.2, rule 9).
  expect((await asks('turn', { content: { id: 'k' } })).body).toEqual(['made type']);
  await close();
});

it('what a reference to nothing is shown as is not stated', async () => {
  const text = `
complete: true
resources:
  Box: { identifier: id, fields: { id: { type: string } } }
  Lid: { identifier: id, fields: { id: { type: string }, of: { refers: Box, ifDeleted: keep, shown: "\${Box(value)}" } } }
endpoints:
  others: refuse
  POST /boxes: { operation: addBox, does: create Box, request: { body: Box }, response: 201 }
  DELETE /boxes/{id}: { operation: remove, does: delete Box, response: 204 }
  POST /lids: { operation: add, does: create Lid, request: { body: Lid }, response: 201 }
  GET /lids/{id}: { operation: show, does: read Lid, response: { status: 200, body: Lid } }
authentication: (none)
errors: { codes: { failed: { when: internal, status: 500 } } }
`;
  const walked = await walk(text, [
    ['addBox', { content: { id: 'b' } }],
    ['add', { content: { id: 'l', of: 'b' } }],
    ['remove', { path: { id: 'b' } }],
    ['show', { path: { id: 'l' } }],
  ]);
  expect(walked.flatMap(({ differences }) => differences)).toEqual([]);
  expect(walked.at(-1)?.undetermined).toBe(1);
});

it('a row of part 7 reads the item to which the body refers', () => {
  const visits = specificationOf(`
complete: true
resources:
  Slot:
    identifier: id
    fields: { id: { type: string }, start: { type: string, format: date-time } }
    items: [{ id: past, start: 2020-01-01T00:00:00Z }, { id: next, start: 2999-01-01T00:00:00Z }]
  Visit: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, slot: { refers: Slot, ifDeleted: refuse } }, required: [slot] }
endpoints:
  others: refuse
  POST /visits: { operation: add, does: create Visit, request: { body: Visit }, response: 201 }
authentication: (none)
errors: { codes: { bad: { when: invalid, status: 422 }, over: { when: "\${request.body.slot.start <= now}", operations: [add], status: 409 } } }
`);
  const [operation] = visits.operations;
  const at = { at: new Range(1_790_000_000_000, 1_790_000_000_001), offMs: 0 };
  const statusOf = (slot: string): unknown => {
    const usual = { operation, path: {}, query: {}, headers: {}, credentials: [], url: 'http://a' };
    const steps = step(new World(visits), { ...usual, content: { slot } } as unknown as Request, at);
    return steps.map(({ prediction }) => prediction.status);
  };
  expect([statusOf('past'), statusOf('next'), statusOf('none')]).toEqual([[[409]], [[201]], [[422]]]);
});
