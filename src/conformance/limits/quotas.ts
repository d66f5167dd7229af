import { type Said, stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Watched } from '../answered.ts';
import { type Check, ifReached, type Scenario, Unreached } from '../check.ts';
import { allReasons, answerFound, doesJustThat, succeeded } from '../guards.ts';
import { listerOf } from '../lister.ts';
import type { Item } from '../partly.ts';
import { create, perform } from '../perform.ts';
import { refusing } from '../refusing.ts';
import { bodyFor } from '../request.ts';
import { statedOnly } from '../stated.ts';
import { operationFor, type Trial } from '../trial.ts';
import { steady } from '../unrefused.ts';
import { all, known } from '../verdict.ts';
import { walk } from '../walk.ts';
import { limitsClosed } from './unlimited.ts';

/** How many items of a resource are created to use up a quota. */
const mostMade = 50;

/** The quotas of part 8, at what they allow and one past it (language §8.4). */
export function quotas(trial: Trial): Scenario[] {
  const part = stated(trial.of.limits);
  return [...((part && stated(part.quotas)) ?? [])].flatMap(([name, said]) => {
    const quota = stated(said);
    const most = quota && stated(quota.allow);
    const resource = trial.of.resourcesByName.get((quota && stated(quota.of)?.text) ?? '');
    if (quota === undefined || most === undefined || resource === undefined) return [];
    const isPlain = [quota.per, quota.sum, quota.when].every(({ kind }) => kind === 'open');
    return isPlain && typeof most === 'number'
      ? filled(trial, name, resource, said, most)
      : [statedOnly(trial.of, said.address, 'quotas of some of the items are not tested yet')];
  });
}

/** One item more than there may be, counting those that are there: what was made for it goes again, where it can. */
function filled(
  trial: Trial,
  name: string,
  resource: Resource,
  said: Said<unknown>,
  most: number,
): Scenario[] {
  const { of } = trial;
  const operation = operationFor(of, resource, 'create');
  const lister = listerOf(trial, resource);
  if (operation === null || lister === null)
    return [statedOnly(of, said.address, `nothing that can be exercised makes, and lists, ${resource.name}`)];
  const remover = operationFor(of, resource, 'delete');
  const cites = { address: said.address, at: said.at };
  let count = 0;
  const room: Check<Watched> = {
    name: 'quota.room',
    says: `${operation.key} succeeds while there are less than ${most}, and no longer`,
    cites,
    guard: ({ exchange, names }) =>
      all(
        steady(of, resource),
        allReasons(of, operation, names),
        limitsClosed(of, operation, exchange.request),
      ),
    claim: ({ exchange }) => ({
      truth: known(count === most),
      expected: `${most} that are there`,
      found: `${count}, then ${answerFound(exchange)}`,
    }),
  };
  return [
    refusing(trial, {
      says: `${operation.key} of one more than ${most}`,
      operation,
      cites,
      reasons: [{ name: 'quota exceeded', subject: name, failures: [] }],
      must: all(doesJustThat(of, operation), steady(of, resource)),
      more: [room],
      send: async () => {
        count = (await walk(trial, lister)).entries.length;
        if (most - count > mostMade)
          throw new Unreached(`more than ${mostMade} items are not made to fill it`);
        const made: Item[] = [];
        try {
          for (;;) {
            const done = await create(trial, operation, bodyFor(trial, operation, 'most'));
            if (done.item) made.push(done.item);
            if (succeeded(done.exchange, operation).value !== true || count >= most) return done;
            count += 1;
          }
        } finally {
          if (remover) for (const item of made) await ifReached(() => perform(trial, remover, { item }));
        }
      },
    }),
  ];
}
