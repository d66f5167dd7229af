import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import {
  actorOf,
  concerns,
  type Desk,
  enter,
  jobOf,
  jobShown,
  judged,
  numbered,
  plain,
  searchOf,
  send,
} from './desk.ts';
import { by, queryOf, sizeOf } from './query.ts';
import { type Made, Repeats } from './repeats.ts';
import * as take from './request.ts';
import { type Body, ensure, Failures } from './request.ts';
import type { Account, Job } from './store.ts';

const statuses = ['received', 'quoted', 'approved', 'ready', 'cancelled', 'lapsed'];
const sorts = ['openedAt', 'status', 'complaint'];

const fields = {
  complaint: [take.string, take.shortest(1), take.longest(300)],
  urgent: [take.boolean],
  due: [take.stringOrNull, take.date],
};

/** Refuses a bike that is not there, and a day that is over. */
function judgeStored({ store }: Desk, body: Body): void {
  const failures = new Failures();
  const { bike, due } = body;
  if (bike !== undefined && !store.bikes.has(Number(bike))) failures.add('bike', 'refers');
  if (typeof due === 'string' && store.isOver(due)) failures.add('due', 'holds');
  failures.end();
}

/** What tells one state of a job from another. */
function tagOf(desk: Desk, job: Job, actor: Account): string {
  const { parts: _, lapsesAt: __, ...record } = job;
  const shown = desk.broken('tag-without-lines') ? record : jobShown(desk, job, actor);
  return `"${createHash('sha256').update(JSON.stringify(shown)).digest('base64url')}"`;
}

/** The tags of a field: none if it cannot be read. */
function tagsOf(field: string): string[] {
  if (!/^\s*((W\/)?"[^"]*"\s*(,\s*|$))*$/.test(field)) return [];
  return field.match(/(W\/)?"[^"]*"/g) ?? [];
}

function judgeTag({ broken }: Desk, field: string | undefined, tag: string): void {
  ensure(field !== undefined, 'tag-missing');
  ensure(field.trim() === '*' || tagsOf(field).includes(tag) || broken('tag-not-compared'), 'stale');
}

function isFound(job: Job, query: ReturnType<typeof queryOf>, { broken }: Desk): boolean {
  const { status, urgent, bike, dueBefore, q } = query as Record<string, string | undefined>;
  const isUrgentAsked = broken('urgent-false-ignored') ? Boolean(urgent) : urgent !== undefined;
  const isBefore = (due: string, day: string): boolean =>
    broken('due-before-inclusive') ? due <= day : due < day;
  const holds = (text: string, part: string): boolean =>
    broken('search-with-case') ? text.includes(part) : text.toLowerCase().includes(part.toLowerCase());
  return (
    (status === undefined || job.status === status) &&
    (!isUrgentAsked || job.urgent === query['urgent']) &&
    (bike === undefined || job.bike === query['bike']) &&
    (dueBefore === undefined || (job.due !== null && isBefore(job.due, dueBefore))) &&
    (q === undefined || holds(job.complaint, q))
  );
}

function listJobs(desk: Desk, search: string, actor: Account): object {
  const isSort = (value: unknown): boolean =>
    String(value)
      .split(',')
      .every((part) => sorts.includes(part.replace(/^-/, '')));
  const query = queryOf(
    search,
    {
      status: [take.string, take.oneOf(statuses)],
      urgent: [take.boolean],
      bike: [take.integer],
      dueBefore: [take.string, take.date],
      q: [take.string, take.shortest(2)],
      sort: [['sort', isSort]],
      page: [take.integer, take.atLeast(1)],
      per: [take.integer, take.atLeast(1)],
    },
    { urgent: 'boolean', bike: 'integer', page: 'integer', per: 'integer' },
  );
  const size = sizeOf(query['per']);
  const page = Number(query['page'] ?? 1);
  const order = String(query['sort'] ?? '-openedAt').split(',');
  const found = [...desk.store.jobs.values()]
    .filter((job) => concerns(job, actor) && isFound(job, query, desk))
    .sort(by(...order, '-id'));
  const jobs = found.slice((page - 1) * size, page * size).map((job) => jobShown(desk, job, actor, true));
  return { jobs, page, total: found.length };
}

function edit(job: Job, body: Body): void {
  const { complaint, urgent, due, note } = body as Partial<Job>;
  if (complaint !== undefined) job.complaint = complaint;
  if (urgent !== undefined) job.urgent = urgent;
  if (due !== undefined) job.due = due;
  if (note !== undefined) job.note = note;
}

/** @param once does it once for each key */
function openJob(desk: Desk, body: Body, actor: Account, once: (make: () => Made) => Made): Made {
  const { store, broken } = desk;
  judgeStored(desk, body);
  return once(() => {
    const bike = Number(body['bike']);
    ensure(store.bikes.get(bike)?.owner === actor.id || broken('bike-of-somebody'), 'not-your-bike');
    const { complaint, urgent = false, due = null } = body as Partial<Job>;
    const job = store.openJob({ bike, customer: actor.id, complaint: complaint ?? '', urgent, due });
    return { id: job.id, shown: jobShown(desk, job, actor) };
  });
}

function addOpening(desk: Desk): void {
  const { app } = desk;
  const repeats = new Repeats(desk);
  const opens = enter(desk, { who: 'customer', reads: 'body', counts: true });
  app.post('/jobs', opens, (request, response) => {
    const body = judged(request, response, { bike: [take.integer], ...fields }, ['bike', 'complaint']);
    const made =
      repeats.before(request, response) ??
      openJob(desk, body, actorOf(response), (make) => repeats.once(request, response, make));
    response.setHeader('Location', `/jobs/${made.id}`);
    send(response, 201, made.shown);
  });
}

function addEditing(desk: Desk): void {
  const { app, broken } = desk;
  app.get('/jobs', enter(desk, { who: 'known' }), (request, response) =>
    send(response, 200, listJobs(desk, searchOf(request), actorOf(response))),
  );

  app.get('/jobs/:id', enter(desk, { who: 'known' }), (request, response) => {
    const job = jobOf(desk, request, response);
    plain(request);
    const tag = tagOf(desk, job, actorOf(response));
    response.setHeader('ETag', tag);
    const field = request.headers['if-none-match'];
    const known = field === undefined ? [] : tagsOf(field).map((one) => one.replace(/^W\//, ''));
    if (field?.trim() === '*' || known.includes(tag)) send(response, 304);
    else send(response, 200, jobShown(desk, job, actorOf(response)));
  });

  app.patch('/jobs/:id', enter(desk, { who: 'known', reads: 'body' }), (request, response) => {
    const [job, actor] = [jobOf(desk, request, response), actorOf(response)];
    const note = actor.role === 'mechanic' && { note: [take.string, take.longest(300)] };
    const body = judged(request, response, { ...fields, ...note });
    if (broken('edit-half-done') && body['complaint'] !== undefined && job.status === 'received')
      job.complaint = String(body['complaint']);
    judgeStored(desk, body);
    judgeTag(desk, request.headers['if-match'], tagOf(desk, job, actor));
    ensure(job.status === 'received', 'already-quoted');
    edit(job, body);
    response.setHeader('ETag', tagOf(desk, job, actor));
    send(response, 200, jobShown(desk, job, actor));
  });
}

function addMoves(desk: Desk): void {
  const { app, store, broken } = desk;
  const moves =
    (move: (job: Job) => void): RequestHandler =>
    (request: Request, response: Response) => {
      const { id } = request.params;
      const isApproval = request.path.endsWith('/approval') && broken('approved-by-another');
      const job = isApproval ? numbered(store.jobs, id) : jobOf(desk, request, response);
      ensure(job !== undefined, 'no-job');
      plain(request);
      move(job);
      send(response, 200, jobShown(desk, job, actorOf(response)));
    };
  const mechanic = enter(desk, { who: 'mechanic' });
  app.post(
    '/jobs/:id/quote',
    mechanic,
    moves((job) => store.quote(job)),
  );
  app.post(
    '/jobs/:id/revision',
    mechanic,
    moves((job) => store.revise(job)),
  );
  app.post(
    '/jobs/:id/approval',
    enter(desk, { who: 'customer' }),
    moves((job) => store.move(job, ['quoted'], 'approved')),
  );
  app.post(
    '/jobs/:id/completion',
    mechanic,
    moves((job) => store.move(job, ['approved'], 'ready')),
  );
  app.post(
    '/jobs/:id/cancellation',
    enter(desk, { who: 'known' }),
    moves((job) =>
      store.move(
        job,
        broken('approved-job-cancelled') ? ['received', 'quoted', 'approved'] : ['received', 'quoted'],
        'cancelled',
      ),
    ),
  );
}

export function addJobs(desk: Desk): void {
  addOpening(desk);
  addEditing(desk);
  addMoves(desk);
}
