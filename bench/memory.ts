import { statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Contestant, Place } from './contestants.ts';
import { fill } from './load.ts';
import { residentMiB } from './processes.ts';
import { rest, type Server, start } from './server.ts';

/** What tacet keeps in memory, and on disk, for what it holds. */
export interface Memory {
  readonly connections: number;
  /** Resident KiB for each connection that was used once and is idle since. */
  readonly kiBOfConnection: number;
  readonly rows: number;
  /** Resident bytes for each stored to-do, and those of its file. */
  readonly bytesOfRow: number;
  readonly fileBytesOfRow: number;
}

const idle = 1000;
const warmUp = 1000;

/** Fills a service, then leaves connections open on it, and reads what that adds. */
export async function memory(tacet: Contestant, rows: number, place: Place): Promise<Memory> {
  const folder = place(tacet);
  const server = await start(tacet, folder);
  const sockets: Socket[] = [];
  const resident = async (): Promise<number> => {
    await rest(server);
    return residentMiB(server.pid);
  };
  const stored = (): number =>
    ['', '-wal'].reduce((sum, end) => sum + statSync(join(folder, `todo.sqlite${end}`)).size, 0);
  try {
    // What the first requests bring about is not theirs: code that is compiled, and a heap that has grown.
    const [path = '/'] = await fill(server, tacet, warmUp);
    const [before, file] = [await resident(), stored()];
    await fill(server, tacet, rows);
    const [filled, fileFilled] = [await resident(), stored()];
    for (let one = 0; one < idle; one += 1) sockets.push(await used(server, path));
    const connected = await resident();
    return {
      connections: idle,
      kiBOfConnection: ((connected - filled) * 1024) / idle,
      rows,
      bytesOfRow: ((filled - before) * 1024 * 1024) / rows,
      fileBytesOfRow: (fileFilled - file) / rows,
    };
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.stop();
  }
}

/** A connection over which one request was answered. */
function used({ port }: Server, path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('data', () => resolve(socket));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  });
}
