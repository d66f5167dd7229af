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

/**
 * The last result of a kind that some exchanges come to; null: none does.
 *
 * @param isMeant whether a result is of this kind: about a statement
 * @param all in groups that were sent at once
 */
export function judgedAnew(
  specification: Specification,
  isMeant: (result: Result) => boolean,
  all: readonly (readonly Recorded[])[],
  { credentials, url }: { readonly credentials: GivenCredentials; readonly url: string },
): Result | null {
  const operators = operatorsOf(credentials);
  const following = new Following({ specification, url, operators, isClosed: false });
  let latest: Result | null = null;
  for (const group of all)
    for (const { recorded, operation, settled } of following.note(group)) {
      if (operation === null || settled === null) continue;
      const results = new Verdicts(specification).note(operation, recorded.exchange, settled);
      latest = results.find(isMeant) ?? latest;
    }
  return latest;
}
