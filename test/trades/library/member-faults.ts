import type { Fault, Step } from '../witness.ts';
import { book, borrows, days, does, logIn, refused, returns, sees, waits } from './steps.ts';

/** Ben owes 20 cents. */
const owing: readonly Step[] = [
  ...logIn('ada', 'ben'),
  book('sea'),
  borrows('ben', 'sea'),
  days(14),
  returns('ben', 20),
  sees('ben', '/fines', { fines: [{ cents: 20, paidAt: null }], sum: 20 }),
  does('ada', 'POST /fines/1/payment', 200, { shows: { paidAt: /Z$/ } }),
];

export const ofMembers: readonly Fault[] = [
  {
    id: 'logout-keeps-token',
    statement: 'endpoints["DELETE /session"].does.revoke',
    what: 'The token of a session that has ended still works.',
    witness: [
      ...logIn('ben'),
      does('ben', 'DELETE /session', 204),
      refused('ben', 'GET /me', 401, 'bad_token'),
    ],
  },
  {
    id: 'session-forever',
    statement: 'authentication.schemes.session.credentials.life',
    what: 'A session never ends by itself.',
    witness: [...logIn('ben'), days(30), refused('ben', 'GET /me', 401, 'bad_token')],
  },
  {
    id: 'old-password-works',
    statement: 'endpoints["PUT /me/password"].does.with.password',
    what: 'The password before still works.',
    witness: [
      ...logIn('ben'),
      does('ben', 'PUT /me/password', 204, { body: { password: 'hard-cover-1' } }),
      {
        ask: 'POST /sessions',
        body: { card: 'MB0001', password: 'paper-back-1' },
        status: 401,
        shows: { error: { code: 'wrong_login' } },
      },
    ],
  },
  {
    id: 'wrong-login-unchallenged',
    statement: 'authentication.schemes.session.challenge',
    what: 'The refusal of a wrong password has no challenge.',
    witness: [
      {
        ask: 'POST /sessions',
        body: { card: 'MB0001', password: 'nonsense' },
        status: 401,
        fields: { 'www-authenticate': 'Bearer realm="library"' },
      },
    ],
  },
  {
    id: 'paid-is-owed',
    statement: 'resources.Member.fields.owes.derived',
    what: 'Fines that were paid are still owed.',
    witness: [...owing, sees('ben', '/me', { owes: 0 })],
  },
  {
    id: 'email-case',
    statement: 'resources.Member.fields.email.unique',
    what: 'Two members may have addresses that differ in case alone.',
    witness: [
      ...logIn('ada'),
      refused('ada', 'POST /members', 409, 'taken', {
        ...{ card: 'MB0009', name: 'Eve', email: 'Ben@library.example', password: 'hard-cover-1' },
      }),
    ],
  },
  {
    id: 'edited-email-unchecked',
    statement: 'resources.Member.fields.email.unique',
    what: 'A member may be given the address of another one later.',
    witness: [
      ...logIn('ada'),
      refused('ada', 'PATCH /members/MB0001', 409, 'taken', { email: 'cleo@library.example' }),
    ],
  },
  {
    id: 'edited-name-untrimmed',
    statement: 'resources.Member.fields.name.taken',
    what: 'A name that is changed keeps its white space.',
    witness: [
      ...logIn('ada'),
      does('ada', 'PATCH /members/MB0001', 200, { body: { name: ' Benno ' }, shows: { name: 'Benno' } }),
    ],
  },
  {
    id: 'owing-false-ignored',
    statement: 'endpoints["GET /members"].request.query.owing.filter',
    what: 'Who asks for members that owe nothing sees all members.',
    witness: [
      ...logIn('ada', 'ben'),
      book('sea'),
      borrows('ben', 'sea'),
      days(14),
      returns('ben', 20),
      sees('ada', '/members?owing=true', { total: 1 }),
      sees('ada', '/members?owing=false', { total: 3 }),
    ],
  },
  {
    id: 'sum-of-all',
    statement: 'endpoints["GET /fines"].response.body.sum',
    what: 'The sum counts fines that the list does not show.',
    witness: [...owing, sees('ben', '/fines?paid=false', { fines: [], sum: 0 })],
  },
  {
    id: 'suspended-waits',
    statement: 'errors.codes.suspended.operations',
    what: 'Somebody whose card is suspended may wait for books.',
    witness: [
      ...logIn('ada', 'ben', 'cleo'),
      book('sea'),
      borrows('ben', 'sea'),
      does('ada', 'PUT /members/MB0002/suspension', 200, { shows: { status: 'suspended' } }),
      refused('cleo', 'POST /books/{sea.id}/holds', 403, 'suspended'),
    ],
  },
  {
    id: 'hold-cancelled-by-all',
    statement: 'endpoints["DELETE /holds/{id}"].does.where',
    what: 'Every member may cancel the holds of others.',
    witness: [
      ...logIn('ada', 'ben', 'cleo', 'dan'),
      book('sea'),
      borrows('ben', 'sea'),
      waits('cleo', 'sea'),
      refused('dan', 'DELETE /holds/{cleo-hold.id}', 404, 'no_hold'),
    ],
  },
];
