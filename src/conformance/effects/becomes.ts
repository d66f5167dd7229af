import type { Operation } from '../../specification/operation.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import type { Check, Statement } from '../check.ts';
import { foresee } from '../foresee/foresee.ts';
import { asKept, doesJustThat, succeeded } from '../guards.ts';
import { identityOf } from '../item.ts';
import type { Item } from '../partly.ts';
import { before, deed } from '../success.ts';
import type { Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { steady } from '../unrefused.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { following } from './also.ts';
import type { Lived } from './listing.ts';
import { differing, sights } from './sights.ts';

/** What the item is after a request that was carried out, as far as that follows from what it was. */
export function expectedAfter(trial: Trial, seen: Lived): Item | null {
  const { after } = foresee(trial.of, seen.operation, before(seen));
  const identity = seen.item && identityOf(seen.item);
  const later = following(trial, seen).effects.findLast(
    (one) =>
      one.before &&
      identity &&
      one.resource === seen.operation.subject?.name &&
      identityOf(one.before) === identity,
  );
  return later ? later.after : after;
}

/** Each member is afterwards what the change makes of it: what is set, and the others as they were (language §H.2). */
export function becomes(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  says: string,
  cites: Statement = deed(operation),
): Check<Lived> {
  return {
    name: 'effect.members',
    says: `${says} sets what is stated and leaves the other members`,
    cites,
    guard: (seen) =>
      all(
        succeeded(seen.exchange, operation),
        sights(seen).length === 0 ? unseen(`nothing shows the ${resource.name}`) : yes,
        doesJustThat(trial.of, operation),
        steady(trial.of, resource, seen.item),
        asKept(trial.of, resource),
      ),
    claim: (seen) => {
      const after = expectedAfter(trial, seen);
      if (after === null) return { truth: unseen('what it becomes cannot be told'), expected: '', found: '' };
      const faults = sights(seen).flatMap((shown) => differing(resource, after, shown));
      const [first] = faults;
      return {
        truth: known(first === undefined),
        expected: first ? `${first.name}: ${shownAs(first.expected)}` : 'so',
        found: first ? `${first.name}: ${shownAs(first.found)}` : 'so',
      };
    },
  };
}
