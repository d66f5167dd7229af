import { field, query, rowOf } from '../expression/query.ts';
import { timerTable } from './change/timers.ts';
import type { Answer } from './http/answering.ts';
import { floor } from './http/floor.ts';
import { elsewhere } from './message/elsewhere.ts';
import type { Arrived } from './message/incoming.ts';
import { bare, type Reply } from './message/reply.ts';
import type { SqliteReader } from './store/sqlite/reader.ts';
import type { Reads } from './store/store.ts';

/** A request that waits for its turn. */
interface Waiting {
  readonly arrived: Arrived;
  readonly answered: (answer: ReturnType<Answer>) => void;
  readonly failed: (error: unknown) => void;
}

/** What it takes to answer requests in a process that reads. */
interface Around {
  readonly store: SqliteReader;
  readonly now: () => string;
  /** Whether something happens by itself: only the process that writes makes it happen. */
  readonly hasTimers: boolean;
  readonly fault: (error: unknown) => void;
}

/**
 * Answers the requests of one turn of the event loop over one snapshot. It is begun once they have all arrived: a request
 * must not be answered from a snapshot that is older than it, since its client may have been answered meanwhile by the
 * process that writes.
 */
export function reading(answer: Answer, { store, now, hasTimers, fault }: Around): Answer {
  const isDue = hasTimers ? dueIn(store, now) : () => false;
  let waiting: Waiting[] = [];
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    try {
      store.together(() => {
        // What is due happens before anybody looks (language §3.3).
        const mustWait = isDue();
        for (const one of batch)
          if (mustWait) one.failed(elsewhere);
          else answerOne(answer, one);
      });
    } catch (error) {
      fault(error);
      for (const { answered } of batch) answered(bare(floor.unavailable));
    }
  };
  return (arrived) =>
    new Promise<Reply | null>((answered, failed) => {
      waiting.push({ arrived, answered, failed });
      if (waiting.length === 1) setImmediate(flush);
    });
}

function answerOne(answer: Answer, { arrived, answered, failed }: Waiting): void {
  try {
    answered(answer(arrived));
  } catch (error) {
    failed(error);
  }
}

/** Tells whether something is due that has not happened yet. */
function dueIn(store: SqliteReader, now: () => string): () => boolean {
  const table = rowOf(timerTable);
  const next = store.prepare(query(table, { gives: { kind: 'min', of: field(table, 'due', 'text') } }));
  return () => {
    const soonest = store.read((reads: Reads) => reads.value(next, []) as string | null);
    return typeof soonest === 'string' && soonest <= now();
  };
}
