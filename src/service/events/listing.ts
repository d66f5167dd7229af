import { compare, field, parameter, place, query, rowOf } from '../../expression/query.ts';
import { openBeside } from '../store/open.ts';
import { done, ownPlan } from '../store/plan.ts';
import { type Row, type Statement, statement } from '../store/rows.ts';
import { NotKept, type Store, StoreRefused, type Table, type Transaction } from '../store/store.ts';
import { compileDeliveries, type Delivery, deliveryOf, deliveryTable, enqueue, keyOf } from './deliveries.ts';
import { type Event, eventOf, eventTable } from './event.ts';

/** The events that are kept at a place, beside the service that runs there, if one does. */
export interface EventsKept {
  /** All of them, in the order in which they were committed, each with its deliveries. */
  readonly list: () => AsyncIterable<Listed>;
  /** Those before a place, the latest first, and so many at the most. */
  readonly before: (place: number, most: number) => Promise<readonly Listed[]>;
  /** One by its identifier; undefined: it is none of these. */
  readonly find: (id: string) => Promise<Listed | undefined>;
  /** When a delivery is to be tried again first after a time, in milliseconds since 1970; null: none is. */
  readonly nextDue: (after: number) => Promise<number | null>;
  /**
   * Puts events in line again for the addresses that each went to, by whatever way or by one of them. How many
   * deliveries that are. `turn` tells them from those before.
   */
  readonly redeliver: (events: readonly Listed[], way: string | undefined, turn: string) => Promise<number>;
  /**
   * Removes events with their deliveries, but for those that are to be delivered still, and the last of either, behind
   * which the next one stands. How many those were.
   */
  readonly remove: (events: AsyncIterable<Listed>) => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface Listed {
  /** Where it stands among all. */
  readonly place: number;
  readonly event: Event;
  readonly deliveries: readonly Delivery[];
}

/** @throws StoreRefused where nothing is kept there, or no events are */
export async function openEvents(at: string): Promise<EventsKept> {
  const { store, isSent } = await opened(at);
  const row = rowOf(deliveryTable);
  const ofEvent = statement(
    query(row, {
      where: compare('==', field(row, 'event', 'text'), parameter(0, 'text')),
      order: [{ by: place(row), descending: false }],
    }),
  );
  const events = rowOf(eventTable);
  const earlier = statement(
    query(events, {
      where: compare('<', place(events), parameter(0, 'number')),
      order: [{ by: place(events), descending: true }],
      limit: parameter(1, 'number'),
    }),
  );
  const ofId = statement(
    query(events, { where: compare('==', field(events, 'id', 'text'), parameter(0, 'text')) }),
  );
  const deliveriesOf = async ({ id }: Event): Promise<readonly Delivery[]> =>
    isSent ? (await store.read((reads) => reads.rows(ofEvent, [id]))).map(deliveryOf) : [];
  const listedOf = async (found: Row): Promise<Listed> => {
    const event = eventOf(found);
    return { place: found.place as number, event, deliveries: await deliveriesOf(event) };
  };
  return {
    list: () => listed(store, listedOf),
    before: async (at, most) => {
      const rows = await store.read((reads) => reads.rows(earlier, [at, most]));
      return Promise.all(rows.map(listedOf));
    },
    find: async (id) => {
      const [found] = await store.read((reads) => reads.rows(ofId, [id]));
      return found && listedOf(found);
    },
    nextDue: async (after) => (isSent ? compileDeliveries(store).nextDue(after) : null),
    redeliver: (events, way, turn) => redeliver(store, events, way, turn),
    remove: (events) => remove(store, isSent, events),
    close: async () => void (await store.close()),
  };
}

/** A service that sends nothing has no deliveries. */
async function opened(at: string): Promise<{ readonly store: Store; readonly isSent: boolean }> {
  try {
    return { store: await openBeside(at, [eventTable, deliveryTable]), isSent: true };
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    return { store: await openBeside(at, [eventTable]), isSent: false };
  }
}

async function* listed(store: Store, listedOf: (found: Row) => Promise<Listed>): AsyncIterable<Listed> {
  const row = rowOf(eventTable);
  const all = statement(query(row, { order: [{ by: place(row), descending: false }] }));
  for await (const piece of store.stream(all, [])) for (const found of piece) yield await listedOf(found);
}

async function redeliver(
  store: Store,
  events: readonly Listed[],
  way: string | undefined,
  turn: string,
): Promise<number> {
  const wanted = events.flatMap(({ deliveries }) => {
    const addresses = new Map(deliveries.map((one) => [JSON.stringify([one.way, one.target]), one]));
    return [...addresses.values()].filter((one) => way === undefined || one.way === way);
  });
  await commit(store, 'they cannot be put in line', (tx) => {
    for (const one of wanted) enqueue(tx, keyOf({ ...one, turn }), one.lane, one.owner);
  });
  return wanted.length;
}

/** How many are removed at once, so that the service that runs there waits for no more. */
const pageRemoved = 500;

/** @param isSent whether there are deliveries */
async function remove(store: Store, isSent: boolean, events: AsyncIterable<Listed>): Promise<number> {
  const lastOf = (table: Table) => {
    const row = rowOf(table);
    return statement(query(row, { gives: { kind: 'max', of: place(row) } }));
  };
  const [lastEvent, lastDelivery] = [eventTable, deliveryTable].map(lastOf) as [Statement, Statement];
  let removed = 0;
  const removeAll = (page: readonly Listed[]): Promise<void> => {
    let some = 0;
    return commit(store, 'they cannot be removed', (tx) => {
      const event = tx.value(lastEvent, []);
      const delivery = isSent ? tx.value(lastDelivery, []) : null;
      const going = page.filter(
        (one) => one.place !== event && one.deliveries.every((sent) => sent.place !== delivery),
      );
      for (const { deliveries } of going)
        for (const one of deliveries) tx.remove(deliveryTable.name, keyOf(one));
      for (const one of going) tx.remove(eventTable.name, [one.event.id]);
      some = going.length;
    }).then(() => {
      removed += some;
    });
  };
  let page: Listed[] = [];
  for await (const one of events) {
    if (one.deliveries.some(({ due }) => due !== undefined)) continue;
    page.push(one);
    if (page.length < pageRemoved) continue;
    await removeAll(page);
    page = [];
  }
  await removeAll(page);
  return removed;
}

async function commit(store: Store, why: string, change: (tx: Transaction) => void): Promise<void> {
  const plan = ownPlan(
    (tx) => {
      change(tx);
      return true;
    },
    () => {},
  );
  const [reply] = await store.commit([plan], () => 0);
  if (reply !== done) throw new NotKept(why);
}
