import type { Fault, Json, Pattern, Step, Trade } from '../witness.ts';
import { start } from './service.ts';

const password = 'correct horse';

/** Somebody registers and logs in. */
const member = (name: string): readonly Step[] => [
  { ask: 'POST /accounts', body: { name, password }, status: 201 },
  { ask: 'POST /sessions', body: { name, password }, status: 201, keep: name },
];
const ann = member('ann');
const bob = member('bob');
const cyd = member('cyd');

const offer = { title: 'A vase', category: 'art', startPrice: 100, closesAt: '{now+60}' };

/** Ann makes a draft. */
const draft = (more: Record<string, Json> = {}, keep = 'lot'): Step => ({
  ask: 'POST /lots',
  as: 'ann',
  body: { ...offer, ...more },
  status: 201,
  keep,
});

const publish = (lot = 'lot'): Step => ({
  ask: `POST /lots/{${lot}.id}/publication`,
  as: 'ann',
  status: 200,
  shows: { status: 'open' },
});

/** Ann offers a lot. */
const open = (more: Record<string, Json> = {}, keep = 'lot'): readonly Step[] => [
  draft(more, keep),
  publish(keep),
];

const bid = (as: string, amount: number, lot = 'lot'): Step => ({
  ask: `POST /lots/{${lot}.id}/bids`,
  as,
  body: { amount },
  status: 201,
});

const noBid = (as: string, amount: number, status: number, error: string): Step => ({
  ...bid(as, amount),
  status,
  shows: { error },
});

const sees = (path: string, shows: Pattern, as = 'ann'): Step => ({
  ask: `GET ${path}`,
  as,
  status: 200,
  shows,
});
const lotIs = (shows: Pattern, as = 'bob'): Step => sees('/lots/{lot.id}', shows, as);
const follow: Step = { opens: 'GET /events', stream: 'live' };

const accounts: readonly Fault[] = [
  {
    id: 'password-bound',
    statement: 'resources.Account.fields.password.minLength',
    what: 'A password may have one character less.',
    witness: [
      {
        ask: 'POST /accounts',
        body: { name: 'ann', password: '1234567' },
        status: 422,
        shows: { error: 'invalid' },
      },
    ],
  },
  {
    id: 'unknown-name-told',
    statement: 'errors.codes.wrong_password',
    what: 'The refusal tells whether an account exists.',
    witness: [
      {
        ask: 'POST /sessions',
        body: { name: 'nobody', password },
        status: 403,
        shows: { error: 'wrong_password' },
      },
    ],
  },
  {
    id: 'logout-keeps-session',
    statement: 'endpoints["DELETE /session"].does.revoke',
    what: 'A session is still good after its member has logged out.',
    witness: [
      ...ann,
      { ask: 'DELETE /session', as: 'ann', status: 204 },
      { ask: 'GET /me', as: 'ann', status: 401, shows: { error: 'bad_token' } },
    ],
  },
  {
    id: 'logout-everywhere',
    statement: 'endpoints["DELETE /session"].does.revoke',
    what: 'Logging out ends every session of the member.',
    witness: [
      ...ann,
      { ask: 'POST /sessions', body: { name: 'ann', password }, status: 201, keep: 'bob' },
      { ask: 'DELETE /session', as: 'bob', status: 204 },
      sees('/me', { name: 'ann' }),
    ],
  },
  {
    id: 'bad-token-as-guest',
    statement: 'authentication.schemes.session.wrong',
    what: 'Somebody with a wrong token is taken for a guest.',
    witness: [
      {
        ask: 'GET /lots',
        headers: { Authorization: 'Bearer wrong' },
        status: 401,
        shows: { error: 'bad_token' },
        fields: { 'www-authenticate': 'Bearer' },
      },
    ],
  },
  {
    id: 'selling-counts-drafts',
    statement: 'resources.Account.fields.selling.derived',
    what: 'Drafts count as lots for sale.',
    witness: [...ann, draft(), sees('/me', { selling: 0 })],
  },
  {
    id: 'won-while-leading',
    statement: 'resources.Account.fields.won.derived',
    what: 'A member has won a lot as soon as they lead.',
    witness: [...ann, ...bob, ...open(), bid('bob', 100), sees('/me', { won: 0, spent: 0 }, 'bob')],
  },
  {
    id: 'media-ignored',
    statement: 'errors.codes.not_json',
    what: 'JSON is read whatever the media type says.',
    witness: [
      {
        ask: 'POST /accounts',
        headers: { 'Content-Type': 'text/plain' },
        body: { name: 'ann', password },
        status: 415,
        shows: { error: 'not_json' },
      },
    ],
  },
];

const lots: readonly Fault[] = [
  {
    id: 'step-default',
    statement: 'resources.Lot.fields.step.default',
    what: 'A lot has another step if the seller gives none.',
    witness: [...ann, { ...draft(), shows: { step: 1, description: '' } } as Step],
  },
  {
    id: 'reserve-shown',
    statement: 'resources.Lot.fields.reserve.readable',
    what: 'Everybody sees the reserve of a lot.',
    witness: [
      ...ann,
      ...bob,
      ...open({ reserve: 500 }),
      lotIs((lot) => lot instanceof Object && !('reserve' in lot)),
    ],
  },
  {
    id: 'draft-read',
    statement: 'endpoints["GET /lots/{id}"].does.where',
    what: 'Everybody who knows the identifier of a draft sees it.',
    witness: [...ann, draft(), { ask: 'GET /lots/{lot.id}', status: 404, shows: { error: 'no_lot' } }],
  },
  {
    id: 'draft-in-total',
    statement: 'endpoints["GET /lots"].response.body.total',
    what: 'The total counts drafts that the client does not see.',
    witness: [...ann, ...bob, draft(), sees('/lots', { lots: [], total: 0 }, 'bob')],
  },
  {
    id: 'draft-bids-shown',
    statement: 'authentication.authorization.listBids',
    what: 'The bids of a draft are answered to everybody, so its existence is told.',
    witness: [
      ...ann,
      ...bob,
      draft(),
      { ask: 'GET /lots/{lot.id}/bids', as: 'bob', status: 404, shows: { error: 'no_lot' } },
    ],
  },
  {
    id: 'edit-published',
    statement: 'errors.codes.not_draft',
    what: 'A published lot may be changed as long as it has no bids.',
    witness: [
      ...ann,
      ...open(),
      {
        ask: 'PATCH /lots/{lot.id}',
        as: 'ann',
        body: { startPrice: 1 },
        status: 409,
        shows: { error: 'not_draft' },
      },
    ],
  },
  {
    id: 'cancel-by-anyone',
    statement: 'authentication.authorization.cancelLot.items',
    what: 'Every member may cancel a lot.',
    witness: [
      ...ann,
      ...bob,
      ...open(),
      { ask: 'POST /lots/{lot.id}/cancellation', as: 'bob', status: 403, shows: { error: 'not_yours' } },
    ],
  },
  {
    id: 'cancel-with-bids',
    statement: 'states["Lot.status"].transitions.cancel.when',
    what: 'A lot with bids may be cancelled.',
    witness: [
      ...ann,
      ...bob,
      ...open(),
      bid('bob', 100),
      { ask: 'POST /lots/{lot.id}/cancellation', as: 'ann', status: 409, shows: { error: 'has_bids' } },
    ],
  },
  {
    id: 'cancel-draft-event',
    statement: 'events.kinds["lot.cancelled"].when',
    what: 'A draft that is cancelled is announced, although nobody has seen it.',
    witness: [
      ...ann,
      follow,
      draft(),
      { ask: 'POST /lots/{lot.id}/cancellation', as: 'ann', status: 200, shows: { status: 'cancelled' } },
      ...open({}, 'next'),
      { hears: 'live', events: [{ event: 'lot.opened', data: { lot: '{next.id}', title: 'A vase' } }] },
    ],
  },
];

const bidding: readonly Fault[] = [
  {
    id: 'own-lot-bid',
    statement: 'errors.codes.own_lot',
    what: 'Sellers may bid for their own lots.',
    witness: [...ann, ...open(), noBid('ann', 100, 403, 'own_lot')],
  },
  {
    id: 'bid-after-time',
    statement: 'states["Lot.status"].transitions.expire.at',
    what: 'A bid is taken after the time of closing, as long as nobody has looked at the lot since.',
    witness: [
      ...ann,
      ...bob,
      ...open({ closesAt: '{now+5}' }),
      { wait: 5 },
      noBid('bob', 100, 409, 'not_open'),
    ],
  },
  {
    id: 'bid-on-cancelled',
    statement: 'errors.codes.not_open',
    what: 'A cancelled lot takes bids.',
    witness: [
      ...ann,
      ...bob,
      ...open(),
      { ask: 'POST /lots/{lot.id}/cancellation', as: 'ann', status: 200 },
      noBid('bob', 100, 409, 'not_open'),
    ],
  },
  {
    id: 'leader-bids-again',
    statement: 'errors.codes.leading',
    what: 'The member who leads may bid against themselves.',
    witness: [...ann, ...bob, ...open(), bid('bob', 100), noBid('bob', 200, 409, 'leading')],
  },
  {
    id: 'minimum-excluded',
    statement: 'errors.codes.too_low',
    what: 'A bid of exactly the minimum is refused.',
    witness: [...ann, ...bob, ...open(), bid('bob', 100)],
  },
  {
    id: 'step-ignored',
    statement: 'resources.Lot.fields.minimumBid.derived',
    what: 'The next bid need not be higher by the step.',
    witness: [
      ...ann,
      ...bob,
      ...cyd,
      ...open({ step: 10 }),
      bid('bob', 100),
      noBid('cyd', 109, 409, 'too_low'),
    ],
  },
  {
    id: 'low-before-leading',
    statement: 'errors.order',
    what: 'Where a bid is too low and its member leads already, the refusal tells the first.',
    witness: [...ann, ...bob, ...open(), bid('bob', 100), noBid('bob', 100, 409, 'leading')],
  },
  {
    id: 'leader-stale',
    statement: 'endpoints["POST /lots/{id}/bids"].also',
    what: 'The first bidder leads for ever.',
    witness: [
      ...ann,
      ...bob,
      ...cyd,
      ...open(),
      bid('bob', 100),
      bid('cyd', 101),
      lotIs({ price: 101, leader: 'cyd', bids: 2 }),
    ],
  },
  {
    id: 'extension-adds',
    statement: 'endpoints["POST /lots/{id}/bids"].also',
    what: 'A late bid adds two seconds to the time of closing, in place of giving two seconds from now.',
    witness: [
      ...ann,
      ...bob,
      ...open({ closesAt: '{now+6}' }),
      { wait: 5 },
      bid('bob', 100),
      lotIs({ closesAt: '{now+2}' }),
    ],
  },
  {
    id: 'extension-once',
    statement: 'endpoints["POST /lots/{id}/bids"].also',
    what: 'Only the first late bid gives more time.',
    witness: [
      ...ann,
      ...bob,
      ...cyd,
      ...open({ closesAt: '{now+6}' }),
      { wait: 5 },
      bid('bob', 100),
      { wait: 1 },
      bid('cyd', 101),
      lotIs({ closesAt: '{now+2}' }),
    ],
  },
  {
    id: 'bid-event-old-time',
    statement: 'events.kinds["bid.placed"].body.closesAt',
    what: 'The event of a late bid has the time of closing from before.',
    witness: [
      ...ann,
      ...bob,
      ...open({ closesAt: '{now+6}' }),
      follow,
      { wait: 5 },
      bid('bob', 100),
      {
        hears: 'live',
        events: [
          { event: 'bid.placed', data: { lot: '{lot.id}', amount: 100, bidder: 'bob', closesAt: '{now+2}' } },
        ],
      },
    ],
  },
];

const closing: readonly Fault[] = [
  {
    id: 'reserve-ignored',
    statement: 'states["Lot.status"].transitions.sell.when',
    what: 'A lot is sold although no bid has reached the reserve.',
    witness: [
      ...ann,
      ...bob,
      ...open({ reserve: 200 }),
      bid('bob', 100),
      { wait: 60 },
      lotIs({ status: 'unsold', winner: null }),
    ],
  },
  {
    id: 'reserve-excluded',
    statement: 'states["Lot.status"].transitions.sell.when',
    what: 'A bid of exactly the reserve does not reach it.',
    witness: [
      ...ann,
      ...bob,
      ...open({ reserve: 200 }),
      bid('bob', 200),
      { wait: 60 },
      lotIs({ status: 'sold', winner: 'bob' }),
    ],
  },
  {
    id: 'reserve-met-without-bids',
    statement: 'resources.Lot.fields.reserveMet.derived',
    what: 'A lot without a reserve counts as sold before anybody has bid.',
    witness: [...ann, { ...draft(), shows: { reserveMet: false } } as Step],
  },
  {
    id: 'winner-missing',
    statement: 'states["Lot.status"].transitions.sell.set.winner',
    what: 'A lot that is sold has no winner.',
    witness: [
      ...ann,
      ...bob,
      ...open(),
      bid('bob', 100),
      { wait: 60 },
      lotIs({ status: 'sold', winner: 'bob' }),
    ],
  },
  {
    id: 'unsold-event-missing',
    statement: 'events.kinds["lot.unsold"].by',
    what: 'Nobody is told of a lot that stays unsold.',
    witness: [
      ...ann,
      ...bob,
      ...open({ closesAt: '{now+5}' }),
      follow,
      { wait: 5 },
      lotIs({ status: 'unsold' }),
      ...open({}, 'next'),
      {
        hears: 'live',
        events: [
          { event: 'lot.unsold', data: { lot: '{lot.id}', bids: 0 } },
          { event: 'lot.opened', data: { lot: '{next.id}' } },
        ],
      },
    ],
  },
];

const lists: readonly Fault[] = [
  {
    id: 'cursor-by-place',
    statement: 'endpoints["GET /lots"].request.query.cursor.page',
    what: 'A cursor counts lots, so the next page loses a lot once an earlier one has left the list.',
    witness: [
      ...ann,
      ...open({ closesAt: '{now+60}' }, 'first'),
      ...open({ closesAt: '{now+61}' }, 'second'),
      { ...sees('/lots?status=open&limit=1', { lots: [{ id: '{first.id}' }] }), keep: 'page' } as Step,
      { ask: 'POST /lots/{first.id}/cancellation', as: 'ann', status: 200 },
      sees('/lots?status=open&limit=1&cursor={page.next}', { lots: [{ id: '{second.id}' }] }),
    ],
  },
  {
    id: 'next-after-last',
    statement: 'endpoints["GET /lots"].response.body.next',
    what: 'A last page that is full has a cursor for a next page.',
    witness: [...ann, ...open(), sees('/lots?limit=1', { total: 1, next: null })],
  },
  {
    id: 'max-price-of-price',
    statement: 'endpoints["GET /lots"].request.query.maxPrice.filter',
    what: 'The filter by price looks at the last bid, and not at the next.',
    witness: [...ann, ...bob, ...open(), bid('bob', 100), sees('/lots?maxPrice=100', { lots: [], total: 0 })],
  },
  {
    id: 'bids-ascending',
    statement: 'endpoints["GET /lots/{id}/bids"].does.order',
    what: 'The lowest bid comes first.',
    witness: [
      ...ann,
      ...bob,
      ...cyd,
      ...open(),
      bid('bob', 100),
      bid('cyd', 101),
      sees('/lots/{lot.id}/bids', { bids: [{ amount: 101 }, { amount: 100 }], total: 2 }),
    ],
  },
  {
    id: 'own-bid-leads-twice',
    statement: 'resources.OwnBid.fields.leading.derived',
    what: 'An earlier bid of the member who leads counts as leading, too.',
    witness: [
      ...ann,
      ...bob,
      ...cyd,
      ...open(),
      bid('bob', 100),
      bid('cyd', 101),
      bid('bob', 102),
      sees(
        '/me/bids',
        {
          bids: [
            { amount: 102, leading: true },
            { amount: 100, leading: false },
          ],
        },
        'bob',
      ),
    ],
  },
  {
    id: 'watch-again-created',
    statement: 'endpoints["PUT /lots/{id}/watch"].response',
    what: 'Watching a lot again is answered as if it were new.',
    witness: [
      ...ann,
      ...open(),
      { ask: 'PUT /lots/{lot.id}/watch', as: 'ann', status: 201 },
      { ask: 'PUT /lots/{lot.id}/watch', as: 'ann', status: 204 },
    ],
  },
  {
    id: 'watches-filter',
    statement: 'endpoints["GET /me/watches"].request.query.open.filter',
    what: 'The filter by open lots is ignored.',
    witness: [
      ...ann,
      ...open(),
      { ask: 'PUT /lots/{lot.id}/watch', as: 'ann', status: 201 },
      sees('/me/watches?open=false', []),
    ],
  },
];

const bearer = (name: string) => ({ Authorization: `Bearer {${name}.token}` });

export const auction: Trade = {
  name: 'auction',
  document: new URL('auction.md', import.meta.url),
  start: ({ fault, now }) => start({ port: 0, fault, now }),
  credentials: { ann: bearer('ann'), bob: bearer('bob'), cyd: bearer('cyd') },
  faults: [...accounts, ...lots, ...bidding, ...closing, ...lists],
};
