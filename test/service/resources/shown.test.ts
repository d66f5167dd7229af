import { describe, expect, it } from 'vitest';
import { client, documentOf } from './kept.ts';

describe('what is shown of an item', () => {
  it('is as `shown` says, who may read it asked of each', async () => {
    const resources = `
Person:
  identifier: id
  fields:
    id: { type: string }
    name: { type: string, readable: "\${this.open == true}" }
    open: { type: boolean, readable: false }
    mass: { type: number, taken: "\${round(value * 1000.0)}", shown: "\${double(value) / 1000.0}" }
    boss: { refers: Person, ifDeleted: keep, shown: "\${Card(value)}" }
  required: [id]
Card: { of: Person, shows: [id, mass] }`;
    const { call, service } = await client(documentOf(resources, ['Person']));
    expect(await call('POST /Person', { id: 'a', name: 'A', open: true, mass: 1.5 })).toEqual([
      201,
      { id: 'a', name: 'A', mass: 1.5 },
    ]);
    expect(await call('POST /Person', { id: 'b', name: 'B', mass: 0.25, boss: 'a' })).toEqual([
      201,
      { id: 'b', mass: 0.25, boss: { id: 'a', mass: 1.5 } },
    ]);
    expect(JSON.stringify(await service.rows())).toContain('\\"mass\\":1500');
    // What was taken in once is not taken in again.
    expect(await call('PATCH /Person/b', { name: 'C' })).toEqual([
      200,
      { id: 'b', mass: 0.25, boss: { id: 'a', mass: 1.5 } },
    ]);
    await call('DELETE /Person/a');
    expect(await call('GET /Person/b')).toEqual([200, { id: 'b', mass: 0.25, boss: null }]);
  });

  it('by a view is some of it and what it derives, for one item, a list and nothing', async () => {
    const resources = `
Person:
  identifier: id
  fields:
    id: { type: string }
    name: { type: string }
    note: { type: string }
    hidden: { type: string, readable: false }
  required: [id]
Card: { of: Person, shows: [name], fields: { twice: { derived: "\${this.name + this.name}" } } }
Rest: { of: Person, omits: [name] }`;
    const endpoints = `
GET /cards: { operation: cards, does: list Person, response: { status: 200, body: { cards: "\${Card(page.items)}" } } }
GET /cards/{id}: { operation: card, does: read Person, response: { status: 200, body: Card } }
GET /rests/{id}: { operation: rest, does: read Person, response: { status: 200, body: { rest: "\${Rest(this)}", none: "\${Card(null)}" } } }`;
    const { call } = await client(documentOf(resources, ['Person'], endpoints));
    await call('POST /Person', { id: 'a', name: 'A', note: 'n', hidden: 'h' });
    expect(await call('GET /cards/a')).toEqual([200, { name: 'A', twice: 'AA' }]);
    expect(await call('GET /cards')).toEqual([200, { cards: [{ name: 'A', twice: 'AA' }] }]);
    expect(await call('GET /rests/a')).toEqual([200, { rest: { id: 'a', note: 'n' }, none: null }]);
  });

  it('leaves members of shapes out that are not readable, and takes none that are not writable', async () => {
    const resources = `
Account:
  identifier: id
  fields:
    id: { type: string }
    cards: { type: array, items: Card }
    box: { anyOf: [Card, { type: string }] }
  required: [id]
Card:
  identifier: (none)
  fields:
    number: { type: string }
    code: { type: string, writeOnly: true }
    brand: { type: string, readOnly: true }
    inner: Card
  required: [number, brand]`;
    const { call, service } = await client(documentOf(resources, ['Account']));
    const card = { number: '1', code: '2', inner: { number: '3', code: '4' } };
    const shown = { number: '1', inner: { number: '3' } };
    expect(await call('POST /Account', { id: 'a', cards: [card], box: card })).toEqual([
      201,
      { id: 'a', cards: [shown], box: shown },
    ]);
    expect(JSON.stringify(await service.rows())).toContain('\\"code\\":\\"4\\"');
    expect(await call('POST /Account', { id: 'b', cards: [{ number: '1', brand: 'x' }] })).toEqual([
      422,
      { code: 'invalid', of: ['cards.0.brand others'] },
    ]);
  });

  it('is a value that was kept exactly as it was written', async () => {
    const resources = 'Sum: { identifier: id, fields: { id: { type: string }, of: {} }, required: [id] }';
    const { call } = await client(documentOf(resources, ['Sum']));
    const values = [
      0, -1, 9007199254740991, -9007199254740991, 0.1, 1e21, 5e-324, 1.7976931348623157e308, 1.5,
    ];
    expect(await call('POST /Sum', { id: 'a', of: values })).toEqual([201, { id: 'a', of: values }]);
    expect(await call('GET /Sum/a')).toEqual([200, { id: 'a', of: values }]);
    expect(await call('POST /Sum', '{"id":"b","of":9007199254740993}')).toEqual([400, '']);
  });
});
