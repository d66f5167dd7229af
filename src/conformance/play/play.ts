import { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Result, Scenario } from '../check.ts';
import type { Exchange } from '../http.ts';
import { type Random, seeded } from '../random.ts';
import { Pool } from '../search/pool.ts';
import { Verdicts } from '../verdicts/verdicts.ts';
import type { Target } from './target.ts';
import { walk } from './walk.ts';

/** How many requests follow from one another at the most. */
const length = 40;

/** How many walks are under way at once. None touches the items of another. */
const lanes = 4;

/**
 * Walks over the whole service, several at once in each scenario.
 *
 * @param requests how many are sent together, rounded up to whole scenarios
 */
export function* walks(target: Target, requests: number, random: Random): Iterable<Scenario> {
  const operations = target.specification.operations.filter((operation) => !isAboutEvery(operation));
  if (operations.length === 0) return;
  const verdicts = new Verdicts(target.specification);
  const own = { ...target, isSent: (operation: Operation) => !isAboutEvery(operation) };
  for (let planned = 0; planned < requests; planned += lanes * length) {
    const seeds = Array.from({ length: lanes }, () => random.whole(0, 2 ** 31 - 1));
    yield { run: async () => (await Promise.all(seeds.map((seed) => played(own, seed, verdicts)))).flat() };
  }
}

/** Whether an operation changes the items of others, too. */
function isAboutEvery({ does, endpoint }: Operation): boolean {
  const changes = [...[stated(does) ?? []].flat(), ...(stated(endpoint.also) ?? [])];
  return changes.some(({ verb, subject }) => subject.kind === 'every' && verb !== 'list');
}

/** One walk after another, until so many requests were sent. */
async function played(target: Target, seed: number, verdicts: Verdicts): Promise<Result[]> {
  const pool = new Pool(target.specification, seeded(seed));
  const results: Result[] = [];
  let sent = 0;
  const counting: Target = {
    ...target,
    send: (message) => {
      sent += 1;
      return target.send(message);
    },
  };
  for (let before = -1; sent < length && sent > before; ) {
    before = sent;
    const sequence: Exchange[] = [];
    for await (const { operation, exchange, settled } of walk(
      worldOf(target),
      pool,
      counting,
      length - sent,
    )) {
      sequence.push(exchange);
      for (const result of verdicts.note(operation, exchange, settled))
        results.push(result.verdict === 'violates' ? { ...result, sequence: [...sequence] } : result);
    }
  }
  return results;
}

/** What is known of a service that others may use, too: the credentials that the operator gave. */
function worldOf({ specification, credentials }: Target): World {
  const world = new World(specification, { isShared: true, mayAdd: true });
  world.operators = Object.entries(credentials).flatMap(([scheme, secrets]) =>
    Object.entries(secrets).map(([name, secret]) => ({ scheme, name, secret })),
  );
  return world;
}
