import type { Specification } from '../specification/model/specification.ts';
import { type GivenCredentials, operatorsOf } from './access/given.ts';
import type { Client } from './http.ts';
import type { Result } from './result.ts';
import { Following } from './traffic/following.ts';
import { Verdicts } from './verdicts/verdicts.ts';

/** An exchange, and when it was sent and how long it took, in milliseconds. */
export type Recorded = Parameters<Following['note']>[0][number];

/** The same client, which records what it exchanges. */
export function recording(client: Client, now: () => number): Client & { readonly recorded: Recorded[] } {
  const recorded: Recorded[] = [];
  return {
    ...client,
    recorded,
    send: async (request) => {
      const sentMs = now();
      const exchange = await client.send(request);
      recorded.push({ exchange, sentMs, tookMs: now() - sentMs });
      return exchange;
    },
  };
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
