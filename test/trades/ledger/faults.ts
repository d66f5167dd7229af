import type { Fault, Json, Pattern, Step, Trade } from '../witness.ts';
import { end, start } from './service.ts';

const day = '2031-03-10';
const nextDay = '2031-03-11';

type Members = Record<string, Json>;

/** Every request that moves money has a key of its own, unless it states one. */
let keys = 0;
const keyed = (key = `key-${keys++}`) => ({ headers: { 'Idempotency-Key': key } });

/** Mia opens an account, or somebody else does; it is kept by its label. */
const open = (label: string, as = 'mia', more: Members = {}): Step => ({
  ask: 'POST /accounts',
  as,
  body: { label, ...more },
  status: 201,
  keep: label,
});

const cash = (account: string, amount: number, of = day): Step => ({
  ask: `POST /accounts/{${account}.number}/cash`,
  as: 'tom',
  body: { amount, text: 'cash', day: of },
  status: 201,
  ...keyed(),
});

const overdraft = (account: string, amount: number): Step => ({
  ask: `PUT /accounts/{${account}.number}/overdraft`,
  as: 'tom',
  body: { overdraft: amount },
  status: 200,
  shows: { overdraft: amount },
});

const body = (amount: number, from: string, to: string, more: Members = {}): Members => ({
  from: `{${from}.number}`,
  to: `{${to}.number}`,
  amount,
  day,
  ...more,
});

/** Mia sends money, and the transfer is kept. */
const send = (amount: number, from = 'a', to = 'b', key?: string, more: Members = {}): Step => ({
  ask: 'POST /transfers',
  as: 'mia',
  body: body(amount, from, to, more),
  status: 201,
  keep: 'transfer',
  ...keyed(key),
});

const noSend = (amount: number, status: number, code: string, from = 'a', to = 'b', key?: string): Step => ({
  ask: 'POST /transfers',
  as: 'mia',
  body: body(amount, from, to),
  status,
  shows: { error: { code } },
  ...keyed(key),
});

const refused = (as: string, ask: string, status: number, code: string, sent?: Members): Step => ({
  ask,
  as,
  ...(sent !== undefined && { body: sent }),
  status,
  shows: { error: { code } },
});

const post = (as: string, ask: string, shows: Pattern = {}): Step => ({
  ask: `POST ${ask}`,
  as,
  status: 200,
  shows,
});

const sees = (as: string, path: string, shows: Pattern): Step => ({
  ask: `GET ${path}`,
  as,
  status: 200,
  shows,
});

const balance = (account: string, amount: number): Step =>
  sees('mia', `/accounts/{${account}.number}`, { balance: amount });

/** Mia has two accounts. */
const two = [open('a'), open('b')];
const toLeo = [open('a'), open('leo', 'leo')];

const moving: readonly Fault[] = [
  {
    id: 'available-bound',
    statement: 'resources.Account.invariants["no account is overdrawn"]',
    what: 'The last cent of an account cannot be sent.',
    witness: [...two, cash('a', 100), send(100)],
  },
  {
    id: 'cash-unchecked',
    statement: 'resources.Account.invariants["no account is overdrawn"]',
    what: 'A teller may pay out more than there is.',
    witness: [open('a'), { ...cash('a', -1), status: 409, shows: { error: { code: 'short' } } } as Step],
  },
  {
    id: 'reversal-unchecked',
    statement: 'resources.Account.invariants["no account is overdrawn"]',
    what: 'A reversal takes money back that the receiver has not any more.',
    witness: [
      ...two,
      cash('a', 100),
      send(100),
      cash('b', -100),
      refused('tom', 'POST /transfers/{transfer.id}/reversal', 409, 'short'),
    ],
  },
  {
    id: 'overdraft-lowered',
    statement: 'resources.Account.invariants["no account is overdrawn"]',
    what: 'What an account may owe can be set below what it owes.',
    witness: [
      open('a'),
      overdraft('a', 100),
      cash('a', -100),
      refused('tom', 'PUT /accounts/{a.number}/overdraft', 409, 'short', { overdraft: 99 }),
    ],
  },
  {
    id: 'frozen-receives-nothing',
    statement: 'resources.Transfer.guards.create',
    what: 'A frozen account receives nothing.',
    witness: [
      ...two,
      cash('a', 100),
      post('tom', '/accounts/{b.number}/freeze', { status: 'frozen' }),
      send(1),
    ],
  },
  {
    id: 'frozen-sends',
    statement: 'resources.Transfer.guards.create',
    what: 'Money may be sent from a frozen account.',
    witness: [
      ...two,
      cash('a', 100),
      post('tom', '/accounts/{a.number}/freeze', { status: 'frozen' }),
      noSend(1, 409, 'blocked'),
    ],
  },
  {
    id: 'closed-receives',
    statement: 'resources.Transfer.guards.create',
    what: 'Money may be sent to a closed account.',
    witness: [
      ...two,
      cash('a', 100),
      post('mia', '/accounts/{b.number}/closure', { status: 'closed' }),
      noSend(1, 409, 'blocked'),
    ],
  },
  {
    id: 'same-account',
    statement: 'errors.codes.same_account',
    what: 'Money may be sent from an account to itself.',
    witness: [open('a'), cash('a', 100), noSend(1, 422, 'same_account', 'a', 'a')],
  },
  {
    id: 'money-of-others',
    statement: 'errors.codes.not_your_money',
    what: 'Everybody may send money from every account.',
    witness: [...toLeo, cash('leo', 100), noSend(1, 403, 'not_your_money', 'leo', 'a')],
  },
  {
    id: 'day-unchecked',
    statement: 'resources.Transfer.fields.day.format',
    what: 'The day of a transfer may be one that the calendar does not have.',
    witness: [
      ...two,
      cash('a', 100),
      {
        ask: 'POST /transfers',
        as: 'mia',
        body: body(1, 'a', 'b', { day: '2031-02-30' }),
        status: 422,
        shows: { error: { code: 'invalid' } },
        ...keyed(),
      },
    ],
  },
  {
    id: 'entry-without-text',
    statement: 'endpoints["POST /transfers"].also',
    what: 'The text of a transfer does not come to the receiver.',
    witness: [
      ...two,
      cash('a', 100),
      send(1, 'a', 'b', undefined, { text: 'rent' }),
      sees('mia', '/accounts/{b.number}/entries', { entries: [{ amount: 1, text: 'rent' }] }),
    ],
  },
];

const repeating: readonly Fault[] = [
  {
    id: 'replay-again',
    statement: 'endpoints["POST /transfers"].idempotency',
    what: 'A repeated transfer moves the money again.',
    witness: [
      ...two,
      cash('a', 100),
      send(10, 'a', 'b', 'same'),
      { ...send(10, 'a', 'b', 'same'), shows: { id: '{transfer.id}' } } as Step,
    ],
  },
  {
    id: 'replay-of-now',
    statement: 'endpoints["POST /transfers"].idempotency',
    what: 'A repeat shows the transfer as it is now, and not the first answer.',
    witness: [
      ...two,
      cash('a', 100),
      send(10, 'a', 'b', 'same'),
      post('tom', '/transfers/{transfer.id}/reversal', { status: 'reversed' }),
      { ...send(10, 'a', 'b', 'same'), shows: { status: 'done' } } as Step,
    ],
  },
  {
    id: 'key-shared',
    statement: 'endpoints["POST /transfers"].idempotency.per',
    what: 'The keys of one customer are in the way of another.',
    witness: [
      ...toLeo,
      cash('a', 100),
      cash('leo', 100),
      send(10, 'a', 'leo', 'same'),
      {
        ask: 'POST /transfers',
        as: 'leo',
        body: body(10, 'leo', 'a'),
        status: 201,
        shows: { madeBy: 'leo' },
        ...keyed('same'),
      },
    ],
  },
  {
    id: 'key-by-operation',
    statement: 'endpoints["POST /transfers"].idempotency.header',
    what: 'A key that was used for one operation may be used for another.',
    witness: [
      open('a', 'tom'),
      open('b', 'tom'),
      { ...cash('a', 100), ...keyed('same') } as Step,
      {
        ask: 'POST /transfers',
        as: 'tom',
        body: body(10, 'a', 'b'),
        status: 422,
        shows: { error: { code: 'key_reused' } },
        ...keyed('same'),
      },
    ],
  },
  {
    id: 'refusal-remembered',
    statement: 'endpoints["POST /transfers"].idempotency.remembers',
    what: 'A transfer that was refused is refused again with its key, although there is money now.',
    witness: [...two, noSend(10, 409, 'short', 'a', 'b', 'same'), cash('a', 100), send(10, 'a', 'b', 'same')],
  },
  {
    id: 'reused-key-replays',
    statement: 'errors.codes.key_reused',
    what: 'Another transfer with the key of an earlier one is answered as if it were that one.',
    witness: [
      ...two,
      cash('a', 100),
      send(10, 'a', 'b', 'same'),
      noSend(11, 422, 'key_reused', 'a', 'b', 'same'),
    ],
  },
  {
    id: 'replay-without-header',
    statement: 'endpoints["POST /transfers"].idempotency.replay.headers["Idempotent-Replayed"]',
    what: 'Nothing tells that an answer is a repeated one.',
    witness: [
      ...two,
      cash('a', 100),
      send(10, 'a', 'b', 'same'),
      { ...send(10, 'a', 'b', 'same'), fields: { 'idempotent-replayed': 'true' } } as Step,
    ],
  },
  {
    id: 'key-optional',
    statement: 'endpoints["POST /transfers"].idempotency.required',
    what: 'Money may be sent without a key.',
    witness: [...two, cash('a', 100), refused('mia', 'POST /transfers', 400, 'no_key', body(1, 'a', 'b'))],
  },
];

const changing: readonly Fault[] = [
  {
    id: 'reverse-twice',
    statement: 'states["Transfer.status"].transitions.reverse.from',
    what: 'A transfer may be reversed twice.',
    witness: [
      ...two,
      cash('a', 100),
      cash('b', 100),
      send(10),
      post('tom', '/transfers/{transfer.id}/reversal'),
      refused('tom', 'POST /transfers/{transfer.id}/reversal', 409, 'wrong_status'),
    ],
  },
  {
    id: 'reversal-of-today',
    statement: 'states["Transfer.status"].transitions.reverse.also',
    what: 'A reversal is booked on the day on which it is made, and not on the day of the transfer.',
    witness: [
      ...two,
      cash('a', 100),
      send(10),
      post('tom', '/transfers/{transfer.id}/reversal'),
      sees('mia', '/accounts/{a.number}/entries?kind=reversal', { entries: [{ amount: 10, day }] }),
    ],
  },
  {
    id: 'reversal-by-customer',
    statement: 'authentication.authorization.reverseTransfer',
    what: 'Customers may reverse transfers.',
    witness: [
      ...two,
      cash('a', 100),
      send(10),
      refused('mia', 'POST /transfers/{transfer.id}/reversal', 403, 'tellers_only'),
    ],
  },
  {
    id: 'close-with-balance',
    statement: 'states["Account.status"].transitions.close.when',
    what: 'An account with money may be closed.',
    witness: [open('a'), cash('a', 1), refused('mia', 'POST /accounts/{a.number}/closure', 409, 'not_empty')],
  },
  {
    id: 'close-by-teller',
    statement: 'authentication.authorization.closeAccount.items',
    what: 'A teller may close the account of a customer.',
    witness: [open('a'), refused('tom', 'POST /accounts/{a.number}/closure', 403, 'not_yours')],
  },
  {
    id: 'freeze-closed',
    statement: 'states["Account.status"].transitions.freeze.from',
    what: 'A closed account may be frozen.',
    witness: [
      open('a'),
      post('mia', '/accounts/{a.number}/closure', { status: 'closed' }),
      refused('tom', 'POST /accounts/{a.number}/freeze', 409, 'wrong_status'),
    ],
  },
  {
    id: 'overdraft-on-opening',
    statement: 'resources.Account.fields.overdraft.writable',
    what: 'Customers say themselves how much their account may owe.',
    witness: [refused('mia', 'POST /accounts', 422, 'invalid', { label: 'a', overdraft: 50000 })],
  },
  {
    id: 'label-without-tag',
    statement: 'endpoints["PATCH /accounts/{number}"].conditional.ifMatch',
    what: 'A label may be changed without naming what the client has seen.',
    witness: [open('a'), refused('mia', 'PATCH /accounts/{a.number}', 428, 'no_tag', { label: 'z' })],
  },
  {
    id: 'etag-without-balance',
    statement: 'endpoints["GET /accounts/{number}"].conditional.etag',
    what: 'The entity tag of an account stays the same when its balance changes.',
    witness: [
      open('a'),
      { ...sees('mia', '/accounts/{a.number}', { balance: 0 }), keep: 'seen' } as Step,
      cash('a', 1),
      { ...balance('a', 1), headers: { 'If-None-Match': '{seen#etag}' } } as Step,
    ],
  },
];

const reading: readonly Fault[] = [
  {
    id: 'list-of-all',
    statement: 'endpoints["GET /accounts"].does.where',
    what: 'Customers see the accounts of everybody in the list.',
    witness: [open('a'), sees('leo', '/accounts', { accounts: [], total: 0 })],
  },
  {
    id: 'entries-of-others',
    statement: 'authentication.authorization.listEntries',
    what: 'Everybody may read the entries of every account.',
    witness: [open('a'), refused('leo', 'GET /accounts/{a.number}/entries', 404, 'no_account')],
  },
  {
    id: 'transfer-of-others',
    statement: 'endpoints["GET /transfers/{id}"].does.where',
    what: 'Everybody may read every transfer.',
    witness: [
      ...two,
      cash('a', 100),
      send(10),
      refused('leo', 'GET /transfers/{transfer.id}', 404, 'no_transfer'),
    ],
  },
  {
    id: 'receiver-sees-nothing',
    statement: 'endpoints["GET /transfers/{id}"].does.where',
    what: 'The receiver of a transfer does not see it.',
    witness: [
      ...toLeo,
      cash('a', 100),
      send(10, 'a', 'leo'),
      sees('leo', '/transfers/{transfer.id}', { amount: 10 }),
    ],
  },
  {
    id: 'available-without-overdraft',
    statement: 'resources.Account.fields.available.derived',
    what: 'What is available leaves out what the account may owe.',
    witness: [open('a'), { ...overdraft('a', 100), shows: { available: 100 } } as Step],
  },
  {
    id: 'min-balance-excluded',
    statement: 'endpoints["GET /accounts"].request.query.minBalance.filter',
    what: 'The filter by least balance leaves out accounts with exactly this balance.',
    witness: [open('a'), sees('mia', '/accounts?minBalance=0', { total: 1 })],
  },
  {
    id: 'next-without-filter',
    statement: 'endpoints["GET /accounts"].response.body.next',
    what: 'The address of the next page lacks the filters.',
    witness: [
      ...two,
      sees('mia', '/accounts?kind=current&limit=1', { next: '/accounts?kind=current&limit=1&offset=1' }),
    ],
  },
  {
    id: 'entries-by-id',
    statement: 'endpoints["GET /accounts/{number}/entries"].does.order',
    what: 'Entries come in the order in which they were made, and not by their days.',
    witness: [
      open('a'),
      cash('a', 1, nextDay),
      cash('a', 2, day),
      sees('mia', '/accounts/{a.number}/entries', { entries: [{ amount: 2 }, { amount: 1 }] }),
    ],
  },
  {
    id: 'cursor-by-id',
    statement: 'endpoints["GET /accounts/{number}/entries"].request.query.cursor.page',
    what: 'The second page loses entries that were made earlier for a later day.',
    witness: [
      open('a'),
      cash('a', 1, nextDay),
      cash('a', 2, day),
      {
        ...sees('mia', '/accounts/{a.number}/entries?limit=1', { entries: [{ amount: 2 }] }),
        keep: 'page',
      } as Step,
      sees('mia', '/accounts/{a.number}/entries?limit=1&cursor={page.next}', { entries: [{ amount: 1 }] }),
    ],
  },
  {
    id: 'to-excluded',
    statement: 'endpoints["GET /accounts/{number}/entries"].request.query.to.filter',
    what: 'The last day of the filter is left out.',
    witness: [
      open('a'),
      cash('a', 1),
      sees('mia', `/accounts/{a.number}/entries?to=${day}`, { entries: [{ amount: 1 }] }),
    ],
  },
  {
    id: 'opening-with-day',
    statement: 'endpoints["GET /accounts/{number}/statements/{day}"].response.body.opening',
    what: 'The opening balance of a day has the entries of the day in it.',
    witness: [
      open('a'),
      cash('a', 5),
      sees('mia', `/accounts/{a.number}/statements/${day}`, { opening: 0, in: 5, out: 0, closing: 5 }),
    ],
  },
  {
    id: 'sums-without-reversals',
    statement: 'endpoints["GET /accounts/{number}/statements/{day}"].response.body.in',
    what: 'What comes in on a day leaves out reversals.',
    witness: [
      ...two,
      cash('a', 100),
      send(10),
      post('tom', '/transfers/{transfer.id}/reversal'),
      sees('mia', `/accounts/{a.number}/statements/${day}`, { opening: 0, in: 110, out: -10, closing: 100 }),
    ],
  },
];

const basic = (name: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

export const ledger: Trade = {
  name: 'ledger',
  document: new URL('ledger.md', import.meta.url),
  start,
  end,
  keepsTime: true,
  credentials: {
    tom: basic('tom', 'tom-teller-71'),
    mia: basic('mia', 'mia-customer-42'),
    leo: basic('leo', 'leo-customer-93'),
  },
  faults: [...moving, ...repeating, ...changing, ...reading],
};
