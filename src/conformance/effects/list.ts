import type { Operation } from '../../specification/operation.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { type Check, ifReached, type Scenario, scenario } from '../check.ts';
import { asKept, succeeded } from '../guards.ts';
import { list } from '../items.ts';
import { sameSight } from '../lens.ts';
import { listerOf } from '../lister.ts';
import { isListed, where } from '../lists/collection.ts';
import { isPaged } from '../page.ts';
import { make, perform } from '../perform.ts';
import { showsAsStated } from '../shows.ts';
import { deed, looksAsStated, succeeds } from '../success.ts';
import { type Done, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { entriesOf, isIdentified, listTells } from './listing.ts';

interface Listed extends Done {
  readonly made: readonly Done[];
}

/** `list`: pages through all (language §H.2). Of what was there before nothing is claimed. */
export function lists(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const observe = async (): Promise<Listed> => {
    const made: Done[] = [];
    for (let i = 0; i < 3; i++) {
      const done = await ifReached(() => make(trial, resource));
      if (done && done.shown !== undefined) made.push(done);
    }
    const isWhole = isPaged(operation) && listerOf(trial, resource) === operation;
    const whole = isWhole ? await ifReached(() => list(trial, resource)) : undefined;
    const done = whole ?? (await perform(trial, operation, where(trial, made[0]?.item)));
    const isIn = ({ item }: Done): boolean =>
      item !== null && isListed(trial.of, operation, item, done.names) === true;
    return { ...done, made: made.filter(isIn) };
  };
  const holdsAll: Check<Listed> = {
    name: 'effect.list',
    says: `${operation.key} lists each ${resource.name} that was made, once, as it was made`,
    cites: deed(operation),
    guard: ({ exchange, made, entries }) =>
      all(
        succeeded(exchange, operation),
        made.length > 0 ? yes : unseen(`no ${resource.name} is known that it lists`),
        listTells(trial, resource, entries),
        asKept(trial.of, resource),
      ),
    claim: ({ made, entries }) => {
      const found = made.map((one) => ({ ...one, twins: entriesOf(entries ?? [], one.item, one) }));
      // Entries that tell no identifier may be equal and not the same.
      const isOnce = (count: number): boolean => count === 1 || (count > 1 && !isIdentified(entries ?? []));
      const missed = found.find(
        ({ twins, ...one }) => !isOnce(twins.length) || !twins[0] || !sameSight(twins[0], one),
      );
      return {
        truth: known(missed === undefined),
        expected: missed ? `once: ${shownAs(missed.shown)}` : `each of ${made.length}`,
        found: missed
          ? `${missed.twins.length} times: ${shownAs(missed.twins.map((twin) => twin.shown))}`
          : 'so',
      };
    },
  };
  return scenario(trial.of, restsOf(operation), observe, [
    succeeds(trial, operation, operation.key, []),
    ...looksAsStated(trial, operation),
    ...showsAsStated(trial, operation, resource),
    holdsAll,
  ]);
}
