import type { Fault } from '../witness.ts';
import { asks, confirms, does, prescribes, refused, sees, slot, visit } from './steps.ts';

const noon = slot('noon', '2026-03-06T12:00:00Z');

export const ofPrescriptions: readonly Fault[] = [
  {
    id: 'visit-told',
    statement: 'errors.codes.not-treated.as',
    what: 'Who may not write a prescription is told that the appointment is there.',
    witness: [
      noon,
      asks('pia', 'noon'),
      refused('pia', 'POST /appointments/{at-noon.id}/prescriptions', 404, 'no-appointment', {
        body: { drug: 'Syrup', dose: 'a spoon' },
      }),
    ],
  },
  {
    id: 'prescribed-unseen',
    statement: 'errors.codes.not-attended.when',
    what: 'A doctor prescribes something to somebody who was not there.',
    witness: [
      noon,
      asks('pia', 'noon'),
      confirms('noon'),
      refused('dora', 'POST /appointments/{at-noon.id}/prescriptions', 409, 'not-attended', {
        body: { drug: 'Syrup', dose: 'a spoon' },
      }),
    ],
  },
  {
    id: 'weights-ignored',
    statement: 'endpoints["GET /prescriptions/{id}"].response.content["text/plain"].body',
    what: 'Of the media types that a client accepts, the weights do not count.',
    witness: [
      ...visit,
      prescribes('syrup'),
      sees('pia', '/prescriptions/{syrup.id}', 'Syrup, a spoon (2 of 2 refills left)', {
        headers: { Accept: 'application/json;q=0.4, text/plain;q=0.5' },
      }),
    ],
  },
  {
    id: 'links-of-page',
    statement: 'endpoints["GET /prescriptions"].response.headers.Link',
    what: 'The links know of the first page alone.',
    witness: [
      ...visit,
      prescribes('syrup'),
      prescribes('drops'),
      sees('pia', '/prescriptions?limit=1', [{ id: '{drops.id}' }], {
        fields: { link: /<\/prescriptions\?limit=1&offset=1>; rel="next"/ },
      }),
    ],
  },
  {
    id: 'refilled-soon',
    statement: 'errors.codes.too-soon.when',
    what: 'A prescription is refilled twice in a week.',
    witness: [
      ...visit,
      prescribes('syrup'),
      does('pia', 'POST /prescriptions/{syrup.id}/refills', 200, { shows: { left: 1 } }),
      { wait: 6 * 86_400 },
      refused('pia', 'POST /prescriptions/{syrup.id}/refills', 409, 'too-soon'),
    ],
  },
  {
    id: 'revoked-refilled',
    statement: 'errors.codes.inactive.when',
    what: 'A prescription that was revoked is still refilled.',
    witness: [
      ...visit,
      prescribes('syrup'),
      does('dora', 'DELETE /prescriptions/{syrup.id}', 204),
      refused('pia', 'POST /prescriptions/{syrup.id}/refills', 409, 'inactive'),
    ],
  },
  {
    id: 'revoked-by-others',
    statement: 'endpoints["DELETE /prescriptions/{id}"].does.where',
    what: 'Every doctor may revoke what another one prescribed.',
    witness: [
      ...visit,
      prescribes('syrup'),
      refused('drew', 'DELETE /prescriptions/{syrup.id}', 404, 'no-prescription'),
    ],
  },
];
