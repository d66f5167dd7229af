import { expect, it } from 'vitest';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import { doneAllTheSame } from '../../../src/conformance/deviations/refused-and-done.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { Suspect } from '../../../src/conformance/search/suspect.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { specificationOf } from '../../service/served.ts';

/** Marks are alike, so nobody knows in what order a list by marks is. */
const notes = specificationOf(`
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, mark: { type: integer, const: 1 }, text: { type: string, maxLength: 5 } }, required: [text] }
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  GET /notes: { does: { list: Note, order: [mark] }, response: { status: 200, body: "\${Note(page.items)}" } }
authentication: (none)
errors: { codes: { bad: { when: invalid, status: 422 } } }
`);

it('a list tells how many items there are, though nobody knows their order', () => {
  const deviation = deviationsOf(notes).find(
    ({ said, says }) => said.address.endsWith('text.maxLength') && says === doneAllTheSame,
  );
  if (deviation === undefined) throw new TypeError('there is no such deviation');
  const { told } = walk(begunWorld(notes), [new Suspect(deviation)], seeded(1), 60);
  expect(told.size).toBe(1);
});
