import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataFile } from '../served.ts';
import { type Event, traced, untraceable } from './traced.ts';

const writes = process.env['TACET_LONG'] ? 1000 : 200;

/** How many successes left before the log that keeps them was on the disk. */
function early(events: readonly Event[]): number {
  let isOpen = false;
  let found = 0;
  for (const event of events) {
    if (event.kind === 'write' && event.file.endsWith('-wal')) isOpen = true;
    if (event.kind === 'sync' && event.file.endsWith('-wal')) isOpen = false;
    if (event.kind === 'answer' && /^HTTP\/1\.1 2/.test(event.text) && isOpen) found += 1;
  }
  return found;
}

function count(events: readonly Event[], kind: Event['kind']): number {
  return events.filter((event) => event.kind === kind).length;
}

const reason = untraceable();

describe.skipIf(reason !== null)(
  `an answer to a write${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    it('leaves after the system was told to put its log on the disk, and had done so', {
      timeout: 120_000,
    }, async () => {
      const events = await traced(dataFile(), 'short', writes);
      expect(count(events, 'answer')).toBeGreaterThanOrEqual(writes);
      expect(count(events, 'sync')).toBeGreaterThan(20);
      expect(early(events)).toBe(0);
    });

    it('leaves after the folders that had to be made for it are on the disk', {
      timeout: 120_000,
    }, async () => {
      const folder = dirname(dataFile());
      const events = await traced(join(folder, 'new', 'deep', 'data.sqlite'), 'short', 1);
      const answered = events.findIndex(({ kind }) => kind === 'answer');
      const synced = events
        .slice(0, answered)
        .flatMap((event) => (event.kind === 'sync' ? [event.file] : []));
      for (const one of [folder, join(folder, 'new'), join(folder, 'new', 'deep')])
        expect(synced).toContain(one);
    });

    it('leaves before that where nothing is synced, which this test can tell', {
      timeout: 120_000,
    }, async () => {
      expect(early(await traced(dataFile(), 'unsynced', writes))).toBeGreaterThan(writes / 2);
    });
  },
);
