import type { Incoming } from '../message/incoming.ts';
import type { Reply } from '../message/reply.ts';
import type { Event } from './event.ts';
import { type Outbox, pageEvents } from './outbox.ts';
import type { ContentOf } from './payloads.ts';

/** How long nothing is sent at most: who is gone is noticed by then. */
const longestSilenceMs = 15_000;

/** How often it is asked whether who follows still may. */
const askMs = 30_000;

/**
 * Streams of Server-Sent Events (language §6.3; WHATWG HTML §9.2). Each reads what is stored at its own pace, so that
 * nothing is heaped up for who is slow.
 */
export interface Streams {
  /** Whether events go out by an endpoint, by its key. */
  readonly has: (key: string) => boolean;
  /** What its answer becomes: where that is 200, it goes on with the events. */
  readonly follow: (reply: Reply, asked: Incoming, isStill: () => Promise<boolean>) => Reply;
  /** There may be further events. */
  readonly wake: () => void;
  /** Whether anybody follows. */
  readonly isFollowed: () => boolean;
  /** Ends all of them. */
  readonly close: () => void;
}

export function compileStreams(
  keys: ReadonlySet<string>,
  outbox: Outbox,
  milliseconds: () => number,
  contentOf: ContentOf,
): Streams {
  const waiting = new Set<() => void>();
  let following = 0;
  let isClosed = false;
  const wake = (): void => {
    for (const go of waiting) go();
    waiting.clear();
  };
  /** True where it was woken, false where it was silent for as long as it may be. */
  const woken = (): Promise<boolean> =>
    new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        waiting.delete(go);
        resolve(false);
      }, longestSilenceMs);
      waiting.add(go);
    });
  async function* pieces(
    last: string | undefined,
    version: string | null,
    isStill: () => Promise<boolean>,
  ): AsyncIterable<string> {
    following += 1;
    try {
      let at = (last === undefined ? undefined : await outbox.placeOf(last)) ?? (await outbox.last());
      // A comment: the head leaves with it.
      yield ':\n\n';
      let asked = milliseconds();
      while (!isClosed) {
        if (milliseconds() - asked >= askMs) {
          if (!(await isStill())) return;
          asked = milliseconds();
        }
        const coming = woken();
        const found = await outbox.after(at);
        at = found.at(-1)?.place ?? at;
        const text = found.map(({ event }) => written(event, contentOf(event, version) ?? null)).join('');
        if (text !== '') yield text;
        if (found.length < pageEvents && !(await coming)) yield ':\n\n';
      }
    } finally {
      following -= 1;
    }
  }
  return {
    has: (key) => keys.has(key),
    follow: (reply, { headers, version }, isStill) => {
      if (reply.status !== 200) return reply;
      const last = headers['last-event-id'];
      const own = reply.headers.flatMap((name, index) =>
        index % 2 === 0 && name.toLowerCase() !== 'content-type'
          ? [name, reply.headers[index + 1] as string]
          : [],
      );
      return {
        ...reply,
        headers: ['Content-Type', 'text/event-stream', ...own],
        body: {
          chunks: () => pieces(typeof last === 'string' ? last : undefined, version?.name ?? null, isStill),
        },
      };
    },
    wake,
    isFollowed: () => following > 0,
    close: () => {
      isClosed = true;
      wake();
    },
  };
}

/** One event, as it stands in the stream: JSON text has no line breaks. One that is not to be delivered is left out. */
function written({ id, kind }: Event, content: string | null): string {
  return content === null ? '' : `id: ${id}\nevent: ${kind}\ndata: ${content}\n\n`;
}
