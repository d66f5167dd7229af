import { expect, it } from 'vitest';
import { later } from '../../src/conformance/effects/later.ts';
import { item } from '../../src/conformance/partly.ts';
import type { Done, Trial } from '../../src/conformance/trial.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import type { Resource } from '../../src/specification/vocabulary/parts/resources.ts';
import { specificationOf } from '../service/served.ts';

const of = specificationOf(`
complete: true
resources:
  Note:
    identifier: id
    fields:
      id: { type: string }
      at: { type: string, format: date-time, set: { update: "\${now}" } }
endpoints:
  PATCH /notes/{id}:
    does: update Note
    request: { body: Note, media: application/merge-patch+json }
    response: { status: 200, body: "\${Note(this)}" }
`);

it.each([
  ['2026-01-01T10:59:59Z', true],
  ['2026-01-01T11:00:01Z', null],
  ['2026-01-01T16:00:00+05:30', true],
  ['2026-01-01T08:00:00-05:00', null],
])('a time that was given is past by whatever clock, or may not be: %s', (at, expected) => {
  const note = of.resourcesByName.get('Note') as Resource;
  const [operation] = of.operations as readonly [Operation];
  const trial = { of, now: () => Date.parse('2026-01-01T12:00:00Z') } as Trial;
  const [check] = later<Done & { readonly start: ReturnType<typeof item> }>(trial, note, 'PATCH');
  const exchange = { request: {}, response: { status: 200, headers: [], body: '' }, failure: null };
  const seen = {
    operation,
    exchange,
    names: new Map([['outcome', 'changed']]),
    shown: {},
    lens: { fields: note.fields },
    start: item(note, [['at', at]], []),
  };
  expect(check?.guard(seen as never).value).toBe(expected);
});
