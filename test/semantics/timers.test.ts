import { describe, expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Range, Unknown } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import { specificationOf } from '../service/served.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');
const text = (ms: number): string => new Date(noon + ms).toISOString();

/** Guests wait, and leave by themselves. */
const room = (leave: string): string => `
complete: true
resources:
  Guest:
    identifier: id
    fields:
      id: { type: string }
      name: { type: string, default: Ann }
      leaves: { type: [string, "null"], format: date-time, default: null, holds: { it is still to come: "\${value > now}" } }
      status: { type: string }
states:
  Guest.status:
    states: [waiting, gone]
    initial: waiting
    transitions: { leave: { from: waiting, ${leave} } }
endpoints:
  others: refuse
  POST /guests: { does: create Guest, request: { body: Guest }, response: 201 }
  GET /guests/{id}: { does: read Guest, response: { status: 200, body: "\${this.status}" } }
  GET /guests/{id}/name: { does: read Guest, response: { status: 200, body: "\${this.name}" } }
  GET /guests: { does: list Guest, response: { status: 200, body: "\${page.items.map(g, g.status)}" } }
errors: { codes: { unknown: { when: unknown, status: 404 } } }
`;

/** The same, where a guest sits down, and leaves at a time that the service made before. */
const timedRoom = room('to: gone, at: "${this.until}" }, sit: { from: standing, to: waiting')
  .replace(
    'fields:\n',
    'fields:\n      until: { type: string, set: { create: "${now + duration(\'PT1M\')}" } }\n',
  )
  .replace('states: [waiting, gone]', 'states: [standing, waiting, gone]')
  .replace('initial: waiting', 'initial: standing')
  .replace(
    'endpoints:\n',
    `endpoints:
  GET /guests/{id}/until: { does: read Guest, response: { status: 200, body: "\${this.until}" } }
  POST /guests/{id}/seat: { does: sit Guest, response: 204 }
`,
  );

/** A service of which the tester knows when requests are received; each takes 10 ms. */
class Desk {
  #world: World;
  #offMs: number;

  constructor(leave: string, offMs = 0) {
    this.#world = new World(specificationOf(leave.includes('endpoints:') ? leave : room(leave)));
    this.#offMs = offMs;
  }

  /** Whether an answer may come. */
  permits(key: string, ms: number, status: number, body?: string | string[], content?: object): boolean {
    const operation = this.#world.specification.operations.find((each) => each.key === key);
    if (operation === undefined) throw new TypeError(key);
    const request: Request = {
      operation,
      path: key.includes('{id}') ? { id: 'a' } : {},
      query: {},
      headers: {},
      credentials: [],
      content: content as never,
      url: 'http://a',
    };
    const received = { at: new Range(noon + ms, noon + ms + 10), offMs: this.#offMs };
    const { differences, world } = judge(step(this.#world, request, received), { status, headers: {}, body });
    if (differences.length === 0 && world) this.#world = world;
    return differences.length === 0;
  }

  /** Adds a guest at noon. */
  enter(content: object = {}): this {
    if (!this.permits('POST /guests', 0, 201, undefined, { id: 'a', ...content }))
      throw new TypeError('no guest');
    return this;
  }

  /** In which states the guest may be. */
  states(ms: number): string[] {
    const states = ['waiting', 'gone'].filter((state) => this.permits('GET /guests/{id}', ms, 200, state));
    return this.permits('GET /guests/{id}', ms, 404) ? [...states, 'deleted'] : states;
  }
}

describe('an item that moves by itself (language §3.3)', () => {
  it('has not moved before the move is due, and has moved once it is', () => {
    const leave = 'to: gone, after: PT1M';
    expect(new Desk(leave).enter().states(59_989)).toEqual(['waiting']);
    expect(new Desk(leave).enter().permits('GET /guests/{id}', 59_990, 200, 'waiting')).toBe(true);
    expect(new Desk(leave).enter().permits('GET /guests/{id}', 59_990, 200, 'gone')).toBe(true);
    expect(new Desk(leave).enter().states(60_010)).toEqual(['gone']);
  });

  it('may stay unmoved for as long as `within` says', () => {
    const leave = 'to: gone, after: PT1M, within: PT5S';
    expect(new Desk(leave).enter().permits('GET /guests/{id}', 65_009, 200, 'waiting')).toBe(true);
    expect(new Desk(leave).enter().states(65_010)).toEqual(['gone']);
  });

  it('does not move back once it was seen moved', () => {
    const desk = new Desk('to: gone, after: PT1M, within: PT5S').enter();
    expect(desk.permits('GET /guests/{id}', 61_000, 200, 'gone')).toBe(true);
    expect(desk.states(61_100)).toEqual(['gone']);
  });

  it('makes the one of several moves that its guards let it make, however many items are due at once', () => {
    const moves =
      'to: gone, after: PT1M, when: "${this.name == \'Ann\'}" }, stay: { from: waiting, to: seated, after: PT1M, when: "${this.name != \'Ann\'}"';
    const desk = new Desk(room(moves).replace('[waiting, gone]', '[waiting, gone, seated]'));
    const names = ['Ann', 'Bob', 'Cid', 'Ann', 'Eve', 'Ann', 'Gus'];
    for (const [place, name] of names.entries()) desk.enter({ id: `${place}`, name });
    const states = names.map((name) => (name === 'Ann' ? 'gone' : 'seated'));
    const other = states.with(0, 'seated');
    expect(desk.permits('GET /guests', 60_010, 200, other)).toBe(false);
    expect(desk.permits('GET /guests', 60_020, 200, states)).toBe(true);
  });

  it('moves when a time comes that the service made, whatever its clock showed', () => {
    const begin = (): Desk => {
      const desk = new Desk(timedRoom, 5000).enter();
      expect(desk.permits('GET /guests/{id}/until', 20, 200, text(63_000))).toBe(true);
      expect(desk.permits('POST /guests/{id}/seat', 30, 204)).toBe(true);
      return desk;
    };
    expect(begin().states(59_989)).toEqual(['waiting']);
    expect(begin().states(60_010)).toEqual(['gone']);
  });

  it('moves at a time that it holds, as far as the clock of the service is known', () => {
    const leave = 'to: gone, at: "${this.leaves}"';
    const leaves = { leaves: text(60_000) };
    expect(new Desk(leave).enter(leaves).states(59_989)).toEqual(['waiting']);
    expect(new Desk(leave).enter(leaves).states(60_010)).toEqual(['gone']);
    expect(new Desk(leave, 5000).enter(leaves).permits('GET /guests/{id}', 64_000, 200, 'waiting')).toBe(
      true,
    );
    expect(new Desk(leave, 5000).enter(leaves).states(65_010)).toEqual(['gone']);
    expect(new Desk(leave).enter({ leaves: null }).states(1e12)).toEqual(['waiting']);
  });

  it('may be deleted by its move', () => {
    const leave = 'to: (none), after: PT1M';
    expect(new Desk(leave).enter().states(59_000)).toEqual(['waiting']);
    expect(new Desk(leave).enter().states(61_000)).toEqual(['deleted']);
  });

  it('moves by work of a state at any time', () => {
    const leave = 'to: gone } }\n    work: { waiting: { handled: door, may: [leave Guest] }';
    const document = leave.replace(/ \}$/, '');
    expect(new Desk(document).enter().permits('GET /guests/{id}', 1, 200, 'waiting')).toBe(true);
    const desk = new Desk(document).enter();
    expect(desk.permits('GET /guests/{id}', 1, 200, 'gone')).toBe(true);
    expect(desk.states(2)).toEqual(['gone']);
  });

  it('leaves everything determined that its move does not change', () => {
    const desk = new Desk('to: gone, after: PT1M, within: PT1H').enter();
    expect(desk.permits('GET /guests/{id}/name', 61_000, 200, 'Bob')).toBe(false);
    expect(desk.permits('GET /guests/{id}/name', 61_000, 200, 'Ann')).toBe(true);
    expect(desk.permits('GET /guests/{id}', 61_100, 200, 'waiting')).toBe(true);
  });

  it('is looked at in lists, too', () => {
    const desk = new Desk('to: gone, after: PT1M').enter();
    expect(desk.permits('GET /guests', 60_010, 200, ['waiting'])).toBe(false);
    expect(desk.permits('GET /guests', 60_010, 200, ['gone'])).toBe(true);
  });
});

describe('a time that cannot be computed', () => {
  it('leaves unknown what comes of the request, and ends nothing', () => {
    const visits = specificationOf(`
complete: true
resources:
  Visit:
    identifier: id
    fields: { id: { type: string }, begins: { type: [string, "null"], format: date-time }, status: { type: string } }
states: { Visit.status: { states: [a, b], initial: a, final: [b], transitions: { go: { from: a, to: b, at: "\${this.begins + duration('PT1H')}" } } } }
endpoints:
  others: refuse
  POST /visits: { operation: add, does: create Visit, request: { body: Visit }, response: { status: 201, body: Visit } }
authentication: (none)
errors: { codes: { bad: { when: [malformed, invalid], status: 422 } } }
`);
    const [operation] = visits.operations;
    const statusOf = (begins: string | null): unknown => {
      const usual = { operation, path: {}, query: {}, headers: {}, credentials: [], url: 'http://a' };
      const request = { ...usual, content: { id: 'a', begins } } as unknown as Request;
      return step(new World(visits), request).map(({ prediction }) => prediction.status);
    };
    expect(statusOf('2030-01-01T00:00:00Z')).toEqual([[201]]);
    expect(statusOf(null)).toEqual([expect.any(Unknown)]);
  });
});
