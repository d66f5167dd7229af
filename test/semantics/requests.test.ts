import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { playedBefore, playedInTime, type Tally, tally } from './playing.ts';

const sequences = process.env['TACET_LONG'] ? 500 : Number(process.env['TACET_SEQUENCES'] ?? 2);
const length = 40;

interface Expected {
  readonly file: string;
  readonly successes: number;
  readonly determined: number;
  /** The share that is determined where others make items, too. Default: half. */
  readonly amongOthers?: number;
}

/** For each document: which share of the answers are successes, and which share of their places is determined, at least. */
const documents: readonly Expected[] = [
  { file: 'examples/todo.md', successes: 0.45, determined: 1 },
  { file: 'examples/publishing.md', successes: 0.5, determined: 0.9 },
  { file: 'examples/directory.md', successes: 0.4, determined: 0.9 },
  // Numbers of four digits may be those of others.
  { file: 'examples/ledger.md', successes: 0.45, determined: 0.9, amongOthers: 0.4 },
  // Its plans are there from the start, so on a service of others nothing is known of them.
  { file: 'examples/subscriptions.md', successes: 0.25, determined: 0.9, amongOthers: 0.4 },
  { file: 'examples/parcel-desk.md', successes: 0.4, determined: 0.8 },
  { file: 'test/semantics/desk.yaml', successes: 0.3, determined: 0.9 },
  { file: 'test/semantics/gate.yaml', successes: 0.35, determined: 0.9 },
  { file: 'test/semantics/shelves.yaml', successes: 0.5, determined: 0.99 },
  // No row of its errors lists `unsupported media`, so the status of such a refusal is not stated.
  { file: 'test/semantics/parcels.yaml', successes: 0.5, determined: 0.99 },
  { file: 'test/semantics/tasks.yaml', successes: 0.4, determined: 0.9 },
  { file: 'test/semantics/kept.yaml', successes: 0.5, determined: 0.9 },
  // Nor is the answer stated to content that cannot be read.
  { file: 'test/semantics/batches.yaml', successes: 0.55, determined: 0.985 },
  { file: 'test/semantics/media.yaml', successes: 0.2, determined: 0.9 },
  { file: 'test/semantics/bytes.yaml', successes: 0.4, determined: 0.99 },
  { file: 'test/semantics/patches.yaml', successes: 0.4, determined: 0.9 },
  { file: 'test/semantics/pages.yaml', successes: 0.5, determined: 0.9 },
];

describe('what a document says of a request is what the service does', () => {
  it.each(documents)(
    '$file, and where others made items before, nothing is said that does not hold',
    async ({ file, successes, determined, amongOthers = 0.5 }) => {
      const text = readFileSync(file, 'utf8');
      const [alone, among] = [tally(), tally()];
      for (let seed = 1; seed <= sequences; seed++)
        expect(await playedBefore(text, seed, length, alone, among)).toBeNull();
      if (process.env['TACET_SHARES'])
        console.log(file, { ...alone, success: success(alone), share: share(alone), among: share(among) });
      // Refusals and unknown places agree with much, so they are counted.
      expect(success(alone)).toBeGreaterThan(successes);
      expect(share(alone)).toBeGreaterThanOrEqual(determined);
      expect(share(among)).toBeGreaterThan(amongOthers);
    },
  );
});

describe('on a service whose clock is moved', () => {
  it.each([
    { file: 'test/semantics/room.yaml', successes: 0.45, determined: 0.85 },
    { file: 'examples/reminders.md', successes: 0.1, determined: 0.5 },
    { file: 'examples/parcel-desk.md', successes: 0.4, determined: 0.9 },
    { file: 'examples/subscriptions.md', successes: 0.25, determined: 0.9 },
  ])('$file', async ({ file, successes, determined }) => {
    const counts = tally();
    for (let seed = 1; seed <= sequences; seed++)
      expect(await playedInTime(readFileSync(file, 'utf8'), seed, length, counts)).toBeNull();
    if (process.env['TACET_SHARES'])
      console.log(file, { ...counts, success: success(counts), share: share(counts) });
    expect(success(counts)).toBeGreaterThan(successes);
    expect(share(counts)).toBeGreaterThanOrEqual(determined);
  });
});

function success({ successes, requests }: Tally): number {
  return successes / requests;
}

function share({ determined, undetermined }: Tally): number {
  return determined / (determined + undetermined);
}
