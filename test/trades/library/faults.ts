import type { Fault, Step, Trade } from '../witness.ts';
import { ofBooks } from './book-faults.ts';
import { ofMembers } from './member-faults.ts';
import { start } from './service.ts';
import { book, borrows, days, does, logIn, refused, returns, sees, waits } from './steps.ts';

/** Ben has the one copy, and Cleo and Dan wait for it. */
const queue: readonly Step[] = [
  ...logIn('ada', 'ben', 'cleo', 'dan'),
  book('sea'),
  borrows('ben', 'sea'),
  waits('cleo', 'sea'),
  waits('dan', 'sea'),
];

const three = [book('sea'), book('moon'), book('sun')];

const lending: readonly Fault[] = [
  {
    id: 'returned-counts',
    statement: 'limits.quotas.loans.when',
    what: 'Books that were returned count against the number of loans.',
    witness: [
      ...logIn('ada', 'ben'),
      ...three,
      borrows('ben', 'sea'),
      returns('ben'),
      borrows('ben', 'sea'),
      borrows('ben', 'moon'),
      borrows('ben', 'sun'),
    ],
  },
  {
    id: 'ready-for-anybody',
    statement: 'errors.codes.all_out.when',
    what: 'Everybody may borrow the copy that is kept ready for somebody.',
    witness: [
      ...queue,
      returns('ben'),
      { wait: 2 },
      refused('ben', 'POST /books/{sea.id}/loans', 409, 'all_out'),
    ],
  },
  {
    id: 'hold-outlives-loan',
    statement: 'endpoints["POST /books/{id}/loans"].also[0].fulfil',
    what: 'Who borrows the copy that was kept ready still has the hold.',
    witness: [
      ...queue,
      returns('ben'),
      borrows('cleo', 'sea'),
      sees('cleo', '/me/holds', [{ status: 'fulfilled' }]),
    ],
  },
  {
    id: 'owing-bound',
    statement: 'errors.codes.owing.when',
    what: 'Who owes just as much as is allowed borrows nothing.',
    witness: [
      ...logIn('ada', 'ben'),
      book('sea'),
      borrows('ben', 'sea'),
      days(18),
      returns('ben', 100),
      borrows('ben', 'sea'),
    ],
  },
  {
    id: 'key-for-any-book',
    statement: 'errors.codes.key_reused.when',
    what: 'A key that came with another book brings the loan of that book.',
    witness: [
      ...logIn('ada', 'ben'),
      ...three,
      { ...borrows('ben', 'sea'), headers: { 'Idempotency-Key': 'one' } } as Step,
      {
        ...refused('ben', 'POST /books/{moon.id}/loans', 422, 'key_reused'),
        headers: { 'Idempotency-Key': 'one' },
      } as Step,
    ],
  },
  {
    id: 'renewal-from-due',
    statement: 'endpoints["POST /loans/{id}/renewal"].does.with.dueAt',
    what: 'A renewal counts from when the loan was due.',
    witness: [
      ...logIn('ada', 'ben'),
      book('sea'),
      borrows('ben', 'sea'),
      { wait: 86_400 },
      does('ben', 'POST /loans/{ben-loan.id}/renewal', 200, {
        shows: { dueAt: '{now+1209600}', renewals: 1 },
      }),
    ],
  },
  {
    id: 'begun-day-free',
    statement: 'endpoints["POST /loans/{id}/return"].also[0].with.cents',
    what: 'The day on which a late book comes back costs nothing.',
    witness: [...logIn('ada', 'ben'), book('sea'), borrows('ben', 'sea'), days(15), returns('ben', 40)],
  },
  {
    id: 'cursor-repeats',
    statement: 'endpoints["GET /loans"].request.query.cursor.page',
    what: 'A page begins with the last loan of the page before.',
    witness: [
      ...logIn('ada', 'ben'),
      ...three,
      borrows('ben', 'sea'),
      borrows('ben', 'moon'),
      does('ben', 'GET /loans?limit=1', 200, { shows: { loans: [{ title: 'moon' }] }, keep: 'page' }),
      sees('ben', '/loans?limit=1&cursor={page.next}', { loans: [{ title: 'sea' }], next: null }),
    ],
  },
];

const waiting: readonly Fault[] = [
  {
    id: 'last-is-next',
    statement: 'endpoints["POST /loans/{id}/return"].also[1].where',
    what: 'Whoever came last gets the copy.',
    witness: [...queue, returns('ben'), sees('cleo', '/me/holds', [{ status: 'ready', place: 0 }])],
  },
  {
    id: 'cancelled-offers-none',
    statement: 'endpoints["DELETE /holds/{id}"].also[0].offer',
    what: 'Where a hold that is ready is cancelled, the next in the queue hears nothing.',
    witness: [
      ...queue,
      returns('ben'),
      does('cleo', 'DELETE /holds/{cleo-hold.id}', 204),
      sees('dan', '/me/holds', [{ status: 'ready' }]),
    ],
  },
  {
    id: 'expired-offers-none',
    statement: 'states["Hold.status"].transitions.expire.also[0].offer',
    what: 'A copy that nobody has fetched goes to nobody in the queue.',
    witness: [...queue, returns('ben'), days(2), sees('dan', '/me/holds', [{ status: 'ready' }])],
  },
];

const told: readonly Fault[] = [
  {
    id: 'ready-untold',
    statement: 'events.kinds["hold.ready"].by',
    what: 'Nobody is told that a copy is ready.',
    witness: [
      ...queue,
      { opens: 'GET /events', as: 'ada', stream: 'desk' },
      returns('ben'),
      {
        hears: 'desk',
        events: [
          { event: 'loan.returned', data: { kind: 'loan.returned', data: { late: false } } },
          { event: 'hold.ready', data: { data: { member: 'MB0002', hold: '{cleo-hold.id}' } } },
        ],
      },
    ],
  },
  {
    id: 'event-never-late',
    statement: 'events.kinds["loan.returned"].body.late',
    what: 'The event of a return never says that the book is late.',
    witness: [
      ...logIn('ada', 'ben'),
      book('sea'),
      borrows('ben', 'sea'),
      days(14),
      { opens: 'GET /events', as: 'ada', stream: 'desk' },
      returns('ben', 20),
      { hears: 'desk', events: [{ event: 'loan.returned', data: { data: { late: true } } }] },
    ],
  },
  {
    id: 'rate-of-each-operation',
    statement: 'limits.rates.desk.operations',
    what: 'Loans and holds are counted apart.',
    witness: [
      ...logIn('ada', 'ben'),
      ...three,
      borrows('ben', 'sea'),
      {
        ...refused('ben', 'POST /books/{sea.id}/holds', 409, 'has_copy'),
        fields: { 'x-rate-left': '4' },
      } as Step,
    ],
  },
];

export const library: Trade = {
  name: 'library',
  document: new URL('library.md', import.meta.url),
  start,
  credentials: Object.fromEntries(
    ['ada', 'ben', 'cleo', 'dan'].map((name) => [name, { Authorization: `Bearer {${name}.token}` }]),
  ),
  faults: [...ofMembers, ...ofBooks, ...lending, ...waiting, ...told],
};
