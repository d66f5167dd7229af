import type { Fault, Step } from '../witness.ts';
import { books, cancels, day, does, hour, opened, pays, refused, sees, wishes } from './steps.ts';

/** Ann has a receiver of webhooks, which answers so at first. */
const listens = (...answers: readonly number[]): readonly Step[] => [
  { listens: 'inbox', answers },
  does('ann', 'POST /hooks', 201, {
    body: { url: '{inbox.url}' },
    shows: { url: '{inbox.url}', secret: /^whsec_/ },
    keep: 'hook',
  }),
];

const bookedTimes = (count: number): readonly Step[] =>
  Array.from({ length: count }, (_, index) =>
    books('ann', 'cellar', `booking${index}`, day + index * hour, 1),
  );

/** What may go wrong with wishes, limits and what bands are told. */
export const wishFaults: readonly Fault[] = [
  {
    id: 'expire-silent',
    statement: 'states["Booking.status"].transitions.expire.also',
    what: 'what nobody paid for is not offered to those who wait',
    witness: [
      ...opened,
      books('ann', 'cellar', 'rehearsal'),
      wishes('bob', 'cellar', 'hope'),
      sees('bob', '/wishes', { wishes: [{ status: 'waiting' }] }),
      { wait: 31 * 60 },
      sees('bob', '/wishes', { wishes: [{ status: 'offered' }] }),
    ],
  },
  {
    id: 'accept-waiting',
    statement: 'states["Wish.status"].transitions.accept.from',
    what: 'a band accepts what nobody offered',
    witness: [
      ...opened,
      wishes('bob', 'cellar', 'hope'),
      refused('bob', 'POST /wishes/{hope.id}/acceptance', 409, 'wrong-status'),
    ],
  },
  {
    id: 'quota-ended',
    statement: 'limits.quotas.wishes.when',
    what: 'wishes that came to an end still count',
    witness: [
      ...opened,
      wishes('bob', 'cellar', 'soon', hour),
      wishes('bob', 'cellar', 'second'),
      wishes('bob', 'cellar', 'third'),
      refused('bob', 'POST /wishes', 409, 'too-many-wishes', {
        body: { room: '{cellar.id}', startsAt: `{now+${day}}`, hours: 1 },
      }),
      { wait: 2 * hour },
      wishes('bob', 'cellar', 'fourth'),
    ],
  },
  {
    id: 'rate-all',
    statement: 'limits.rates.booking.per',
    what: 'all bands together may book as often as one',
    witness: [
      ...opened,
      ...bookedTimes(2),
      does('bob', 'POST /bookings', 201, {
        body: { room: '{cellar.id}', startsAt: `{now+${3 * day}}`, hours: 1 },
        fields: { 'x-left': '19' },
      }),
    ],
  },
  {
    id: 'hook-actor',
    statement: 'events.delivery.hooks.where',
    what: 'who moved the booking is told, not the band that has it',
    witness: [
      ...opened,
      ...listens(),
      books('ann', 'cellar', 'rehearsal'),
      pays('ann', 'rehearsal'),
      { receives: 'inbox', deliveries: [{ content: { data: { status: 'confirmed' } } }] },
      cancels('kit', 'rehearsal'),
      {
        receives: 'inbox',
        deliveries: [
          { content: { kind: 'booking.moved', data: { status: 'cancelled', by: 'Booking.cancel' } } },
        ],
      },
    ],
  },
  {
    id: 'signed-body',
    statement: 'events.delivery.hooks.sign',
    what: 'the signature is over the content alone',
    witness: [
      ...opened,
      ...listens(),
      books('ann', 'cellar', 'rehearsal'),
      cancels('ann', 'rehearsal'),
      {
        receives: 'inbox',
        deliveries: [{ content: { data: { booking: '{rehearsal.id}' } }, key: '{hook.secret}' }],
      },
    ],
  },
  {
    id: 'retry-4xx',
    statement: 'events.delivery.hooks.retries',
    what: 'a receiver that answers 4xx is not tried again',
    witness: [
      ...opened,
      ...listens(404),
      books('ann', 'cellar', 'rehearsal'),
      cancels('ann', 'rehearsal'),
      { receives: 'inbox', deliveries: [{ content: { data: { status: 'cancelled' } } }] },
      {
        receives: 'inbox',
        after: 11,
        deliveries: [{ content: { data: { booking: '{rehearsal.id}', status: 'cancelled' } } }],
      },
    ],
  },
];
