import { describe, expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Range } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import { specificationOf } from '../service/served.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');
const text = (ms: number): string => new Date(noon + ms).toISOString();
const date = (ms: number): string => new Date(noon + ms).toUTCString();
const minute = 60_000;

interface Answered {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** What is known of a service. Each request takes 10 ms. */
class Desk {
  #world: World;

  constructor(document: string) {
    this.#world = new World(specificationOf(document));
  }

  /** Where an answer differs from what is stated. The world goes on, if the answer is right. */
  wrong(
    key: string,
    ms: number,
    { status, headers = {}, body }: Answered,
    sent: { readonly content?: Json; readonly headers?: Readonly<Record<string, string>> } = {},
  ): readonly string[] {
    const operation = this.#world.specification.operations.find((each) => each.key === key);
    if (operation === undefined) throw new TypeError(key);
    const path = key.includes('{id}') ? { id: 'a' } : {};
    const common = { query: {}, credentials: [], url: 'http://a' };
    const request: Request = {
      operation,
      path,
      ...common,
      headers: sent.headers ?? {},
      content: sent.content,
    };
    const received = { at: new Range(noon + ms, noon + ms + 10), offMs: 0 };
    const { differences, world } = judge(step(this.#world, request, received), { status, headers, body });
    if (differences.length === 0 && world) this.#world = world;
    return differences.map(({ at }) => at);
  }
}

describe('when an item was last changed (language §4.3)', () => {
  const notes = `
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string }, at: { type: string, format: date-time, set: { always: "\${now}" } } } }
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: 204 }
  GET /notes/{id}:
    does: read Note
    conditional: { lastModified: "\${this.at}", ifModifiedSince: allowed }
    response: { status: 200, body: Note }
  PATCH /notes/{id}:
    does: update Note
    request: { body: Note }
    conditional: { lastModified: "\${this.at}", ifUnmodifiedSince: required }
    response: 204
errors:
  codes:
    changed: { when: precondition failed, status: 412 }
    blind: { when: precondition missing, status: 428 }
`;
  const desk = (): Desk => {
    const made = new Desk(notes);
    expect(made.wrong('POST /notes', 500, { status: 204 }, { content: { id: 'a', text: 'x' } })).toEqual([]);
    return made;
  };
  const read = (modified: string, at: string): Answered => ({
    status: 200,
    headers: { 'last-modified': modified },
    body: { id: 'a', text: 'x', at },
  });

  it('is sent in whole seconds, rounded down', () => {
    expect(desk().wrong('GET /notes/{id}', minute, read(date(0), text(505)))).toEqual([]);
    expect(desk().wrong('GET /notes/{id}', minute, read(date(1000), text(505)))).toEqual([
      'headers.last-modified',
    ]);
    expect(desk().wrong('GET /notes/{id}', minute, read(date(0), text(5000)))).toEqual(['body.at']);
  });

  it('decides whether the client has what it would be sent', () => {
    const since = (field: string) => ({ headers: { 'if-modified-since': field } });
    const right = read(date(0), text(505));
    expect(desk().wrong('GET /notes/{id}', minute, { status: 304 }, since(date(0)))).toEqual([]);
    expect(desk().wrong('GET /notes/{id}', minute, right, since(date(0)))).toEqual(['status']);
    expect(desk().wrong('GET /notes/{id}', minute, { status: 304 }, since(date(-1000)))).toEqual(['status']);
    expect(desk().wrong('GET /notes/{id}', minute, right, since('noon'))).toEqual([]);
  });

  it('decides whether a change is refused', () => {
    const since = (field: string) => ({ headers: { 'if-unmodified-since': field }, content: { text: 'y' } });
    const path = 'PATCH /notes/{id}';
    expect(desk().wrong(path, minute, { status: 204 }, since(date(0)))).toEqual([]);
    expect(desk().wrong(path, minute, { status: 412 }, since(date(0)))).toEqual(['status']);
    expect(desk().wrong(path, minute, { status: 412 }, since(date(-1000)))).toEqual([]);
    expect(desk().wrong(path, minute, { status: 428 }, since('noon'))).toEqual([]);
    expect(desk().wrong(path, minute, { status: 204 }, { content: {} })).toEqual(['status']);
  });
});

describe('a key of a repeat (language §4.4)', () => {
  const notes = (remembers: string): string => `
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string, maxLength: 3 } } }
endpoints:
  others: refuse
  POST /notes:
    does: create Note
    request: { body: Note }
    idempotency: { header: Key, required: false, life: PT1M, per: key, remembers: ${remembers}, replay: { headers: { Again: "yes" } } }
    response: 204
  DELETE /notes/{id}: { does: delete Note, response: 204 }
errors:
  codes:
    twice: { when: not unique, status: 409 }
    other: { when: key reused, status: 422 }
    unfit: { when: invalid, status: 400 }
`;
  const add = (id: string) => ({ headers: { key: 'k' }, content: { id } });
  const again = { status: 204, headers: { again: 'yes' } };

  it('marks the repeated answer, and no other', () => {
    const desk = new Desk(notes('successes'));
    expect(desk.wrong('POST /notes', 0, again, add('a'))).toEqual(['headers.again']);
    expect(desk.wrong('POST /notes', 0, { status: 204 }, add('a'))).toEqual([]);
    expect(desk.wrong('POST /notes', 100, { status: 204 }, add('a'))).toEqual(['headers.again']);
    expect(desk.wrong('POST /notes', 100, again, add('a'))).toEqual([]);
    expect(desk.wrong('POST /notes', 200, { status: 422 }, add('b'))).toEqual([]);
  });

  it('is remembered for its life', () => {
    const desk = new Desk(notes('successes'));
    expect(desk.wrong('POST /notes', 0, { status: 204 }, add('a'))).toEqual([]);
    expect(desk.wrong('POST /notes', minute - 11, { status: 204 }, add('b'))).toEqual(['status']);
    expect(desk.wrong('POST /notes', minute + 10, { status: 204 }, add('b'))).toEqual([]);
  });

  it('repeats a refusal, if all answers are remembered', () => {
    const refused = { status: 409, headers: { again: 'yes' } };
    for (const [remembers, differences] of [
      ['all', []],
      ['successes', ['status']],
    ] as const) {
      const desk = new Desk(notes(remembers));
      expect(desk.wrong('POST /notes', 0, { status: 204 }, { content: { id: 'a' } })).toEqual([]);
      expect(desk.wrong('POST /notes', 100, { status: 409 }, add('a'))).toEqual([]);
      expect(desk.wrong('DELETE /notes/{id}', 200, { status: 204 })).toEqual([]);
      expect(desk.wrong('POST /notes', 300, refused, add('a'))).toEqual(differences);
    }
  });
});

describe('a rate (language §8.1)', () => {
  const rated = `
complete: true
endpoints:
  others: refuse
  GET /: { does: (none), response: 204 }
limits: { rates: { all: { allow: 1, every: PT1M, per: (none) } } }
errors: { codes: { often: { when: rate exceeded, status: 429 } } }
`;

  it('refuses nothing once its time has passed', () => {
    const desk = new Desk(rated);
    expect(desk.wrong('GET /', 0, { status: 429 })).toEqual(['status']);
    expect(desk.wrong('GET /', 0, { status: 204 })).toEqual([]);
    expect(desk.wrong('GET /', 59_000, { status: 429 })).toEqual([]);
    expect(desk.wrong('GET /', 119_011, { status: 429 })).toEqual(['status']);
  });
});

describe('what is worked out of `now` (language §G.4)', () => {
  const clock = `
endpoints:
  others: refuse
  GET /now: { does: (none), response: { status: 200, body: { in: "\${int(now)}", due: "\${now + duration('P1D')}" } } }
`;

  it('lies between bounds, too', () => {
    const at = (seconds: number, due: string): Answered => ({ status: 200, body: { in: seconds, due } });
    const [seconds, day] = [noon / 1000, 86_400_000];
    expect(new Desk(clock).wrong('GET /now', 0, at(seconds, text(day + 5)))).toEqual([]);
    expect(new Desk(clock).wrong('GET /now', 0, at(seconds + 1, text(day + 5)))).toEqual(['body.in']);
    expect(new Desk(clock).wrong('GET /now', 0, at(seconds, text(5)))).toEqual(['body.due']);
  });
});

describe('a value that is given as the item holds it (language §2.2, rule 10)', () => {
  const jobs = `
complete: true
resources:
  Job:
    identifier: id
    fields:
      id: { type: string }
      at: { type: string, format: date-time, set: { create: "\${now}" } }
      n:  { type: integer, default: 0, holds: { it is early: "\${now < this.at + duration('PT1M')}" } }
endpoints:
  others: refuse
  POST /jobs: { does: create Job, request: { body: Job }, response: 204 }
  PATCH /jobs/{id}: { does: { update: Job, same: unchanged }, request: { body: Job }, response: 204 }
errors: { codes: { bad: { when: invalid, status: 422 } } }
`;

  it('is judged once more, although nothing changes', () => {
    const desk = new Desk(jobs);
    expect(desk.wrong('POST /jobs', 0, { status: 204 }, { content: { id: 'a', n: 1 } })).toEqual([]);
    expect(desk.wrong('PATCH /jobs/{id}', minute / 2, { status: 204 }, { content: { n: 1 } })).toEqual([]);
    expect(desk.wrong('PATCH /jobs/{id}', 3 * 3_600_000, { status: 422 }, { content: { n: 1 } })).toEqual([]);
    expect(desk.wrong('PATCH /jobs/{id}', 3 * 3_600_000, { status: 204 }, { content: {} })).toEqual([]);
  });
});
