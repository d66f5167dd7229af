import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Assumption } from '../../src/specification/ledger.ts';
import { read } from '../../src/specification/read.ts';
import type { Specification } from '../../src/specification/specification.ts';
import type { Answer, Item, Sent } from './accountant.ts';
import type { Document } from './document.ts';

/** Reads a document from its JSON text; throws where it has a fault that refuses it. */
export function specificationOf(document: Document, assumptions: readonly Assumption[] = []): Specification {
  const { specification, diagnostics } = read('todo.json', JSON.stringify(document, null, 2), assumptions);
  const fault = diagnostics.find((one) => one.severity === 'error');
  if (fault) throw new TypeError(`${fault.message}: ${JSON.stringify(document)}`);
  return specification;
}

/** A folder of its own for a test's files. */
export function folder(): { readonly file: (name: string) => string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'tacet-test-'));
  return { file: (name) => join(path, name), remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Sends requests over kept connections, and gives answers as they came. */
export function caller(): {
  readonly call: (address: string, sent: Sent) => Promise<Answer>;
  readonly close: () => void;
} {
  const agent = new Agent({ keepAlive: true });
  return {
    close: () => agent.destroy(),
    call: (address, { method, target, fields, body }) =>
      new Promise((resolve, reject) => {
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
      }),
  };
}

/** A look into a service's database file, beside the service. */
export interface Kept {
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

export function kept(file: string): Kept {
  const database = new Database(file);
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
    copyTo: (copy) => void database.prepare('VACUUM INTO ?').run(copy),
    close: () => void database.close(),
  };
}
