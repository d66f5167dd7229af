import { expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { specificationOf } from '../../service/served.ts';
import { untold } from '../search/untold.ts';
import { asking } from './asking.ts';

const specification = specificationOf(`
complete: true
resources:
  Card:
    identifier: id
    fields:
      id:    { type: string }
      phone: { type: [string, "null"], maxLength: 9, default: null }
      email: { type: string, format: email, maxLength: 40, taken: "\${lower(value)}" }
endpoints:
  others: refuse
  POST /cards: { does: create Card, request: { body: Card }, response: { status: 201, body: Card } }
  PATCH /cards/{id}: { does: update Card, request: { media: application/merge-patch+json, body: Card }, response: { status: 200, body: Card } }
authentication: (none)
errors: { codes: { bad: { when: invalid, status: 422 }, none: { when: unknown, status: 404 } } }
`);

const isNull = 'endpoints["PATCH /cards/{id}"].request.media: null is kept, and removes nothing';

it('what a merge patch removes may be kept as null', () => {
  const deviation = deviationsOf(specification).find((each) => nameOf(each) === isNull) ?? null;
  expect(deviation).not.toBeNull();
  const shown = [null, deviation].map((each) => {
    const ask = asking(specification, each);
    ask('POST /cards', 0, { content: { id: 'a', phone: '1' } });
    return ask('PATCH /cards/{id}', 1, { id: 'a', content: { phone: null } }).body;
  });
  expect(shown).toEqual([{ id: 'a' }, { id: 'a', phone: null }]);
});

it('is told, and so is an address that keeps its capitals', () => {
  const about = deviationsOf(specification).filter(
    (each) => nameOf(each) === isNull || nameOf(each) === 'resources.Card.fields.email.taken: it is left out',
  );
  expect(about.length).toBe(2);
  expect(untold(specification, about, 120)).toEqual([]);
});
