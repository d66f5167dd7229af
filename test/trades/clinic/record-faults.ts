import { absent, type Fault, type Step } from '../witness.ts';
import { asks, confirms, does, old, refused, sees, slot } from './steps.ts';

const patch = { 'Content-Type': 'application/merge-patch+json' };

const zoe = { id: 'P0009', given: 'Zoe', family: 'Zee', email: 'zoe@mail.example', born: '2000-02-29' };

/** Somebody changes the record of Pia. */
const edits = (as: 'pia' | 'sam', body: Record<string, string | null>, more: object = {}): Step =>
  does(as, 'PATCH /patients/P0001', 200, { body, headers: patch, ...more });

export const ofRecords: readonly Fault[] = [
  {
    id: 'any-key-deleted',
    statement: 'endpoints["DELETE /keys/{id}"].does.where',
    what: 'Everybody who may manage keys may delete the keys of others.',
    witness: [refused('pia', 'DELETE /keys/00000000-0000-4000-8000-000000000002', 404, 'no-key')],
  },
  {
    id: 'email-as-given',
    statement: 'resources.Person.fields.email.taken',
    what: 'The address of a patient is stored as it is given.',
    witness: [
      refused('sam', 'POST /patients', 409, 'exists', { body: { ...zoe, email: 'Pia@Mail.example' } }),
    ],
  },
  {
    id: 'stale-edit',
    statement: 'endpoints["PATCH /patients/{id}"].conditional.ifUnmodifiedSince',
    what: 'A record is changed although somebody else changed it since.',
    witness: [
      { wait: 5 },
      edits('sam', { phone: '+3612345678' }),
      does('pia', 'PATCH /patients/P0001', 412, {
        body: { phone: '+3687654321' },
        headers: { ...patch, 'If-Unmodified-Since': 'Mon, 02 Mar 2026 10:00:00 GMT' },
      }),
    ],
  },
  {
    id: 'null-is-kept',
    statement: 'endpoints["PATCH /patients/{id}"].request.media',
    what: 'A member that is removed is kept as null.',
    witness: [
      edits('pia', { phone: '+3612345678' }),
      edits('pia', { phone: null }, { shows: { phone: absent } }),
    ],
  },
  {
    id: 'edit-undated',
    statement: 'resources.Person.fields.updatedAt.set.update',
    what: 'A record that was changed has the time of before.',
    witness: [
      { wait: 5 },
      edits('pia', { given: 'Pina' }, { fields: { 'last-modified': 'Mon, 02 Mar 2026 10:00:05 GMT' } }),
    ],
  },
  {
    id: 'overlap-of-starts',
    statement: 'resources.Slot.guards.create',
    what: 'A slot may begin before another one and end within it.',
    witness: [
      slot('noon', '2026-03-04T12:00:00Z'),
      refused('dora', 'POST /slots', 409, 'overlap', {
        body: { start: '2026-03-04T11:45:00Z', minutes: 30 },
      }),
    ],
  },
  {
    id: 'slot-closed-by-others',
    statement: 'authentication.authorization.closeSlot.items',
    what: 'A doctor may close the slots of others.',
    witness: [
      slot('noon', '2026-03-04T12:00:00Z'),
      refused('drew', 'DELETE /slots/{noon.id}', 403, 'not-yours'),
    ],
  },
  {
    id: 'to-of-start',
    statement: 'endpoints["GET /slots"].request.query.to.filter',
    what: 'Slots are listed that end after the time that is asked for.',
    witness: [
      slot('noon', '2026-03-04T12:00:00Z'),
      sees('pia', '/slots?to=2026-03-04T12:00:00Z', { slots: [], total: 0 }),
    ],
  },
  {
    id: 'minutes-as-hours',
    statement: 'versioning.versions["2025-06-01"].differs["resources.Slot.fields.minutes"].shown',
    what: 'The version before shows the minutes of a slot.',
    witness: [
      slot('noon', '2026-03-04T12:00:00Z'),
      sees('pia', '/slots', { slots: [{ hours: 0.5, minutes: absent }] }, { headers: old }),
    ],
  },
  {
    id: 'no-deprecation',
    statement: 'versioning.versions["2025-06-01"].deprecated',
    what: 'Answers of the version before do not say that it is deprecated.',
    witness: [sees('pia', '/slots', { slots: [] }, { headers: old, fields: { deprecation: '@1768435200' } })],
  },
  {
    id: 'move-in-old',
    statement: 'versioning.versions["2025-06-01"].differs["endpoints[\\"POST /appointments/{id}/move\\"]"]',
    what: 'The version before can move appointments.',
    witness: [
      slot('noon', '2026-03-06T12:00:00Z'),
      slot('one', '2026-03-06T13:00:00Z'),
      asks('pia', 'noon'),
      does('pia', 'POST /appointments/{at-noon.id}/move', 404, { body: { slot: '{one.id}' }, headers: old }),
    ],
  },
  {
    id: 'book-by-read',
    statement: 'authentication.authorization.requestAppointment.schemes',
    what: 'A key that may only read asks for appointments.',
    witness: [
      slot('noon', '2026-03-06T12:00:00Z'),
      refused('watch', 'POST /appointments', 403, 'forbidden', {
        body: { slot: '{noon.id}', reason: 'cough' },
        headers: { 'Idempotency-Key': 'one' },
      }),
    ],
  },
  {
    id: 'secret-shown',
    statement: 'resources.Hook.fields.secret.readable',
    what: 'The secret of a hook is shown.',
    witness: [
      does('pia', 'POST /hooks', 201, {
        body: { url: 'http://127.0.0.1:9/', kinds: ['appointment.due'], secret: 'secret-of-the-patient' },
        shows: { owner: 'P0001', secret: absent },
      }),
    ],
  },
  {
    id: 'notes-for-staff',
    statement: 'resources.Appointment.fields.notes.readable',
    what: 'The staff reads the notes of a doctor.',
    witness: [
      slot('noon', '2026-03-06T12:00:00Z'),
      asks('pia', 'noon'),
      confirms('noon', 'dora'),
      does('dora', 'PUT /appointments/{at-noon.id}/notes', 200, {
        body: { text: 'hm' },
        shows: { notes: 'hm' },
      }),
      sees('sam', '/appointments/{at-noon.id}', { status: 'confirmed', notes: absent }),
    ],
  },
];
