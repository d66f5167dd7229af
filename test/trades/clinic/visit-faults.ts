import type { Fault, Step } from '../witness.ts';
import { asks, cancels, confirms, moves, refused, sees, slot } from './steps.ts';

const noon = slot('noon', '2026-03-06T12:00:00Z');
const one = slot('one', '2026-03-06T13:00:00Z');
const two = slot('two', '2026-03-06T14:00:00Z');

const asksInVain = (as: 'pia' | 'paul', name: string, code: string, key = 'again'): Step =>
  refused(as, 'POST /appointments', 409, code, {
    body: { slot: `{${name}.id}`, reason: 'cough' },
    headers: { 'Idempotency-Key': key },
  });

const asking: readonly Fault[] = [
  {
    id: 'third-open',
    statement: 'limits.quotas.open.allow',
    what: 'A patient may have three open appointments.',
    witness: [
      noon,
      one,
      two,
      asks('pia', 'noon'),
      asks('pia', 'one'),
      asksInVain('pia', 'two', 'too-many-open'),
    ],
  },
  {
    id: 'repeat-keys-shared',
    statement: 'endpoints["POST /appointments"].idempotency.per',
    what: 'The keys of all patients are compared.',
    witness: [
      noon,
      one,
      asks('pia', 'noon', { headers: { 'Idempotency-Key': 'same' } }),
      asks('paul', 'one', { headers: { 'Idempotency-Key': 'same' } }),
    ],
  },
  {
    id: 'refusal-forgotten',
    statement: 'endpoints["POST /appointments"].idempotency.remembers',
    what: 'The repeat of a refused request is a new request.',
    witness: [
      noon,
      asks('pia', 'noon'),
      asksInVain('paul', 'noon', 'slot-taken'),
      cancels('pia', 'noon'),
      asksInVain('paul', 'noon', 'slot-taken'),
    ],
  },
  {
    id: 'rate-of-each-key',
    statement: 'limits.rates.booking.per',
    what: 'The requests of each key are counted apart.',
    witness: [
      noon,
      asks('pia', 'noon'),
      refused('watch', 'POST /appointments', 403, 'forbidden', {
        body: { slot: 1, reason: 'cough' },
        fields: { ratelimit: '"booking";r=3;t=10' },
      }),
    ],
  },
  {
    id: 'no-retry-after',
    statement: 'errors.codes.too-fast.headers["Retry-After"]',
    what: 'Who asks too often is not told when to ask again.',
    witness: [
      ...Array.from({ length: 5 }, () => refused('pia', 'POST /appointments', 422, 'invalid', { body: {} })),
      { wait: 3 },
      refused('pia', 'POST /appointments', 429, 'too-fast', { body: {}, fields: { 'retry-after': '7' } }),
    ],
  },
];

const listing: readonly Fault[] = [
  {
    id: 'appointment-of-others',
    statement: 'endpoints["GET /appointments/{id}"].does.where',
    what: 'Everybody may read every appointment.',
    witness: [
      noon,
      asks('pia', 'noon'),
      refused('paul', 'GET /appointments/{at-noon.id}', 404, 'no-appointment'),
    ],
  },
  {
    id: 'last-status-alone',
    statement: 'endpoints["GET /appointments"].request.query.status.filter',
    what: 'Of several states, the last counts.',
    witness: [
      noon,
      one,
      asks('pia', 'noon'),
      asks('pia', 'one'),
      confirms('one'),
      sees('pia', '/appointments?status=requested&status=confirmed', { total: 2 }),
    ],
  },
  {
    id: 'page-repeats',
    statement: 'endpoints["GET /appointments"].request.query.cursor.page',
    what: 'A page begins with the last appointment of the page before.',
    witness: [
      noon,
      one,
      asks('pia', 'noon'),
      asks('pia', 'one'),
      sees('pia', '/appointments?limit=1', { appointments: [{ id: '{at-one.id}' }] }, { keep: 'page' }),
      sees('pia', '/appointments?limit=1&cursor={page.next}', {
        appointments: [{ id: '{at-noon.id}' }],
        next: null,
      }),
    ],
  },
];

const changing: readonly Fault[] = [
  {
    id: 'confirmed-by-patient',
    statement: 'authentication.authorization.confirmAppointment.items',
    what: 'Patients confirm their own appointments.',
    witness: [
      noon,
      asks('pia', 'noon'),
      refused('pia', 'POST /appointments/{at-noon.id}/confirmation', 403, 'not-yours'),
    ],
  },
  {
    id: 'confirmed-lapses',
    statement: 'states["Appointment.status"].transitions.lapse.from',
    what: 'An appointment that was confirmed lapses, too.',
    witness: [
      noon,
      asks('pia', 'noon'),
      confirms('noon'),
      { wait: 2 * 86_400 + 1 },
      sees('pia', '/appointments/{at-noon.id}', { status: 'confirmed' }),
    ],
  },
  {
    id: 'attended-early',
    statement: 'states["Appointment.status"].transitions.attend.when',
    what: 'A patient can have been there before the appointment begins.',
    witness: [
      noon,
      asks('pia', 'noon'),
      confirms('noon'),
      refused('dora', 'POST /appointments/{at-noon.id}/attendance', 409, 'too-early'),
    ],
  },
  {
    id: 'cancelled-late',
    statement: 'errors.codes.too-late.when',
    what: 'A patient may cancel until the appointment begins.',
    witness: [
      slot('soon', '2026-03-03T09:59:00Z'),
      asks('pia', 'soon'),
      refused('pia', 'POST /appointments/{at-soon.id}/cancellation', 409, 'too-late', {
        body: { reason: 'ill' },
      }),
    ],
  },
  {
    id: 'refused-and-noted',
    statement: 'states["Appointment.status"].transitions.cancel.from',
    what: 'A cancellation that is refused changes the reason.',
    witness: [
      noon,
      asks('pia', 'noon'),
      cancels('pia', 'noon'),
      refused('sam', 'POST /appointments/{at-noon.id}/cancellation', 409, 'wrong-status', {
        body: { reason: 'closed' },
      }),
      sees('pia', '/appointments/{at-noon.id}', { cancelled: 'ill' }),
    ],
  },
  {
    id: 'moved-to-other-doctor',
    statement: 'errors.codes.other-doctor.when',
    what: 'An appointment is moved to a slot of another doctor.',
    witness: [
      noon,
      slot('drews', '2026-03-06T12:00:00Z', 'drew'),
      asks('pia', 'noon'),
      moves('pia', 'noon', 'drews', 409, { type: '/problems/other-doctor' }),
    ],
  },
  {
    id: 'moved-to-taken',
    statement: 'resources.Appointment.guards.update',
    what: 'An appointment is moved to a slot that somebody else has.',
    witness: [
      noon,
      one,
      asks('pia', 'noon'),
      asks('paul', 'one'),
      moves('pia', 'noon', 'one', 409, { type: '/problems/slot-taken' }),
    ],
  },
];

export const ofVisits: readonly Fault[] = [...asking, ...listing, ...changing];
