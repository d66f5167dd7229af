import { asksBy, type More } from '../asks.ts';
import type { Pattern, Step } from '../witness.ts';

export type Person = 'sam' | 'dora' | 'drew' | 'pia' | 'paul' | 'watch';

export const { does, sees, refused } = asksBy<Person>((code) => ({ type: `/problems/${code}` }));

/** The version before. */
export const old = { 'Clinic-Version': '2025-06-01' };

/** A doctor opens a slot of half an hour, which is kept by a name. */
export const slot = (keep: string, start: string, as: Person = 'dora'): Step =>
  does(as, 'POST /slots', 201, { body: { start, minutes: 30 }, shows: { free: true }, keep });

let keys = 0;

/** A patient asks for a slot; the appointment is kept by the name of the slot. */
export const asks = (as: Person, name: string, more: More = {}): Step => {
  keys += 1;
  return does(as, 'POST /appointments', 201, {
    body: { slot: `{${name}.id}`, reason: 'cough' },
    shows: { status: 'requested' },
    headers: { 'Idempotency-Key': `key-${keys}` },
    keep: `at-${name}`,
    ...more,
  });
};

export const confirms = (name: string, as: Person = 'sam'): Step =>
  does(as, `POST /appointments/{at-${name}.id}/confirmation`, 200, { shows: { status: 'confirmed' } });

export const cancels = (as: Person, name: string): Step =>
  does(as, `POST /appointments/{at-${name}.id}/cancellation`, 200, {
    body: { reason: 'ill' },
    shows: { status: 'cancelled', cancelled: 'ill' },
  });

export const moves = (as: Person, from: string, to: string, status = 200, shows: Pattern = {}): Step =>
  does(as, `POST /appointments/{at-${from}.id}/move`, status, { body: { slot: `{${to}.id}` }, shows });

/** Pia comes to an appointment with Dora, who may then write prescriptions. */
export const visit: readonly Step[] = [
  slot('noon', '2026-03-04T12:00:00Z'),
  asks('pia', 'noon'),
  confirms('noon'),
  { wait: 2 * 86_400 + 7_200 },
  does('dora', 'POST /appointments/{at-noon.id}/attendance', 200, { shows: { status: 'attended' } }),
];

/** Dora prescribes something, which is kept by a name. */
export const prescribes = (keep: string, refills = 2): Step =>
  does('dora', 'POST /appointments/{at-noon.id}/prescriptions', 201, {
    body: { drug: 'Syrup', dose: 'a spoon', refills },
    shows: { left: refills, status: 'active', patient: 'P0001' },
    keep,
  });

/** Somebody has events sent to a receiver. */
export const listens = (as: Person, name: string, ...answers: readonly number[]): Step[] => [
  { listens: name, answers },
  does(as, 'POST /hooks', 201, {
    body: {
      url: `{${name}.url}`,
      kinds: ['appointment.confirmed', 'appointment.due', 'appointment.cancelled'],
      secret: 'secret-of-the-clinic',
    },
    shows: { status: 'active' },
  }),
];
