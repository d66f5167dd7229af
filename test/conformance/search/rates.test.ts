import { expect, it } from 'vitest';
import { nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { plan } from '../../../src/conformance/search/plan.ts';
import { specificationOf } from '../../service/served.ts';

const document = `
complete: true
resources:
  Person:
    identifier: name
    fields: { name: { type: string }, key: { type: string, readable: false } }
    items: [{ name: ann, key: key-of-ann }, { name: bob, key: key-of-bob }]
  Note:
    identifier: id
    fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } }, text: { type: string, maxLength: 9 } }
    required: [id, text]
endpoints:
  others: refuse
  POST /notes: { operation: addNote, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes: { operation: listNotes, does: list Note, response: { status: 200, body: { notes: "\${Note(page.items)}" } } }
states: (none)
events: (none)
versioning: (none)
authentication:
  schemes:
    key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person, wrong: refuse, challenge: Key }
  authorization: {}
  otherwise: known
errors:
  codes:
    no_key:  { when: not authenticated, status: 401 }
    often:   { when: rate exceeded adding, status: 429, headers: { Retry-After: "\${rate.reset}" } }
    misfit:  { when: [malformed, invalid], status: 422 }
  order: listed
limits:
  rates:
    adding: { allow: 3, every: PT10S, per: actor, window: fixed, operations: [addNote], headers: { X-Left: "\${rate.remaining}" } }
`;

it('a plan uses rates up, and tells how they might be got wrong (language §8.1)', () => {
  // A window may begin at any time, so that a request more is told where one happens to end.
  const plans = [1, 2].map((seed) => plan(specificationOf(document), { seed, budgetMs: 12_000 }));
  const names = plans.flatMap(({ told }) => [...told.keys()].map(nameOf));
  for (const name of [
    'limits.rates.adding: it is left out',
    'limits.rates.adding: what it refuses is counted, too',
    'limits.rates.adding: what it refuses is answered without its fields',
    'limits.rates.adding.allow: it is 2',
    'limits.rates.adding.allow: it is 4',
    'limits.rates.adding.per: it is left out',
    'limits.rates.adding.operations: it is also for listNotes',
    'errors.codes.often: it is not refused',
    'errors.codes.often.status: another status is sent',
    'errors.codes.often.headers.Retry-After: it is left out',
  ])
    expect(names).toContain(name);
});
