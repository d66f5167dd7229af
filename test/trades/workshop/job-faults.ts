import type { Fault } from '../witness.ts';
import { ann, bike, bob, day, does, lists, opened, opens, quotes, refused, sees } from './steps.ts';

const key = { 'Idempotency-Key': 'once' };

export const ofJobs: readonly Fault[] = [
  {
    id: 'due-today',
    statement: 'resources.Job.fields.due.holds',
    what: 'The present day counts as over.',
    witness: [...ann, bike('ann', 'racer'), opens('ann', 'racer', 'brakes', { due: '2026-03-02' })],
  },
  {
    id: 'note-in-list',
    statement: 'resources.Job.fields.note.readable',
    what: 'The list of jobs shows customers the note of the mechanic.',
    witness: [...opened, sees('ann', '/jobs', { jobs: [{ note: (value) => value === undefined }] })],
  },
  {
    id: 'edit-half-done',
    statement: 'errors.codes.invalid.when',
    what: 'An edit that is refused for its day has changed the complaint.',
    witness: [
      ...opened,
      sees('ann', '/jobs/{brakes.id}', { complaint: 'Fix brakes' }, { keep: 'before' }),
      refused('ann', 'PATCH /jobs/{brakes.id}', 422, 'invalid', {
        body: { complaint: 'Fix gears', due: '2026-03-01' },
        headers: { 'If-Match': '{before#etag}' },
      }),
      sees('ann', '/jobs/{brakes.id}', { complaint: 'Fix brakes' }),
    ],
  },
  {
    id: 'tag-not-compared',
    statement: 'endpoints["PATCH /jobs/{id}"].conditional.ifMatch',
    what: 'A job is edited with the tag of an earlier state, so that an edit in between is lost.',
    witness: [
      ...opened,
      sees('ann', '/jobs/{brakes.id}', { urgent: false }, { keep: 'before' }),
      does('ann', 'PATCH /jobs/{brakes.id}', 200, {
        body: { urgent: true },
        headers: { 'If-Match': '{before#etag}' },
        shows: { urgent: true },
      }),
      refused('ann', 'PATCH /jobs/{brakes.id}', 412, 'stale', {
        body: { urgent: false },
        headers: { 'If-Match': '{before#etag}' },
      }),
    ],
  },
  {
    id: 'tag-without-lines',
    statement: 'endpoints["GET /jobs/{id}"].conditional.etag',
    what: 'The tag of a job stays the same although its price has changed.',
    witness: [
      ...opened,
      sees('ann', '/jobs/{brakes.id}', { total: 0 }, { keep: 'before' }),
      lists('brakes', 'pads'),
      sees('ann', '/jobs/{brakes.id}', { parts: 1000 }, { headers: { 'If-None-Match': '{before#etag}' } }),
    ],
  },
  {
    id: 'keys-of-all',
    statement: 'endpoints["POST /jobs"].idempotency.per',
    what: 'A key that one customer has used cannot be used by another.',
    witness: [
      ...ann,
      ...bob,
      bike('ann', 'racer'),
      bike('bob', 'cruiser'),
      does('ann', 'POST /jobs', 201, { body: { bike: '{racer.id}', complaint: 'Flat' }, headers: key }),
      does('bob', 'POST /jobs', 201, { body: { bike: '{cruiser.id}', complaint: 'Flat' }, headers: key }),
    ],
  },
  {
    id: 'quota-with-lapsed',
    statement: 'limits.quotas.open.when',
    what: 'A job whose quote has lapsed counts as open.',
    witness: [
      ...opened,
      opens('ann', 'racer', 'gears'),
      opens('ann', 'racer', 'saddle'),
      lists('brakes', 'pads'),
      quotes('brakes'),
      { wait: 7 * day + 60 },
      opens('ann', 'racer', 'lights'),
    ],
  },
  {
    id: 'due-before-inclusive',
    statement: 'endpoints["GET /jobs"].request.query.dueBefore.filter',
    what: 'Jobs that are due on the day are among those that are due before it.',
    witness: [
      ...ann,
      bike('ann', 'racer'),
      opens('ann', 'racer', 'brakes', { due: '2026-03-09' }),
      opens('ann', 'racer', 'gears', { due: '2026-03-10' }),
      sees('ann', '/jobs?dueBefore=2026-03-10', { jobs: [{ due: '2026-03-09' }], total: 1 }),
    ],
  },
  {
    id: 'urgent-false-ignored',
    statement: 'endpoints["GET /jobs"].request.query.urgent.filter',
    what: 'Whoever asks for jobs that are not urgent is shown all.',
    witness: [
      ...opened,
      opens('ann', 'racer', 'gears', { urgent: true }),
      sees('ann', '/jobs?urgent=false', { jobs: [{ urgent: false }], total: 1 }),
    ],
  },
  {
    id: 'search-with-case',
    statement: 'endpoints["GET /jobs"].request.query.q.filter',
    what: 'Complaints are searched with regard to case.',
    witness: [...opened, sees('mia', '/jobs?q=fix', { jobs: [{ complaint: 'Fix brakes' }], total: 1 })],
  },
];
