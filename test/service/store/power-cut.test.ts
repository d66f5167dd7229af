import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { query, rowOf } from '../../../src/expression/query.ts';
import { connect } from '../../../src/service/store/sqlite/open.ts';
import { openSqlite } from '../../../src/service/store/sqlite/store.ts';
import { randomFrom } from '../../random.ts';
import { dataFile } from '../served.ts';
import { type Event, events, traced, untraceable } from './traced.ts';

const cuts = process.env['TACET_LONG'] ? 100 : 20;
const writes = process.env['TACET_LONG'] ? 1000 : 200;

/** What a disk writes whole, in bytes. */
const sector = 512;

type Change = Extract<Event, { readonly kind: 'write' | 'truncate' }>;

/** A file as it is on the disk, and what was written to it since and may be there or not. */
interface Disk {
  content: Buffer;
  unsynced: Change[];
}

/** What is on the disk once the power is cut: all that was synced, and of the rest any sectors. */
function cut(events: readonly Event[], random: () => number): ReadonlyMap<string, Buffer> {
  const disks = new Map<string, Disk>();
  const diskOf = (file: string): Disk => {
    const disk = disks.get(file) ?? { content: Buffer.alloc(0), unsynced: [] };
    disks.set(file, disk);
    return disk;
  };
  for (const event of events) {
    if (event.kind === 'write' || event.kind === 'truncate') diskOf(event.file).unsynced.push(event);
    if (event.kind === 'sync') {
      const disk = diskOf(event.file);
      disk.content = disk.unsynced.reduce(
        (content, change) => changed(content, change, () => true),
        disk.content,
      );
      disk.unsynced = [];
    }
  }
  const share = random();
  const isThere = (): boolean => random() < share;
  return new Map(
    [...disks].map(([file, { content, unsynced }]) => [
      file,
      unsynced.reduce((found, change) => changed(found, change, isThere), content),
    ]),
  );
}

function changed(content: Buffer, change: Change, isThere: () => boolean): Buffer {
  if (change.kind === 'truncate') return isThere() ? sized(content, change.size) : content;
  let found = content;
  const { at, bytes } = change;
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + sector - ((at + from) % sector));
    if (isThere()) {
      if (found.length < at + to) found = sized(found, at + to);
      bytes.copy(found, at + from, from, to);
    }
    from = to;
  }
  return found;
}

function sized(content: Buffer, size: number): Buffer {
  return Buffer.concat([content.subarray(0, size), Buffer.alloc(Math.max(0, size - content.length))]);
}

/** The titles of the items whose making was acknowledged. */
function acknowledged(events: readonly Event[]): string[] {
  return events.flatMap((event) => {
    const [, title] =
      (event.kind === 'answer' && /^HTTP\/1\.1 201 .*"title":"(\d+)"/s.exec(event.text)) || [];
    return title === undefined ? [] : [title];
  });
}

const todo = { name: 'Todo', keyFields: ['id'] };

/** What is wrong once the power is back: a file that is not sound, or acknowledged items that are not there. */
function wrong(events: readonly Event[], data: string, folder: string, random: () => number): string[] {
  const place = join(folder, `cut-${random()}.sqlite`);
  for (const [file, content] of cut(events, random))
    if (file.startsWith(data)) writeFileSync(place + file.slice(data.length), content);
  try {
    const store = openSqlite(place, [todo]);
    const rows = store.rows(store.prepare(query(rowOf(todo))), []);
    const kept = new Set(rows.map(({ text }) => (JSON.parse(text) as { readonly title: string }).title));
    store.close();
    const connection = connect(place);
    const sound = String(connection.pragma('integrity_check', { simple: true }));
    connection.close();
    const lost = acknowledged(events).filter((title) => !kept.has(title));
    return [...(sound === 'ok' ? [] : [sound]), ...lost];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Cuts the power at random points of a run, half of them right after an answer. */
async function afterCuts(mode: 'short' | 'unsynced'): Promise<readonly (readonly string[])[]> {
  const data = dataFile();
  const events = await traced(data, mode, writes);
  const answers = events.flatMap(({ kind }, index) => (kind === 'answer' ? [index + 1] : []));
  expect(acknowledged(events).length).toBeGreaterThanOrEqual(writes - 1);
  const [first = 0] = answers;
  const random = randomFrom(20261121);
  return Array.from({ length: cuts }, (_, index) => {
    const any = first + Math.floor(random() * (events.length - first));
    const at = index % 2 === 0 ? any : (answers[Math.floor(random() * answers.length)] as number);
    return wrong(events.slice(0, at), data, dirname(data), random);
  });
}

describe('the record of a run', () => {
  it('has a call that another one interrupted where it ended, with its place in the file', () => {
    const record = [
      '7 pwrite64(20<\\x64>, "\\x61\\x62", 2, 8192 <unfinished ...>',
      '8 fdatasync(20<\\x64>) = 0',
      '7 <... pwrite64 resumed>) = 2',
      '7 ftruncate(20<\\x64>, 4096) = 0',
    ].join('\n');
    expect(events(record, 'd')).toEqual([
      { kind: 'sync', file: 'd' },
      { kind: 'write', file: 'd', at: 8192, bytes: Buffer.from('ab') },
      { kind: 'truncate', file: 'd', size: 4096 },
    ]);
  });
});

const reason = untraceable();

describe.skipIf(reason !== null)(`a power cut${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  it(`takes nothing away that was acknowledged (${cuts} cuts)`, { timeout: 300_000 }, async () => {
    expect(await afterCuts('short')).toEqual(Array.from({ length: cuts }, () => []));
  });

  it('does so where nothing is synced, which this test can tell', { timeout: 300_000 }, async () => {
    expect((await afterCuts('unsynced')).some((faults) => faults.length > 0)).toBe(true);
  });
});
