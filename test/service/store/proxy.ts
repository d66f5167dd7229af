import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { server } from './postgres.ts';

/** What becomes of what goes by. */
export type Passing =
  | 'open'
  /** Every connection is cut, and none is let through. */
  | 'closed'
  /** The next COMMIT is cut off before the server has it, or once it has answered. */
  | 'cut before COMMIT'
  | 'cut after COMMIT'
  /** The next COMMIT reaches the server, which goes on, and nobody hears what comes of it. */
  | 'cut at COMMIT'
  /** As 'cut after COMMIT', and none is let through afterwards. */
  | 'cut after COMMIT for good';

/** A way to PostgreSQL that can be cut. */
export interface Proxy {
  /** An address of the database, by this way. */
  readonly by: (address: string) => string;
  readonly set: (passing: Passing) => void;
  /** How many pieces went by, to the server and back. */
  readonly passed: () => { readonly to: number; readonly back: number };
}

/** How a simple query, and its answer, are told from all else (PostgreSQL, Message Formats). */
const commit = 'COMMIT\0';

/** @param change what the server's bytes become, of the same length */
export async function proxy(change = (bytes: Buffer): Buffer => bytes): Promise<Proxy> {
  let passing: Passing = 'open';
  const passed = { to: 0, back: 0 };
  const pairs = new Set<readonly [Socket, Socket]>();
  const { hostname, port } = new URL(server);
  const cut = (pair: readonly [Socket, Socket]): void => {
    for (const socket of pair) socket.destroy();
    pairs.delete(pair);
  };
  const listener = createServer((client) => {
    if (passing === 'closed') {
      client.destroy();
      return;
    }
    const database = connect(Number(port || 5432), hostname);
    const pair = [client, database] as const;
    pairs.add(pair);
    let isMute = false;
    const ended = (): void => {
      if (pairs.has(pair)) cut(pair);
    };
    for (const socket of pair) socket.on('error', ended).on('close', ended);
    client.on('data', (bytes: Buffer) => {
      passed.to += 1;
      if (passing !== 'open' && bytes.includes(commit)) {
        if (passing === 'cut before COMMIT') {
          passing = 'open';
          cut(pair);
          return;
        }
        isMute = true;
        if (passing === 'cut at COMMIT') {
          passing = 'open';
          pairs.delete(pair);
          database.write(bytes);
          client.destroy();
          return;
        }
      }
      database.write(bytes);
    });
    database.on('data', (bytes: Buffer) => {
      passed.back += 1;
      if (!isMute) client.write(change(bytes));
      else if (bytes.includes(commit)) {
        passing = passing === 'cut after COMMIT for good' ? 'closed' : 'open';
        cut(pair);
      }
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const pair of pairs) cut(pair);
    listener.close();
  });
  const own = (listener.address() as { readonly port: number }).port;
  return {
    by: (address) => {
      const url = new URL(address);
      [url.hostname, url.port] = ['127.0.0.1', String(own)];
      return url.href;
    },
    passed: () => ({ ...passed }),
    set: (next) => {
      passing = next;
      if (next === 'closed') for (const pair of pairs) cut(pair);
    },
  };
}
