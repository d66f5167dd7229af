import type { Client, Exchange } from '../http.ts';

/** An exchange of a run, and when it was under way: no two of these numbers are the same. */
export interface Noted {
  readonly exchange: Exchange;
  readonly sent: number;
  readonly answered: number;
}

/** All that was exchanged, in the order in which it was sent. */
export interface Journal {
  readonly entries: readonly Noted[];
  readonly client: Client;
}

/** A client that keeps what it exchanges, unless nobody will ask for it. */
export function journal(client: Client, isKept: boolean): Journal {
  const entries: Noted[] = [];
  let time = 0;
  if (!isKept) return { entries, client };
  return {
    entries,
    client: {
      ...client,
      send: async (request) => {
        const sent = time++;
        const exchange = await client.send(request);
        const noted = { exchange, sent, answered: time++ };
        // Of those that were under way together, whichever was sent first comes first.
        const after = entries.findLastIndex((one) => one.sent < sent);
        entries.splice(after + 1, 0, noted);
        return exchange;
      },
    },
  };
}
