import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { Suspect } from '../../../src/conformance/search/suspect.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(readFileSync('test/semantics/shelves.yaml', 'utf8'));
const deviations = deviationsOf(specification);

/** The deviations of statements at these addresses that some walks tell. */
function told(walks: number, address: RegExp): string[] {
  const found = new Set<string>();
  const some = deviations.filter(({ said }) => address.test(said.address));
  for (let seed = 1; seed <= walks; seed++) {
    const suspects = some.map((deviation) => new Suspect(deviation));
    const { told: all } = walk(begunWorld(specification), suspects, seeded(seed), 40);
    for (const { deviation } of all.keys()) found.add(nameOf(deviation));
  }
  return [...found].sort();
}

describe('a walk in memory', () => {
  it('tells faults that people make', () => {
    expect(
      told(6, /ifDeleted|does\.where|changes\.set|guards\.update|does\.with|does\.order|status$/),
    ).toEqual(
      expect.arrayContaining([
        'resources.Book.fields.changes.set.update: it is old.changes - 1',
        'endpoints["GET /shelves/{shelf}/books"].does.where: it is this.shelf != place',
        'endpoints["POST /authors"].response.status: another status is sent',
      ]),
    );
  });

  it('tells the same for the same seed', () => {
    expect(told(1, /ifDeleted/)).toEqual(told(1, /ifDeleted/));
  });

  it('tells by an operation that did not tell before, also what its first answer shows', () => {
    const [suspect] = deviations
      .filter((each) => nameOf(each) === 'resources.Shelf.fields.room.default: it is left out')
      .map((deviation) => new Suspect(deviation));
    if (suspect === undefined) throw new TypeError('no such deviation');
    const names: string[] = [];
    for (let seed = 1; seed <= 6; seed++) {
      const { told: all, requests } = walk(begunWorld(specification), [suspect], seeded(seed), 40, {
        isOtherwise: true,
      });
      for (const place of all.values()) {
        const { operation } = requests[place] as (typeof requests)[number];
        suspect.toldBy.add(operation);
        names.push(operation.name);
      }
    }
    expect(names.length).toBeGreaterThan(1);
    expect(new Set(names).size).toBe(names.length);
  });

  it('tells nothing of a statement that no request can show', () => {
    expect(told(1, /^service/)).toEqual([]);
  });
});

describe('an answer with members that no statement names', () => {
  const shelf = (complete: string): string[] => {
    const specification = specificationOf(`
${complete}
resources:
  Book: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } }, title: { type: string }, price: { type: integer } } }
  Spine: { of: Book, omits: [price] }
endpoints:
  others: refuse
  POST /books: { operation: add, does: create Book, request: { body: Book }, response: { status: 201, body: Book } }
  GET /books: { operation: list, does: { list: Book, order: [id] }, response: { status: 200, body: "\${Spine(page.items)}" } }
authentication: (none)
errors: { codes: { invalid: { when: invalid, status: 422 }, unreadable: { when: malformed, status: 400 } } }
`);
    const suspects = deviationsOf(specification)
      .filter(({ said }) => said.address === 'resources.Spine.omits')
      .map((deviation) => new Suspect(deviation));
    const { told: all } = walk(begunWorld(specification), suspects, seeded(1), 40);
    return [...all.keys()].map(({ deviation }) => nameOf(deviation));
  };

  it('is told from a right one where the lists of members are closed, and there alone', () => {
    expect(shelf('complete: true')).toContain('resources.Spine.omits: it is left out');
    expect(shelf('')).toEqual([]);
  });
});
