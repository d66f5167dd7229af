import { describe, expect, it } from 'vitest';
import { answer, ask, start } from '../served.ts';

/** Rooms, what is booked in them, and who books. */
const rooms = (invariants: { room?: string; booking?: string }): string => `
name: Rooms
complete: true
resources:
  Guest:
    identifier: name
    fields: { name: { type: string }, limit: { type: integer, default: 9 }, note: { type: string } }
    required: [name]
  Room:
    identifier: id
    fields: { id: { type: string }, beds: { type: integer, default: 2 }, twin: { refers: Room, ifDeleted: keep } }
    required: [id]
    ${invariants.room === undefined ? '' : `invariants: { rooms are sound: "\${${invariants.room}}" }`}
  Booking:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      room: { refers: Room, ifDeleted: keep }
      by: { refers: Guest, ifDeleted: clear }
      people: { type: integer, default: 1 }
    ${invariants.booking === undefined ? '' : `invariants: { bookings are sound: "\${${invariants.booking}}" }`}
endpoints:
  others: refuse
  POST /guests: { does: create Guest, request: { body: Guest }, response: 201 }
  PATCH /guests/{name}: { does: update Guest, request: { body: Guest, media: application/merge-patch+json }, response: 204 }
  DELETE /guests/{name}: { does: delete Guest, response: 204 }
  POST /rooms: { does: create Room, request: { body: Room }, response: 201 }
  PATCH /rooms/{id}: { does: update Room, request: { body: Room, media: application/merge-patch+json }, response: 204 }
  DELETE /rooms/{id}: { does: delete Room, response: 204 }
  GET /rooms: { does: list Room, response: { status: 200, body: "\${Room(page.items)}" } }
  POST /bookings: { does: create Booking, request: { body: Booking }, response: 201 }
  PATCH /bookings/{id}: { does: update Booking, request: { body: Booking, media: application/merge-patch+json }, response: 204 }
  DELETE /bookings/{id}: { does: delete Booking, response: 204 }
  DELETE /bookings: { does: delete every Booking, response: 204 }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    room: { when: invariant broken Room, status: 409 }
    booking: { when: invariant broken Booking, status: 410 }
`;

const roomBroken = answer(409, { code: 'room' });
const bookingBroken = answer(410, { code: 'booking' });
const merge = ['Content-Type: application/merge-patch+json'];

async function kept(invariants: Parameters<typeof rooms>[0]) {
  const service = await start(rooms(invariants));
  const done = async (what: string, body?: object): Promise<unknown> =>
    ask(service, what, body, what.startsWith('PATCH') ? merge : []);
  const each = async (...all: readonly (readonly [string, object?])[]): Promise<void> => {
    for (const [what, body] of all)
      expect([what, await done(what, body)]).toEqual([
        what,
        expect.objectContaining({ status: what.startsWith('POST') ? 201 : 204 }),
      ]);
  };
  return { service, done, each };
}

describe('what always holds of an item that looks among others (language §2.1)', () => {
  const room = 'Booking.filter(b, b.room == this).map(b, b.people).sum() <= this.beds';

  it('is kept to where one of those is made, changed, or comes from another', async () => {
    const { done, each, service } = await kept({ room });
    await each(['POST /rooms', { id: 'a' }], ['POST /rooms', { id: 'b', beds: 3 }]);
    await each(['POST /bookings', { room: 'a', people: 2 }], ['POST /bookings', { room: 'b', people: 1 }]);
    expect(await done('POST /bookings', { room: 'a', people: 1 })).toEqual(roomBroken);
    expect(await done('PATCH /bookings/1', { people: 3 })).toEqual(roomBroken);
    expect(await done('PATCH /bookings/2', { room: 'a' })).toEqual(roomBroken);
    await each(['PATCH /bookings/1', { people: 1 }], ['PATCH /bookings/2', { room: 'a' }]);
    expect(service.faults).toEqual([]);
  });

  it('is kept to where one of those goes, alone or with others', async () => {
    const { done, each } = await kept({
      room: 'this.beds > 1 || Booking.exists(b, b.room == this && b.people > 1)',
    });
    await each(['POST /rooms', { id: 'a' }]);
    await each(['POST /bookings', { room: 'a', people: 2 }], ['POST /bookings', { room: 'a' }]);
    await each(['PATCH /rooms/a', { beds: 1 }]);
    expect(await done('DELETE /bookings/1')).toEqual(roomBroken);
    expect(await done('DELETE /bookings')).toEqual(roomBroken);
    await each(['DELETE /bookings/2'], ['PATCH /rooms/a', { beds: 2 }], ['DELETE /bookings']);
  });

  it('is kept to where one of those leaves for another', async () => {
    const { done, each } = await kept({ room: 'this.beds > 1 || Booking.exists(b, b.room == this)' });
    await each(['POST /rooms', { id: 'a' }], ['POST /rooms', { id: 'b' }], ['POST /bookings', { room: 'a' }]);
    await each(['PATCH /rooms/a', { beds: 1 }]);
    expect(await done('PATCH /bookings/1', { room: 'b' })).toEqual(roomBroken);
  });

  it('undoes all of a change that breaks it', async () => {
    const { done, each, service } = await kept({ room });
    await each(['POST /rooms', { id: 'a' }], ['POST /bookings', { room: 'a', people: 2 }]);
    const before = await service.rows();
    expect(await done('POST /bookings', { room: 'a' })).toEqual(roomBroken);
    expect(await service.rows()).toEqual(before);
  });

  it('is kept to by other items of its own resource', async () => {
    const { done, each } = await kept({ room: 'this.twin == null || this.twin.beds == this.beds' });
    await each(['POST /rooms', { id: 'a' }], ['POST /rooms', { id: 'b', twin: 'a' }]);
    expect(await done('PATCH /rooms/a', { beds: 3 })).toEqual(roomBroken);
    expect(await done('DELETE /rooms/a')).toEqual(roomBroken);
  });

  it('is kept to where nothing but all items tells which are concerned', async () => {
    const { done, each } = await kept({ room: 'Guest.filter(g, g.limit > 5).size() < this.beds' });
    await each(['POST /rooms', { id: 'a' }], ['POST /guests', { name: 'x' }]);
    expect(await done('POST /guests', { name: 'y' })).toEqual(roomBroken);
    await each(['POST /guests', { name: 'y', limit: 5 }], ['PATCH /guests/y', { note: 'n' }]);
    expect(await done('PATCH /guests/y', { limit: 6 })).toEqual(roomBroken);
  });
});

describe('what always holds of an item that follows a reference (language §2.1)', () => {
  const booking = 'this.by == null || this.people <= this.by.limit';

  it('is kept to where that item is changed', async () => {
    const { done, each } = await kept({ booking });
    await each(['POST /guests', { name: 'x' }], ['POST /guests', { name: 'y' }]);
    await each(['POST /bookings', { by: 'x', people: 5 }]);
    expect(await done('PATCH /guests/x', { limit: 4 })).toEqual(bookingBroken);
    await each(['PATCH /guests/y', { limit: 4 }], ['PATCH /guests/x', { limit: 5 }]);
  });

  it('is kept to where a derived member leads there', async () => {
    const { done, each } = await kept({ booking: 'this.room == null || this.room.twin.beds >= this.people' });
    await each(['POST /rooms', { id: 'a', beds: 4 }], ['POST /rooms', { id: 'b', twin: 'a' }]);
    await each(['POST /bookings', { room: 'b', people: 4 }]);
    expect(await done('PATCH /rooms/a', { beds: 3 })).toEqual(bookingBroken);
    await each(['PATCH /rooms/b', { beds: 1 }]);
  });

  it('is judged at the end, once the reference is cleared', async () => {
    const { each } = await kept({ booking });
    await each(['POST /guests', { name: 'x' }], ['POST /bookings', { by: 'x' }], ['DELETE /guests/x']);
  });
});

describe('what hangs on the time (language §2.1)', () => {
  it('is judged of what is written alone', async () => {
    let milliseconds = Date.UTC(2026, 0, 1);
    const text = rooms({
      room: "timestamp('2026-06-01T00:00:00Z') > now || Booking.exists(b, b.room == this)",
    });
    const service = await start(text, { milliseconds: () => milliseconds });
    expect((await ask(service, 'POST /rooms', { id: 'a' })).status).toBe(201);
    milliseconds = Date.UTC(2026, 6, 1);
    expect((await ask(service, 'POST /bookings', { people: 1 })).status).toBe(201);
    expect(await ask(service, 'PATCH /rooms/a', { beds: 3 }, merge)).toEqual(roomBroken);
  });
});

describe('what always holds, of what is not written (language §H.4)', () => {
  it.each(['[room, taken]', '[taken, room]'])(
    'is not broken by what is not unique, whatever the order: %s',
    async (order) => {
      const document = `${rooms({ room: 'this.beds <= 4' })}    taken: { when: not unique, status: 411 }\n  order: ${order}\n`;
      const service = await start(document);
      expect(await ask(service, 'POST /rooms', { id: 'a' })).toMatchObject({ status: 201 });
      expect(await ask(service, 'POST /rooms', { id: 'a', beds: 9 })).toEqual(answer(411, { code: 'taken' }));
      expect(await ask(service, 'POST /rooms', { id: 'b', beds: 9 })).toEqual(roomBroken);
    },
  );
});
