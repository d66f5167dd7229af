import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve } from '../../src/service/service.ts';
import { openSqlite } from '../../src/service/store/sqlite/store.ts';
import { FateUnknown, NotKept, type Store } from '../../src/service/store/store.ts';
import { read } from '../../src/specification/read.ts';
import { randomFrom } from '../random.ts';
import { beginOne, end, ended } from './processes.ts';

const rounds = process.env['TACET_LONG'] ? 200 : 4;
const writers = 16;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tacet-durability-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What one writer knows of its one item: what was acknowledged last, and what was under way when it ended. */
interface Known {
  url: string | null;
  acknowledged: number | null;
  underWay: { kind: 'create' | 'change' | 'delete'; count: number } | null;
}

/** The answer's status and JSON body; rejected where the connection ended before one came. */
function call(
  agent: Agent,
  method: string,
  url: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, agent, headers: body ? { 'content-type': 'application/json' } : {} },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: answer.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The same number in both members, so that an item that was half changed shows. */
function members(writer: number, count: number): { title: string; order: number } {
  return { title: `writer ${writer}, change ${count}`, order: count };
}

/** Creates, changes and deletes one item over and over, until the connection ends. */
async function write(address: string, writer: number, known: Known, acknowledge: () => void): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (let count = 1; ; count++) {
      const kind = known.url === null ? 'create' : count % 7 === 0 ? 'delete' : 'change';
      known.underWay = { kind, count };
      if (kind === 'create') {
        const made = await call(agent, 'POST', `${address}/`, members(writer, count));
        expect(made.status).toBe(201);
        known.url = (made.body as { url: string }).url.replace(/^.*\//, '/');
        known.acknowledged = count;
      } else if (kind === 'change') {
        const changed = await call(agent, 'PATCH', address + known.url, members(writer, count));
        expect(changed.status).toBe(200);
        known.acknowledged = count;
      } else {
        expect((await call(agent, 'DELETE', address + known.url)).status).toBe(204);
        known.url = null;
        known.acknowledged = null;
      }
      known.underWay = null;
      acknowledge();
      const refused = await call(agent, 'POST', `${address}/`, { title: 'refused', order: 'no number' });
      expect(refused.status).toBe(422);
    }
  } catch (error) {
    if (!isCut(error)) throw error;
  } finally {
    agent.destroy();
  }
}

/** What the killed service lost, kept by half, or kept although it had refused it: one line a case. */
async function killedOnce(data: string, mode: 'durable' | 'early', killAfter: number): Promise<string[]> {
  const running = await beginOne(data, mode);
  const knowledge: Known[] = Array.from({ length: writers }, () => ({
    url: null,
    acknowledged: null,
    underWay: null,
  }));
  let acknowledged = 0;
  const acknowledge = (): void => {
    acknowledged += 1;
    if (acknowledged === killAfter) running.child.kill('SIGKILL');
  };
  await Promise.all(knowledge.map((known, index) => write(running.address, index, known, acknowledge)));
  await ended(running.child);

  const again = await beginOne(data, 'durable');
  try {
    const { body } = await call(new Agent(), 'GET', `${again.address}/`);
    const faults = judge(knowledge, body as { title: string; order: number; url: string }[]);
    await call(new Agent(), 'DELETE', `${again.address}/`);
    return faults;
  } finally {
    await end(again.child);
  }
}

/** How many acknowledged items are gone after a kill in the midst of creating them. */
async function missingAfterKill(data: string, mode: 'durable' | 'early'): Promise<number> {
  const running = await beginOne(data, mode);
  const acknowledged: string[] = [];
  const create = async (writer: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (let count = 0; ; count++) {
        const title = `${writer} ${count}`;
        expect((await call(agent, 'POST', `${running.address}/`, { title })).status).toBe(201);
        acknowledged.push(title);
        if (acknowledged.length === 500) running.child.kill('SIGKILL');
      }
    } catch (error) {
      if (!isCut(error)) throw error;
    } finally {
      agent.destroy();
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => create(writer)));
  await ended(running.child);
  const database = new Database(data, { readonly: true });
  const kept = new Set(database.prepare(`SELECT members ->> 'title' FROM "_todo"`).pluck().all());
  database.close();
  return acknowledged.filter((title) => !kept.has(title)).length;
}

/** Whether a call ended because the service was killed. */
function isCut(error: unknown): boolean {
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function judge(
  knowledge: readonly Known[],
  items: readonly { title: string; order: number; url: string }[],
): string[] {
  const faults: string[] = [];
  for (const item of items) {
    if (item.title === 'refused') faults.push('a refused write is there');
    if (!item.title.endsWith(`change ${item.order}`)) faults.push(`torn: ${JSON.stringify(item)}`);
  }
  for (const [writer, { url, acknowledged, underWay }] of knowledge.entries()) {
    const mine = items.filter((item) => item.title.startsWith(`writer ${writer},`));
    const found = mine.map((item) => item.order);
    // What was under way when the process died may have been done or not; nobody was told.
    const before = acknowledged === null ? [] : [acknowledged];
    const after = underWay === null ? before : underWay.kind === 'delete' ? [] : [underWay.count];
    const fits = [before, after].some((want) => JSON.stringify(want) === JSON.stringify(found));
    if (!fits) faults.push(`writer ${writer}: ${JSON.stringify({ found, acknowledged, underWay, url })}`);
  }
  return faults;
}

describe('a service that is killed while it is written to', () => {
  it(`has every write that it acknowledged, whole, and none that it refused (${rounds} kills)`, {
    timeout: rounds * 15_000,
  }, async () => {
    const data = join(folder, 'todo.sqlite');
    const random = randomFrom(20261121);
    for (let round = 0; round < rounds; round++) {
      const killAfter = 1 + Math.floor(random() * 600);
      expect({ round, faults: await killedOnce(data, 'durable', killAfter) }).toEqual({ round, faults: [] });
    }
    const database = new Database(data);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
  });

  it('has every item that it made, where the same test finds some missing if it answers before COMMIT', {
    timeout: 60_000,
  }, async () => {
    expect(await missingAfterKill(join(folder, 'durable.sqlite'), 'durable')).toBe(0);
    expect(await missingAfterKill(join(folder, 'control.sqlite'), 'early')).toBeGreaterThan(0);
  });
});

describe('a store that cannot keep what it is given', () => {
  const todo = read('todo.md', readFileSync('examples/todo.md', 'utf8')).specification;

  async function withStore(
    change: (store: Store) => Store,
    use: (address: string) => Promise<void>,
  ): Promise<void> {
    const service = await serve(todo, {
      data: join(folder, 'todo.sqlite'),
      open: (file, resources) => change(openSqlite(file, resources)),
    });
    try {
      await use(service.address);
    } finally {
      await service.close();
    }
  }

  const failing =
    (error: Error) =>
    (store: Store): Store => ({
      ...store,
      commit: () => {
        throw error;
      },
    });

  it('answers 503 to every write of a transaction that failed, refusals judged in it included', async () => {
    await withStore(failing(new NotKept('disk full')), async (address) => {
      const agent = new Agent({ keepAlive: true });
      const calls = [
        call(agent, 'POST', `${address}/`, { title: 'a' }),
        call(agent, 'PATCH', `${address}/none`, { title: 'b' }),
        call(agent, 'DELETE', `${address}/`),
      ];
      expect((await Promise.all(calls)).map(({ status, body }) => ({ status, body }))).toEqual(
        Array.from({ length: 3 }, () => ({ status: 503, body: null })),
      );
      expect(await call(agent, 'GET', `${address}/`)).toEqual({ status: 200, body: [] });
      agent.destroy();
    });
  });

  it('closes the connection without an answer where nobody knows whether the transaction was kept', async () => {
    await withStore(failing(new FateUnknown('fsync failed')), async (address) => {
      await expect(call(new Agent(), 'POST', `${address}/`, { title: 'a' })).rejects.toMatchObject({
        code: 'ECONNRESET',
      });
    });
  });

  it('carries a whole turn of the event loop out in one transaction', async () => {
    const batches: number[] = [];
    const counting = (store: Store): Store => ({
      ...store,
      commit: (plans, latest) => {
        batches.push(plans.length);
        return store.commit(plans, latest);
      },
    });
    await withStore(counting, async (address) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 32 });
      const calls = Array.from({ length: 200 }, (_, n) =>
        call(agent, 'POST', `${address}/`, { title: `n${n}` }),
      );
      expect((await Promise.all(calls)).every(({ status }) => status === 201)).toBe(true);
      agent.destroy();
    });
    expect(batches.reduce((sum, one) => sum + one, 0)).toBe(200);
    expect(batches.length).toBeLessThan(200);
  });
});

describe('a store in a file of SQLite', () => {
  it('keeps a write-ahead log', () => {
    const file = join(folder, 'fresh.sqlite');
    const store = openSqlite(file, [{ name: 'Todo', keyFields: ['id'] }]);
    const other = new Database(file);
    expect(other.pragma('journal_mode', { simple: true })).toBe('wal');
    other.close();
    store.close();
  });
});
