import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { listen, type Posted, type Receiver, unsigned } from './receiver.ts';

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Stands in an expected answer for a member that must not be there. */
export const absent = Symbol('absent');

/**
 * What a part of an answer must be. A pattern of an object names some of its members, a list has all its elements, a
 * regular expression matches a text, and a function judges for itself.
 */
export type Pattern =
  | null
  | boolean
  | number
  | string
  | RegExp
  | typeof absent
  | ((value: unknown) => boolean)
  | readonly Pattern[]
  | { readonly [name: string]: Pattern };

/**
 * A request, and what the right service answers. In every text, `{home.id}` stands for the member `id` of the body that
 * an earlier step kept as `home`, `{home#etag}` for the header field of that answer, and `{now+90}` for the time in 90
 * seconds.
 */
interface Ask {
  /** `POST /folders/{home.id}/files`. */
  readonly ask: string;
  /** Whose credential is sent, by its name in `Trade.credentials`; nobody's if it is left out. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. A text is sent as it is. */
  readonly body?: Json;
  readonly status: number;
  readonly shows?: Pattern;
  /** Header fields of the answer, by their names in small letters. */
  readonly fields?: Readonly<Record<string, Pattern>>;
  readonly keep?: string;
}

/** Time goes by: the clock of the service moves on by so many seconds. */
interface Wait {
  readonly wait: number;
}

/** Begins to read a stream of Server-Sent Events, which later steps name. */
interface Opens {
  readonly opens: string;
  readonly as?: string;
  readonly stream: string;
}

/** The next events of a stream: as many as are listed, in this order. */
interface Hears {
  readonly hears: string;
  readonly events: readonly { readonly event: string; readonly data: Pattern }[];
}

/** Opens a receiver of webhooks on loopback. Texts name its address as `{inbox.url}`. */
interface Listens {
  readonly listens: string;
  /** What it answers to the first deliveries, one after the other. All others are answered with 204. */
  readonly answers?: readonly number[];
}

/** The next deliveries to a receiver: as many as are listed, in this order. */
interface Receives {
  readonly receives: string;
  /** The clock moves on by so many seconds, and again for as long as nothing comes: a pause begins unseen. */
  readonly after?: number;
  readonly deliveries: readonly Delivery[];
}

/** What is posted to a receiver. */
interface Delivery {
  readonly content: Pattern;
  /** Header fields, by their names in small letters. */
  readonly fields?: Readonly<Record<string, Pattern>>;
  /** The key with which the delivery is signed, as Standard Webhooks have it. */
  readonly key?: string;
  readonly keep?: string;
}

export type Step = Ask | Wait | Opens | Hears | Listens | Receives;

/** A mistake that a developer could make in one place of a service. */
export interface Fault {
  readonly id: string;
  /** The address of the statement that the service no longer keeps (language §C). */
  readonly statement: string;
  readonly what: string;
  /** The right service does all of it. The faulty service does something else at the last step, and not before. */
  readonly witness: readonly Step[];
}

/** A service that runs. */
export interface Running {
  readonly address: string;
  /** When it does something by itself next, in milliseconds since 1970; null: it waits for nothing. Default: nobody can say */
  readonly due?: () => number | null;
  /** Whether it does something now that takes real time, so that no time may be left out. Default: it never does */
  readonly isBusy?: () => boolean;
  readonly close: () => Promise<void>;
}

/** How a service of a trade is started: `now` gives milliseconds since 1970. */
export type Start = (options: {
  readonly fault: string | null;
  readonly now: () => number;
}) => Promise<Running>;

export interface Trade {
  readonly name: string;
  /** The path of the specification. */
  readonly document: URL;
  readonly start: Start;
  /** Header fields that say who asks, by a name. They may name what earlier steps kept: `Bearer {ann.token}`. */
  readonly credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly faults: readonly Fault[];
  /** Whether its services keep the time of the machine, whatever clock they are given. Default: false */
  readonly keepsTime?: boolean;
  /** Ends what all services of the trade share. */
  readonly end?: () => Promise<void>;
}

/** A clock that only its witness moves. */
export interface Clock {
  milliseconds: number;
}

/** Where a service does not do what its witness expects. */
export interface Difference {
  readonly step: number;
  readonly why: string;
}

interface Kept {
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

interface Scene {
  readonly address: string;
  readonly trade: Trade;
  readonly clock: Clock;
  readonly agent: Agent;
  readonly kept: Map<string, Kept>;
  readonly streams: Map<string, Stream>;
  readonly receivers: Map<string, Receiver>;
}

/** How long a stream may keep silent before its next event counts as missing. */
const patienceMs = 3_000;

/**
 * How long a delivery is waited for in all, in turns: with each the clock moves on again. They grow, since a courier may
 * look at its clock once a second.
 */
const turnsMs = [200, 800, 3_000];

/** Plays a witness, and gives the first step at which the service does something else; null if there is none. */
export async function play(
  trade: Trade,
  witness: readonly Step[],
  { address }: Pick<Running, 'address'>,
  clock: Clock,
): Promise<Difference | null> {
  const agent = new Agent({ keepAlive: true });
  const scene: Scene = {
    ...{ address, trade, clock, agent },
    ...{ kept: new Map(), streams: new Map(), receivers: new Map() },
  };
  try {
    for (const [step, what] of witness.entries()) {
      const why = await take(scene, what);
      if (why !== null) return { step, why };
    }
    return null;
  } finally {
    for (const stream of scene.streams.values()) stream.close();
    for (const receiver of scene.receivers.values()) await receiver.close();
    agent.destroy();
  }
}

async function take(scene: Scene, step: Step): Promise<string | null> {
  if ('wait' in step) {
    scene.clock.milliseconds += step.wait * 1000;
    return null;
  }
  if ('opens' in step) {
    scene.streams.set(step.stream, await open(scene, step));
    return null;
  }
  if ('listens' in step) {
    const receiver = await listen(step.answers ?? []);
    scene.receivers.set(step.listens, receiver);
    scene.kept.set(step.listens, { body: { url: receiver.url }, headers: {} });
    return null;
  }
  if ('receives' in step) return receive(scene, step);
  return 'hears' in step ? hear(scene, step) : ask(scene, step);
}

async function ask(scene: Scene, step: Ask): Promise<string | null> {
  const { status, headers, text } = await send(scene, step);
  const isJson = /^application\/([\w.-]+\+)?json/.test(headers['content-type'] ?? '');
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : text;
  const where = `${step.ask} as ${step.as ?? 'nobody'}`;
  if (status !== step.status) return `${where}: ${status} in place of ${step.status}: ${text}`;
  const wrong =
    (step.shows === undefined ? null : unlike(body, put(scene, step.shows), 'body')) ??
    unlike(headers, put(scene, step.fields ?? {}), 'headers');
  if (wrong !== null) return `${where}: ${wrong}`;
  if (step.keep !== undefined) scene.kept.set(step.keep, { body, headers });
  return null;
}

function send(
  scene: Scene,
  step: Ask,
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }> {
  const [method = '', path = ''] = text(scene, step.ask).split(' ');
  const sent = step.body === undefined ? undefined : put(scene, step.body);
  const body = sent === undefined || typeof sent === 'string' ? sent : JSON.stringify(sent);
  const own = put(scene, step.headers ?? {}) as Record<string, string>;
  const typed = Object.keys(own).some((name) => name.toLowerCase() === 'content-type');
  const headers = {
    ...credential(scene, step.as),
    ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...(body !== undefined && !typed && { 'Content-Type': 'application/json' }),
    ...own,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(scene.address + path, { agent: scene.agent, method, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function credential(scene: Scene, who: string | undefined): Record<string, string> {
  if (who === undefined) return {};
  const found = scene.trade.credentials[who];
  if (found === undefined) throw new TypeError(`${scene.trade.name} has no credential of ${who}`);
  return put(scene, found) as Record<string, string>;
}

/** A stream of events, as far as it was read. */
interface Stream {
  readonly next: () => Promise<{ readonly event: string; readonly data: unknown } | null>;
  readonly close: () => void;
}

function open(scene: Scene, { opens, as }: Opens): Promise<Stream> {
  const [method = '', path = ''] = text(scene, opens).split(' ');
  return new Promise((resolve, reject) => {
    const outgoing = request(
      scene.address + path,
      { method, headers: { Accept: 'text/event-stream', ...credential(scene, as) } },
      (incoming) => {
        let rest = '';
        let woken = (): void => {};
        incoming.on('error', () => {});
        incoming.on('data', (chunk: Buffer) => {
          rest += chunk.toString();
          woken();
        });
        const next = async (): ReturnType<Stream['next']> => {
          const until = Date.now() + patienceMs;
          for (;;) {
            const end = rest.indexOf('\n\n');
            if (end !== -1) {
              const frame = rest.slice(0, end).split('\n');
              rest = rest.slice(end + 2);
              const event = frame.find((line) => line.startsWith('event:'))?.slice(6);
              const data = frame.filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
              if (event !== undefined) return { event: event.trim(), data: JSON.parse(data.join('\n')) };
            } else if (Date.now() > until) return null;
            else
              await new Promise<void>((go) => {
                const timer = setTimeout(go, until - Date.now() + 1);
                woken = () => {
                  clearTimeout(timer);
                  go();
                };
              });
          }
        };
        if (incoming.statusCode === 200) resolve({ next, close: () => void outgoing.destroy() });
        else reject(new Error(`${opens}: ${incoming.statusCode}`));
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

async function hear(scene: Scene, { hears, events }: Hears): Promise<string | null> {
  const stream = scene.streams.get(hears);
  if (stream === undefined) throw new TypeError(`no step opens ${hears}`);
  for (const expected of events) {
    const heard = await stream.next();
    if (heard === null) return `${hears}: nothing in place of ${expected.event}`;
    const wrong = unlike(heard, put(scene, { ...expected }), 'event');
    if (wrong !== null) return `${hears}: ${wrong}`;
  }
  return null;
}

async function receive(scene: Scene, { receives, after = 0, deliveries }: Receives): Promise<string | null> {
  const receiver = scene.receivers.get(receives);
  if (receiver === undefined) throw new TypeError(`no step opens ${receives}`);
  for (const { content, fields = {}, key, keep } of deliveries) {
    const found = await next(scene, receiver, after);
    if (found === null) return `${receives}: nothing in place of ${shown(content)}`;
    const { posted, since } = found;
    const wrong =
      unlike(posted.body, put(scene, content), 'content') ??
      unlike(posted.headers, put(scene, fields), 'headers') ??
      (key === undefined
        ? null
        : unsigned(posted, text(scene, key), { from: since, to: scene.clock.milliseconds }));
    if (wrong !== null) return `${receives}: ${wrong}`;
    if (keep !== undefined) scene.kept.set(keep, posted);
  }
  return null;
}

/** The next delivery, and since when in milliseconds it may have been sent; null if none comes. */
async function next(
  { clock }: Scene,
  receiver: Receiver,
  after: number,
): Promise<{ readonly posted: Posted; readonly since: number } | null> {
  let since = clock.milliseconds + after * 1000;
  for (const withinMs of turnsMs) {
    clock.milliseconds += after * 1000;
    const posted = await receiver.next(withinMs);
    if (posted !== null) return { posted, since };
    since = clock.milliseconds;
  }
  return null;
}

/** The text with what it names put in. */
function text(scene: Scene, template: string): string {
  return template.replace(/\{([^{}"]+)\}/g, (_, name: string) => String(named(scene, name)));
}

function put(scene: Scene, value: Pattern): Pattern {
  if (typeof value === 'string') {
    const [whole, name] = /^\{([^{}"]+)\}$/.exec(value) ?? [];
    return whole === undefined ? text(scene, value) : (named(scene, name ?? '') as Pattern);
  }
  if (Array.isArray(value)) return value.map((element: Pattern) => put(scene, element));
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [text(scene, name), put(scene, member)]),
  );
}

function named(scene: Scene, name: string): unknown {
  const [isTime, sign, seconds] = /^now(?:([+-])(\d+))?$/.exec(name) ?? [];
  if (isTime !== undefined)
    return new Date(scene.clock.milliseconds + Number(`${sign ?? ''}${seconds ?? 0}`) * 1000).toISOString();
  const [, keep = '', members = '', field] = /^([\w-]+)((?:\.[\w-]+)*)(?:#([\w-]+))?$/.exec(name) ?? [];
  const kept = scene.kept.get(keep);
  if (kept === undefined) throw new TypeError(`no step kept ${name}`);
  if (field !== undefined) return kept.headers[field];
  return members
    .split('.')
    .slice(1)
    .reduce<unknown>((value, member) => (value as Record<string, unknown>)[member], kept.body);
}

/** In what a value is unlike its pattern; null if it is like it. */
export function unlike(value: unknown, pattern: Pattern, at: string): string | null {
  const differs = (): string => `${at} is ${JSON.stringify(value)} in place of ${shown(pattern)}`;
  if (pattern === absent) return value === undefined ? null : differs();
  if (typeof pattern === 'function') return pattern(value) ? null : differs();
  if (pattern instanceof RegExp) return typeof value === 'string' && pattern.test(value) ? null : differs();
  if (typeof pattern !== 'object' || pattern === null) return value === pattern ? null : differs();
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(pattern))
    return differs();
  if (Array.isArray(pattern) && pattern.length !== (value as unknown[]).length) return differs();
  for (const [name, member] of Object.entries(pattern)) {
    const wrong = unlike((value as Record<string, unknown>)[name], member as Pattern, `${at}.${name}`);
    if (wrong !== null) return wrong;
  }
  return null;
}

function shown(pattern: Pattern): string {
  return typeof pattern === 'object' && !(pattern instanceof RegExp)
    ? JSON.stringify(pattern)
    : String(pattern);
}
