import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './ports.ts';

/** Where systems install the programs of PostgreSQL; the newest first. */
const folders = [
  ...(process.env['TACET_POSTGRES_BIN'] ? [process.env['TACET_POSTGRES_BIN']] : []),
  ...versionsIn('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`),
  '/usr/local/pgsql/bin',
  '/opt/homebrew/bin',
];
const folder = folders.find((one) => existsSync(join(one, 'pg_basebackup')));

/** Why there is no server with a standby to test with; null: there is one. */
export const noStandby = folder ? null : 'initdb and pg_basebackup are not installed';
if (noStandby !== null) console.warn(`nothing is tested with a standby: ${noStandby}`);

function versionsIn(path: string): string[] {
  return existsSync(path) ? readdirSync(path).sort((a, b) => Number(b) - Number(a)) : [];
}

/** How long a server may take until it answers. */
const mostStartMs = 20_000;

/** PostgreSQL does not run as root. */
const nobody = 65534;
const as = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** A server of PostgreSQL's own to a test. */
export interface Server {
  readonly address: string;
  readonly port: number;
  readonly data: string;
  /** A connection that the test ends. */
  readonly connect: () => Promise<pg.Client>;
  readonly query: <T extends pg.QueryResultRow>(text: string) => Promise<readonly T[]>;
  readonly start: () => Promise<void>;
  /** Has it do nothing, as a machine that cannot be reached, until it is thawed. */
  readonly freeze: () => Promise<() => void>;
  /** Ends it at once, as a machine that dies. */
  readonly kill: () => Promise<void>;
  /** Ends it, and removes what it kept. */
  readonly remove: () => Promise<void>;
}

const program = (name: string): string => join(folder as string, name);

function emptyFolder(): string {
  const data = mkdtempSync(join(tmpdir(), 'tacet-standby-'));
  if (as.uid !== undefined) chownSync(data, as.uid, as.gid);
  return data;
}

/** A server that writes, with what else its settings say. */
export async function primary(...settings: readonly string[]): Promise<Server> {
  const data = emptyFolder();
  const words = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(program('initdb'), words, { ...as, cwd: '/', stdio: 'ignore' });
  return serverOf(data, ["listen_addresses = '127.0.0.1'", "unix_socket_directories = ''", ...settings]);
}

/** A standby of it, with what else its settings say. */
export async function standby(of: Server, ...settings: readonly string[]): Promise<Server> {
  const data = emptyFolder();
  const words = ['-h', '127.0.0.1', '-p', String(of.port), '-U', 'postgres', '-D', data, '-R'];
  execFileSync(program('pg_basebackup'), [...words, '-c', 'fast', '--no-sync'], {
    ...as,
    cwd: '/',
    stdio: 'ignore',
  });
  return serverOf(data, settings);
}

async function serverOf(data: string, settings: readonly string[]): Promise<Server> {
  const port = await freePort();
  appendFileSync(join(data, 'postgresql.conf'), [`port = ${port}`, ...settings, ''].join('\n'));
  const address = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | null = null;
  const connect: Server['connect'] = async () => {
    const client = new pg.Client({ connectionString: address });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const query: Server['query'] = async <T extends pg.QueryResultRow>(text: string) => {
    const client = await connect();
    try {
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  };
  const kill = async (): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    await new Promise((resolve) => running.once('exit', resolve).kill('SIGQUIT'));
  };
  const freeze: Server['freeze'] = async () => {
    const backends = await query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'tacet'",
    );
    const all = [child?.pid as number, ...backends.map(({ pid }) => pid)];
    for (const pid of all) process.kill(pid, 'SIGSTOP');
    return () => {
      for (const pid of all.splice(0)) process.kill(pid, 'SIGCONT');
    };
  };
  const start = async (): Promise<void> => {
    child = spawn(program('postgres'), ['-D', data], { ...as, cwd: '/', stdio: 'ignore' });

    for (const until = performance.now() + mostStartMs; ; await setTimeout(20)) {
      try {
        await query('SELECT 1');
        return;
      } catch (error) {
        if (performance.now() > until) throw error;
      }
    }
  };
  await start();
  const remove = async (): Promise<void> => {
    await kill();
    rmSync(data, { recursive: true, force: true });
  };
  return { address, port, data, connect, query, start, freeze, kill, remove };
}
