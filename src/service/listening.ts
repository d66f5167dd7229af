import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { hasTimers } from './change/timers.ts';
import type { CompiledDocument } from './compiling.ts';
import type { Answer, Unreadable } from './http/answering.ts';
import { type Forwarding, forwarding as forwardingTo } from './http/forward.ts';
import { type Inside, inside } from './http/inside.ts';
import { listener } from './http/listener.ts';
import { type Mounted, mounted } from './http/mounted.ts';
import type { HostLimits } from './message/host-limits.ts';
import type { Arrived } from './message/incoming.ts';
import { receiving } from './message/receiving.ts';
import type { ServiceOptions } from './options.ts';
import { reading } from './reading.ts';
import type { SqliteReader } from './store/sqlite/reader.ts';
import type { Working } from './working.ts';

/** What takes requests. */
export interface Listening extends Mounted {
  readonly server: Server;
  /** What other processes hand their requests to; null: there are none. */
  readonly inside: Inside | null;
  /** What hands requests to another process; null: they are all answered here. */
  readonly forwarding: Forwarding | null;
}

export interface ListeningAround {
  readonly document: CompiledDocument;
  readonly options: ServiceOptions;
  readonly working: Working;
  /** What is kept, where this process only reads it; else null. */
  readonly reader: SqliteReader | null;
  readonly limits: HostLimits;
  /** Who sends a request that comes through proxies; null: there are none. */
  readonly clientOf: ((arrived: Arrived) => Arrived) | null;
  readonly fault: (error: unknown) => void;
}

/** Takes requests, of which `answer` makes answers. */
export async function takeRequests(
  around: ListeningAround,
  answer: { readonly request: Answer; readonly unreadable: Unreadable },
): Promise<Listening> {
  const { options, limits, fault } = around;
  const { host = '127.0.0.1', port = 0, sharing, tls, onHostLimit: limited = () => {} } = options;
  const isReader = sharing?.role === 'reader';
  const hears = { fault, limited };
  const forwarding = sharing && isReader ? forwardingTo(sharing.socket) : null;
  const request = asHeard(around, answer.request);
  const pair = tls?.pair ?? null;
  const { server, take } = listener(request, answer.unreadable, hears, limits, { forwarding, pair });
  tls?.renewed?.((other) => (server as SecureServer).setSecureContext(other));
  if (port !== null) await listen(server, port, host);
  const handed =
    sharing && !isReader ? inside(sharing.socket, request, answer.unreadable, hears, limits) : null;
  const opened = await handed?.catch((error: unknown) => {
    server.close();
    throw error;
  });
  return { server, ...mounted(request, take, limits), inside: opened ?? null, forwarding };
}

/** What goes before an answer, where it is stated or asked for: each layer only where there is need of it. */
function asHeard(
  { document, options, working, reader, clientOf, fault }: ListeningAround,
  request: Answer,
): Answer {
  const { alarm, now } = working;
  const inTime: Answer = (arrived) =>
    alarm?.isDue() ? alarm.ring().then(() => request(arrived)) : request(arrived);
  const heard: Answer = options.keepsContent ? (arrived) => inTime(receiving(arrived)) : inTime;
  const direct: Answer = clientOf ? (arrived) => heard(clientOf(arrived)) : heard;
  if (reader === null) return direct;
  return reading(direct, { store: reader, now, hasTimers: hasTimers(document.machines), fault });
}

/** Where a server listens; null: it does not. */
export function addressOf(server: Server, host: string, scheme: string): string | null {
  const address = server.address() as AddressInfo | null;
  return address && `${scheme}://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

function listen(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, 4096, () => resolve(server));
  });
}
