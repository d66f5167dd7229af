import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type ServiceOptions, serve } from '../../src/service/service.ts';
import type { Assumption } from '../../src/specification/openness/ledger.ts';
import { type Reader, read } from '../../src/specification/read.ts';
import type { Answer, Exchange, Sent } from './accountant.ts';
import { type Document, list, map } from './document.ts';
import type { Item } from './item.ts';
import { isPostgres, rowsAt } from './places.ts';
import { made } from './store/postgres.ts';

/** Reads a document from its JSON text, or from Markdown, or from YAML, which begins with no heading. */
export function reader(document: Document | string, assumptions: readonly Assumption[] = []): Reader {
  if (typeof document === 'string')
    return read(document.startsWith('#') ? 'service.md' : 'service.yaml', document, assumptions);
  return read('service.json', JSON.stringify(document, null, 2), assumptions);
}

/** Whether a document can be served: it has no fault that refuses it. */
export function isReadable({ diagnostics }: Reader): boolean {
  return diagnostics.every((one) => one.severity !== 'error');
}

/** A service that runs, seen from outside and from beside. */
export interface Running {
  readonly address: string;
  readonly call: (sent: Sent) => Promise<Answer>;
  readonly exchange: (sent: Sent) => Promise<Exchange>;
  readonly kept: Kept;
  /** Every row of every table, wherever they are kept. */
  readonly rows: () => ReturnType<typeof rowsAt>;
  /** The points that the log named since the last look. */
  readonly held: () => string[];
  /** `service.url`. */
  readonly url: string;
}

type Options = Partial<ServiceOptions> & { readonly assumptions?: readonly Assumption[] };

export interface Bench {
  /** Serves a document while `use` runs, at a place of its own that is removed afterwards. */
  readonly serving: <T>(
    document: Document | string,
    use: (running: Running) => Promise<T>,
    options?: Options,
  ) => Promise<T>;
  /** The name of a file that is not there yet. */
  readonly file: () => string;
  /** Removes what is left. */
  readonly end: () => void;
}

/** A place to run services in: a folder, and connections that are kept. */
export function bench(): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-test-'));
  const agent = new Agent({ keepAlive: true });
  let count = 0;
  const file = (): string => join(folder, `${count++}`);
  const place = async (address = file()): ReturnType<typeof made> => {
    if (isPostgres) return made();
    const drop = async (): Promise<void> => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(address + suffix, { force: true });
    };
    return { address, drop };
  };
  return {
    file,
    end: () => {
      agent.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
    serving: async (document, use, { assumptions, data, ...options } = {}) => {
      const read = reader(document, assumptions);
      if (!isReadable(read))
        throw new TypeError(
          `${read.diagnostics.map((one) => one.message).join('\n')}\n${JSON.stringify(document)}`,
        );
      const named: string[] = [];
      const { address: at, drop } = await place(data);
      const service = await serve(read.specification, {
        data: at,
        onHeldUp: ({ points }) => named.push(...points.map((one) => one.address)),
        ...options,
      });
      const { address, url } = service;
      const beside = kept(at);
      const held = (): string[] => named.splice(0);
      const call = (sent: Sent): Promise<Answer> => send(agent, address, sent);
      const exchange = async (sent: Sent): Promise<Exchange> => {
        const before = beside.items();
        const answer = await call(sent);
        const stated = typeof document === 'string' ? {} : document;
        return { document: stated, url, sent, answer, before, after: beside.items(), held: held() };
      };
      try {
        return await use({ address, url, call, exchange, kept: beside, rows: () => rowsAt(at), held });
      } finally {
        beside.close();
        await service.close();
        await drop();
      }
    },
  };
}

/** Sends a request, and gives the answer as it came. */
function send(agent: Agent, address: string, { method, target, fields, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address);
    const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const headers = { ...fields, ...length };
    const outgoing = request({ agent, hostname, port, method, path: target, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const raw = incoming.rawHeaders;
        resolve({
          status: incoming.statusCode ?? 0,
          fields: raw.flatMap((name, index) =>
            index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : [],
          ),
          body: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

/** Identifiers of the to-dos that are there before a test begins, and one that nobody has. */
export const ids = ['1', '2', '3'].map((n) => `0a1b2c3d-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];
export const stranger = '0a1b2c3d-0000-4000-8000-00000000000f';

const prepared: readonly Item[] = [
  { key: ids[0], members: { title: 'buy milk', completed: false, order: 1 } },
  { key: ids[1], members: { title: 'répondre à "Léa"\n', completed: true } },
  { key: ids[2], members: { title: 'c', completed: false } },
];

/** To-dos that could have been kept under a document: members that it names, of items that it can tell apart. */
export function todosFor(document: Document): Item[] {
  const resource = map(map(document['resources'])['Todo']);
  if (resource['identifier'] === undefined) return [];
  const named = [...Object.keys(map(resource['fields'])), ...list(resource['required'])];
  return prepared.map(({ key, members }) => ({
    key,
    members: Object.fromEntries(Object.entries(members).filter(([name]) => named.includes(name))),
  }));
}

/** A look into a service's database file, beside the service; into what PostgreSQL keeps nobody looks so. */
interface Kept {
  /** Every row of every table, as text: equal where nothing was changed. */
  readonly dump: () => string;
  /** The to-dos, in the order in which they were made. */
  readonly items: () => Item[];
  /** Makes the to-dos these and no others. */
  readonly put: (items: readonly Item[]) => void;
  /** A copy as it is now, in another file. */
  readonly copyTo: (file: string) => void;
  readonly close: () => void;
}

function kept(file: string): Kept {
  const database = new Database(isPostgres ? ':memory:' : file);
  const tables = (): string[] =>
    database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all() as string[];
  return {
    dump: () =>
      JSON.stringify(tables().map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).raw().all()])),
    items: () =>
      tables().includes('_todo')
        ? (
            database.prepare('SELECT key0, members FROM "_todo" ORDER BY place').raw().all() as [
              string,
              string,
            ][]
          ).map(([key, members]) => ({ key, members: JSON.parse(members) as Item['members'] }))
        : [],
    put: (items) =>
      database.transaction(() => {
        if (!tables().includes('_todo')) return;
        database.exec('DELETE FROM "_todo"');
        const insert = database.prepare('INSERT INTO "_todo" (key0, members) VALUES (?, ?)');
        for (const { key, members } of items) insert.run(key, JSON.stringify(members));
      })(),
    copyTo: (copy) => writeFileSync(copy, database.serialize()),
    close: () => void database.close(),
  };
}
