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

/** How many votes of a walk succeed. */
function votes(seed: number): number {
  const { requests, worlds } = walk(begunWorld(specification), [], seeded(seed), 120);
  return requests.filter((request, place) => {
    const status = step(worlds[place] as World, request).at(-1)?.prediction.status;
    return request.operation.name === 'vote' && Array.isArray(status) && status[0] === 201;
  }).length;
}

describe('an operation that nothing stored allows', () => {
  it('has what it needs made first, step by step', () => {
    const found = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(votes);
    // Nearly every walk comes to it.
    expect(found.filter((count) => count > 2).length).toBeGreaterThan(9);
  });
});
