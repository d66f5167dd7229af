import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(readFileSync('test/semantics/shelves.yaml', 'utf8'));
const deviations = deviationsOf(specification);

/** The deviations of statements at these addresses that some walks tell. */
function told(walks: number, address: RegExp): string[] {
  const found = new Set<string>();
  const some = deviations.filter(({ said }) => address.test(said.address));
  for (let seed = 1; seed <= walks; seed++)
    for (const [{ said, says }] of walk(specification, some, seeded(seed), 40).deviations)
      found.add(`${said.address}: ${says}`);
  return [...found].sort();
}

describe('a walk in memory', () => {
  it('tells faults that people make', () => {
    expect(told(20, /ifDeleted|changes\.set|guards\.update|does\.with|does\.order|status$/)).toEqual(
      expect.arrayContaining([
        'resources.Book.fields.changes.set.update: its value is another',
        'resources.Shelf.guards.update: its value is another',

        'endpoints["POST /authors"].response.status: another status is sent',
      ]),
    );
  });

  it('tells the same for the same seed', () => {
    expect(told(2, /ifDeleted/)).toEqual(told(2, /ifDeleted/));
  });

  it('tells nothing of a statement that no request can show', () => {
    expect(told(3, /^service/)).toEqual([]);
  });
});
