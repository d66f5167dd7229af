import { compare, field, parameter, place, query, rowOf } from '../../expression/query.ts';
import { inPlaceOrder, lastPlace } from '../store/settled.ts';
import type { Store } from '../store/store.ts';
import { type Event, eventOf, eventTable } from './event.ts';

/** An event, and where it stands among those of its service. */
export interface Placed {
  readonly place: number;
  readonly event: Event;
}

/** Reads the events that are kept, in the order in which they were committed. */
export interface Outbox {
  /** Where the last one stands; 0: there is none. */
  readonly last: () => Promise<number>;
  /** Where one stands; undefined: it is none of these. */
  readonly placeOf: (id: string) => Promise<number | undefined>;
  /** The next ones after a place, and no more than a page of them. */
  readonly after: (from: number) => Promise<readonly Placed[]>;
}

/** How many events are read at once. */
export const pageEvents = 100;

export function compileOutbox(store: Store): Outbox {
  const row = rowOf(eventTable);
  const one = store.prepare(
    query(row, { where: compare('matches', field(row, 'id', 'text'), parameter(0, 'text')) }),
  );
  const next = store.prepare(
    query(row, {
      where: compare('>', place(row), parameter(0, 'number')),
      order: [{ by: place(row), descending: false }],
      limit: parameter(1, 'number'),
    }),
  );
  const after = inPlaceOrder(store, eventTable.name, async (from) =>
    store.read((reads) => reads.rows(next, [from, pageEvents])),
  );
  return {
    last: lastPlace(store, eventTable),
    placeOf: async (id) => (await store.read((reads) => reads.rows(one, [id])))[0]?.place,
    after: async (from) =>
      (await after(from)).map((found) => ({ place: found.place as number, event: eventOf(found) })),
  };
}

/** The same store, that tells once what was committed is there, and whether no commit is under way any more. */
export function telling(store: Store, tell: (isLast: boolean) => void): Store {
  let underway = 0;
  const over = (): void => {
    underway -= 1;
    tell(underway === 0);
  };
  return {
    ...store,
    commit: (plans, latest) => {
      underway += 1;
      const done = store.commit(plans, latest);
      if (done instanceof Promise) return done.finally(over);
      over();
      return done;
    },
  };
}
