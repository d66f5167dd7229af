import { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Result, Scenario } from '../check.ts';
import type { Exchange } from '../http.ts';
import { type Random, seeded } from '../random.ts';
import { Explorer } from '../search/explorer.ts';
import { Novelty } from '../search/novelty.ts';
import { Pool } from '../search/pool.ts';
import { Verdicts } from '../verdicts/verdicts.ts';
import type { Target } from './target.ts';
import { walk } from './walk.ts';

/** How many requests follow from one another at the most. */
const length = 160;

/** How many walks are under way at once. None touches the items of another. */
const lanes = 4;

/**
 * Walks over the whole service, several at once in each scenario. If nobody else uses the service, they follow one another,
 * and all that they stored stays known, as long as it can be followed.
 *
 * @param requests how many are sent together, rounded up to whole scenarios
 */
export function* walks(target: Target, requests: number, random: Random): Iterable<Scenario> {
  const operations = target.specification.operations.filter((operation) => !isAboutEvery(operation));
  if (operations.length === 0) return;
  const playing: Playing = {
    target,
    operations,
    novelty: new Novelty(),
    verdicts: new Verdicts(target.specification),
  };
  let isAlone = target.isAlone;
  let world = worldOf(target, isAlone);
  for (let planned = 0; planned < requests; planned += (isAlone ? 1 : lanes) * length)
    yield {
      run: async () => {
        const begun = isAlone ? [world] : Array.from({ length: lanes }, () => worldOf(target, false));
        const all = await Promise.all(
          begun.map((each) =>
            played(
              playing,
              each,
              new Pool(target.specification, seeded(random.whole(0, 2 ** 31 - 1)), each.latest),
            ),
          ),
        );
        const after = all[0]?.world ?? null;
        isAlone &&= after !== null;
        if (after !== null) world = after;
        return all.flatMap(({ results }) => results);
      },
    };
}

/** What all walks of a run share. */
interface Playing {
  readonly target: Target;
  readonly operations: readonly Operation[];
  readonly novelty: Novelty;
  readonly verdicts: Verdicts;
}

/** Whether an operation changes the items of others, too. */
function isAboutEvery({ does, endpoint }: Operation): boolean {
  const changes = [...[stated(does) ?? []].flat(), ...(stated(endpoint.also) ?? [])];
  return changes.some(({ verb, subject }) => subject.kind === 'every' && verb !== 'list');
}

/** One walk after another, until so many requests were sent. Where nobody knows any more what is stored, the next one begins. */
async function played(
  { target, operations, novelty, verdicts }: Playing,
  begun: World,
  pool: Pool,
): Promise<{ readonly results: readonly Result[]; readonly world: World | null }> {
  const results: Result[] = [];
  let world: World | null = begun;
  for (let sent = 0, before = -1; sent < length && sent > before; ) {
    before = sent;
    const sequence: Exchange[] = [];
    const from: World = world ?? worldOf(target, false);
    const explorer = new Explorer(pool, novelty, target.url, operations);
    for await (const judged of walk(from, explorer, target, length - sent)) {
      sent += 1;
      world = judged.world;
      if (judged.settled === null) continue;
      const { operation, exchange, settled } = judged;
      sequence.push(exchange);
      for (const result of verdicts.note(operation, exchange, settled))
        results.push(result.verdict === 'violates' ? { ...result, sequence: [...sequence] } : result);
    }
  }
  return { results, world };
}

/** What is known of a service before the first request: the credentials that the operator gave. */
function worldOf({ specification, credentials }: Target, isAlone: boolean): World {
  const world = new World(specification, { isShared: !isAlone, mayAdd: true });
  world.operators = Object.entries(credentials).flatMap(([scheme, secrets]) =>
    Object.entries(secrets).map(([name, secret]) => ({ scheme, name, secret })),
  );
  return world;
}
