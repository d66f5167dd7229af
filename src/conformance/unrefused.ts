import { once } from '../source/once.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { withArticle } from '../specification/reading/article.ts';
import { isSaid, stated } from '../specification/reading/said.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { admits } from './access/admits.ts';
import { addressable } from './events/addresses.ts';
import { touchedBy } from './foresee/also.ts';
import { foresee } from './foresee/foresee.ts';
import { allReasons, closed, constraintsKnown, isCarriedOut, nothingOf } from './guards.ts';
import type { Exchange } from './http.ts';
import { unlimited } from './limits/unlimited.ts';
import type { Item } from './partly.ts';
import type { Names } from './solve.ts';
import { isUnmoved } from './states/since.ts';
import { movesByItself } from './states/timers.ts';
import { all, type Truth, unseen, yes } from './verdict.ts';

/**
 * Whether nothing that is stated, or could still be, refuses a request that gives these members: "this should
 * have succeeded" is guarded by it (language §F.2).
 */
export function nothingRefuses(
  of: Specification,
  operation: Operation,
  members: readonly string[],
  names: Names,
  exchange: Exchange,
): Truth {
  const { subject } = operation;
  const truths = [
    admits(of, operation, names),
    unlimited(of, operation, exchange, names),
    nothingOf(of, 'versioning'),
    allReasons(of, operation, names),
    closed(of, operation.address),
    isCarriedOut(of, operation),
    addressable(of, operation, exchange),
  ];
  if (subject && operation.method !== 'GET')
    truths.push(
      nothingOf(of, 'states'),
      constraintsKnown(of, subject, members),
      foresee(of, operation, names).free,
    );
  if (subject === null) truths.push(nothingRefusesAlso(of, operation));
  return all(...truths);
}

/** Whether no change of `also` can be refused, where an operation does nothing else: such changes are not foreseen. */
const nothingRefusesAlso = once((of: Specification, operation: Operation): Truth => {
  const changed = touchedBy(of, operation).flatMap((name) => of.resourcesByName.get(name) ?? []);
  const refusing = changed.find(
    ({ guards, invariants, fields }) =>
      isSaid(guards) ||
      isSaid(invariants) ||
      [...fields.values()].some(({ refers, unique }) => isSaid(refers) || isSaid(unique)),
  );
  return refusing
    ? unseen(`whether what follows is refused of ${withArticle(refusing.name)} cannot be told`)
    : yes;
});

/** Whether no machine moved an item by itself between the request about it and what was seen of it (language §3.3). */
export function stayed(
  of: Specification,
  resource: Resource,
  looks: readonly { readonly item: Item | null }[],
): Truth {
  const items = looks.flatMap(({ item }) => item ?? []);
  if (items.length < looks.length || !isUnmoved(of, items))
    return all(...looks.map(({ item }) => steady(of, resource, item)));
  return all(nothingOf(of, 'states'), closed(of, `${resource.address}.fields`));
}

/** Whether items stay as they are while nobody changes them: no machine moves them by itself (language §3.3). */
export function steady(of: Specification, resource: Resource, item: Item | null = null): Truth {
  const moving = stated(of.states) ? movesByItself(of, resource, item) : null;
  return all(
    nothingOf(of, 'states'),
    closed(of, `${resource.address}.fields`),
    moving === null ? yes : unseen(`${moving.name} may move it meanwhile`),
  );
}
