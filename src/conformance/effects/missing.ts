import { boundFields, type Operation } from '../../specification/model/operation.ts';
import { withArticle } from '../../specification/reading/article.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Check, type Scenario, scenario } from '../check.ts';
import { doesJustThat, succeeded } from '../guards.ts';
import { keyOf } from '../item.ts';
import { makeAndRemove, perform } from '../perform.ts';
import { bodyFor } from '../request.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { operationFor, restsOf, type Trial } from '../trial.ts';
import { all, known } from '../verdict.ts';
import { type Lived, leavesOthers, listTells, live } from './listing.ts';

/** `absent: ignore`: a request about an item that is not there is carried out, and does nothing (language §H.2). */
export function ignoresAbsent(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const { absent } = stated(operation.does)?.qualifiers ?? {};
  if (absent?.kind !== 'stated') return [];
  const cites = { address: absent.address, at: absent.at };
  const remover = operationFor(trial.of, resource, 'delete');
  const cases = [
    ['that nobody made', async () => keyOf(trial.fresh, resource, boundFields(operation))] as const,
    ...(remover ? [['that was removed', () => makeAndRemove(trial, remover, resource)] as const] : []),
  ];
  return cases.map(([label, item]) => {
    const says = `${operation.key} of ${withArticle(resource.name)} ${label}`;
    const makesNone: Check<Lived> = {
      name: 'absent.none',
      says: `${says} makes none`,
      cites,
      guard: (seen) =>
        all(
          succeeded(seen.exchange, operation),
          listTells(trial, resource, seen.after),
          doesJustThat(trial.of, operation),
        ),
      claim: ({ before = [], after = [] }) => ({
        truth: known(after.length === before.length),
        expected: `a list of ${before.length}`,
        found: `a list of ${after.length}`,
      }),
    };
    const observe = async (): Promise<Lived> => {
      const gone = await item();
      const body = bodyFor(trial, operation, 'most');
      return await live(trial, resource, operation, () =>
        perform(trial, operation, { item: gone, there: null, ...(body !== undefined && { body }) }),
      );
    };
    return scenario(trial.of, restsOf(operation), observe, [
      succeeds(trial, operation, says, [], cites),
      ...looksAsStated(trial, operation, 'unchanged'),
      makesNone,
      ...leavesOthers(trial, operation, resource),
    ]);
  });
}
