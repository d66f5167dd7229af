import { stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import { compileEmitting, type Emitting } from '../events/emitting.ts';
import { eventTable } from '../events/event.ts';
import { compileOutbox, telling } from '../events/outbox.ts';
import { compileStreams, type Streams, streamsIn } from '../events/streams.ts';
import type { Writers } from '../render.ts';
import type { Store, Table } from '../store/store.ts';

/** Part 6 (language §6), compiled: what a change tells others, and what that is kept in. */
export interface CompiledEvents {
  readonly emitting: Emitting;
  readonly tables: readonly Table[];
  /** Begins to deliver what is stored in a store. */
  readonly begin: (store: Store, milliseconds: () => number) => Delivering;
}

/** Events on their way, while the service runs. */
export interface Delivering {
  /** The store to use from now on: it tells of events once they are committed. */
  readonly store: Store;
  readonly streams: Streams;
  readonly close: () => Promise<void>;
}

/** How often it looks for what other processes of the service have committed. */
const lookMs = 250;

/** Null where nothing is emitted, as while part 6 is open. */
export function compileEvents({ events }: Specification, writers: Writers): CompiledEvents | null {
  const part = stated(events);
  const emits = [...((part && stated(part.kinds)) ?? [])].some(([, kind]) => stated(stated(kind)?.by));
  if (part === undefined || (!emits && streamsIn(part).size === 0)) return null;
  let isNew = false;
  const emitting = compileEmitting(part, writers, () => {
    isNew = true;
  });
  return {
    emitting,
    tables: [eventTable],
    begin: (store, milliseconds) => {
      const streams = compileStreams(streamsIn(part), compileOutbox(store), milliseconds);
      const wake = (): void => {
        isNew = false;
        streams.wake();
      };
      const looking = store.isShared
        ? setInterval(() => {
            if (streams.isFollowed()) wake();
          }, lookMs).unref()
        : undefined;
      return {
        store: telling(store, () => {
          if (isNew) wake();
        }),
        streams,
        close: async () => {
          clearInterval(looking);
          streams.close();
        },
      };
    },
  };
}
