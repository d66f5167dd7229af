import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { listening } from '../../listening.ts';
import type { Running } from '../witness.ts';
import { bookRoutes } from './book-routes.ts';
import type { Broken, Event, Member } from './catalogue.ts';
import { Desk } from './desk.ts';
import { fineRoutes, holdRoutes, loanRoutes } from './loan-routes.ts';
import { memberRoutes, sessionRoutes } from './member-routes.ts';
import { contentOf, decoded, isJson, objectOf, Refused, require } from './request.ts';
import { type Answer, type Call, type Context, plain, type Route, route } from './route.ts';

interface Options {
  readonly fault: string | null;
  readonly now: () => number;
}

const challenge = { 'WWW-Authenticate': 'Bearer realm="library"' };

/** The stream of events, as long as whoever reads it is logged in. */
function eventRoutes({ desk }: Context): Route[] {
  const follow = (call: Call): null => {
    plain(call);
    const { response, token } = call;
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    if (call.method === 'HEAD') {
      response.end();
      return null;
    }
    response.flushHeaders();
    const send = ({ id, kind, content }: Event): void =>
      void response.write(`id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(content)}\n\n`);
    const last = call.headers['last-event-id'];
    if (last !== undefined) for (const event of desk.events) if (event.id > Number(last)) send(event);
    const deafen = desk.listen(send);
    const check = setInterval(() => {
      if (desk.who(token)?.role !== 'librarian') response.end();
    }, 100);
    response.on('close', () => {
      clearInterval(check);
      deafen();
    });
    return null;
  };
  return [route('GET /events', 'librarian', follow)];
}

/** Six requests of a member in two seconds: a window begins with its first request. */
class DeskRate {
  readonly #windows = new Map<string, { readonly ends: number; count: number }>();
  readonly #broken: Broken;

  constructor(broken: Broken) {
    this.#broken = broken;
  }

  count({ card }: Member, operation: string, now: number, response: ServerResponse): void {
    const key = this.#broken('rate-of-each-operation') ? `${card} ${operation}` : card;
    let window = this.#windows.get(key);
    if (window === undefined || window.ends <= now) {
      window = { ends: now + 2000, count: 0 };
      this.#windows.set(key, window);
    }
    const isOver = window.count >= 6;
    if (!isOver) window.count += 1;
    response.setHeader('X-Rate-Left', String(6 - window.count));
    if (!isOver) return;
    response.setHeader('Retry-After', String(Math.ceil((window.ends - now) / 1000)));
    throw new Refused('too_many');
  }
}

interface Service extends Context {
  readonly routes: readonly Route[];
  readonly rate: DeskRate;
}

function identify(
  { headers }: IncomingMessage,
  { desk }: Context,
  { access }: Route,
): { readonly token: string; readonly actor: Member | null } {
  const [scheme = '', token = ''] = (headers.authorization ?? '').split(/ +(.*)/s);
  if (scheme.toLowerCase() !== 'bearer') {
    require(access === 'anyone', 'no_token');
    return { token: '', actor: null };
  }
  const actor = desk.who(token);
  require(actor !== null, 'bad_token');
  return { token, actor };
}

/** Answers one request. */
async function answer(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer | null> {
  const { desk, routes } = service;
  const [pathname = '', search = ''] = (request.url ?? '').split(/\?(.*)/s, 2);
  const segments = pathname.split('/').slice(1);
  const decodedPath = segments.map((segment) => decoded(segment.replaceAll('+', '%2B')));
  const here = routes.filter(
    ({ path }) =>
      path.length === segments.length &&
      path.every((part, index) => part === segments[index] || (part === '*' && segments[index] !== '')),
  );
  if (here.length === 0) return { status: 404 };
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const found = here.find((one) => one.method === method);
  if (found === undefined) {
    const allowed = here.flatMap((one) => (one.method === 'GET' ? ['GET', 'HEAD'] : [one.method]));
    return { status: 405, headers: { Allow: allowed.join(', ') } };
  }
  const content = await contentOf(request);
  desk.settle();
  const { token, actor } = identify(request, service, found);
  if (found.counted && actor !== null)
    service.rate.count(actor, found.path.at(-1) ?? '', Math.floor(desk.now() / 1000), response);
  require(content.length <= 4096, 'too_large');
  if (found.body === true && content.length > 0) require(isJson(request), 'not_json');
  decoded(search);
  const body = found.body === true ? objectOf(content) : {};
  const isAllowed = found.access === 'anyone' || found.access === 'known' || actor?.role === found.access;
  require(isAllowed, 'not_allowed');
  const headers = request.headers as Call['headers'];
  const { method: asked = '' } = request;
  return found.handle({
    method: asked,
    path: decodedPath,
    search,
    headers,
    content,
    body,
    token,
    actor,
    response,
  });
}

function refusal(error: unknown, broken: Broken): Answer {
  if (!(error instanceof Refused)) return { status: 500 };
  const isChallenged =
    error.status === 401 && !(error.code === 'wrong_login' && broken('wrong-login-unchallenged'));
  return { status: error.status, headers: isChallenged ? challenge : {}, body: error.body };
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const content = JSON.stringify(body);
  const length = Buffer.byteLength(content);
  response.writeHead(status, { ...headers, 'Content-Type': 'application/json', 'Content-Length': length });
  response.end(content);
}

/** Starts the service, with one planted fault or none. */
export async function start({ fault, now }: Options): Promise<Running> {
  const broken: Broken = (id) => id === fault;
  const desk = new Desk(broken, now);
  const context: Context = { desk, broken };
  const parts = [sessionRoutes, memberRoutes, bookRoutes, loanRoutes, holdRoutes, fineRoutes, eventRoutes];
  const routes = parts.flatMap((part) => part(context));
  const service: Service = { ...context, routes, rate: new DeskRate(broken) };
  const server = createServer((request, response) => {
    answer(service, request, response)
      .catch((error: unknown) => refusal(error, broken))
      .then((found) => {
        if (found !== null) send(response, found);
      });
  });
  const sweep = setInterval(() => desk.settle(), 20);
  const { url, close } = await listening(server);
  return {
    address: url,
    due: () => desk.due(),
    close: async () => {
      clearInterval(sweep);
      await close();
    },
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { fault: { type: 'string' } } });
  const { address } = await start({ fault: values.fault ?? null, now: Date.now });
  console.log(address);
}
