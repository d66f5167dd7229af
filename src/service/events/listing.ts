import { compare, field, parameter, place, query, rowOf } from '../../expression/query.ts';
import { bare } from '../reply.ts';
import { openBeside } from '../store/open.ts';
import { statement } from '../store/rows.ts';
import { NotKept, type Store, StoreRefused } from '../store/store.ts';
import { type Delivery, deliveryOf, deliveryTable, enqueue, keyOf } from './deliveries.ts';
import { type Event, eventOf, eventTable } from './event.ts';

/** The events that are kept at a place, beside the service that runs there, if one does. */
export interface EventsKept {
  /** All of them, in the order in which they were committed, each with its deliveries. */
  readonly list: () => AsyncIterable<Listed>;
  /**
   * Puts events in line again for the addresses that each went to, by whatever way or by one of them. How many
   * deliveries that are. `turn` tells them from those before.
   */
  readonly redeliver: (events: readonly Listed[], way: string | undefined, turn: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface Listed {
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
  const deliveriesOf = async ({ id }: Event): Promise<readonly Delivery[]> =>
    isSent ? (await store.read((reads) => reads.rows(ofEvent, [id]))).map(deliveryOf) : [];
  return {
    list: () => listed(store, deliveriesOf),
    redeliver: (events, way, turn) => redeliver(store, events, way, turn),
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

async function* listed(
  store: Store,
  deliveriesOf: (event: Event) => Promise<readonly Delivery[]>,
): AsyncIterable<Listed> {
  const row = rowOf(eventTable);
  const all = statement(query(row, { order: [{ by: place(row), descending: false }] }));
  for await (const piece of store.stream(all, []))
    for (const event of piece.map(eventOf)) yield { event, deliveries: await deliveriesOf(event) };
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
  const failed = (why: string) => (): never => {
    throw new NotKept(why);
  };
  await store.commit(
    [
      {
        decide: (tx) => {
          for (const one of wanted) enqueue(tx, keyOf({ ...one, turn }), one.lane);
          return { keep: true, reply: bare(204) };
        },
        conflict: failed('these are in line already'),
        fault: failed('they cannot be put in line'),
      },
    ],
    () => 0,
  );
  return wanted.length;
}
