import { asksBy, type More } from '../asks.ts';
import type { Json, Step } from '../witness.ts';

type Members = Record<string, Json>;

/** Ann and Bob have bands, and Kit keeps the rooms. */
export type Person = 'ann' | 'bob' | 'kit';

export const { does, sees, refused } = asksBy<Person>((code) => ({ code }));

/** Somebody changes something by a merge patch. */
export const patches = (as: Person, path: string, status: number, body: Members, more: More = {}): Step =>
  does(as, `PATCH ${path}`, status, {
    body,
    ...more,
    headers: { 'Content-Type': 'application/merge-patch+json', ...more.headers },
  });

export const signsUp = (name: string, more: Members = {}): Step => ({
  ask: 'POST /accounts',
  body: { email: `${name}@mail.example`, name, password: `${name}-plays-loud`, ...more },
  status: 201,
  shows: { name, role: 'band' },
});

/** Somebody logs in, with a session that is kept by a name. */
export const logsIn = (keep: string, email: string, password: string): Step => ({
  ask: 'POST /sessions',
  body: { email, password },
  status: 201,
  shows: { token: /./ },
  keep,
});

export const kit = logsIn('kit', 'kit@studio.example', 'loud-but-tuned');
export const annLogsIn = logsIn('ann', 'ann@mail.example', 'ann-plays-loud');
export const ann: readonly Step[] = [signsUp('ann'), annLogsIn];
export const bob: readonly Step[] = [signsUp('bob'), logsIn('bob', 'bob@mail.example', 'bob-plays-loud')];

/** Kit opens a room, which is kept by its name. */
export const opens = (name: string, more: Members = {}): Step =>
  does('kit', 'POST /rooms', 201, {
    body: { name, floor: 0, capacity: 6, rate: 1500, ...more },
    shows: { name, bookings: 0 },
    keep: name,
  });

export const hour = 3600;
export const day = 24 * hour;

/** A band books a room in so many seconds; the booking is kept by a name. */
export const books = (
  as: Person,
  room: string,
  keep: string,
  after = 2 * day,
  hours = 2,
  more: Members = {},
): Step =>
  does(as, 'POST /bookings', 201, {
    body: { room: `{${room}.id}`, startsAt: `{now+${after}}`, hours, ...more },
    shows: { status: 'held', hours },
    keep,
  });

export const hires = (as: Person, booking: string, instrument: string, count: number): Step =>
  does(as, `PUT /bookings/{${booking}.id}/instruments/${instrument}`, 201, {
    body: { count },
    shows: { instrument, count },
  });

/** A band pays the deposit, as the booking shows it. */
export const pays = (as: Person, booking: string): Step =>
  does(as, `POST /bookings/{${booking}.id}/deposit`, 200, {
    body: { amount: `{${booking}.deposit}` },
    shows: { status: 'confirmed' },
  });

export const cancels = (as: Person, booking: string, more: More = {}): Step =>
  does(as, `POST /bookings/{${booking}.id}/cancellation`, 200, { shows: { status: 'cancelled' }, ...more });

export const wishes = (as: Person, room: string, keep: string, after = 2 * day, hours = 2): Step =>
  does(as, 'POST /wishes', 201, {
    body: { room: `{${room}.id}`, startsAt: `{now+${after}}`, hours },
    shows: { status: 'waiting' },
    keep,
  });

/** Ann, Bob and Kit are here, and there is a room. */
export const opened: readonly Step[] = [...ann, ...bob, kit, opens('cellar')];
