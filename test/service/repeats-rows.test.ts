import { expect, it } from 'vitest';
import { ask, start } from './served.ts';

const notes = (remembers: string): string => `
resources:
  Note: { identifier: id, fields: { id: { type: string }, n: { type: integer } } }
endpoints:
  others: refuse
  POST /notes: { operation: make, does: create Note, request: { body: Note }, idempotency: { header: K, life: PT1H, per: key, remembers: ${remembers} }, response: 201 }
errors:
  payload: { body: "\${error.code}" }
  codes:
    many: { when: "\${request.body.n > 5}", operations: [make], status: 409 }
    full: { when: "\${Note.filter(x, x.n == 5).size() > 0}", operations: [make], status: 410 }
    reused: { when: key reused, status: 400 }
    broken: { when: internal, status: 500 }
`;

it.each([
  ['successes', [409, 409, 201, 201, 201, 410, 410]],
  ['all', [409, 409, 400, 201, 201, 410, 410]],
])(
  'an expression of a row refuses beside a key, which is kept as `remembers` says: %s',
  async (remembers, expected) => {
    const service = await start(notes(remembers));
    const made: number[] = [];
    for (const [key, n] of [
      ['a', 9],
      ['a', 9],
      ['a', 1],
      ['b', 5],
      ['b', 5],
      ['c', 1],
      ['c', 1],
    ] as const)
      made.push((await ask(service, 'POST /notes', { id: key, n }, [`K: ${key}`])).status);
    expect([made, service.faults]).toEqual([expected, []]);
  },
);
