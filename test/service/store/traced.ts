import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { dataFile } from '../served.ts';

/** Why system calls cannot be traced here; null: they can. */
export function untraceable(): string | null {
  const tried = spawnSync('strace', ['-e', 'trace=none', 'true']);
  if (tried.error) return 'strace is not installed';
  return tried.status === 0 ? null : 'strace may not trace here';
}

/** What a service did, in order: to its files, and to its clients. */
export type Event =
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly size: number }
  /** Of a file, or of a folder in which it is. */
  | { readonly kind: 'sync'; readonly file: string }
  | { readonly kind: 'answer'; readonly text: string };

const calls = 'pwrite64,write,writev,sendto,sendmsg,ftruncate,fdatasync,fsync';

/**
 * Runs the to-do list under `strace` while `count` items are created, by several clients at once, and then kills it.
 * Each item's title is a number of its own.
 */
export async function traced(
  data: string,
  mode: 'short' | 'unsynced',
  count: number,
): Promise<readonly Event[]> {
  const record = `${dataFile()}.strace`;
  const child = join(import.meta.dirname, '../child.ts');
  const run = [
    '-D',
    '-f',
    '-y',
    '-xx',
    '-s',
    '100000',
    '-e',
    `trace=${calls}`,
    '-e',
    'signal=none',
    '-o',
    record,
  ];
  const service = spawn('strace', [...run, process.execPath, child, data, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // The tracer holds the pipe as well, so that its end is that of the record.
  const closed = once(service, 'close');
  const ended = closed.then(() => {
    throw new Error('the service ended before it told its address');
  });
  const line = once(createInterface({ input: service.stdout }), 'line');
  const [address] = (await Promise.race([line, ended])) as [string];
  let made = 0;
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (made < count) {
      made += 1;
      await create(agent, address, made);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: 4 }, client));
  // The end cuts off what is recorded of the last answer, so one more is asked for.
  const last = new Agent();
  await create(last, address, count + 1);
  last.destroy();
  ended.catch(() => {});
  service.kill('SIGKILL');
  await closed;
  return events(readFileSync(record, 'latin1'), data);
}

function create(agent: Agent, address: string, title: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${address}/`,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (answer) => {
        answer.resume();
        answer.on('end', () => (answer.statusCode === 201 ? resolve() : reject(new Error('not created'))));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify({ title: `${title}` }));
  });
}

/** What `strace` recorded, as events; a call that another one interrupted took place when it ended. */
export function events(record: string, data: string): Event[] {
  const begun = new Map<string, string>();
  return record.split('\n').flatMap((line): Event[] => {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest.endsWith(' <unfinished ...>')) {
      begun.set(thread, rest.slice(0, -' <unfinished ...>'.length));
      return [];
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    return eventOf(resumed ? (begun.get(thread) ?? '') + resumed[1] : rest, data);
  });
}

function eventOf(call: string, data: string): Event[] {
  const [, name = '', given = ''] = /^(\w+)\((.*)\) += \d+/.exec(call) ?? [];
  const [, named = ''] = /^\d+<([^>]*)>/.exec(given) ?? [];
  const file = plain(named);
  const texts = [...given.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map((match) => bytesOf(match[1] ?? ''));
  const isOurs = file === data || file === `${data}-wal`;
  switch (name) {
    case 'pwrite64':
      if (!isOurs) return [];
      return [{ kind: 'write', file, at: lastNumber(given), bytes: Buffer.concat(texts) }];
    case 'ftruncate':
      return isOurs ? [{ kind: 'truncate', file, size: lastNumber(given) }] : [];
    case 'fdatasync':
    case 'fsync':
      return isOurs || data.startsWith(`${file}/`) ? [{ kind: 'sync', file }] : [];
    default: {
      const text = Buffer.concat(texts).toString();
      return text.startsWith('HTTP/1.1 ') ? [{ kind: 'answer', text }] : [];
    }
  }
}

/** A path as it is shown, whether or not in hexadecimals. */
function plain(text: string): string {
  return text.includes('\\x') ? bytesOf(text).toString() : text;
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}

function lastNumber(given: string): number {
  const [text] = /\d+$/.exec(given) ?? [];
  if (text === undefined) throw new Error(`no number ends: ${given}`);
  return Number(text);
}
