import { describe, expect, it } from 'vitest';
import { stated } from '../../src/specification/reading/said.ts';
import type { Resource } from '../../src/specification/vocabulary/parts/resources.ts';
import { document, points, specification } from './documents.ts';
import { findings, pairs } from './findings.ts';

const station = `Station:
  identifier: id
  fields:
    id:    { type: integer }
    code:  { type: string, unique: caseless }
    name:  { type: string }
    kind:  { enum: [halt, hub], default: halt }
    since: { type: string, format: date-time, set: { create: "\${now}" } }
    label: { derived: "\${this.name + '!'}" }
    next:  { refers: Station }
  required: [name, kind, since]
  unique: [{ fields: [name, kind], caseless: true }]
  items: `;
const trip = '\nTrip: { identifier: id, fields: { id: { type: string }, from: { refers: Station } }, items: ';

const of = (items: string, trips?: string, head = 'complete: true') =>
  document({ head, resources: `${station}${items}${trips === undefined ? '' : `${trip}${trips} }`}` });

describe('items that are there from the start (language §2)', () => {
  it('are literals, in the order in which they are listed', () => {
    const found = specification(
      of('[{ id: 1, name: Berlin }, { id: 2, name: "$${x}", kind: hub, next: 1 }]'),
    );
    const { items } = found.resourcesByName.get('Station') as Resource;
    expect(
      stated(items)?.map(({ members }) =>
        Object.fromEntries([...members].map(([name, { value }]) => [name, value])),
      ),
    ).toEqual([
      { id: 1, name: 'Berlin' },
      { id: 2, name: '${x}', kind: 'hub', next: 1 },
    ]);
    expect(points(found, 'resources.Station.items')).toEqual({ 'resources.Station.items': 'stated' });
  });

  it.each(['(none)', '[]', '(open) which?', '(any)'])('may be %s', (items) => {
    expect(findings(of(items))).toEqual([]);
  });

  it('are open where nothing is said of them', () => {
    const bare = document({ resources: 'Station: { identifier: id, fields: { id: {} } }' });
    expect(specification(bare).resourcesByName.get('Station')?.items.kind).toBe('open');
  });

  it('refer to items that are listed, by their key', () => {
    expect(findings(of('[{ id: 1, name: a, next: null }]', '[{ id: t, from: 1 }]'))).toEqual([]);
    expect(findings(of('(any)', '[{ id: t, from: 7 }]'))).toEqual([]);
    expect(findings(of('(open) which?', '[{ id: t, from: 7 }]'))).toEqual([]);
  });

  it.each([
    ['5', 'wrong-kind 5: a list of items is wanted here, and this is a number → null'],
    ['[5]', 'wrong-kind 5: a map is wanted here, and this is a number → null'],
    [
      '[{ name: a }]',
      'contradiction { name: a }: an item is known by id, and this one has none → give it id',
    ],
    ['[{ id: 1 }]', 'contradiction { id: 1 }: name is required, and this item has none → give it name'],
    [
      '[{ id: 1, name: a, nmae: b }]',
      'unknown-name nmae: nmae is not the name of a field → did you mean name?',
    ],
    ['[{ id: one, name: a }]', 'wrong-kind one: an integer is wanted here, and this is text → null'],
    [
      '[{ id: 1, name: a, kind: hbu }]',
      'wrong-kind hbu: one of halt, hub is wanted here, and this is hbu → did you mean hub?',
    ],
    [
      '[{ id: 1, name: (open) which? }]',
      'marker-in-literal (open) which?: (open) which? would be a marker, and a literal stands here → if the text itself is meant, write ${"(open) which?"}',
    ],
    [
      '[{ id: 1, name: "${now}" }]',
      'wrong-kind "${now}": a literal is wanted here, and this is an expression → null',
    ],
    [
      '[{ id: 1, name: a, label: b }]',
      'contradiction label: label is derived, so that no item has a value of its own → take one of the two out, or mend it',
    ],
    ['[{ id: 1, name: a, next: 2 }]', 'unknown-name 2: 2 is not the name of an item of Station → known: 1'],
  ])('%s is refused', (items, expected) => {
    expect(findings(of(items))).toEqual([expected]);
  });

  it('refer to none where none is listed', () => {
    expect(findings(of('(none)', '[{ id: t, from: 7 }]'))).toEqual([
      'unknown-name 7: 7 is not the name of an item of Station → null',
    ]);
  });

  it.each([
    ['the identifier', '[{ id: 1, name: a }, { id: 1, name: b }]', 'key-twice 1 ~ 1'],
    ['a unique field', '[{ id: 1, name: a, code: x }, { id: 2, name: b, code: X }]', 'key-twice X ~ x'],
    ['fields together', '[{ id: 1, name: a, kind: hub }, { id: 2, name: A, kind: hub }]', 'key-twice A ~ a'],
  ])('are told apart by %s', (_, items, expected) => {
    expect(pairs(of(items))).toEqual([expected]);
  });

  it('are not alike in what one of them does not have', () => {
    expect(findings(of('[{ id: 1, name: a }, { id: 2, name: a, kind: hub }]'))).toEqual([]);
  });
});
