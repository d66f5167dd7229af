import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Listed, openEvents } from '../../../src/service/events/listing.ts';
import { dataFile } from '../served.ts';
import { absence, schema } from '../store/postgres.ts';
import { receiver } from './receiver.ts';

const isLong = process.env['TACET_LONG'] !== undefined;
const changes = isLong ? 10_000 : 400;
const kills = isLong ? 50 : 5;
const missing = await absence();
const notes = 20;
const clients = 16;

const document = `
name: Notes
resources: { Note: { identifier: id, fields: { id: { type: string }, of: { type: integer, default: 0 } } } }
endpoints:
  PUT /notes/{id}: { operation: add, does: { create: Note, present: keep }, response: 204 }
  GET /notes/{id}: { operation: show, does: read Note, response: { status: 200, body: Note } }
  POST /notes/{id}: { operation: count, does: { update: Note, with: { of: "\${this.of + 1}" } }, response: 204 }
events:
  kinds: { counted: { by: [count], body: { id: "\${this.id}", of: "\${this.of}" } } }
  envelope: cloudevents
  source: notes
  delivery: { hooks: { webhook: operator, retries: [PT0.1S, PT1S, PT1S] } }
`;

/** Where a service keeps what it keeps: an option, and its value. */
type Place = readonly ['--data' | '--store', string];

async function start(place: Place, url: string): Promise<{ child: ChildProcess; address: string }> {
  const file = join(dirname(dataFile()), 'notes.yaml');
  writeFileSync(file, document);
  const line = ['serve', file, '--port', '0', ...place, '--deliver', `hooks=${url}`];
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
  const says = 'every change that is kept is told, none that is not, and first in the order of its item';
  it(says, () => holds(['--data', dataFile()]), 900_000);
  // A process that takes over waits until the other one was silent long enough, after each kill.
  it.skipIf(missing !== null || !isLong)(
    `in PostgreSQL too, ${says}`,
    async () => holds(['--store', (await schema()).address]),
    900_000,
  );
});

async function holds(place: Place): Promise<void> {
  const { url, posted, count } = await receiver();
  let left = changes;
  let acknowledged = 0;
  let kept = 0;
  for (let run = 0; run <= kills; run += 1) {
    const { child, address } = await start(place, url);
    const gone = once(child, 'exit');
    for (let id = 0; id < notes; id += 1) await fetch(`${address}/notes/${id}`, { method: 'PUT' });
    const until = run === kills ? 0 : Math.floor((changes * (kills - run - 1)) / kills) + (run % 7);
    const client = async (): Promise<void> => {
      while (left > until) {
        left -= 1;
        const answer = await fetch(`${address}/notes/${left % notes}`, { method: 'POST' }).catch(() => null);
        if (answer === null) return;
        if (answer.status === 204) acknowledged += 1;
      }
      if (run < kills) child.kill('SIGKILL');
    };
    await Promise.all(Array.from({ length: clients }, client));
    if (run < kills) await gone;
    else {
      await count((await listedIn(place)).length);
      while (await isInLine(place)) await setImmediate();
      kept = await counted(address);
      child.kill('SIGKILL');
      await gone;
    }
  }
  const stored = (await listedIn(place)).map(({ event }) => event);
  expect(stored.length).toBeGreaterThanOrEqual(acknowledged);
  expect(stored.length).toBe(kept);
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
}

/** How often any note was counted, as the notes themselves say. */
async function counted(address: string): Promise<number> {
  let sum = 0;
  for (let id = 0; id < notes; id += 1) {
    const answer = await fetch(`${address}/notes/${id}`);
    sum += ((await answer.json()) as { of: number }).of;
  }
  return sum;
}

/** Whether anything is to be sent still. */
async function isInLine(place: Place): Promise<boolean> {
  const listed = await listedIn(place);
  return listed.some(({ deliveries }) => deliveries.some(({ due }) => due !== undefined));
}

/** The events that are kept, and where each went. */
async function listedIn([, at]: Place): Promise<Listed[]> {
  const events = await openEvents(at);
  try {
    const all: Listed[] = [];
    for await (const one of events.list()) all.push(one);
    return all;
  } finally {
    await events.close();
  }
}
