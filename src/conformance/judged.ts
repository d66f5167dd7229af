import type { Specification } from '../specification/model/specification.ts';
import { type GivenCredentials, operatorsOf } from './access/given.ts';
import type { Client, Exchange } from './http.ts';
import type { Result } from './result.ts';
import { Following } from './traffic/following.ts';
import { Verdicts } from './verdicts/verdicts.ts';

/** An exchange, and when it was sent and how long it took, in milliseconds. */
export type Recorded = Parameters<Following['note']>[0][number];

/** The client, with somebody who hears of every exchange, and of when its request was sent. */
export function heard<C extends Client>(
  inner: C,
  now: () => number,
  hear: (exchange: Exchange, sentMs: number) => void,
): C {
  return {
    ...inner,
    send: async (request) => {
      const sentMs = now();
      const exchange = await inner.send(request);
      hear(exchange, sentMs);
      return exchange;
    },
  };
}

/** The same client, which records what it exchanges. */
export function recording(client: Client, now: () => number): Client & { readonly recorded: Recorded[] } {
  const recorded: Recorded[] = [];
  const record = (exchange: Exchange, sentMs: number): void =>
    void recorded.push({ exchange, sentMs, tookMs: now() - sentMs });
  return { ...heard(client, now, record), recorded };
}

/** What a statement comes to by the last of some exchanges that says something of it; null: none does. */
export function judgedAnew(
  specification: Specification,
  address: string,
  all: readonly Recorded[],
  { credentials, url }: { readonly credentials: GivenCredentials; readonly url: string },
): Result | null {
  const operators = operatorsOf(credentials);
  const following = new Following({ specification, url, operators, isClosed: false });
  let latest: Result | null = null;
  for (const recorded of all)
    for (const { operation, settled } of following.note([recorded])) {
      if (operation === null || settled === null) continue;
      const results = new Verdicts(specification).note(operation, recorded.exchange, settled);
      latest = results.find(({ statement }) => statement.address === address) ?? latest;
    }
  return latest;
}
