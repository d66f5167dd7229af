import { describe, expect, it } from 'vitest';
import { specificationOf } from '../service/served.ts';
import { asking } from './asking.ts';

const parcels = (fields: string) =>
  specificationOf(`
complete: true
resources:
  Parcel: { identifier: id, fields: { id: { type: string, set: { create: (any) } }, to: { type: string }${fields} } }
endpoints:
  others: ignore
  POST /parcels: { operation: send, does: create Parcel, request: { body: Parcel }, response: { status: 201, body: Parcel } }
  GET /parcels/{id}: { operation: look, does: read Parcel, response: { status: 200, body: Parcel } }
  PATCH /parcels/{id}: { operation: turn, does: update Parcel, request: { body: Parcel }, response: { status: 200, body: Parcel } }
  DELETE /parcels/{id}: { operation: drop, does: delete Parcel, response: { status: 204 } }
authentication: (none)
errors: { codes: { unfit: { when: [malformed, invalid], status: 422 }, unknown: { when: unknown, status: 404 } } }
`);

describe('an identifier that the service picks freely (language §F.1)', () => {
  it('is any text, and names the item from then on', () => {
    const ask = asking(parcels(''));
    const [first, second] = [
      { id: 'v1', to: 'ann' },
      { id: 'v2', to: 'bob' },
    ];
    expect(ask('send', { content: { to: 'ann' } }, { status: 201, body: first })).toEqual([]);
    expect(ask('send', { content: { to: 'bob' } }, { status: 201, body: second })).toEqual([]);
    const named = (id: string) => ({ path: { id } });
    expect(ask('look', named('v1'), { body: second })).toEqual(['body.id', 'body.to']);
    expect(
      ask('turn', { ...named('v1'), content: { to: 'eve' } }, { body: { ...first, to: 'eve' } }),
    ).toEqual([]);
    expect(ask('look', named('v1'), { body: first })).toEqual(['body.to']);
    expect(ask('drop', named('v1'), { status: 204 })).toEqual([]);
    expect(ask('look', named('v1'), { body: first })).toEqual(['status']);
    expect(ask('look', named('v2'), { body: second })).toEqual([]);
    // Nobody says that it does not come again.
    expect(ask('send', { content: { to: 'dan' } }, { status: 201, body: { id: 'v1', to: 'dan' } })).toEqual(
      [],
    );
    expect(ask('look', named('v1'), { body: { id: 'v1', to: 'dan' } })).toEqual([]);
    expect(ask('look', named('v2'), { body: second })).toEqual([]);
  });

  it('is a text, and there', () => {
    const sent = (body: object) =>
      asking(parcels(''))('send', { content: {} }, { status: 201, body: { ...body } });
    expect([sent({ id: 7 }), sent({})]).toEqual([['body.id'], ['body.id']]);
  });
});

describe('another member that the service picks freely', () => {
  it('is unknown until an answer shows it', () => {
    const ask = asking(parcels(', place: { type: integer, set: { create: (any) } }'));
    const shown = { id: 'v1', to: 'ann', place: 5 };
    expect(ask('send', { content: { to: 'ann' } }, { status: 201, body: shown })).toEqual([]);
    expect(ask('look', { path: { id: 'v1' } }, { body: { ...shown, place: 6 } })).toEqual(['body.place']);
    expect(ask('look', { path: { id: 'v1' } }, { body: shown })).toEqual([]);
  });
});

describe('a member that a whole item lacks', () => {
  it('has its default again, which may be null, and is gone where it has none', () => {
    const whole = specificationOf(`
complete: true
resources:
  Chore:
    identifier: id
    fields: { id: { type: string }, who: { type: [string, "null"], default: null }, note: { type: string } }
endpoints:
  others: refuse
  POST /chores: { operation: add, does: create Chore, request: { body: Chore }, response: { status: 201, body: Chore } }
  PUT /chores/{id}: { operation: put, does: replace Chore, request: { body: Chore }, response: { status: 200, body: Chore } }
authentication: (none)
errors: { codes: { unfit: { when: [malformed, invalid], status: 422 }, unknown: { when: unknown, status: 404 } } }
`);
    const ask = asking(whole);
    const chore = { id: 'a', who: 'ann', note: 'x' };
    expect(ask('add', { content: chore }, { status: 201, body: chore })).toEqual([]);
    const put = (body: object) => ask('put', { path: { id: 'a' }, content: {} }, { body: { ...body } });
    expect(put({ id: 'a', who: null, note: 'x' })).toEqual(['body.note']);
    expect(put({ id: 'a', who: null })).toEqual([]);
  });
});
