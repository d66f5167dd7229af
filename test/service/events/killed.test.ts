import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { dataFile } from '../served.ts';
import { deliveriesIn, eventsIn, until } from './kept.ts';
import { receiver } from './receiver.ts';

const isLong = process.env['TACET_LONG'] !== undefined;
const changes = isLong ? 10_000 : 400;
const kills = isLong ? 50 : 5;
const notes = 20;
const clients = 16;

const document = `
name: Notes
resources: { Note: { identifier: id, fields: { id: { type: string }, of: { type: integer, default: 0 } } } }
endpoints:
  PUT /notes/{id}: { operation: add, does: { create: Note, present: keep }, response: 204 }
  POST /notes/{id}: { operation: count, does: { update: Note, with: { of: "\${this.of + 1}" } }, response: 204 }
events:
  kinds: { counted: { by: [count], body: { id: "\${this.id}", of: "\${this.of}" } } }
  envelope: cloudevents
  source: notes
  delivery: { hooks: { webhook: operator, retries: [PT0.1S, PT1S, PT1S] } }
`;

async function start(data: string, url: string): Promise<{ child: ChildProcess; address: string }> {
  const file = join(dirname(data), 'notes.yaml');
  writeFileSync(file, document);
  const line = ['serve', file, '--port', '0', '--data', data, '--deliver', `hooks=${url}`];
  const child = spawn(process.execPath, [resolve('bin/tacet.js'), ...line], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of createInterface({ input: child.stdout })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (address) return { child, address };
  }
  throw new Error('the service ended before it told its address');
}

describe('while the service is killed again and again (reliability 7)', () => {
  it('every change that is kept is told, none that is not, and first in the order of its item', async () => {
    const data = dataFile();
    const { url, posted, count } = await receiver();
    let left = changes;
    let acknowledged = 0;
    for (let run = 0; run <= kills; run += 1) {
      const { child, address } = await start(data, url);
      const gone = once(child, 'exit');
      for (let id = 0; id < notes; id += 1) await fetch(`${address}/notes/${id}`, { method: 'PUT' });
      const until = run === kills ? 0 : Math.floor((changes * (kills - run - 1)) / kills) + (run % 7);
      const client = async (): Promise<void> => {
        while (left > until) {
          left -= 1;
          const answer = await fetch(`${address}/notes/${left % notes}`, { method: 'POST' }).catch(
            () => null,
          );
          if (answer === null) return;
          if (answer.status === 204) acknowledged += 1;
        }
        if (run < kills) child.kill('SIGKILL');
      };
      await Promise.all(Array.from({ length: clients }, client));
      if (run < kills) await gone;
      else {
        await count(eventsIn({ data }).length);
        await waitFor(data);
        child.kill('SIGKILL');
      }
    }
    const stored = eventsIn({ data });
    expect(stored.length).toBeGreaterThanOrEqual(acknowledged);
    expect(stored.length).toBe(counted(data));
    const bytes = new Map<string, string>();
    const firsts = new Map<string, number[]>();
    for (const { content } of posted) {
      const { id, data: told } = JSON.parse(content) as { id: string; data: { id: string; of: number } };
      expect(bytes.get(id) ?? content).toBe(content);
      if (!bytes.has(id)) firsts.set(told.id, [...(firsts.get(told.id) ?? []), told.of]);
      bytes.set(id, content);
    }
    expect(new Set(bytes.keys())).toEqual(new Set(stored.map(({ id }) => id)));
    for (const of of firsts.values()) expect(of).toEqual(of.map((_, index) => index + 1));
    const all = [...firsts.values()].flat().length;
    console.log(`${all} changes, ${posted.length - all} told twice, ${kills} kills`);
  }, 900_000);
});

/** How often any note was counted, as the notes themselves say. */
function counted(data: string): number {
  const database = new Database(data, { readonly: true });
  const rows = database.prepare('SELECT members FROM _note').pluck().all() as string[];
  database.close();
  return rows.reduce((sum, members) => sum + (JSON.parse(members) as { of: number }).of, 0);
}

/** Waits until nothing is in line any more. */
async function waitFor(data: string): Promise<void> {
  await until(() => deliveriesIn({ data }).every(({ due }) => due === undefined));
}
