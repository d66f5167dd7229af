import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refused } from '../load/refused.ts';
import type { Answered } from '../service/answered.ts';
import type { Received } from '../service/message/receiving.ts';
import type { Specification } from '../specification/model/specification.ts';
import { Access, cookieOf, type Turned, turned } from './access.ts';
import { actions, queries } from './api.ts';
import { Changes } from './changes.ts';
import { type Context, edited, type Given } from './context.ts';
import type { Desk } from './desk.ts';
import { Edits } from './editing/edits.ts';
import { type PageFile, pageFiles } from './files.ts';
import { contentOf, say, sayFile, sayFound, TooMuch } from './messages.ts';
import { prepare } from './overview.ts';
import { Requests } from './requests.ts';

export interface ConsoleOptions {
  /** Default 0: one that is free. */
  readonly port?: number;
  /** Told the new address if somebody opens one that was used before. */
  readonly onUsed: (address: string) => void;
  /** Told of a fault of the console's own. */
  readonly onFault: (fault: unknown) => void;
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number;
  /** Texts that nobody can guess. Default: 32 random bytes. */
  readonly random?: () => string;
  /** The files of the page; null: it is not built. Default: those that were built. */
  readonly files?: ReadonlyMap<string, PageFile> | null;
}

/** How to build the page where it is not. */
export const unbuilt = 'the page of the console is not built: run "npm run page" in the checkout of tacet';

/**
 * Opens the console on 127.0.0.1. Whoever opens its address can use it, and nobody else.
 *
 * @throws Refused if the page is not built, or the port is in use
 */
export async function openConsole(desk: Desk, options: ConsoleOptions): Promise<Console> {
  const files = options.files === undefined ? pageFiles() : options.files;
  if (files === null) throw new Refused(unbuilt);
  const server = createServer();
  await listen(server, options.port ?? 0);
  return new Console(desk, server, files, options);
}

/** A console that is open: a page, and what it reads and does. */
export class Console {
  readonly #server: Server;
  readonly #files: ReadonlyMap<string, PageFile>;
  readonly #options: ConsoleOptions;
  readonly #random: () => string;
  readonly #access: Access;
  readonly #requests: Requests;
  readonly #changes = new Changes();
  readonly #edits = new Edits();
  readonly #context: Context;
  readonly #port: number;
  #tested = Promise.withResolvers<void>();
  #version = 1;

  constructor(desk: Desk, server: Server, files: ReadonlyMap<string, PageFile>, options: ConsoleOptions) {
    this.#server = server;
    this.#files = files;
    this.#options = options;
    this.#port = (server.address() as AddressInfo).port;
    this.#random = options.random ?? (() => randomBytes(32).toString('base64url'));
    this.#access = new Access(this.#random);
    const now = options.now ?? Date.now;
    this.#requests = new Requests(now);
    this.#requests.heard = (recorded) => this.#changes.tell('request', recorded);
    const tests = { run: null, told: () => this.#testedOn() };
    const start = startOf(desk);
    const [requests, edits] = [this.#requests, this.#edits];
    this.#context = { desk, requests, edits, start, tests, version: () => this.#version, now };
    server.on('request', (request, response) => {
      this.#answer(request, response).catch((error: unknown) => this.#failed(error, response));
    });
    // The first page that asks finds it worked out.
    prepare(this.#context);
  }

  /** The address to open, with its token. */
  get address(): string {
    return `http://127.0.0.1:${this.#port}/#token=${this.#access.token}`;
  }

  /** Takes note of a request that the service answered. */
  note(answered: Answered, received: Received | null = null): void {
    this.#requests.note(answered, received);
  }

  /** Tells the pages that the document was read again. */
  changed(): void {
    this.#version += 1;
    this.#changes.tell('document', this.#version);
  }

  /** Resolved once a run of the tester went on, or ended. */
  get tested(): Promise<void> {
    return this.#tested.promise;
  }

  #testedOn(): void {
    this.#changes.tell('test', null);
    this.#tested.resolve();
    this.#tested = Promise.withResolvers();
  }

  async close(): Promise<void> {
    this.#context.tests.run?.stop();
    this.#changes.close();
    await this.#edits.close();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const hosts = [`127.0.0.1:${this.#port}`, `localhost:${this.#port}`];
    const [path = '/'] = (request.url ?? '/').split('?');
    const refused = turned(request, hosts, path === '/');
    if (refused) turn(response, refused);
    else if (path === '/session' && request.method === 'POST')
      this.#enter(await contentOf(request), response);
    else if (path.startsWith('/api/')) await this.#answerPage(path, request, response);
    else {
      const file = request.method === 'POST' ? undefined : this.#files.get(path);
      if (file) sayFile(file, request, response, this.#random);
      else say(response, 404, { message: `there is no page ${path}` });
    }
  }

  #enter(given: Given, response: ServerResponse): void {
    const entered = this.#access.enter(String(given['token'] ?? ''));
    if (entered === 'used') {
      this.#options.onUsed(this.address);
      say(response, 403, { message: 'this address was opened before; tacet has printed a new one' });
    } else if (entered === null)
      say(response, 403, { message: 'this is not the address that tacet printed last' });
    else {
      response.setHeader('Set-Cookie', cookieOf(entered.session, this.#port));
      say(response, 200, {});
    }
  }

  async #answerPage(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isChange = request.method === 'POST';
    if (!this.#access.knows(request, this.#port)) {
      turn(response, { status: 401, message: 'open the address that tacet printed: it has a token in it' });
      return;
    }
    if (path === '/api/changes' && !isChange) {
      this.#changes.open(response);
      // The first edit need not wait until the thread has started and has read the document.
      void this.#edits.ready(() => edited(this.#context.desk));
      return;
    }
    const [table, other] = isChange ? [actions, queries] : [queries, actions];
    const found = Object.hasOwn(table, path) ? table[path] : undefined;
    if (found === undefined) {
      if (Object.hasOwn(other, path))
        turn(response, { status: 405, message: `${path} does not take ${request.method}` });
      else say(response, 404, { message: `there is nothing at ${path}` });
      return;
    }
    const { searchParams } = new URL(request.url ?? '/', 'http://console');
    const given = isChange ? await contentOf(request) : Object.fromEntries(searchParams);
    await sayFound(request, response, await found(given, this.#context));
  }

  /** What cannot be done is told; all else is a fault of the console's own. */
  #failed(error: unknown, response: ServerResponse): void {
    if (error instanceof Refused && !response.headersSent) {
      say(response, error instanceof TooMuch ? 413 : 400, { message: error.message });
      return;
    }
    this.#options.onFault(error);
    if (response.headersSent) response.destroy();
    else say(response, 500, { message: 'this is a fault of tacet itself; its log says more' });
  }
}

/** What the document states now, as long as it states anything without an error. */
function startOf(desk: Desk): Specification | null {
  try {
    const { specification, diagnostics } = desk.read();
    return diagnostics.some(({ severity }) => severity === 'error') ? null : specification;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

function turn(response: ServerResponse, { status, message }: Turned): void {
  if (status === 405) response.setHeader('Allow', 'GET, HEAD, POST');
  response.setHeader('Connection', 'close');
  say(response, status, { message });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const why =
        code === 'EADDRINUSE'
          ? 'is in use; name another with --console'
          : `cannot be listened on: ${message}`;
      reject(new Refused(`the port ${port} ${why}`));
    });
    server.listen(port, '127.0.0.1', () => resolve());
  });
}
