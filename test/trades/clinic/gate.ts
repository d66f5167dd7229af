import type { MiddlewareHandler } from 'hono';
import type { App, Call, Clinic, Variables } from './clinic.ts';
import type { Person } from './records.ts';
import { objectOf, Refused, require } from './request.ts';

type Handler = MiddlewareHandler<{ Variables: Variables }>;

interface Rule {
  /** The scope that the key has to grant. */
  readonly scope?: string;
  readonly roles?: readonly Person['role'][];
  /** The media type of the body, if the operation reads one. */
  readonly media?: string;
  /** What can be sent: nothing, where the answer has no content. */
  readonly accepts?: readonly string[] | null;
  readonly isCounted?: boolean;
}

const json = ['application/json'];
const known = ['2026-02-01', 'latest', '2025-06-01'];

/** The media types of a field `Accept`, with their weights (RFC 9110 §12.5.1). */
function weightsOf(accept: string): { readonly range: string; readonly weight: number }[] {
  return accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
    const others = parameters.filter((one) => !one.startsWith('q='));
    return range.includes('/') ? [{ range: [range, ...others].join(';'), weight: Number(weight) }] : [];
  });
}

/** The media type of a field `Content-Type`; null if its text is not in UTF-8. */
function typeOf(field: string): string | null {
  const [type = '', ...parameters] = field.split(';').map((one) => one.trim().toLowerCase());
  return parameters.every((one) => /^charset="?utf-8"?$/.test(one)) ? type : null;
}

/** Which of several media types a client prefers; null if it takes none. */
export function preferred(accept: string | undefined, types: readonly string[]): string | null {
  const weights = weightsOf(accept ?? '');
  if (weights.length === 0) return types[0] ?? null;
  const weightOf = (type: string): number =>
    weights.find(({ range }) => range === type)?.weight ??
    weights.find(({ range }) => range === type.replace(/\/.*/, '/*'))?.weight ??
    weights.find(({ range }) => range === '*/*')?.weight ??
    0;
  const best = Math.max(...types.map(weightOf));
  return best > 0 ? (types.find((type) => weightOf(type) === best) ?? null) : null;
}

/** Five requests of a person in ten seconds: a window begins with its first request. */
function counting({ practice, broken }: Clinic): (call: Call) => void {
  const windows = new Map<string, { readonly endsMs: number; count: number }>();
  return (call) => {
    const nowMs = Math.floor(practice.now() / 1000);
    const key = broken('rate-of-each-key') ? call.var.key.id : call.var.actor.id;
    let window = windows.get(key);
    if (window === undefined || window.endsMs <= nowMs) {
      window = { endsMs: nowMs + 10_000, count: 0 };
      windows.set(key, window);
    }
    const isOver = window.count >= 5;
    if (!isOver) window.count += 1;
    const seconds = Math.ceil((window.endsMs - nowMs) / 1000);
    call.header('RateLimit-Policy', '"booking";q=5;w=10');
    call.header('RateLimit', `"booking";r=${5 - window.count};t=${seconds}`);
    if (!isOver) return;
    if (!broken('no-retry-after')) call.header('Retry-After', String(seconds));
    throw new Refused('too-fast');
  };
}

/** Opens routes to those whom their rules let in. */
export class Gate {
  readonly #clinic: Clinic;
  readonly #count: (call: Call) => void;

  constructor(clinic: Clinic) {
    this.#clinic = clinic;
    this.#count = counting(clinic);
  }

  /** A handler that comes before that of an operation. */
  readonly opens =
    ({ scope, roles, media, accepts = json, isCounted = false }: Rule): Handler =>
    async (call, next) => {
      const { practice, broken } = this.#clinic;
      require(known.includes(call.req.header('Clinic-Version') ?? 'latest'), 'unknown-version');
      this.#identify(call);
      practice.settle();
      if (isCounted) this.#count(call);
      const content = Buffer.from(await call.req.arrayBuffer());
      // The adaptor does not read the content of GET.
      const length = Math.max(content.length, Number(call.req.header('Content-Length') ?? 0));
      require(length <= 8192, 'too-large');
      const type = typeOf(call.req.header('Content-Type') ?? '');
      if (media !== undefined && content.length > 0) require(type === media, 'wrong-media');
      const isAccepted = accepts === null || preferred(call.req.header('Accept'), accepts) !== null;
      require(isAccepted, 'not-acceptable');
      if (isMiscoded(call.var.search)) throw new Refused('unreadable');
      call.set('content', content);
      call.set('body', media === undefined ? {} : objectOf(content));
      const isGranted =
        scope === undefined ||
        call.var.key.scopes.includes(scope) ||
        (scope === 'book' && broken('book-by-read'));
      require(isGranted && (roles?.includes(call.var.actor.role) ?? true), 'forbidden');
      await next();
    };

  #identify(call: Call): void {
    const [scheme = '', token = ''] = (call.req.header('Authorization') ?? '').split(/ +(.*)/s);
    require(scheme.toLowerCase() === 'bearer', 'key-needed');
    const { practice } = this.#clinic;
    const key = [...practice.keys.values()].find((one) => one.token === token);
    const actor = practice.people.get(key?.owner ?? '');
    if (key === undefined || actor === undefined) throw new Refused('key-wrong');
    call.set('key', key);
    call.set('actor', actor);
  }
}

/** Whether a part of an address is not coded as UTF-8. */
export function isMiscoded(text: string): boolean {
  try {
    return decodeURIComponent(text).includes('\0');
  } catch {
    return true;
  }
}

/** Names the version of a request, and tells of the end of the version before. */
export function versions({ broken }: Clinic): Handler {
  return async (call, next) => {
    const version = call.req.header('Clinic-Version');
    const isOld = version === '2025-06-01';
    call.set('isOld', isOld);
    if (isOld && !broken('no-deprecation')) {
      call.header('Deprecation', '@1768435200');
      call.header('Sunset', 'Sun, 30 Jun 2030 00:00:00 GMT');
    }
    await next();
  };
}

/** Answers 404 where no operation has the path, and 405 where none has the method. */
export function elsewhere(app: App): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes)
    if (method !== 'ALL')
      methods.set(
        path,
        new Set([...(methods.get(path) ?? []), method, ...(method === 'GET' ? ['HEAD'] : [])]),
      );
  for (const [path, allowed] of methods)
    app.all(path, (call) =>
      path === '/appointments/:id/move' && call.var.isOld
        ? call.body(null, 404)
        : call.body(null, 405, { Allow: [...allowed].join(', ') }),
    );
}
