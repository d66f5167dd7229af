import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { listening } from '../../listening.ts';
import type { Running } from '../witness.ts';
import { accountOperations } from './account-routes.ts';
import { bookingOperations } from './booking-routes.ts';
import { Courier } from './courier.ts';
import { type Answer, Gate, type Operation, tellOfAge } from './gate.ts';
import { Refused } from './request.ts';
import { roomOperations } from './room-routes.ts';
import { type Broken, Store } from './store.ts';
import { wishOperations } from './wish-routes.ts';

interface Options {
  readonly fault: string | null;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

interface Path {
  readonly pattern: RegExp;
  readonly operations: Map<string, Operation>;
}

function pathsOf(operations: readonly Operation[]): readonly Path[] {
  const paths = new Map<string, Path>();
  for (const operation of operations) {
    const pattern = new RegExp(`^${operation.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
    const path = paths.get(operation.path) ?? { pattern, operations: new Map() };
    path.operations.set(operation.method, operation);
    if (operation.method === 'GET') path.operations.set('HEAD', operation);
    paths.set(operation.path, path);
  }
  return [...paths.values()];
}

const challenge = { 'WWW-Authenticate': 'Bearer realm="studio"' };

function refusal(error: unknown): Answer {
  if (!(error instanceof Refused)) {
    console.error(error);
    return { status: 500 };
  }
  const { status, body, headers } = error;
  return { status, body, headers: { ...headers, ...(status === 401 && challenge) } };
}

/** An answer to a request that no operation hears; older versions tell so. */
function unheard(answer: Answer, headers: IncomingHttpHeaders, sent: Record<string, string>): Answer {
  tellOfAge(headers, sent);
  return answer;
}

/** The service, as it answers one request after another. */
class Studio {
  readonly store: Store;
  readonly courier: Courier;
  readonly #gate: Gate;
  readonly #paths: readonly Path[];

  constructor(broken: Broken, now: () => number) {
    this.store = new Store(broken, now);
    this.courier = new Courier(this.store);
    this.#gate = new Gate(this.store);
    this.#paths = pathsOf([
      ...accountOperations,
      ...roomOperations,
      ...bookingOperations(),
      ...wishOperations,
    ]);
  }

  async hear(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const sent: Record<string, string> = {};
    const { status, body, headers } = this.#answer(incoming, Buffer.concat(chunks), sent);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const typed = text === undefined ? {} : { 'Content-Type': 'application/json' };
    outgoing.writeHead(status, { ...sent, ...headers, ...typed }).end(text);
  }

  #answer(incoming: IncomingMessage, content: Buffer, sent: Record<string, string>): Answer {
    const { method = '', url = '', headers } = incoming;
    const [, address = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
    const path = this.#paths.find(({ pattern }) => pattern.test(address));
    if (path === undefined) return unheard({ status: 404 }, headers, sent);
    const operation = path.operations.get(method);
    if (operation === undefined)
      return unheard(
        { status: 405, headers: { Allow: [...path.operations.keys()].join(', ') } },
        headers,
        sent,
      );
    this.store.settle();
    try {
      const groups = path.pattern.exec(address)?.groups ?? {};
      return this.#gate.answer(operation, { method, query, headers, content, path: groups }, sent);
    } catch (error) {
      return refusal(error);
    }
  }
}

const everyMs = 20;

/** Starts the service, with one planted fault or none. */
export async function start({ fault, now }: Options): Promise<Running> {
  const studio = new Studio((id) => id === fault, now);
  const { url, close } = await listening(
    createServer((incoming, outgoing) => {
      studio.hear(incoming, outgoing).catch(() => outgoing.destroy());
    }),
  );
  const clock = setInterval(() => {
    studio.store.settle();
    studio.courier.attend();
  }, everyMs);
  return {
    address: url,
    due: () => {
      const times = [studio.store.due, studio.courier.due].filter((time) => time !== null);
      return times.length === 0 ? null : Math.min(...times) / 1000;
    },
    isBusy: () => studio.courier.isBusy,
    close: () => {
      clearInterval(clock);
      return close();
    },
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { fault: { type: 'string' } } });
  const { address } = await start({ fault: values.fault ?? null, now: Date.now });
  console.log(address);
}
