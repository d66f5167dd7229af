import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ServiceOptions, serve } from '../../src/service/service.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import { read } from '../../src/specification/read.ts';
import { place, rowsAt } from './places.ts';

export { dataFile, place } from './places.ts';

/** The to-do list of `examples/`, as it is written. */
export const todo = readFileSync(new URL('../../examples/todo.md', import.meta.url), 'utf8');

/** The documents that were read last: the tests of a file serve the same few. A specification never changes. */
const lately = new Map<string, Specification>();

/** Reads a document: Markdown if it begins with a heading, else YAML. Throws where it has an error. */
export function specificationOf(text: string): Specification {
  const known = lately.get(text) ?? readAnew(text);
  lately.delete(text);
  lately.set(text, known);
  if (lately.size > 8) lately.delete(lately.keys().next().value as string);
  return known;
}

/** Reads a document, also where it was read before. */
export function readAnew(text: string): Specification {
  const { specification, diagnostics } = read(text.startsWith('#') ? 'service.md' : 'service.yaml', text);
  const errors = diagnostics.filter((one) => one.severity === 'error');
  if (errors.length > 0) throw new TypeError(errors.map((one) => `${one.code}: ${one.message}`).join('\n'));
  return specification;
}

/** A service that runs until the end of its test, and what its log was told. */
export interface Served {
  readonly port: number;
  readonly address: string;
  readonly data: string;
  /** The addresses of the points that each 501 named. */
  readonly heldUp: string[][];
  readonly faults: unknown[];
  /** Every row of every table. */
  readonly rows: () => ReturnType<typeof rowsAt>;
  readonly close: () => Promise<void>;
}

/** The indexes of a resource by a member of its items, as the store has them. */
export async function indexesOn(
  served: Served,
  resource: string,
  member: string,
): Promise<readonly string[]> {
  const [, indexes] = (await served.rows()).find(([name]) => name === 'indexes') ?? [];
  const all = (indexes ?? []).map(([sql]) => String(sql));
  const isOf = new RegExp(` ON ("_|\\w+\\.")${resource}"`, 'i');
  return all.filter(
    (sql) => isOf.test(sql) && [`"${member}"`, `'${member}'`].some((name) => sql.includes(name)),
  );
}

export async function start(text: string, options: Partial<ServiceOptions> = {}): Promise<Served> {
  const heldUp: string[][] = [];
  const faults: unknown[] = [];
  const data = options.data ?? (await place());
  const service = await serve(specificationOf(text), {
    data,
    onHeldUp: ({ points }) => void heldUp.push(points.map((point) => point.address)),
    onFault: (fault) => void faults.push(fault),
    ...options,
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= service.close();
    return closed;
  };
  onTestFinished(close);
  const { port } = new URL(service.address);
  return {
    port: Number(port),
    address: service.address,
    data,
    heldUp,
    faults,
    rows: () => rowsAt(data),
    close,
  };
}

/** An answer as it came: its fields sorted, the time of `Date` left out; a JSON body as its value. */
export interface Answer {
  readonly status: number;
  readonly fields: readonly string[];
  readonly body: unknown;
}

/** The answer that is expected: besides its own fields, those that HTTP asks for (RFC 9110 §6.6.1, §8.6). */
export function answer(status: number, body: unknown = '', fields: readonly string[] = []): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const length = status === 204 || status === 304 ? [] : [`Content-Length: ${Buffer.byteLength(text)}`];
  const type = typeof body === 'string' ? [] : ['Content-Type: application/json'];
  return { status, fields: [...fields, ...length, ...type, 'Date: *'].sort(), body };
}

/** A connection by hand. */
export interface Wire {
  readonly socket: Socket;
  readonly send: (bytes: string | Uint8Array) => void;
  /** The next answer; `bodiless` for one to HEAD. Rejected where the connection ends before it is whole. */
  readonly answer: (bodiless?: boolean) => Promise<Answer>;
  /** All that comes until the service ends the connection, and whether it was reset. */
  readonly rest: () => Promise<{ readonly text: string; readonly reset: boolean }>;
}

export function wire({ port }: { readonly port: number }): Wire {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  onTestFinished(() => void socket.destroy());
  let chunks: Buffer[] = [];
  let over = false;
  let reset = false;
  let woken = (): void => {};
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    woken();
  });
  socket.on('end', () => {
    over = true;
    woken();
  });
  socket.on('close', () => {
    over = true;
    woken();
  });
  // What is sent after the service ended the connection fails, too, and was not reset.
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    reset ||= code === 'ECONNRESET';
  });
  const received = (): Buffer => {
    const [only] = chunks;
    if (only === undefined || chunks.length > 1) chunks = [Buffer.concat(chunks)];
    return chunks[0] as Buffer;
  };
  const more = (): Promise<void> => {
    if (over) throw new Error(`the connection ended after: ${received().toString('latin1')}`);
    return new Promise((resolve) => {
      woken = resolve;
    });
  };
  const upTo = async (length: number): Promise<Buffer> => {
    while (chunks.reduce((sum, chunk) => sum + chunk.length, 0) < length) await more();
    const all = received();
    chunks = [all.subarray(length)];
    return all.subarray(0, length);
  };
  const through = async (mark: string): Promise<string> => {
    while (!received().includes(mark)) await more();
    return (await upTo(received().indexOf(mark) + mark.length)).toString('latin1');
  };
  const body = async (fields: readonly string[]): Promise<string> => {
    const value = (name: string): string | undefined =>
      fields.find((one) => one.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2);
    const length = value('content-length');
    if (length !== undefined) return (await upTo(Number(length))).toString();
    if (value('transfer-encoding') === undefined) return '';
    const parts: Buffer[] = [];
    for (;;) {
      const size = Number.parseInt(await through('\r\n'), 16);
      const chunk = await upTo(size + 2);
      if (size === 0) return Buffer.concat(parts).toString();
      parts.push(chunk.subarray(0, -2));
    }
  };
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    answer: async (bodiless = false) => {
      const [line = '', ...raw] = (await through('\r\n\r\n')).slice(0, -4).split('\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
      const fields = raw
        .map((field) => field.replace(/^(Date: )\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/, '$1*'))
        .sort();
      const text = bodiless || status < 200 ? '' : await body(fields);
      const isJson = fields.some((one) => /^content-type: application\/([\w.-]+\+)?json/i.test(one));
      return { status, fields, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text };
    },
    rest: async () => {
      while (!over) await more();
      return { text: received().toString(), reset };
    },
  };
}

/** A request as text: a Host, and for a body its length and, unless a field says otherwise, JSON as its type. */
export function request(line: string, fields: readonly string[] = [], body?: string | Uint8Array): Buffer {
  const bytes = Buffer.from(body ?? '');
  const typed = fields.some((one) => /^content-type:/i.test(one));
  const about = body === undefined ? [] : [`Content-Length: ${bytes.length}`];
  const type = body === undefined || typed ? [] : ['Content-Type: application/json'];
  const head = [`${line} HTTP/1.1`, 'Host: localhost', ...fields, ...type, ...about, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** Sends one request, `GET /path`, on a connection of its own; a body that is no text or bytes is sent as JSON. */
export async function ask(
  to: { readonly port: number },
  line: string,
  body?: unknown,
  fields: readonly string[] = [],
): Promise<Answer> {
  const { send, answer: next, socket } = wire(to);
  const bytes =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array
      ? body
      : JSON.stringify(body);
  send(request(line, fields, bytes));
  const found = await next(line.startsWith('HEAD '));
  socket.destroy();
  return found;
}
