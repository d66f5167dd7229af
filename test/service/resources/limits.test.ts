import { describe, expect, it } from 'vitest';
import { client, documentOf } from './kept.ts';

const booking = `
Booking:
  identifier: id
  fields:
    id: { type: string }
    kind: { type: string, writable: once }
    owner: { type: string, writable: same }
    open: { type: boolean }
    note: { type: string, writable: "\${this.open == true}" }
    from: { type: integer, holds: { not negative: "\${value >= 0}" } }
    to: { type: integer, holds: { after it begins: "\${value > this.from}" } }
  required: [id]`;
const others = (...names: string[]) => [422, { code: 'invalid', of: names.map((name) => `${name} others`) }];
const broken = (...names: string[]) => [422, { code: 'invalid', of: names.map((name) => `${name} holds`) }];

describe('a value that a rule or a form of its field reads', () => {
  it('is of the field’s type: integers are divided as such (language §G.6)', async () => {
    const even = `
Pair:
  identifier: id
  fields:
    id: { type: string }
    count: { type: integer, holds: { is even: "\${value / 2 * 2 == value}" }, shown: "\${value / 4}" }`;
    const { call } = await client(documentOf(even, ['Pair']));
    expect(await call('POST /Pair', { id: 'a', count: 3 })).toEqual(broken('count'));
    expect(await call('POST /Pair', { id: 'a', count: 6 })).toEqual([201, { id: 'a', count: 1 }]);
  });
});

describe('a field that may be written', () => {
  it('once is given on creation alone', async () => {
    const { call } = await client(documentOf(booking, ['Booking']));
    expect((await call('POST /Booking', { id: 'a', kind: 'x' }))[0]).toBe(201);
    expect(await call('PATCH /Booking/a', { kind: 'x' })).toEqual(others('kind'));
    expect(await call('PUT /Booking/a', { id: 'a', kind: 'y' })).toEqual(others('kind'));
    expect(await call('PUT /Booking/a', { id: 'a', from: 1 })).toEqual([
      200,
      { id: 'a', kind: 'x', from: 1 },
    ]);
    expect(
      await call('PATCH /Booking/a', { kind: null }, ['Content-Type: application/merge-patch+json']),
    ).toEqual(others('kind'));
  });

  it('with the same value later takes that value, and no other', async () => {
    const { call } = await client(documentOf(booking, ['Booking']));
    await call('POST /Booking', { id: 'a', owner: 'x' });
    expect((await call('PATCH /Booking/a', { owner: 'x', from: 1 }))[0]).toBe(200);
    expect(await call('PATCH /Booking/a', { owner: 'y' })).toEqual(others('owner'));
    expect(await call('PUT /Booking/a', { id: 'a' })).toEqual([200, { id: 'a', owner: 'x' }]);
  });

  it('by an expression is judged by the item as it is, and a new one as it is made', async () => {
    const { call } = await client(documentOf(booking, ['Booking']));
    expect(await call('POST /Booking', { id: 'a', note: 'n' })).toEqual(others('note'));
    expect((await call('POST /Booking', { id: 'a', note: 'n', open: true }))[0]).toBe(201);
    expect((await call('PATCH /Booking/a', { note: 'm' }))[0]).toBe(200);
    expect((await call('PATCH /Booking/a', { open: false }))[0]).toBe(200);
    expect(await call('PATCH /Booking/a', { note: 'n' })).toEqual(others('note'));
    expect((await call('PATCH /Booking/a', { open: true }))[0]).toBe(200);
  });

  it('is left out where members that nobody stated are ignored', async () => {
    const { call } = await client(documentOf(booking, ['Booking'], '', 'ignore'));
    expect(await call('POST /Booking', { id: 'a', kind: 'x', owner: 'o', note: 'n' })).toEqual([
      201,
      { id: 'a', kind: 'x', owner: 'o' },
    ]);
    expect(await call('PATCH /Booking/a', { kind: 'y', owner: 'p', note: 'n', from: 1 })).toEqual([
      200,
      { id: 'a', kind: 'x', owner: 'o', from: 1 },
    ]);
  });
});

describe('a sentence that holds of a field', () => {
  it('refuses a value of which it is not true, and says nothing of one that is not there', async () => {
    const { call } = await client(documentOf(booking, ['Booking']));
    expect((await call('POST /Booking', { id: 'a' }))[0]).toBe(201);
    expect(await call('POST /Booking', { id: 'b', from: -1 })).toEqual(broken('from'));
    expect((await call('POST /Booking', { id: 'b', from: 0, to: 1 }))[0]).toBe(201);
    expect(await call('POST /Booking', { id: 'c', from: -1, to: -2 })).toEqual(broken('from', 'to'));
  });

  it('is judged of whatever change touches what it reads', async () => {
    const { call } = await client(documentOf(booking, ['Booking']));
    await call('POST /Booking', { id: 'a', from: 0, to: 5 });
    expect(await call('PATCH /Booking/a', { from: 5 })).toEqual(broken('to'));
    expect((await call('PATCH /Booking/a', { from: 5, to: 6 }))[0]).toBe(200);
    expect((await call('PATCH /Booking/a', { open: true }))[0]).toBe(200);
  });
});
