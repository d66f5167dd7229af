import { parseArgs } from 'node:util';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Courier } from './courier.ts';
import { deviceRoutes, endingRoutes, registering } from './devices.ts';
import { accountRoutes, fleetRoutes } from './fleets.ts';
import { hookRoutes } from './hooks.ts';
import { type Account, type Broken, type Device, Registry } from './registry.ts';
import { alertRoutes, pace, reporting } from './reports.ts';
import { type Body, isReadable, NoAddress, objectOf, Refused, require } from './request.ts';
import type { Answer, Routes } from './route.ts';

interface Options {
  readonly port: number;
  readonly fault: string | null;
  readonly now?: () => number;
}

const mostBytes = 4096;

/** Who holds the credential that was sent. */
function holderOf<T>(credential: unknown, holders: Iterable<T>, isHolder: (one: T) => boolean): T {
  require(credential !== undefined, 'no_key');
  const found = [...holders].find(isHolder);
  require(found !== undefined, 'bad_key');
  return found;
}

function accountOf({ accounts }: Registry, { headers }: FastifyRequest): Account {
  const [, token] = /^bearer(?: +(.*))?$/is.exec(headers.authorization ?? '') ?? [];
  const sent = /^bearer( |$)/i.test(headers.authorization ?? '') ? (token ?? '') : undefined;
  return holderOf(sent, accounts.values(), ({ key }) => key === sent);
}

function reporterOf({ devices, formerTokens }: Registry, { headers }: FastifyRequest): Device {
  const token = headers['x-device-token'];
  const former = formerTokens.get(String(token));
  return holderOf(token, devices.values(), (device) => device.token === token || device === former);
}

/** The object in the content of a request, or nothing if none is read. */
function contentOf(request: FastifyRequest, hasBody: boolean): Body {
  const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  require(content.length <= mostBytes || !hasBody, 'too_large');
  if (hasBody) return objectOf(content, String(request.headers['x-media'] ?? ''), request.originalUrl);
  require(isReadable(request.originalUrl), 'unreadable');
  return {};
}

function send(reply: FastifyReply, { status, headers = {}, body }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

function mount(app: FastifyInstance, registry: Registry, routes: Routes): void {
  for (const [route, { hasBody = false, handle }] of Object.entries(routes)) {
    const [method = '', url = ''] = route.split(' ');
    app.route({
      method,
      // A parameter is never empty.
      url: url.replace(/:\w+/g, '$&(^[^]+$)'),
      onRequest: async (request) => {
        request.account = accountOf(registry, request);
      },
      handler: (request, reply) =>
        send(
          reply,
          handle({
            actor: request.account as Account,
            params: request.params as Readonly<Record<string, string>>,
            search: searchOf(request),
            body: contentOf(request, hasBody),
            headers: request.headers,
          }),
        ),
    });
  }
}

function searchOf({ originalUrl }: FastifyRequest): string {
  return originalUrl.split(/\?(.*)/s)[1] ?? '';
}

function mountReports(app: FastifyInstance, registry: Registry): void {
  const [count, report] = [pace(registry), reporting(registry)];
  app.post('/readings', {
    onRequest: async (request, reply) => {
      request.device = reporterOf(registry, request);
      reply.headers(count(request.device));
    },
    handler: (request, reply) =>
      send(
        reply,
        report({
          device: request.device as Device,
          params: {},
          search: searchOf(request),
          body: contentOf(request, true),
          headers: request.headers,
        }),
      ),
  });
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? '';
}

/** The methods of a path as `Allow` lists them; undefined: there is no such path. */
function methodsAt(methods: ReadonlyMap<string, readonly string[]>, path: string): string | undefined {
  const segments = path.split('/').map(decodeURIComponent);
  const fits = (part: string, index: number): boolean =>
    part.startsWith(':') ? segments[index] !== '' : part === segments[index];
  for (const [url, allowed] of methods) {
    const parts = url.split('/');
    if (parts.length === segments.length && parts.every(fits)) return allowed.join(', ');
  }
  return undefined;
}

function refusal(error: unknown): Answer {
  if (error instanceof NoAddress) return { status: 400 };
  if (!(error instanceof Refused)) return { status: 500 };
  const { status, headers, code, message } = error;
  return { status, headers, body: { error: code, message } };
}

function build(registry: Registry): FastifyInstance {
  const app = fastify({
    routerOptions: { maxParamLength: 16_384 },
    forceCloseConnections: true,
    bodyLimit: 1_048_576,
    // A path that cannot be decoded leads to no operation, which would say who may ask.
    frameworkErrors: (_, __, reply) => send(reply, refusal(new Refused('unreadable'))),
  });
  app.decorateRequest('account', null);
  app.decorateRequest('device', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, content, done) => done(null, content));
  app.addHook('onRequest', async ({ raw, url }) => {
    registry.settle();
    require(isReadable(pathOf(url)), 'unreadable');
    // Content of every type is read, and judged later.
    raw.headers['x-media'] = raw.headers['content-type'];
    if (raw.headers['content-type'] !== undefined) raw.headers['content-type'] = 'application/octet-stream';
  });
  app.setNotFoundHandler(({ url }, reply) => {
    const allowed = methodsAt(methods, pathOf(url));
    return allowed === undefined ? reply.code(404).send() : reply.code(405).header('Allow', allowed).send();
  });
  app.setErrorHandler((error, request, reply) => {
    const isLarge = (error as { code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
    const answer = refusal(isLarge ? new Refused('too_large') : error);
    if (answer.status === 401)
      reply.header('WWW-Authenticate', request.routeOptions.url === '/readings' ? 'Device' : 'Bearer');
    return send(reply, answer);
  });
  const methods = new Map<string, string[]>();
  app.addHook('onRoute', ({ url, method }) => {
    const path = url.replaceAll('(^[^]+$)', '');
    methods.set(path, [...(methods.get(path) ?? []), ...[method].flat()]);
  });
  for (const routes of [accountRoutes, fleetRoutes, registering, deviceRoutes, endingRoutes])
    mount(app, registry, routes(registry));
  for (const routes of [alertRoutes, hookRoutes]) mount(app, registry, routes(registry));
  mountReports(app, registry);
  return app;
}

declare module 'fastify' {
  interface FastifyRequest {
    account: Account | null;
    device: Device | null;
  }
}

export async function start({ port, fault, now = Date.now }: Options): Promise<{
  address: string;
  due: () => number | null;
  close: () => Promise<void>;
}> {
  const broken: Broken = (id) => id === fault;
  const registry = new Registry(now, broken);
  let address = '';
  const courier = new Courier(registry, () => address);
  const app = build(registry);
  address = await app.listen({ port, host: '127.0.0.1' });
  const sweep = setInterval(() => {
    registry.settle();
    courier.work();
  }, 10);
  return {
    address,
    due: () => courier.next(),
    close: async () => {
      clearInterval(sweep);
      courier.close();
      await app.close();
    },
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: 'string' }, fault: { type: 'string' } } });
  const { address } = await start({ port: Number(values.port ?? 0), fault: values.fault ?? null });
  console.log(address);
}
