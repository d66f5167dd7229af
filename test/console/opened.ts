import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type Console, openConsole } from '../../src/console/console.ts';
import type { Desk } from '../../src/console/desk.ts';
import type { PageFile } from '../../src/console/files.ts';
import { readSpecification } from '../../src/load/document.ts';
import { type Service, type ServiceOptions, serve } from '../../src/service/service.ts';
import type { Reader } from '../../src/specification/read.ts';

/** A document of which one operation runs, and the other waits for a status. */
export const notes = [
  '# Notes',
  '## Resources',
  '```yaml',
  'Note: { identifier: id, fields: { id: { type: string, set: { create: "${uuid()}" } }, text: { type: string } } }',
  '```',
  '## Endpoints',
  '```yaml',
  'GET /notes: { does: list Note, response: { status: 200, body: "${Note(page.items)}" } }',
  'POST /notes: { does: create Note, request: { body: Note, others: refuse }, response: { status: (open) 201 or 202? } }',
  '```',
  '',
].join('\n');

const page: PageFile = {
  type: 'text/html; charset=utf-8',
  content: Buffer.from('<meta name="style-nonce" content="NONCE">'),
  zipped: null,
  isHashed: false,
};

/** A console of a document that no service follows, and how to ask it. */
export interface Opened {
  readonly console: Console;
  readonly port: number;
  /** The addresses that were printed since. */
  readonly printed: readonly string[];
  readonly faults: readonly unknown[];
}

/** Opens a console. Its secrets are `secret1`, `secret2` and so on. */
export async function opened(document: string, more: Partial<Desk> = {}): Promise<Opened> {
  const [printed, faults]: [string[], unknown[]] = [[], []];
  let count = 0;
  let reader: Reader = readSpecification(document, []);
  const console = await openConsole(
    {
      document,
      ledger: undefined,
      isFixed: false,
      read: () => reader,
      running: () => null,
      clock: null,
      tester: null,
      follow: async () => {
        reader = readSpecification(document, []);
      },
      ...more,
    },
    {
      onUsed: (address) => printed.push(address),
      onFault: (fault) => faults.push(fault),
      now: () => Date.UTC(2026, 10, 21, 12),
      random: () => `secret${++count}`,
      files: new Map([['/', page]]),
    },
  );
  return { console, port: Number(new URL(console.address).port), printed, faults };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Sends a request with exactly these header fields, beside Host. */
export function ask(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** What a page of the console sends with a change. */
export function fromPage(port: number): Readonly<Record<string, string>> {
  return {
    Origin: `http://127.0.0.1:${port}`,
    'Sec-Fetch-Site': 'same-origin',
    'Content-Type': 'application/json',
  };
}

/** Enters, and gives the header fields of a page that did. */
export async function entered({ console, port }: Opened): Promise<Readonly<Record<string, string>>> {
  const token = console.address.split('#token=')[1];
  const { headers } = await ask(port, 'POST', '/session', fromPage(port), JSON.stringify({ token }));
  const [cookie = ''] = headers['set-cookie'] ?? [];
  return { ...fromPage(port), Cookie: cookie.split(';')[0] ?? '' };
}

/** A path within the repository. */
export function ours(path: string): string {
  return join(import.meta.dirname, '../..', path);
}

/** A console with the service that it looks at, and how its page reads and does things. */
export interface Served {
  readonly opened: Opened;
  readonly service: Service;
  readonly query: <T>(path: string) => Promise<T>;
  readonly act: <T>(path: string, content: unknown) => Promise<T>;
  /** Sends the service JSON. Gives what it answers. */
  readonly send: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** Serves a document beside it, as `tacet dev` does, and opens its console. */
export async function served(
  document: string,
  more: Partial<Desk> = {},
  options: Partial<ServiceOptions> = {},
): Promise<Served> {
  const { specification } = readSpecification(document, []);
  const { data = `${document}.sqlite` } = options;
  const service = await serve(specification, {
    ...options,
    data,
    tellsItems: true,
    onAnswered: (answered, _, received) => one.console.note(answered, received),
  });
  const running = { specification, address: service.address, data, credentials: {} };
  const one = await opened(document, { running: () => running, ...more });
  const session = await entered(one);
  return {
    opened: one,
    service,
    query: async (path) => taken(await ask(one.port, 'GET', `/api/${path}`, session)),
    act: async (path, content) =>
      taken(await ask(one.port, 'POST', `/api/${path}`, session, JSON.stringify(content))),
    send: async <T>(method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${service.address}${path}`, {
        method,
        ...(body !== undefined && {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
      return (await answer.json().catch(() => null)) as T;
    },
    close: async () => {
      await one.console.close();
      await service.close();
    },
  };
}

/** What the server answers. Throws what it refuses. */
export function taken<T>({ status, text }: Answer): T {
  const found = JSON.parse(text) as { readonly message?: string };
  if (status !== 200) throw new Error(`${status} ${found.message}`);
  return found as T;
}
