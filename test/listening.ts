import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

/** A server that runs on this machine. */
export interface Running {
  readonly url: string;
  /** Ends its connections too. */
  readonly close: () => Promise<void>;
}

/** Has a server listen on a port that is free. */
export async function listening(server: Server): Promise<Running> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A port at which nobody listens: it was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
