import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { Candidate } from '../../../src/conformance/explore/candidate.ts';
import { Explorer } from '../../../src/conformance/explore/explorer.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { Unknown } from '../../../src/semantics/value/value.ts';
import { sampled } from '../../long.ts';
import { specificationOf } from '../../service/served.ts';

const examples = readdirSync('examples').map((file) => `examples/${file}`);
const trades = ['booking', 'chat', 'devices', 'ledger', 'stock'].map(
  (name) => `test/trades/${name}/${name}.md`,
);

/** What the meaning does not carry out as yet, or what waits for an open point. */
const unsaid: Readonly<Record<string, readonly string[]>> = {
  // Content in bytes.
  'examples/files.md': ['addFile', 'putContent'],
  // Whose a token is, is open.
  'examples/issue-tracker.md': ['*'],
  // Merge patches that remove members.
  'examples/parcel-desk.md': ['correctParcel'],
  // Which tokens are good is open.
  'examples/train-travel.md': ['*'],
};

/** How many of a hundred predictions may be unknown: nobody knows what a cursor that was changed comes to. */
const most = 40;

/** Of each operation, how many of a hundred requests come to nothing that is known. */
function unknownIn(document: string): ReadonlyMap<string, number> {
  const looked = vi.spyOn(Explorer.prototype, 'candidate');
  walk(begunWorld(specificationOf(document)), [], seeded(1), 120);
  const counts = new Map<string, { all: number; unknown: number }>();
  for (const { value } of looked.mock.results) {
    const { request, steps } = value as Candidate;
    const count = counts.get(request.operation.name) ?? { all: 0, unknown: 0 };
    count.all += 1;
    if (steps.some(({ prediction }) => prediction.status instanceof Unknown)) count.unknown += 1;
    counts.set(request.operation.name, count);
  }
  looked.mockRestore();
  return new Map([...counts].map(([name, { all, unknown }]) => [name, (100 * unknown) / all]));
}

it.each(sampled([...examples, ...trades], 3))('%s says of nearly every request what comes of it', (file) => {
  const exempt = unsaid[file] ?? [];
  const unknown = [...unknownIn(readFileSync(file, 'utf8'))].filter(
    ([name, share]) => share > most && !exempt.includes(name) && !exempt.includes('*'),
  );
  expect(unknown).toEqual([]);
});
