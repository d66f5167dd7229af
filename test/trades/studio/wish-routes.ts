import { slotOf, slotRules } from './booking-routes.ts';
import type { Context, Operation } from './gate.ts';
import { ensure, Refused, string } from './request.ts';
import type { Wish } from './store.ts';
import { shownInstant } from './time.ts';

const shown = ({ id, number, room, band, startsAt, hours, endsAt, status }: Wish): object => ({
  ...{ id, number, room: room.id, band: band.id, startsAt: shownInstant(startsAt), hours },
  ...{ endsAt: shownInstant(endsAt), status },
});

const most = 3;

const wish: Operation = {
  ...{ method: 'POST', path: '/wishes', rule: 'band' },
  body: { rules: { room: [string], ...slotRules }, required: ['room', 'startsAt', 'hours'] },
  run: ({ store, actor, body }) => {
    const slot = slotOf(store, body);
    const counts = ({ status }: Wish): boolean =>
      status === 'waiting' || status === 'offered' || store.broken('quota-ended');
    const used = store.wishes.filter((other) => other.band === actor && counts(other)).length;
    if (used >= most) throw new Refused('too-many-wishes', { message: `You have ${used} of ${most} wishes` });
    ensure(!slot.room.archived, 'closed');
    return { status: 201, body: shown(store.addWish({ ...slot, band: actor })) };
  },
};

const listWishes: Operation = {
  ...{ method: 'GET', path: '/wishes', rule: 'band' },
  run: ({ store, actor }) => ({
    status: 200,
    body: { wishes: store.wishes.filter(({ band }) => band === actor).map(shown) },
  }),
};

function wishOf({ store, path }: Context): Wish {
  const found = store.wishes.find(({ id }) => id === path['id']);
  ensure(found !== undefined, 'no-wish');
  return found;
}

const acceptOffer: Operation = {
  ...{ method: 'POST', path: '/wishes/:id/acceptance', rule: 'band' },
  find: wishOf,
  admit: (context) => ensure(wishOf(context).band === context.actor, 'no-wish'),
  run: (context) => {
    const { store, actor } = context;
    const accepted = wishOf(context);
    const isEarly = accepted.status === 'waiting' && store.broken('accept-waiting');
    const { room, startsAt, hours } = accepted;
    const isOffered = accepted.status === 'offered' || isEarly;
    if (isOffered && startsAt <= store.now)
      throw new Refused('invalid', { fields: { startsAt: ['is over'] } });
    ensure(isOffered, 'wrong-status');
    ensure(!store.isOccupied(room, accepted, null), 'occupied');
    accepted.status = 'taken';
    store.addBooking({ room, startsAt, hours, band: actor, note: null });
    return { status: 200, body: shown(accepted) };
  },
};

export const wishOperations: readonly Operation[] = [wish, listWishes, acceptOffer];
