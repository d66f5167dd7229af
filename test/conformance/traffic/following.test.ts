import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Following } from '../../../src/conformance/traffic/following.ts';
import type { Recorded } from '../../../src/conformance/traffic/har.ts';
import { groupsOf } from '../../../src/conformance/traffic/together.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import { specificationOf, start } from '../../service/served.ts';
import { Visitor, visited } from './recording.ts';

const seeds = process.env['TACET_LONG'] ? 100 : 1;
const rounds = process.env['TACET_LONG'] ? 30 : 10;

/** Whether clients leave alone what others made: then it is enough to see what one of them sends. */
const documents = [
  { file: 'todo.md', isApart: false },
  { file: 'publishing.md', isApart: true },
  { file: 'ledger.md', isApart: true },
  { file: 'directory.md', isApart: true },
];

interface Judgement {
  readonly violations: readonly object[];
  readonly share: number;
}

function judge(
  specification: Specification,
  url: string,
  recorded: readonly Recorded[],
  isClosed: boolean,
): Judgement {
  const following = new Following({ specification, url, operators: [], isClosed });
  const violations: object[] = [];
  const places = { determined: 0, all: 0 };
  for (const group of groupsOf(recorded.toSorted((a, b) => a.sentMs - b.sentMs)))
    for (const { settled, recorded } of following.note(group)) {
      places.determined += settled?.determined ?? 0;
      places.all += (settled?.determined ?? 0) + (settled?.undetermined ?? 0);
      if (settled && settled.differences.length > 0)
        violations.push({ differences: settled.differences, exchange: recorded.exchange });
    }
  return { violations, share: Math.round((100 * places.determined) / places.all) };
}

describe('traffic of a right service has no violation', () => {
  describe.each(documents)('$file', ({ file, isApart }) => {
    const text = readFileSync(`examples/${file}`, 'utf8');
    const specification = specificationOf(text);

    it.each([1, 3, 4])('with %i clients at once', async (clients) => {
      const shares: number[] = [];
      for (let seed = 1; seed <= seeds; seed++) {
        const { address, close } = await start(text);
        const visitors = Array.from(
          { length: clients },
          (_, i) => new Visitor(specification, address, seed * 10 + i),
        );
        const recordings = await visited(visitors, rounds);
        for (const isClosed of [true, false]) {
          const { violations, share } = judge(specification, address, recordings.flat(), isClosed);
          expect(violations).toEqual([]);
          shares.push(share);
        }
        // What one client recorded, who sees nothing of the others.
        const alone = judge(specification, address, recordings[0] ?? [], false);
        if (isApart) expect(alone.violations).toEqual([]);
        await close();
      }
      if (process.env['TACET_SHARES']) console.log(file, clients, shares);
    });
  });
});
