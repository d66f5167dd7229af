import { createHash } from 'node:crypto';
import { Problem } from './request.ts';

export interface Person {
  readonly login: string;
  readonly role: 'employee' | 'manager';
}

export interface RoomContent {
  readonly name: string;
  readonly floor: number;
  readonly seats: number;
  readonly equipment: readonly string[];
  readonly opens: string;
  readonly closes: string;
  readonly inService: boolean;
}

export interface Room extends RoomContent {
  readonly id: string;
  readonly revision: number;
}

export interface Slot {
  day: string;
  from: string;
  to: string;
}

export interface Booking extends Slot {
  readonly id: number;
  readonly room: string;
  readonly booker: string;
  title: string;
  private: boolean;
  attendees: number;
  status: 'held' | 'confirmed' | 'cancelled' | 'expired';
  readonly heldAt: string;
  confirmedAt: string | null;
  reason: string | null;
  cancelledBy: string | null;
}

const holdMs = 3_000;
const mostBookings = 4;

export function isActive({ status }: Booking): boolean {
  return status === 'held' || status === 'confirmed';
}

/** Rooms and their bookings in memory. */
export class Rooms {
  readonly rooms = new Map<string, Room>();
  readonly bookings = new Map<number, Booking>();
  readonly #broken: (fault: string) => boolean;
  readonly #now: () => number;

  constructor(broken: (fault: string) => boolean, now: () => number) {
    this.#broken = broken;
    this.#now = now;
  }

  time(): string {
    return new Date(this.#now()).toISOString();
  }

  /** Lets expire what was held for too long. */
  settle(): void {
    const holdsFor = this.#broken('expire-late') ? 2 * holdMs : holdMs;
    for (const booking of this.bookings.values()) {
      const isHeld =
        booking.status === 'held' || (booking.status === 'confirmed' && this.#broken('confirmed-expires'));
      if (isHeld && Date.parse(booking.heldAt) + holdsFor <= this.#now()) booking.status = 'expired';
    }
  }

  bookingsIn(room: string): Booking[] {
    return [...this.bookings.values()].filter((booking) => booking.room === room);
  }

  /** Makes a room, or gives it new content; says whether it is new. */
  put(id: string, given: Partial<RoomContent>): boolean {
    const before = this.rooms.get(id);
    const defaults = { equipment: [], opens: '08:00', closes: '18:00', inService: true };
    const kept = this.#broken('replace-keeps-equipment') && before ? { equipment: before.equipment } : {};
    const content = { ...defaults, ...kept, ...given } as RoomContent;
    const isOpen =
      content.opens < content.closes || (this.#broken('equal-hours') && content.opens === content.closes);
    if (!isOpen) throw new Problem('bad_hours');
    for (const booking of this.bookingsIn(id)) this.#keepsFit(booking, content);
    const { id: _, revision = 0, ...old } = before ?? {};
    const isSame =
      before !== undefined &&
      Object.entries(content).every(([name, value]) => same(value, Reflect.get(old, name)));
    if (!isSame) this.rooms.set(id, { ...content, id, revision: revision + 1 });
    return before === undefined;
  }

  #keepsFit(booking: Booking, content: RoomContent): void {
    if (!isActive(booking) && !this.#broken('cancelled-keeps-hours')) return;
    if (this.#broken('hours-without-bookings')) return;
    fits(booking, content, this.#broken);
  }

  remove(room: Room): void {
    const bookings = this.bookingsIn(room.id);
    const inUse = this.#broken('delete-with-old-bookings') ? bookings.some(isActive) : bookings.length > 0;
    if (inUse) throw new Problem('in_use');
    this.rooms.delete(room.id);
  }

  /** Whether another active booking overlaps a slot. */
  isTaken(room: string, { day, from, to }: Slot, except?: number): boolean {
    const others = [...this.bookings.values()].filter(
      (one) =>
        (one.room === room || this.#broken('overlap-of-other-rooms')) &&
        one.day === day &&
        one.id !== except &&
        (this.#broken('held-is-free') ? one.status === 'confirmed' : isActive(one)),
    );
    if (this.#broken('overlap-around'))
      return others.some((one) => (one.from <= from && from < one.to) || (one.from < to && to <= one.to));
    if (this.#broken('touching-overlaps')) return others.some((one) => one.from <= to && one.to >= from);
    return others.some((one) => one.from < to && one.to > from);
  }

  /** The rooms that are free in a slot. */
  free(slot: Slot): Room[] {
    return [...this.rooms.values()].filter(
      (room) =>
        (room.inService || this.#broken('free-out-of-service')) &&
        (this.#broken('free-when-closed') || (room.opens <= slot.from && room.closes >= slot.to)) &&
        !this.isTaken(room.id, slot) &&
        !(this.#broken('free-counts-expired') && this.#wasTaken(room.id, slot)),
    );
  }

  #wasTaken(room: string, { day, from, to }: Slot): boolean {
    return this.bookingsIn(room).some((one) => one.day === day && one.from < to && one.to > from);
  }

  hold(
    room: Room,
    person: Person,
    given: Slot & { title: string; private?: boolean; attendees?: number },
  ): Booking {
    if (!room.inService) throw new Problem('out_of_service');
    const booking: Booking = {
      private: false,
      attendees: 1,
      ...given,
      id: this.bookings.size + 1,
      room: room.id,
      booker: person.login,
      status: 'held',
      heldAt: this.time(),
      confirmedAt: null,
      reason: null,
      cancelledBy: null,
    };
    if (this.isTaken(room.id, given)) throw new Problem('occupied');
    fits(booking, room, this.#broken);
    const own = [...this.bookings.values()].filter(
      (one) =>
        one.booker === person.login &&
        (isActive(one) || (this.#broken('expired-counts') && one.status === 'expired')),
    );
    if (own.length >= (this.#broken('quota-bound') ? mostBookings + 1 : mostBookings))
      throw new Problem('too_many');
    this.bookings.set(booking.id, booking);
    return booking;
  }

  edit(booking: Booking, given: Partial<Booking>): void {
    if (!isActive(booking) && !this.#broken('edit-over')) throw new Problem('over');
    const room = this.rooms.get(booking.room);
    const after = { ...booking, ...given };
    if (room !== undefined && isActive(after) && !this.#broken('edit-beyond-seats'))
      fits(after, room, this.#broken);
    Object.assign(booking, given);
  }

  move(booking: Booking, slot: Slot): void {
    if (!isActive(booking)) throw new Problem('over');
    const except = this.#broken('move-overlaps-itself') ? undefined : booking.id;
    const isSame = booking.day === slot.day && booking.from === slot.from && booking.to === slot.to;
    if (!isSame && !this.#broken('move-to-taken') && this.isTaken(booking.room, slot, except))
      throw new Problem('occupied');
    const room = this.rooms.get(booking.room);
    if (room !== undefined) fits({ ...booking, ...slot }, room, this.#broken);
    Object.assign(booking, slot);
  }

  confirm(booking: Booking): void {
    if (booking.status !== 'held') throw new Problem('wrong_status');
    booking.status = 'confirmed';
    booking.confirmedAt = this.time();
  }

  cancel(booking: Booking, person: Person, reason: string): void {
    const isPossible = isActive(booking) || (this.#broken('cancel-expired') && booking.status === 'expired');
    if (!isPossible) throw new Problem('wrong_status');
    booking.status = 'cancelled';
    booking.reason = reason;
    booking.cancelledBy = this.#broken('cancelled-by-booker') ? booking.booker : person.login;
  }

  room(room: Room): Record<string, unknown> {
    return { ...room, active: this.bookingsIn(room.id).filter(isActive).length };
  }

  tag(room: Room): string {
    const content = this.#broken('etag-without-active') ? room : this.room(room);
    return `"${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 24)}"`;
  }

  /** A booking as somebody sees it: the title of a private one is for the booker and for managers. */
  booking({ title, ...rest }: Booking, person: Person): Record<string, unknown> {
    const isManager = person.role === 'manager' && !this.#broken('private-for-managers');
    return { ...rest, ...((!rest.private || rest.booker === person.login || isManager) && { title }) };
  }
}

function fits(
  booking: Booking,
  { opens, closes, seats }: RoomContent,
  broken: (fault: string) => boolean,
): void {
  const isInHours =
    booking.from >= opens && (broken('last-slot-refused') ? booking.to < closes : booking.to <= closes);
  if (!isInHours || booking.attendees > seats) throw new Problem('misfit');
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
