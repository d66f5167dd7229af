import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Header } from '../http.ts';
import { bell } from './bell.ts';
import { type Certified, selfSigned } from './certificate.ts';

/** Where the tester receives webhooks, and as what. */
export interface ReceiverOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: one that is free. */
  readonly port?: number;
  /** The address under which the implementation reaches it, without a slash at the end. Default: where it listens. */
  readonly url?: string;
  /** Default: one that it makes, and signs itself. */
  readonly certified?: Certified;
}

/** A message that was posted to the receiver. */
export interface Posted {
  /** When it had come, in milliseconds. */
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Header[];
  readonly content: string;
}

/** What a message is answered with: a status, and where it sends on to; null: with nothing, as long as it waits. */
export type Reply = { readonly status: number; readonly location?: string } | null;

/** An address of its own at the receiver. */
export interface Inbox {
  readonly path: string;
  readonly posted: readonly Posted[];
  readonly more: () => Promise<void>;
  readonly close: () => void;
}

export interface Receiver {
  /** Where it is reached: over TLS or without, at one port. */
  readonly url: (secure: boolean) => string;
  /** Whether its address was given, so that it is known to lead here. */
  readonly isGiven: boolean;
  /**
   * @param answer what each message is answered with, also once the inbox is closed
   * @param onPosted hears of each message that comes before
   */
  readonly inbox: (path: string, answer: Reply, onPosted?: (posted: Posted) => void) => Inbox;
  /** How many messages came in all, and why one could not come; null where nothing is known of any. */
  readonly count: () => number;
  readonly trouble: () => string | null;
  readonly close: () => Promise<void>;
}

/** The first byte of a TLS handshake (RFC 8446 §5.1). */
const handshake = 0x16;

/** A longer message is cut off, in bytes. */
const longest = 16 << 20;

/** Listens for webhooks, of HTTP and of HTTPS at one port: the first byte tells them apart. */
export async function listen(options: ReceiverOptions, now: () => number): Promise<Receiver> {
  const { host = '127.0.0.1', port = 0, url } = options;
  /** All that listen at a path hear what comes there. */
  const inboxes = new Map<string, ((posted: Posted) => void)[]>();
  /** What comes to a path is answered with, as the latest that listens there says. */
  const answers = new Map<string, Reply>();
  let count = 0;
  let trouble: string | null = null;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > longest) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      count += 1;
      const { method = '', url: target = '', rawHeaders } = request;
      const headers = rawHeaders.flatMap((name, index): Header[] =>
        index % 2 === 0 ? [[name, rawHeaders[index + 1] as string]] : [],
      );
      const path = target.split('?')[0] ?? '';
      const posted = { at: now(), method, url: target, headers, content: Buffer.concat(chunks).toString() };
      const place = path.slice(path.lastIndexOf('/'));
      for (const hear of inboxes.get(place) ?? []) hear(posted);
      const answered = answers.get(place);
      if (answered === null) return;
      const { status, location = undefined } = answered ?? { status: 404 };
      response.writeHead(status, location === undefined ? {} : { Location: location }).end();
    });
  };
  const { certificate: cert, key } =
    options.certified ??
    selfSigned([...new Set(['localhost', '127.0.0.1', '::1', hostOf(url ?? host)])], Date.now());
  const plain = createHttp(answer);
  const secure = createHttps({ cert, key }, answer);
  // Nothing is lost that is sent just as an idle connection would be closed.
  for (const each of [plain, secure]) each.keepAliveTimeout = 0;
  secure.on('tlsClientError', (error) => {
    trouble = `no connection came about, of which TLS says: ${error.message}`;
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === handshake ? secure : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, host, () => resolve());
  });
  const own = (server.address() as AddressInfo).port;
  const at = host.includes(':') ? `[${host}]` : host;
  return {
    url: (isSecure) => url ?? `${isSecure ? 'https' : 'http'}://${at}:${own}`,
    isGiven: url !== undefined,
    inbox: (path, answer, onPosted = () => undefined) => {
      const posted: Posted[] = [];
      const { ring, more } = bell();
      const take = (message: Posted): void => {
        posted.push(message);
        ring();
        onPosted(message);
      };
      const others = (): ((message: Posted) => void)[] =>
        (inboxes.get(`/${path}`) ?? []).filter((each) => each !== take);
      inboxes.set(`/${path}`, [...others(), take]);
      answers.set(`/${path}`, answer);
      return {
        path,
        posted,
        more,
        close: () => void inboxes.set(`/${path}`, others()),
      };
    },
    count: () => count,
    trouble: () => trouble,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      plain.closeAllConnections();
      secure.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : address;
}
