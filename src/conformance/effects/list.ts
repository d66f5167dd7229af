import type { Operation } from '../../specification/model/operation.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Check, ifReached, type Scenario, scenario } from '../check.ts';
import { asKept, succeeded } from '../guards.ts';
import { list } from '../items.ts';
import { sameSight } from '../lens.ts';
import { listerOf } from '../lister.ts';
import { isListed, where } from '../lists/collection.ts';
import { isPaged } from '../page.ts';
import { make, perform } from '../perform.ts';
import { showsAsStated } from '../shows.ts';
import { foreseenByTimer } from '../states/timed-makers.ts';
import { deed, looksAsStated, succeeds } from '../success.ts';
import { type Done, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { walk } from '../walk.ts';
import { placeOf } from '../world.ts';
import { entriesOf, isIdentified, listTells } from './listing.ts';

interface Listed extends Done {
  readonly made: readonly Done[];
  /** Whether all of the list was seen, and not a page of it. */
  readonly isWhole: boolean;
}

/** `list`: pages through all (language §H.2). Of what was there before nothing is claimed. */
export function lists(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const observe = async (): Promise<Listed> => {
    const made: Done[] = [];
    for (let i = 0; i < 3; i++) {
      const done = await ifReached(() => make(trial, resource));
      if (done && done.shown !== undefined) made.push(done);
    }
    const come = foreseenByTimer(trial, resource) ? await trial.come(resource) : undefined;
    // What nobody makes is there for whoever it came to.
    const as = come && trial.makers.get(placeOf(come));
    const attempt = { ...where(trial, made[0]?.item), ...(as && { as }) };
    const paged = async (): Promise<Done> => {
      if (listerOf(trial, resource) === operation) return list(trial, resource);
      const { last, entries } = await walk(trial, operation, { attempt });
      return { ...last, entries };
    };
    const whole = isPaged(operation) ? await ifReached(paged) : undefined;
    const done = whole ?? (await perform(trial, operation, attempt));
    const isIn = ({ item }: Done): boolean =>
      item !== null && isListed(trial.of, operation, item, done.names) === true;
    return { ...done, made: made.filter(isIn), isWhole: whole !== undefined || !isPaged(operation) };
  };
  const holdsAll: Check<Listed> = {
    name: 'effect.list',
    says: `${operation.key} lists each ${resource.name} that was made, once, as it was made`,
    cites: deed(operation),
    guard: ({ exchange, made, entries, isWhole }) =>
      all(
        succeeded(exchange, operation),
        known(isWhole, 'a page of the list was seen, and no way to the rest is stated'),
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
