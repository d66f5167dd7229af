import type { Fault } from '../witness.ts';
import {
  approves,
  bike,
  bob,
  day,
  does,
  lists,
  opened,
  opens,
  quotes,
  refused,
  revises,
  sees,
} from './steps.ts';

export const ofQuotes: readonly Fault[] = [
  {
    id: 'tax-rounded-down',
    statement: 'resources.Job.fields.tax.derived',
    what: 'The tax is rounded down, not to the nearest cent.',
    witness: [
      ...opened,
      lists('brakes', 'pads', 103),
      sees('ann', '/jobs/{brakes.id}', { net: 103, tax: 20 }),
    ],
  },
  {
    id: 'removed-line-costs',
    statement: 'resources.Job.fields.parts.derived',
    what: 'The price of a job still has a line that was removed.',
    witness: [
      ...opened,
      lists('brakes', 'pads', 500, 2),
      lists('brakes', 'cable', 700),
      does('mia', 'DELETE /jobs/{brakes.id}/lines/{pads.id}', 204),
      sees('ann', '/jobs/{brakes.id}', { parts: 700 }),
    ],
  },
  {
    id: 'line-of-another-job',
    statement: 'endpoints["DELETE /jobs/{id}/lines/{line}"].does.where',
    what: 'A line is removed under the address of a job that it does not belong to.',
    witness: [
      ...opened,
      opens('ann', 'racer', 'gears'),
      lists('gears', 'chain'),
      refused('mia', 'DELETE /jobs/{brakes.id}/lines/{chain.id}', 404, 'no-line'),
    ],
  },
  {
    id: 'quoted-at-kept',
    statement: 'states["Job.status"].transitions.revise.set.quotedAt',
    what: 'A job whose quote was taken back still says when it was quoted.',
    witness: [
      ...opened,
      lists('brakes', 'pads'),
      quotes('brakes'),
      does('mia', 'POST /jobs/{brakes.id}/revision', 200, { shows: { status: 'received', quotedAt: null } }),
    ],
  },
  {
    id: 'first-quote-lapses',
    statement: 'states["Job.status"].transitions.lapse.after',
    what: 'A quote that replaces another lapses when that would have.',
    witness: [
      ...opened,
      lists('brakes', 'pads'),
      quotes('brakes'),
      { wait: 5 * day },
      revises('brakes'),
      quotes('brakes'),
      { wait: 3 * day },
      sees('ann', '/jobs/{brakes.id}', { status: 'quoted' }),
    ],
  },
  {
    id: 'approved-job-cancelled',
    statement: 'states["Job.status"].transitions.cancel.from',
    what: 'A job is cancelled after its quote was approved.',
    witness: [
      ...opened,
      lists('brakes', 'pads'),
      quotes('brakes'),
      approves('ann', 'brakes'),
      refused('ann', 'POST /jobs/{brakes.id}/cancellation', 409, 'wrong-status'),
    ],
  },
  {
    id: 'approved-by-another',
    statement: 'endpoints["POST /jobs/{id}/approval"].does.where',
    what: 'A customer approves the quote of another.',
    witness: [
      ...opened,
      ...bob,
      bike('bob', 'cruiser'),
      lists('brakes', 'pads'),
      quotes('brakes'),
      refused('bob', 'POST /jobs/{brakes.id}/approval', 404, 'no-job'),
    ],
  },
];
