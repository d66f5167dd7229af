import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import express, { type NextFunction, type Request, type Response } from 'express';
import { listening } from '../../listening.ts';
import type { Running } from '../witness.ts';
import { addAccounts } from './account-routes.ts';
import { addBikes } from './bike-routes.ts';
import { type Desk, refuse, send } from './desk.ts';
import { addJobs } from './job-routes.ts';
import { Limiter } from './limiter.ts';
import { addLines } from './line-routes.ts';
import { isReadable, Refused } from './request.ts';
import { type Broken, Store } from './store.ts';

interface Options {
  readonly fault: string | null;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

const methods: Readonly<Record<string, string>> = {
  '/accounts': 'POST',
  '/sessions': 'POST, DELETE',
  '/me': 'GET, HEAD',
  '/bikes': 'GET, HEAD, POST',
  '/bikes/:id': 'PATCH, DELETE',
  '/jobs': 'GET, HEAD, POST',
  '/jobs/:id': 'GET, HEAD, PATCH',
  '/jobs/:id/lines': 'GET, HEAD, POST',
  '/jobs/:id/lines/:line': 'DELETE',
  '/jobs/:id/quote': 'POST',
  '/jobs/:id/revision': 'POST',
  '/jobs/:id/approval': 'POST',
  '/jobs/:id/completion': 'POST',
  '/jobs/:id/cancellation': 'POST',
};

function build(broken: Broken, now: () => number): Desk {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  const desk: Desk = { app, store: new Store(broken, now), limiter: new Limiter(), broken };
  app.use((request, _response, next) => {
    if (!isReadable(request.path)) throw new Refused('unreadable');
    next();
  });
  app.use(express.raw({ type: () => true, limit: '16mb' }));
  for (const add of [addAccounts, addBikes, addJobs, addLines]) add(desk);
  for (const [path, allowed] of Object.entries(methods))
    app.all(path, (_request, response) => {
      response.setHeader('Allow', allowed);
      send(response, 405);
    });
  app.use((_request, response) => send(response, 404));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    refuse(error, response),
  );
  return desk;
}

/** Starts the service, with one planted fault or none. */
export async function start({ fault, now }: Options): Promise<Running> {
  const { app } = build((id) => id === fault, now);
  const { url, close } = await listening(createServer(app));
  return { address: url, close };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { fault: { type: 'string' } } });
  const { address } = await start({ fault: values.fault ?? null, now: Date.now });
  console.log(address);
}
