import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/conformance/random.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { step } from '../../../src/semantics/request/request.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import { specificationOf } from '../../service/served.ts';

/** A vote is for an open question of somebody else. Questions close in time, so that most of those that are stored are over. */
const specification = specificationOf(`
complete: true
resources:
  Person:
    identifier: name
    fields: { name: { type: string, pattern: "^[a-z]{3,20}$" }, key: { type: string, secret: hashed, set: { create: "\${random(20)}" } } }
    required: [name]
  Question:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      until: { type: string, format: date-time }
      author: { refers: Person, ifDeleted: refuse, set: { create: "\${actor}" } }
      status: { type: string }
    required: [until]
  Vote:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, question: { refers: Question, ifDeleted: delete, writable: false } }
states:
  Question.status:
    states: [draft, checked, open, closed]
    initial: draft
    transitions:
      check: { from: draft, to: checked, when: "\${this.until > now}" }
      open:  { from: checked, to: open }
      close: { from: open, to: closed, at: "\${this.until}" }
endpoints:
  others: refuse
  POST /people: { operation: join, does: create Person, request: { body: Person }, response: { status: 201, body: { name: "\${this.name}", key: "\${this.key}" } } }
  POST /questions: { operation: write, does: create Question, request: { body: Question }, response: { status: 201, body: Question } }
  POST /questions/{id}/check: { operation: check, does: check Question, response: { status: 200, body: Question } }
  POST /questions/{id}/opening: { operation: open, does: open Question, response: { status: 200, body: Question } }
  POST /questions/{id}/votes:
    operation: vote
    does: { create: Vote, with: { question: "\${question}" } }
    request: { path: { id: Question.id as question } }
    response: { status: 201, body: Vote }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person } }
  authorization:
    join: anyone
    write: known
    check: "\${this.author == actor}"
    open: "\${this.author == actor}"
  otherwise: known
errors:
  codes:
    own: { when: "\${question.author == actor}", operations: [vote], status: 403 }
    not_open: { when: "\${question.status != 'open'}", operations: [vote], status: 409 }
    moved: { when: transition refused Question, status: 409 }
`);

/** A seat that somebody gives back is offered to those who wait for that seat in that row. */
const seats = specificationOf(`
complete: true
resources:
  Seat:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, row: { type: string }, name: { type: string }, hall: { type: string }, day: { type: string }, status: { type: string } }
    required: [row, name, hall, day]
  Wish:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, row: { type: string }, name: { type: string }, hall: { type: string }, day: { type: string }, status: { type: string } }
    required: [row, name, hall, day]
states:
  Seat.status:
    states: [taken, free]
    initial: taken
    final: [free]
    transitions:
      release: { from: taken, to: free, also: { offer: every Wish, where: "\${this.status == 'waiting' && this.row == old.row && this.name == old.name && this.hall == old.hall && this.day == old.day}" } }
  Wish.status:
    states: [waiting, offered, done]
    initial: waiting
    final: [done]
    transitions:
      offer:  { from: waiting, to: offered }
      accept: { from: offered, to: done }
endpoints:
  others: refuse
  POST /seats: { operation: take, does: create Seat, request: { body: Seat }, response: { status: 201, body: Seat } }
  POST /seats/{id}/release: { operation: release, does: release Seat, response: { status: 200, body: Seat } }
  POST /wishes: { operation: wish, does: create Wish, request: { body: Wish }, response: { status: 201, body: Wish } }
  POST /wishes/{id}/acceptance: { operation: accept, does: accept Wish, response: { status: 200, body: Wish } }
errors:
  codes:
    wrong: { when: invalid, status: 422 }
    early: { when: transition refused, status: 409 }
    gone: { when: unknown, status: 404 }
`);

/** How many requests of a walk to an operation succeed. */
function successes(name: string, seed: number, of = specification): number {
  const { requests, worlds } = walk(begunWorld(of), [], seeded(seed), 120);
  return requests.filter((request, place) => {
    const status = step(worlds[place] as World, request).at(-1)?.prediction.status;
    return request.operation.name === name && Array.isArray(status) && status[0] < 300;
  }).length;
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

describe('an operation that nothing stored allows', () => {
  it('has what it needs made first, step by step', () => {
    const found = seeds.map((seed) => successes('vote', seed));
    // Nearly every walk comes to it.
    expect(found.filter((count) => count > 2).length).toBeGreaterThan(9);
  });

  it('has another item made and changed, from which follows what it needs', () => {
    const found = seeds.map((seed) => successes('accept', seed, seats));
    // Half of the walks come to it.
    expect(found.filter((count) => count > 0).length).toBeGreaterThan(4);
  });
});
