import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { freePort } from './ports.ts';
import { server } from './postgres.ts';

/** Where systems install PgBouncer. */
const program = process.env['TACET_PGBOUNCER'] ?? '/usr/sbin/pgbouncer';

export const hasPooler = existsSync(program);

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once('exit', resolve).kill('SIGTERM'));
}

/** Over few connections, so that transactions of many follow one another on each. */
const few: readonly string[] = ['pool_mode = transaction', 'default_pool_size = 3', 'max_client_conn = 100'];

/**
 * PgBouncer in transaction mode.
 *
 * @param of the server that it stands before. Default: that of the tests
 */
export async function pooler(
  settings = few,
  of = server,
): Promise<{ readonly by: (address: string) => string }> {
  const { hostname, port, username, pathname } = new URL(of);
  const own = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'tacet-pooler-'));
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${port || 5432} user=${username}`,
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${own}`, 'unix_socket_dir ='],
      'auth_type = any',
      ...settings,
    ].join('\n'),
    { mode: 0o644 },
  );
  // It does not run as root.
  const as = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, ['-q', ...as, file], { stdio: 'ignore', cwd: '/' });
  onTestFinished(async () => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  });
  const by = (address: string): string => {
    const url = new URL(address);
    [url.hostname, url.port] = ['127.0.0.1', String(own)];
    url.searchParams.set('pool', 'transaction');
    return url.href;
  };
  const answers = async (): Promise<boolean> => {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: own,
      user: username,
      database: pathname.slice(1),
    });
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  };
  await expect.poll(answers, { timeout: 10_000 }).toBe(true);
  return { by };
}
