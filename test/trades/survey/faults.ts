import type { Fault, Json, Pattern, Step, Trade } from '../witness.ts';
import { absent } from '../witness.ts';
import { end, start } from './start.ts';

type Members = Readonly<Record<string, Json>>;

const does = (
  as: string,
  ask: string,
  status: number,
  shows?: Pattern,
  body?: Json,
  keep?: string,
): Step => ({
  ask,
  as,
  status,
  ...(shows !== undefined && { shows }),
  ...(body !== undefined && { body }),
  ...(keep !== undefined && { keep }),
});

const sees = (path: string, shows: Pattern, as = 'ann'): Step => does(as, `GET ${path}`, 200, shows);
const refused = (as: string, ask: string, status: number, error: string, body?: Json): Step =>
  does(as, ask, status, { error }, body);

/** Ann makes a survey, which is kept as `s`, or by another name. */
const survey = (more: Members = {}, keep = 's'): Step =>
  does('ann', 'POST /surveys', 201, {}, { title: `Survey ${keep}`, ...more }, keep);
/** Ann adds a question to it, which is kept as `q`, or by another name. */
const question = (more: Members = {}, keep = 'q', of = 's'): Step =>
  does('ann', `POST /surveys/{${of}.id}/questions`, 201, {}, { text: 'Why?', kind: 'text', ...more }, keep);
const publish = (of = 's'): Step => does('ann', `POST /surveys/{${of}.id}/publication`, 200);
const close: Step = does('ann', 'POST /surveys/{s.id}/closing', 200);
const quota = (segment: string, limit: number): Step =>
  does('ann', `PUT /surveys/{s.id}/quotas/${segment}`, 201, {}, { limit });
/** A survey that is open, with one question. */
const open = (more: Members = {}, ofQuestion: Members = {}): Step[] => [
  survey(more),
  question(ofQuestion),
  publish(),
];
/** A respondent starts, and the response is kept by the name of the respondent. */
const starts = (name: string, segment = 'worker'): Step => ({
  ask: 'POST /surveys/{s.id}/responses',
  body: { respondent: name, segment },
  status: 201,
  keep: name,
});
const answers = (name: string, value = 'so', to = 'q', status = 201): Step =>
  does(name, `PUT /responses/{${name}.response.id}/answers/{${to}.id}`, status, {}, { value });
const submits = (name: string): Step =>
  does(name, `POST /responses/{${name}.response.id}/submission`, 200, { status: 'submitted' });
const withdraws = (name: string): Step =>
  does(name, `POST /responses/{${name}.response.id}/withdrawal`, 200, { status: 'withdrawn' });

const making: readonly Fault[] = [
  {
    id: 'title-bound',
    statement: 'resources.Survey.fields.title.minLength',
    what: 'A title of two letters is accepted.',
    witness: [refused('ann', 'POST /surveys', 422, 'invalid', { title: 'Us' })],
  },
  {
    id: 'time-not-converted',
    statement: 'resources.Survey.fields.closesAt.taken',
    what: 'The time of closing is shown as it was given, and not in UTC.',
    witness: [
      does(
        'ann',
        'POST /surveys',
        201,
        { closesAt: '2030-05-01T10:00:00.000Z' },
        { title: 'Lunch', closesAt: '2030-05-01T12:00:00+02:00' },
      ),
    ],
  },
  {
    id: 'submitted-for-all',
    statement: 'resources.Survey.fields.submitted.readable',
    what: 'Everybody sees how many have submitted.',
    witness: [...open(), { ask: 'GET /surveys/{s.id}', status: 200, shows: { submitted: absent } }],
  },
  {
    id: 'patch-clears',
    statement: 'endpoints["PATCH /surveys/{id}"].does',
    what: 'A change of the title clears what the body does not name.',
    witness: [
      survey({ wanted: 3 }),
      does('ann', 'PATCH /surveys/{s.id}', 200, { wanted: 3 }, { title: 'Other' }),
    ],
  },
  {
    id: 'intro-after-publication',
    statement: 'errors.codes.not_draft.when',
    what: 'The intro of a published survey may be changed.',
    witness: [...open(), refused('ann', 'PATCH /surveys/{s.id}', 409, 'not_draft', { intro: 'Hi' })],
  },
  {
    id: 'draft-for-all',
    statement: 'endpoints["GET /surveys/{id}"].does.where',
    what: 'Everybody may read a draft.',
    witness: [survey(), refused('bob', 'GET /surveys/{s.id}', 404, 'no_survey')],
  },
  {
    id: 'delete-open',
    statement: 'resources.Survey.guards.delete',
    what: 'An open survey may be deleted.',
    witness: [...open(), refused('ann', 'DELETE /surveys/{s.id}', 409, 'is_open')],
  },
  {
    id: 'token-outlives-survey',
    statement: 'resources.Response.fields.survey.ifDeleted',
    what: 'The token of a response is good after its survey was deleted.',
    witness: [
      ...open(),
      starts('eve'),
      close,
      does('ann', 'DELETE /surveys/{s.id}', 204),
      refused('eve', 'GET /responses/{eve.response.id}', 401, 'bad_key'),
    ],
  },
  {
    id: 'publish-empty',
    statement: 'states["Survey.status"].transitions.publish.when',
    what: 'A survey without questions may be published.',
    witness: [survey(), refused('ann', 'POST /surveys/{s.id}/publication', 409, 'no_questions')],
  },
  {
    id: 'close-twice',
    statement: 'states["Survey.status"].transitions.close.from',
    what: 'A survey that is closed may be closed again.',
    witness: [...open(), close, refused('ann', 'POST /surveys/{s.id}/closing', 409, 'wrong_status')],
  },
  {
    id: 'published-on-reopen',
    statement: 'states["Survey.status"].transitions.publish.set.publishedAt',
    what: 'A survey that is opened again shows that time as the time of publication.',
    witness: [
      survey(),
      question(),
      does('ann', 'POST /surveys/{s.id}/publication', 200, {}, undefined, 'published'),
      close,
      { wait: 5 },
      does('ann', 'POST /surveys/{s.id}/reopening', 200, { publishedAt: '{published.publishedAt}' }),
    ],
  },
  {
    id: 'no-timer-after-reopen',
    statement: 'states["Survey.status"].transitions.expire.at',
    what: 'A survey that was opened again does not close by itself.',
    witness: [
      ...open({ closesAt: '{now+10}' }),
      close,
      does('ann', 'POST /surveys/{s.id}/reopening', 200),
      { wait: 11 },
      sees('/surveys/{s.id}', { status: 'closed' }),
    ],
  },
  {
    id: 'reopen-after-time',
    statement: 'states["Survey.status"].transitions.reopen.when',
    what: 'A survey may be opened again after its time of closing.',
    witness: [
      ...open({ closesAt: '{now+2}' }),
      { wait: 3 },
      refused('ann', 'POST /surveys/{s.id}/reopening', 409, 'stays_closed'),
    ],
  },
  {
    id: 'reopen-full',
    statement: 'states["Survey.status"].transitions.reopen.when',
    what: 'A survey that is full may be opened again.',
    witness: [
      ...open({ wanted: 1 }),
      starts('eve'),
      submits('eve'),
      refused('ann', 'POST /surveys/{s.id}/reopening', 409, 'stays_closed'),
    ],
  },
  {
    id: 'full-one-late',
    statement: 'endpoints["POST /responses/{id}/submission"].also[0].when',
    what: 'A survey closes one response after it is full.',
    witness: [
      ...open({ wanted: 1 }),
      starts('eve'),
      submits('eve'),
      sees('/surveys/{s.id}', { status: 'closed' }),
    ],
  },
  {
    id: 'full-counts-started',
    statement: 'states["Survey.status"].transitions.fill.when',
    what: 'Responses that are not submitted count for whether a survey is full.',
    witness: [
      ...open({ wanted: 2 }),
      starts('eve'),
      starts('joe'),
      submits('eve'),
      sees('/surveys/{s.id}', { status: 'open' }),
    ],
  },
];

const listing: readonly Fault[] = [
  {
    id: 'sort-never-down',
    statement: 'endpoints["GET /surveys"].request.query.sort.sort',
    what: 'Surveys are sorted in ascending order even where the client asks for descending order.',
    witness: [
      survey({}, 'a'),
      survey({}, 'b'),
      sees('/surveys?sort=-title', { surveys: [{ title: 'Survey b' }, { title: 'Survey a' }] }),
    ],
  },
  {
    id: 'next-after-full-page',
    statement: 'endpoints["GET /surveys"].response.body.next',
    what: 'A last page that is full names a next page.',
    witness: [survey(), sees('/surveys?limit=1', { total: 1, next: null })],
  },
  {
    id: 'next-without-filters',
    statement: 'endpoints["GET /surveys"].response.body.next',
    what: 'The address of the next page lacks the filters.',
    witness: [
      survey({}, 'a'),
      survey({}, 'b'),
      sees('/surveys?status=draft&limit=1', { next: '/surveys?status=draft&limit=1&offset=1' }),
    ],
  },
  {
    id: 'page-of-default-size',
    statement: 'endpoints["GET /surveys/{id}/responses"].request.query.page.page',
    what: 'The second page begins after five responses, whatever its size.',
    witness: [
      ...open(),
      starts('eve'),
      starts('joe'),
      sees('/surveys/{s.id}/responses?limit=1&page=2', { responses: [{ respondent: 'joe' }] }),
    ],
  },
  {
    id: 'total-unfiltered',
    statement: 'endpoints["GET /surveys/{id}/responses"].response.body.total',
    what: 'The total ignores the filters.',
    witness: [...open(), starts('eve'), sees('/surveys/{s.id}/responses?segment=student', { total: 0 })],
  },
  {
    id: 'said-part',
    statement: 'endpoints["GET /surveys/{id}/responses"].request.query.said.filter',
    what: 'The filter finds answers that contain the text.',
    witness: [
      ...open(),
      starts('eve'),
      answers('eve', 'often'),
      sees('/surveys/{s.id}/responses?said=ofte', { responses: [] }),
    ],
  },
  {
    id: 'mandatory-filter',
    statement: 'endpoints["GET /surveys/{id}/questions"].request.query.mandatory.filter',
    what: 'The filter takes the word false for true.',
    witness: [...open(), sees('/surveys/{s.id}/questions?mandatory=false', [{ text: 'Why?' }])],
  },
];

const questions: readonly Fault[] = [
  {
    id: 'one-choice',
    statement: 'resources.Question.invariants["a choice is between two or more"]',
    what: 'A question may offer one choice alone.',
    witness: [
      survey(),
      refused('ann', 'POST /surveys/{s.id}/questions', 409, 'choices', {
        text: 'Why?',
        kind: 'choice',
        choices: ['so'],
      }),
    ],
  },
  {
    id: 'edit-to-one-choice',
    statement: 'resources.Question.invariants["a choice is between two or more"]',
    what: 'The choices of a question may be changed to one.',
    witness: [
      survey(),
      question({ kind: 'choice', choices: ['yes', 'no'] }),
      refused('ann', 'PATCH /questions/{q.id}', 409, 'choices', { choices: ['yes'] }),
    ],
  },
  {
    id: 'question-state-first',
    statement: 'errors.order',
    what: 'Another analyst learns that a survey is published before the service looks whose it is.',
    witness: [...open(), refused('bob', 'DELETE /questions/{q.id}', 403, 'not_yours')],
  },
  {
    id: 'draft-questions',
    statement: 'errors.codes.hidden.as',
    what: 'The questions of a draft are shown to other analysts.',
    witness: [survey(), refused('bob', 'GET /surveys/{s.id}/questions', 404, 'no_survey')],
  },
];

const quotas: readonly Fault[] = [
  {
    id: 'quota-always-new',
    statement: 'endpoints["PUT /surveys/{id}/quotas/{segment}"].response[1].status',
    what: 'A quota that is changed is answered as a new one.',
    witness: [
      survey(),
      quota('student', 1),
      does('ann', 'PUT /surveys/{s.id}/quotas/student', 200, { limit: 2 }, { limit: 2 }),
    ],
  },
  {
    id: 'filled-of-all-segments',
    statement: 'resources.Quota.fields.filled.derived',
    what: 'A quota counts the responses of all segments.',
    witness: [
      ...open(),
      quota('student', 5),
      starts('eve'),
      submits('eve'),
      sees('/surveys/{s.id}/quotas', [{ segment: 'student', filled: 0 }]),
    ],
  },
  {
    id: 'filled-with-withdrawn',
    statement: 'resources.Quota.fields.filled.derived',
    what: 'A quota still counts responses that were withdrawn.',
    witness: [
      ...open(),
      quota('worker', 5),
      starts('eve'),
      submits('eve'),
      withdraws('eve'),
      sees('/surveys/{s.id}/quotas', [{ filled: 0 }]),
    ],
  },
  {
    id: 'quota-one-late',
    statement: 'errors.codes.quota_full.when',
    what: 'A respondent may start although the quota is just reached.',
    witness: [
      ...open(),
      quota('worker', 1),
      starts('eve'),
      submits('eve'),
      refused('bob', 'POST /surveys/{s.id}/responses', 409, 'quota_full', {
        respondent: 'joe',
        segment: 'worker',
      }),
    ],
  },
];

const responses: readonly Fault[] = [
  {
    id: 'respondent-case',
    statement: 'resources.Response.unique',
    what: 'A respondent may start again with capital letters.',
    witness: [
      ...open(),
      starts('eve'),
      refused('bob', 'POST /surveys/{s.id}/responses', 409, 'twice', {
        respondent: 'EVE',
        segment: 'worker',
      }),
    ],
  },
  {
    id: 'token-for-survey',
    statement: 'authentication.authorization.readResponse',
    what: 'A token reads all responses to its survey.',
    witness: [
      ...open(),
      starts('eve'),
      starts('joe'),
      refused('eve', 'GET /responses/{joe.response.id}', 403, 'not_yours'),
    ],
  },
  {
    id: 'answer-after-submission',
    statement: 'errors.codes.done.when',
    what: 'An answer may be given after the response was submitted.',
    witness: [
      ...open(),
      starts('eve'),
      submits('eve'),
      refused('eve', 'PUT /responses/{eve.response.id}/answers/{q.id}', 409, 'done', { value: 'so' }),
    ],
  },
  {
    id: 'answer-elsewhere',
    statement: 'errors.codes.elsewhere.when',
    what: 'A question of another survey may be answered.',
    witness: [
      ...open(),
      survey({}, 't'),
      question({}, 'other', 't'),
      starts('eve'),
      refused('eve', 'PUT /responses/{eve.response.id}/answers/{other.id}', 409, 'elsewhere', {
        value: 'so',
      }),
    ],
  },
  {
    id: 'scale-from-zero',
    statement: 'errors.codes.no_scale.when',
    what: 'The scale begins at 0.',
    witness: [
      ...open({}, { kind: 'scale' }),
      starts('eve'),
      refused('eve', 'PUT /responses/{eve.response.id}/answers/{q.id}', 409, 'no_scale', { value: '0' }),
    ],
  },
  {
    id: 'first-mandatory-alone',
    statement: 'states["Response.status"].transitions.submit.when',
    what: 'Only the first mandatory question must have an answer.',
    witness: [
      survey(),
      question({ mandatory: true }),
      question({ mandatory: true }, 'second'),
      publish(),
      starts('eve'),
      answers('eve'),
      refused('eve', 'POST /responses/{eve.response.id}/submission', 409, 'missing'),
    ],
  },
  {
    id: 'withdrawal-keeps-answers',
    statement: 'states["Response.status"].transitions.withdraw.also',
    what: 'The answers of a response stay when it is withdrawn.',
    witness: [
      ...open(),
      starts('eve'),
      answers('eve'),
      withdraws('eve'),
      sees('/responses/{eve.response.id}', { answered: 0 }),
    ],
  },
  {
    id: 'results-of-started',
    statement: 'resources.Result.fields.answers.derived',
    what: 'The results count answers that are not submitted.',
    witness: [
      ...open(),
      starts('eve'),
      answers('eve'),
      sees('/surveys/{s.id}/results', { questions: [{ answers: 0 }] }),
    ],
  },
  {
    id: 'values-repeated',
    statement: 'resources.Result.fields.values.derived',
    what: 'The results show a value as often as it was given.',
    witness: [
      ...open(),
      ...['eve', 'joe'].flatMap((name) => [starts(name), answers(name), submits(name)]),
      sees('/surveys/{s.id}/results', { questions: [{ answers: 2, values: ['so'] }] }),
    ],
  },
];

const faults = [...making, ...listing, ...questions, ...quotas, ...responses];

export const surveys: Trade = {
  name: 'survey',
  document: new URL('survey.md', import.meta.url),
  start,
  end,
  credentials: {
    ann: { Authorization: 'Bearer ann-40c1d97e' },
    bob: { Authorization: 'Bearer bob-8b25f603' },
    eve: { 'X-Participation': '{eve.token}' },
    joe: { 'X-Participation': '{joe.token}' },
  },
  faults,
};
