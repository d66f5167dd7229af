import { type Status, status } from '../../src/report/status.ts';
import type { Assumption } from '../../src/specification/openness/ledger.ts';
import { document, specification } from '../specification/documents.ts';

/** A document in which some operations run, some wait for one point or two, and questions are asked. */
export const parcels = document({
  resources: [
    'Parcel:',
    '  fields: { id: { type: string } }',
    'Note:',
    '  identifier: id',
    '  fields: { id: { type: string, set: { create: "${uuid()}" } } }',
  ].join('\n'),
  endpoints: [
    'GET /notes: { operation: listNotes, does: list Note, response: 200 }',
    'GET /parcels: { operation: listParcels, does: list Parcel, response: {} }',
    'GET /parcels/{id}: { operation: readParcel, does: read Parcel, response: 200 }',
    'DELETE /parcels/{id}: { operation: removeParcel, does: delete Parcel, response: (open) 200 or 204? }',
    'POST /notes: { operation: addNote, does: create Note, request: { body: Note }, response: 201 }',
  ].join('\n'),
  states: '(none)',
});

export const assumptions: readonly Assumption[] = [
  { at: 'endpoints["GET /parcels"].response.status', value: 200, why: 'usual' },
];

export function reportOf(content = parcels, assumed: readonly Assumption[] = []): Status {
  return status(specification(content, assumed));
}
