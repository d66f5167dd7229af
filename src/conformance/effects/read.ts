import type { Operation } from '../../specification/model/operation.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Check, type Scenario, scenario } from '../check.ts';
import { asKept, doesJustThat, succeeded } from '../guards.ts';
import { someItem } from '../items.ts';
import { type Sight, sameSight } from '../lens.ts';
import { isShownAtAll } from '../limits/pace.ts';
import { make, perform } from '../perform.ts';
import { showsItem } from '../shown-in.ts';
import { showsAsStated } from '../shows.ts';
import { deed, looksAsStated, succeeds } from '../success.ts';
import { type Done, operationFor, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { steady } from '../unrefused.ts';
import { all, known, unseen, yes } from '../verdict.ts';

interface Reread extends Done {
  /** The item as the answer that made it showed it. */
  readonly first: Sight | undefined;
  readonly again: Done;
}

/** `read`: shows the one that the path singles out, and changes nothing (language §H.2). */
export function reads(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const observe = async (): Promise<Reread> => {
    const made = operationFor(trial.of, resource, 'create') ? await make(trial, resource) : undefined;
    const item = made?.item ?? (await someItem(trial, resource));
    const done = await perform(trial, operation, { item });
    const again = await perform(trial, operation, { item });
    return { ...done, first: made?.shown === undefined ? undefined : made, again };
  };
  const same: Check<Reread> = {
    name: 'effect.read',
    says: `${operation.key} shows the item that was made, and shows it again`,
    cites: deed(operation),
    guard: ({ exchange, shown, again }) =>
      all(
        succeeded(exchange, operation),
        shown === undefined ? unseen('the answer shows no item') : yes,
        isShownAtAll(trial.of, operation, again.exchange),
        doesJustThat(trial.of, operation),
        steady(trial.of, resource),
        asKept(trial.of, resource),
      ),
    claim: ({ first, shown, lens, again }) => {
      const isSame =
        shown !== undefined &&
        sameSight({ shown, lens }, again) &&
        (first === undefined || sameSight(first, { shown, lens }));
      return {
        truth: known(isSame),
        expected: shownAs(first?.shown ?? shown),
        found: `${shownAs(shown)}, then ${sameSight({ shown, lens }, again) ? 'the same' : shownAs(again.shown)}`,
      };
    },
  };
  return scenario(trial.of, restsOf(operation), observe, [
    succeeds(trial, operation, operation.key, []),
    ...looksAsStated(trial, operation),
    ...showsAsStated(trial, operation, resource),
    ...(showsItem(trial, operation, resource) ? [same] : []),
  ]);
}
