import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exploring } from '../../../src/conformance/explore/explorer.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { oddRequest } from '../../../src/conformance/requests/requests.ts';
import { judge } from '../../../src/semantics/judge/judge.ts';
import { answerTo } from '../../../src/semantics/judge/permitted.ts';
import { type Step, step } from '../../../src/semantics/request/request.ts';
import { World } from '../../../src/semantics/world/world.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(readFileSync('test/semantics/shelves.yaml', 'utf8'));

/** What is sent and answered in a sequence against a service that does what the document says. */
function simulated(seed: number, length: number): string[] {
  const explorer = exploring(new Pool(specification, seeded(seed)), 'http://localhost');
  const lines: string[] = [];
  let world = new World(specification);
  for (let place = 0; place < length; place++) {
    const candidate = explorer.next(world, world.received);
    const { request } = candidate;
    const steps = step(world, request);
    const [first] = steps as [Step];
    const answer = answerTo(first.prediction);
    const { operation, path, query, content } = request;
    lines.push(JSON.stringify([operation.name, path, query, content, answer]));
    const settled = answer && judge(steps, answer);
    expect(settled?.differences ?? []).toEqual([]);
    if (settled?.world == null) break;
    explorer.note(candidate, answer?.status ?? 0, world, settled.world);
    world = settled.world;
  }
  return lines;
}

describe('requests that the search makes', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(simulated(7, 40)).toEqual(simulated(7, 40));
    expect(simulated(7, 40)).not.toEqual(simulated(8, 40));
  });

  it('reach every operation, with success and with refusals', () => {
    const statuses = new Map<string, Set<number>>();
    for (let seed = 1; seed <= 40; seed++)
      for (const line of simulated(seed, 40)) {
        const [name, , , , answer] = JSON.parse(line) as [string, 0, 0, 0, { status: number } | null];
        // Of some requests it is not known how they are answered.
        if (answer) statuses.set(name, (statuses.get(name) ?? new Set()).add(answer.status));
      }
    expect([...statuses.keys()].sort()).toEqual(specification.operations.map(({ name }) => name).sort());
    for (const [, found] of statuses) expect([...found].some((status) => status < 300)).toBe(true);
    expect([...new Set([...statuses.values()].flatMap((found) => [...found]))].sort()).toEqual([
      200, 201, 204, 400, 404, 409, 422,
    ]);
  });
});

it('a path names an item that is not there by a key of the right form, too', () => {
  const of = specificationOf(`
resources:
  Note: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } } } }
  Card: { identifier: id, fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } } } }
endpoints:
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  GET /cards/{id}: { does: read Card, response: { status: 200, body: Card } }
authentication: (none)
`);
  const pool = new Pool(of, seeded(1));
  const world = new World(of);
  const keys = of.operations.map((operation) => {
    const request = { operation, path: { id: 1 }, query: {}, headers: {}, credentials: [], url: 'http://a' };
    const odd = { ...request, content: undefined };
    return Array.from({ length: 40 }, () => oddRequest(odd, world, pool).path['id']);
  });
  const [notes = [], cards = []] = keys;
  expect(notes.some((key) => typeof key === 'number' && key > 1000)).toBe(true);
  expect(cards.some((key) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(key)))).toBe(true);
  for (const each of keys) expect(each).toContain('nobody');
});
