import type { Express, Request, RequestHandler, Response } from 'express';
import type { Limiter } from './limiter.ts';
import { queryOf } from './query.ts';
import {
  type Body,
  ensure,
  Failures,
  isReadable,
  judgeBody,
  objectOf,
  Refused,
  type Rules,
} from './request.ts';
import type { Account, Bike, Broken, Job, Line, Store } from './store.ts';

/** What the routes share. */
export interface Desk {
  readonly app: Express;
  readonly store: Store;
  readonly limiter: Limiter;
  readonly broken: Broken;
}

/** Sends JSON, or nothing. */
export function send(response: Response, status: number, body?: object): void {
  response.statusCode = status;
  if (body === undefined) {
    response.end();
    return;
  }
  const content = Buffer.from(JSON.stringify(body));
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', content.length);
  response.end(content);
}

export const actorOf = (response: Response): Account => response.locals['actor'] as Account;
export const bodyOf = (response: Response): Body => response.locals['body'] as Body;
export const searchOf = (request: Request): string => /\?([^#]*)/.exec(request.originalUrl)?.[1] ?? '';

/** Refuses parameters: the operation has none. */
export const plain = (request: Request): void => void queryOf(searchOf(request));

/** The body of a request without parameters, once all of it fits. */
export function judged(
  request: Request,
  response: Response,
  rules: Rules,
  required: readonly string[] = [],
): Body {
  const failures = new Failures();
  for (const name of new Set(new URLSearchParams(searchOf(request)).keys())) failures.add(name, 'others');
  judgeBody(bodyOf(response), rules, required, failures);
  return bodyOf(response);
}

interface Needs {
  /** Who may ask: everybody, whoever is logged in, or those with a role. */
  readonly who: 'anyone' | 'known' | Account['role'];
  readonly reads?: 'body';
  readonly counts?: boolean;
}

export function tokenOf(request: Request): string | null {
  const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(/ +(.*)/s);
  return scheme.toLowerCase() === 'bearer' ? token : null;
}

function identify({ store }: Desk, request: Request): Account {
  const token = tokenOf(request);
  ensure(token !== null, 'log-in-first');
  const account = store.holderOf(token);
  ensure(account !== undefined, 'session-over');
  return account;
}

/** Whether content is JSON in UTF-8. */
function isJson(field = ''): boolean {
  const [type = '', ...parameters] = field.split(';').map((part) => part.trim().toLowerCase());
  return type === 'application/json' && parameters.every((one) => /^charset="?utf-8"?$/.test(one));
}

/** Lets in who may ask, and reads what the request brings. */
export const enter =
  (desk: Desk, { who, reads, counts = false }: Needs): RequestHandler =>
  (request, response, next) => {
    desk.store.settle();
    if (who !== 'anyone') response.locals['actor'] = identify(desk, request);
    if (counts) desk.limiter.count(actorOf(response).id, Math.floor(desk.store.now() / 1000), response);
    const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    ensure(content.length <= 4096, 'too-large');
    if (reads && content.length > 0) ensure(isJson(request.headers['content-type']), 'wrong-media');
    ensure(isReadable(searchOf(request)), 'unreadable');
    if (reads) response.locals['body'] = objectOf(content);
    if (who === 'customer' || who === 'mechanic') ensure(actorOf(response).role === who, 'forbidden');
    next();
  };

/** The number in the path, as an item has it. */
export function numbered<T>(items: ReadonlyMap<number, T>, text: unknown): T | undefined {
  return typeof text === 'string' && /^(0|[1-9]\d*)$/.test(text) ? items.get(Number(text)) : undefined;
}

export const concerns = (job: Job, { id, role }: Account): boolean =>
  job.customer === id || role === 'mechanic';

/** The job of the path, if it concerns the client. */
export function jobOf({ store }: Desk, request: Request, response: Response): Job {
  const job = numbered(store.jobs, request.params['id']);
  ensure(job !== undefined && concerns(job, actorOf(response)), 'no-job');
  return job;
}

// What is shown

export function accountShown({ store }: Desk, { salt: _, hash: __, ...rest }: Account): object {
  return { ...rest, openJobs: store.openJobsOf(rest.id) };
}

export const bikeShown = ({ store }: Desk, bike: Bike): object => ({
  ...bike,
  jobs: store.jobsOf(bike).length,
});

export function jobShown({ broken }: Desk, job: Job, { role }: Account, isListed = false): object {
  const { parts, note, lapsesAt: _, ...rest } = job;
  const net = parts + (job.urgent ? Math.floor(parts / 10) : 0);
  const tax = broken('tax-rounded-down') ? Math.floor(net * 0.19) : Math.floor((net * 19 + 50) / 100);
  const isNoted = role === 'mechanic' || (isListed && broken('note-in-list'));
  return { ...rest, ...(isNoted && { note }), parts, net, tax, total: net + tax };
}

export const lineShown = (line: Line): object => ({ ...line, amount: line.quantity * line.price });

export function refuse(error: unknown, response: Response): void {
  if (!(error instanceof Refused)) {
    send(response, 500);
    return;
  }
  if (error.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  send(response, error.status, error.body);
}
