import type { Fault } from '../witness.ts';
import {
  ann,
  approves,
  bike,
  bob,
  cancels,
  day,
  does,
  lists,
  mia,
  opened,
  opens,
  quotes,
  refused,
  sees,
  signsUp,
} from './steps.ts';

export const ofAccountsAndBikes: readonly Fault[] = [
  {
    id: 'email-case',
    statement: 'resources.Account.fields.email.unique',
    what: 'Two accounts have emails that differ only in case.',
    witness: [
      signsUp('ann'),
      {
        ask: 'POST /accounts',
        body: { email: 'Ann@Mail.example', name: 'Ann', password: 'ann-likes-bikes' },
        status: 409,
        shows: { code: 'taken' },
      },
    ],
  },
  {
    id: 'role-from-body',
    statement: 'resources.Account.fields.role.writable',
    what: 'Whoever signs up may choose to be a mechanic.',
    witness: [
      {
        ask: 'POST /accounts',
        body: { email: 'eve@mail.example', name: 'Eve', password: 'eve-likes-bikes', role: 'mechanic' },
        status: 422,
        shows: { code: 'invalid', fields: { role: ['is not known'] } },
      },
    ],
  },
  {
    id: 'session-without-end',
    statement: 'authentication.schemes.session.credentials.life',
    what: 'A session does not end after fourteen days.',
    witness: [
      ...ann,
      sees('ann', '/me', { name: 'ann' }),
      { wait: 14 * day + 60 },
      refused('ann', 'GET /me', 401, 'session-over'),
    ],
  },
  {
    id: 'log-out-forgotten',
    statement: 'endpoints["DELETE /sessions"].does.revoke',
    what: 'A session goes on after its holder has logged out.',
    witness: [...ann, does('ann', 'DELETE /sessions', 204), refused('ann', 'GET /me', 401, 'session-over')],
  },
  {
    id: 'approved-not-counted',
    statement: 'resources.Account.fields.openJobs.derived',
    what: 'An approved job is not among the open jobs of its customer.',
    witness: [
      ...opened,
      lists('brakes', 'pads'),
      quotes('brakes'),
      approves('ann', 'brakes'),
      sees('ann', '/me', { openJobs: 1 }),
    ],
  },
  {
    id: 'frame-taken-by-others',
    statement: 'resources.Bike.fields.frame.unique',
    what: 'Two customers register bikes with the same frame number.',
    witness: [
      ...ann,
      ...bob,
      bike('ann', 'racer', 'WX-12345'),
      refused('bob', 'POST /bikes', 409, 'taken', { body: { label: 'mine', frame: 'wx-12345' } }),
    ],
  },
  {
    id: 'edited-label-untrimmed',
    statement: 'resources.Bike.fields.label.taken',
    what: 'White space around a label is cut when a bike is added, and kept when it is edited.',
    witness: [
      ...ann,
      bike('ann', 'racer'),
      does('ann', 'PATCH /bikes/{racer.id}', 200, {
        body: { label: '  old racer ' },
        shows: { label: 'old racer' },
      }),
    ],
  },
  {
    id: 'year-stays',
    statement: 'endpoints["PATCH /bikes/{id}"].does.update',
    what: 'The year of a bike cannot be taken away again: null counts as not given.',
    witness: [
      ...ann,
      bike('ann', 'racer'),
      does('ann', 'PATCH /bikes/{racer.id}', 200, { body: { year: 1999 }, shows: { year: 1999 } }),
      does('ann', 'PATCH /bikes/{racer.id}', 200, { body: { year: null }, shows: { year: null } }),
    ],
  },
  {
    id: 'bikes-of-others',
    statement: 'endpoints["GET /bikes"].does.where',
    what: 'A customer is shown the bikes of all customers.',
    witness: [
      ...ann,
      ...bob,
      bike('ann', 'racer'),
      bike('bob', 'cruiser'),
      sees('bob', '/bikes', { bikes: [{ label: 'cruiser' }], total: 1 }),
    ],
  },
  {
    id: 'start-from-zero',
    statement: 'endpoints["GET /bikes"].request.query.from.page',
    what: 'Places are counted from 0 in place of 1, so that a page drops its first bike.',
    witness: [
      ...ann,
      ...['b-one', 'a-two', 'c-three'].map((label) => bike('ann', label)),
      sees('ann', '/bikes?from=2&count=2', { bikes: [{ label: 'b-one' }, { label: 'c-three' }], total: 3 }),
    ],
  },
  {
    id: 'total-of-page',
    statement: 'endpoints["GET /bikes"].response.body.total',
    what: 'The total says how many bikes the page has, not the list.',
    witness: [
      ...ann,
      ...['b-one', 'a-two', 'c-three'].map((label) => bike('ann', label)),
      sees('ann', '/bikes?count=2', { bikes: [{ label: 'a-two' }, { label: 'b-one' }], total: 3 }),
    ],
  },
  {
    id: 'bike-of-old-jobs-removed',
    statement: 'resources.Job.fields.bike.ifDeleted',
    what: 'A bike is removed although a job that is over refers to it.',
    witness: [
      ...ann,
      bike('ann', 'racer'),
      opens('ann', 'racer', 'brakes'),
      cancels('ann', 'brakes'),
      refused('ann', 'DELETE /bikes/{racer.id}', 409, 'bike-in-use'),
    ],
  },
  {
    id: 'bike-of-somebody',
    statement: 'errors.codes.not-your-bike.when',
    what: 'A customer opens a job for a bike of somebody else.',
    witness: [
      ...ann,
      ...bob,
      mia,
      bike('ann', 'racer'),
      refused('bob', 'POST /jobs', 403, 'not-your-bike', { body: { bike: '{racer.id}', complaint: 'Flat' } }),
    ],
  },
];
