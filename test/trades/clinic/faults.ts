import { createHmac } from 'node:crypto';
import type { Fault, Trade } from '../witness.ts';
import { ofPrescriptions } from './prescription-faults.ts';
import { ofRecords } from './record-faults.ts';
import { start } from './service.ts';
import { asks, confirms, listens, slot } from './steps.ts';
import { ofVisits } from './visit-faults.ts';

const noon = slot('noon', '2026-03-04T12:00:00Z');

const told = { kind: 'appointment.confirmed', data: { appointment: '{at-noon.id}', patient: 'P0001' } };

/** What was posted last: its signature is judged after its content. */
let posted: unknown;

/** Whether a signature is that of what was posted, which is written without white space. */
function isSigned(signature: unknown): boolean {
  const over = `${(posted as { readonly id: string }).id}.${JSON.stringify(posted)}`;
  return signature === `sha256=${createHmac('sha256', 'secret-of-the-clinic').update(over).digest('hex')}`;
}

const ofHooks: readonly Fault[] = [
  {
    id: 'reminded-anyway',
    statement: 'states["Appointment.reminder"].transitions.remind.when',
    what: 'A reminder is sent although nobody has confirmed the appointment.',
    witness: [
      ...listens('sam', 'inbox'),
      noon,
      asks('pia', 'noon'),
      { wait: 27 * 3_600 },
      confirms('noon'),
      { receives: 'inbox', deliveries: [{ content: told }] },
    ],
  },
  {
    id: 'told-of-others',
    statement: 'events.delivery.hooks.where',
    what: 'The hook of a patient hears of the appointments of others.',
    witness: [
      ...listens('pia', 'inbox'),
      slot('one', '2026-03-04T13:00:00Z'),
      asks('paul', 'one'),
      confirms('one'),
      noon,
      asks('pia', 'noon'),
      confirms('noon'),
      { receives: 'inbox', deliveries: [{ content: told }] },
    ],
  },
  {
    id: 'content-alone-signed',
    statement: 'events.delivery.hooks.sign.over',
    what: 'The signature is over the content alone.',
    witness: [
      ...listens('sam', 'inbox'),
      noon,
      asks('pia', 'noon'),
      confirms('noon'),
      {
        receives: 'inbox',
        deliveries: [
          {
            content: (value) => {
              posted = value;
              return true;
            },
            fields: { 'x-clinic-signature': isSigned },
          },
        ],
      },
    ],
  },
  {
    id: 'any-2xx',
    statement: 'events.delivery.hooks.success',
    what: 'Every success of a receiver ends the attempts.',
    witness: [
      ...listens('sam', 'inbox', 202),
      noon,
      asks('pia', 'noon'),
      confirms('noon'),
      { receives: 'inbox', deliveries: [{ content: told }] },
      { receives: 'inbox', after: 10, deliveries: [{ content: told }] },
    ],
  },
];

const tokens = {
  sam: 'clk_sam_0f2e9d',
  dora: 'clk_dora_7ab31c',
  drew: 'clk_drew_5d04e8',
  pia: 'clk_pia_c3917f',
  paul: 'clk_paul_88b6a2',
  watch: 'clk_watch_41d5e0',
};

export const clinic: Trade = {
  name: 'clinic',
  document: new URL('clinic.md', import.meta.url),
  start,
  credentials: Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => [name, { Authorization: `Bearer ${token}` }]),
  ),
  faults: [...ofRecords, ...ofVisits, ...ofPrescriptions, ...ofHooks],
};
