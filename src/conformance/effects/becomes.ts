import type { Operation } from '../../specification/model/operation.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Check, Statement } from '../check.ts';
import { foresee } from '../foresee/foresee.ts';
import { asKept, doesJustThat, succeeded } from '../guards.ts';
import { identityOf, membersOf } from '../item.ts';
import type { Item } from '../partly.ts';
import { before, deed } from '../success.ts';
import type { Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { stayed } from '../unrefused.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { following } from './also.ts';
import type { Lived } from './listing.ts';
import { compared, sights } from './sights.ts';

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
        stayed(trial.of, resource, seen.told),
        asKept(trial.of, resource),
      ),
    claim: (seen) => {
      const after = expectedAfter(trial, seen);
      if (after === null) return { truth: unseen('what it becomes cannot be told'), expected: '', found: '' };
      const told = sights(seen).flatMap((shown) => compared(resource, after, shown));
      const first = told.find(({ isSame }) => !isSame);
      const given = Object.keys(membersOf(seen.given) ?? {}).filter((name) => resource.fields.has(name));
      const isTold = told.some(({ name }) => given.length === 0 || given.includes(name));
      return {
        truth: first || isTold ? known(first === undefined) : unseen('nothing shows what it becomes'),
        expected: first ? `${first.name}: ${shownAs(first.expected)}` : 'so',
        found: first ? `${first.name}: ${shownAs(first.found)}` : 'so',
      };
    },
  };
}
