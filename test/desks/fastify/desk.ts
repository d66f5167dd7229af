import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Answer, Asked, Course } from './asked.ts';
import { carriedOut, positionOf } from './changes.ts';
import { type Clock, machines } from './clock.ts';
import { endpoints } from './endpoints.ts';
import { Events } from './events.ts';
import { Items } from './items.ts';
import { type Desk, judges } from './judges.ts';
import type { Fn, Item, Scene, Statements } from './kinds.ts';
import * as others from './others.ts';
import { type Fault, plant } from './plant.ts';
import { Rates } from './rates.ts';
import { Repeats } from './repeats.ts';
import { resources, states } from './resources.ts';
import { Shapes } from './shape.ts';
import { etagOf, matches } from './tags.ts';
import { type Secrets, understood, versionOf } from './understood.ts';

/**
 * The parcel desk of `test/desks/parcel-desk.md` by hand, on Fastify, in memory: written from the document, and nothing of
 * `src`. What the document states is a table (`resources.ts`, `endpoints.ts`, `others.ts`) in which one fault can be planted.
 */

export interface Options {
  readonly port: number;
  /** The operator's secrets by name: who signs in as the office. */
  readonly secrets: Secrets;
  /** Certificates in PEM that deliveries trust besides. */
  readonly trust?: string;
  readonly fault?: Fault;
  /** The machine's, where it is left out. */
  readonly clock?: Clock;
}

export interface Running {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function startDesk({
  port,
  secrets,
  trust,
  fault,
  clock = machines,
}: Options): Promise<Running> {
  let url = '';
  /** The version of the request at hand: everything is carried out in one turn. */
  let spoken = '';
  const items: Items = new Items(() => table);
  const show =
    (resource: string): Fn =>
    (scene) =>
      items.shown(resource, scene.item ?? {}, scene, spoken);
  const showAll =
    (resource: string): Fn =>
    (scene) =>
      (scene.page?.items ?? []).map((item) => items.shown(resource, item, scene, spoken));
  const table: Statements = {
    protocol: 'RFC 9110',
    service: { actors: { sender: true, courier: true, office: true } },
    resources: resources((parcel) => items.scans.filter((scan) => scan['parcel'] === parcel).length),
    states: states(),
    endpoints: endpoints(show, showAll),
    authentication: others.authentication(),
    events: others.events(() => url),
    errors: others.errors(),
    limits: others.limits(),
    versioning: others.versioning(),
  };
  if (fault) plant(table, fault);
  const rates = new Rates(table);
  const repeats = new Repeats();
  const desk: Desk = { table, items, clock, shapes: new Shapes(table), rates, repeats, position: positionOf };
  const events = new Events(table, items, clock, trust);

  const app = fastify({
    bodyLimit: 8 * 1024 * 1024,
    exposeHeadRoutes: table.protocol !== undefined,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 5000 },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send(),
  );
  const unknown = (request: FastifyRequest, reply: FastifyReply): void => {
    const { version } = versionOf(table, request.headers);
    const methods = table.protocol === undefined ? [] : methodsAt(table, request.url.split('?')[0] ?? '');
    for (const [name, value] of Object.entries(datesOf(table, version))) reply.header(name, value);
    if (methods.length > 0) reply.header('Allow', methods.join(', '));
    reply.code(methods.length > 0 ? 405 : 404).send();
  };
  app.setNotFoundHandler(unknown);
  for (const [key, endpoint] of Object.entries(table.endpoints)) {
    const [method = '', path = ''] = key.split(' ');
    app.route({
      method,
      url: path.replace('{id}', ':id'),
      handler: (request: FastifyRequest, reply: FastifyReply) => {
        const { id } = request.params as { id?: string };
        if (id === '') return unknown(request, reply);
        const asked = understood(table, items, secrets, {
          endpoint,
          headers: request.headers,
          search: request.url.split('?').slice(1).join('?'),
          id,
          content: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          now: new Date(clock.now()).toISOString(),
        });
        spoken = asked.version;
        send(reply, answerTo(desk, events, asked));
      },
    });
  }
  await app.listen({ port, host: '127.0.0.1' });
  const address = app.server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
  return {
    url,
    close: async () => {
      events.close();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

function send(reply: FastifyReply, { status, headers, content }: Answer): void {
  reply.code(status);
  for (const [name, value] of Object.entries(headers))
    reply.header(name, name === 'WWW-Authenticate' ? value.split('\n') : value);
  if (content === null) reply.send();
  else reply.send(Buffer.from(content));
}

/** Judges a request in the stated order, carries it out, and answers. */
function answerTo(desk: Desk, events: Events, asked: Asked): Answer {
  const { table, repeats } = desk;
  const { endpoint, version } = asked;
  const dates = datesOf(table, version);
  const isGone = 'endpoints["POST /parcels/{id}/cancellation"]' in desk.items.differences(version);
  if (isGone && endpoint.operation === 'cancelParcel') return { status: 404, headers: dates, content: null };
  const course: Course = { failures: [], values: {} };
  for (const code of table.errors.order) {
    // What no row names goes before what is kept is looked at: other media types, keys, and repeats.
    if (code === 'parcel_unknown') {
      const bare = { headers: { ...rateOf(table, asked, course), ...dates }, content: null };
      if (asked.isOfOtherMedia) return { status: 415, ...bare };
      const { header, required } = endpoint.idempotency ?? {};
      if (required && asked.headers[header?.toLowerCase() ?? ''] === undefined)
        return { status: 400, ...bare };
      const first = repeats.answered(asked);
      if (first) return { ...first, headers: { ...first.headers, ...bare.headers } };
    }
    if (code in table.errors.codes && judges[code]?.(desk, asked, course)) {
      const refusal = refused(desk, asked, course, code);
      if (endpoint.idempotency?.remembers === 'all') repeats.remember(asked, refusal);
      return refusal;
    }
  }
  const tag = etagOf(desk, asked);
  const { ifNoneMatch } = endpoint.conditional ?? {};
  const given = asked.headers['if-none-match'];
  if (ifNoneMatch !== undefined && tag !== null && given !== undefined && matches(given, tag, 'weak'))
    return { status: 304, headers: { ETag: tag, ...dates }, content: null };
  const scene = carriedOut(desk, events, asked, course);
  const answer = made(desk, { ...asked, ...(scene.item && { item: scene.item }) }, scene, course);
  repeats.remember(asked, answer);
  return answer;
}

function made(desk: Desk, asked: Asked, scene: Scene, course: Course): Answer {
  const { table } = desk;
  const { status, body, media, headers = {} } = asked.endpoint.response;
  const tag = etagOf(desk, asked);
  const content = body === undefined ? null : JSON.stringify(filled(body, scene));
  return {
    status,
    headers: {
      ...(content !== null && media !== undefined && { 'Content-Type': media }),
      ...texts(headers, scene),
      ...(tag !== null && { ETag: tag }),
      ...rateOf(table, asked, course),
      ...datesOf(table, asked.version),
    },
    content,
  };
}

function refused({ table }: Desk, asked: Asked, course: Course, code: string): Answer {
  const { codes, payload } = table.errors;
  const shownAs = codes[code]?.as ?? code;
  const row = codes[shownAs] ?? codes[code];
  const failures =
    code === 'email_taken'
      ? [{ field: 'email', keyword: 'unique' }]
      : code === 'invalid'
        ? course.failures
        : [];
  const error: Item = { title: row?.title, status: row?.status, code: shownAs, failures };
  const scene: Scene = { ...asked.scene, error, ...(course.rate && { rate: course.rate }) };
  const { key, desk } = table.authentication.schemes;
  const challenges = [key?.challenge, desk?.challenge].filter((one) => one !== undefined);
  const media = row?.media ?? payload.media;
  return {
    status: row?.status ?? 500,
    headers: {
      ...(media !== undefined && { 'Content-Type': media }),
      ...(row?.status === 401 && challenges.length > 0 && { 'WWW-Authenticate': challenges.join('\n') }),
      ...texts(row?.headers ?? {}, scene),
      ...rateOf(table, asked, course),
      ...datesOf(table, asked.version),
    },
    content: JSON.stringify(filled(payload.body, scene)),
  };
}

function filled(body: Fn | Record<string, Fn>, scene: Scene): unknown {
  if (typeof body === 'function') return body(scene);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value(scene)]));
}

function texts(headers: Record<string, Fn>, scene: Scene): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value(scene))]));
}

function rateOf({ limits }: Statements, { scene }: Asked, { rate }: Course): Record<string, string> {
  return rate ? texts(limits.rates.desk?.headers ?? {}, { ...scene, rate }) : {};
}

/** RFC 9745 and RFC 8594: from when on a version is not to be used, and is there no more. */
function datesOf({ versioning }: Statements, version: string): Record<string, string> {
  const { deprecated, sunset } = versioning.versions[version] ?? {};
  return {
    ...(deprecated !== undefined && { Deprecation: `@${Date.parse(deprecated) / 1000}` }),
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
  };
}

function methodsAt({ endpoints }: Statements, path: string): string[] {
  const methods = Object.keys(endpoints).flatMap((key) => {
    const [method = '', pattern = ''] = key.split(' ');
    return new RegExp(`^${pattern.replace('{id}', '[^/]+')}$`).test(path) ? [method] : [];
  });
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

/** The secrets in `DESK_SECRETS`, as JSON; a fault in `DESK_FAULT`. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '0' }, trust: { type: 'string' } },
  });
  const fault = process.env['DESK_FAULT'];
  const { url } = await startDesk({
    port: Number(values.port),
    secrets: JSON.parse(process.env['DESK_SECRETS'] ?? '{}') as Secrets,
    ...(values.trust !== undefined && { trust: readFileSync(values.trust, 'utf8') }),
    ...(fault !== undefined && { fault: JSON.parse(fault) as Fault }),
  });
  process.stdout.write(`${url}\n`);
}
