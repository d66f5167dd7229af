import { describe, expect, it } from 'vitest';
import { judgeElsewhere } from '../../src/conformance/foresee/elsewhere.ts';
import { type Item, item } from '../../src/conformance/partly.ts';
import type { Json } from '../../src/source/node.ts';
import type { Resource } from '../../src/specification/vocabulary/parts/resources.ts';
import { specificationOf } from '../service/served.ts';

const of = specificationOf(`
name: Rooms
resources:
  Guest: { identifier: name, fields: { name: { type: string }, limit: { type: integer } } }
  Room:
    identifier: id
    fields:
      id: { type: string }
      beds: { type: integer }
      twin: { refers: Room }
      full: { derived: "\${Booking.filter(b, b.room == this).size() >= this.beds}" }
    invariants: { a full room has a bed: "\${!this.full || this.beds > 0}" }
  Suite: { identifier: id, fields: { id: { type: string }, room: { refers: Room } }, invariants: { it has beds: "\${this.room.beds > 1}" } }
  Booking:
    identifier: id
    fields: { id: { type: string }, room: { refers: Room }, by: { refers: Guest } }
    invariants: { somebody comes: "\${this.by != null}" }
`);

const itemOf = (name: string, known: Record<string, Json>) =>
  item(of.resourcesByName.get(name) as Resource, Object.entries(known), []);

const elsewhere = (
  name: string,
  before: Item | null = itemOf(name, { id: 'a', beds: 1 }),
  after: Item | null = null,
) =>
  judgeElsewhere(of, of.resourcesByName.get(name) as Resource, before, after).map(
    ({ reason, address, holds }) => [reason.subject, address, holds.value],
  );

describe('what may refuse a change, of items that it does not show (language §2.1)', () => {
  it.each([
    ['is looked for among all, by a derived member too', 'Booking', 'Room', 'a full room has a bed'],
    ['is what a reference leads to', 'Room', 'Suite', 'it has beds'],
  ])('%s', (_, changed, of, sentence) => {
    expect(elsewhere(changed)).toEqual([[of, `resources.${of}.invariants["${sentence}"]`, null]]);
  });

  it('is nothing where what it reads stays as it is, and of a new one to which nothing refers', () => {
    const [one, two] = [1, 2].map((beds) => itemOf('Room', { id: 'a', beds }));
    const suites = [['Suite', 'resources.Suite.invariants["it has beds"]', null]];
    expect(elsewhere('Room', one, two)).toEqual(suites);
    expect(elsewhere('Room', one, one)).toEqual([]);
    expect(elsewhere('Room', null, one)).toEqual([]);
  });

  it.each(['Guest', 'Suite'])('is nothing where no other item reads a %s', (changed) => {
    expect(elsewhere(changed)).toEqual([]);
  });
});
