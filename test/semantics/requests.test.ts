import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { played, playedAmongOthers, tally } from './playing.ts';

const sequences = process.env['TACET_LONG'] ? 500 : Number(process.env['TACET_SEQUENCES'] ?? 4);
const length = 40;

/** For each document: which share of the answers are successes, and which share of their places is determined, at least. */
const documents = [
  { file: 'examples/todo.md', successes: 0.6, determined: 1 },
  { file: 'examples/publishing.md', successes: 0.5, determined: 0.9 },
  { file: 'examples/directory.md', successes: 0.5, determined: 0.9 },
  { file: 'examples/ledger.md', successes: 0.5, determined: 0.9 },
  { file: 'examples/subscriptions.md', successes: 0.5, determined: 0.9 },
  { file: 'examples/parcel-desk.md', successes: 0.4, determined: 0.8 },
  { file: 'test/semantics/desk.yaml', successes: 0.5, determined: 0.9 },
  { file: 'test/semantics/shelves.yaml', successes: 0.6, determined: 1 },
];

describe('what a document says of a request is what the service does', () => {
  it.each(documents)('$file', async ({ file, successes, determined }) => {
    const text = readFileSync(file, 'utf8');
    const counts = tally();
    for (let seed = 1; seed <= sequences; seed++) expect(await played(text, seed, length, counts)).toBeNull();
    const places = counts.determined + counts.undetermined;
    if (process.env['TACET_SHARES'])
      console.log(file, {
        ...counts,
        success: counts.successes / counts.requests,
        share: counts.determined / places,
      });
    // Refusals and unknown places agree with much, so they are counted.
    expect(counts.successes / counts.requests).toBeGreaterThan(successes);
    expect(counts.determined / places).toBeGreaterThanOrEqual(determined);
  });
});

describe('on a service where others make items, too', () => {
  it.each(documents)('$file: nothing is said that does not hold', async ({ file }) => {
    const counts = tally();
    for (let seed = 1; seed <= sequences; seed++)
      expect(await playedAmongOthers(readFileSync(file, 'utf8'), seed, length, counts)).toBeNull();
    expect(counts.determined).toBeGreaterThan(counts.undetermined);
  });
});
