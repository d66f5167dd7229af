import { once } from '../source/once.ts';
import { type Operation, queryParameters } from '../specification/model/operation.ts';
import { stated } from '../specification/reading/said.ts';
import type { Parameter } from '../specification/vocabulary/request.ts';
import { hole, type Item, isAbsent, type Partly } from './partly.ts';
import { member, type Names } from './solve.ts';
import type { Entry } from './trial.ts';

/** What a parameter may say of a page (language §4.2). */
export type Role = 'size' | 'offset' | 'start' | 'number' | 'cursor' | 'after' | 'before';

/** The items that a list shows, as they are known. */
export const itemsOf = once((entries: readonly Entry[]): readonly Item[] => entries.map(({ item }) => item));

/** The query parameter that says this of a page. */
export const pageParameter = once((operation: Operation, role: Role): Parameter | undefined => {
  return queryParameters(operation).find((one) => stated(one.roles.page) === role);
});

/** Whether a list is sent page by page. */
export function isPaged(operation: Operation): boolean {
  return queryParameters(operation).some((one) => stated(one.roles.page) !== undefined);
}

/**
 * What `page` offers (language §4.2), as far as one answer tells: a list with no paging stated is sent whole, so its
 * total is seen.
 */
export function pageOf(operation: Operation, entries: readonly Entry[] | null, names: Names): Partly {
  const query = member(names.get('request') ?? hole(), 'query', names);
  const given = (role: Role, otherwise: Partly = hole()): Partly => {
    const parameter = pageParameter(operation, role);
    const value = parameter ? member(query, parameter.name, names) : hole();
    return value === null || isAbsent(value) ? otherwise : value;
  };
  const offset = pageParameter(operation, 'offset') ? given('offset', 0) : hole();
  return {
    items: entries === null ? hole({ list: true }) : itemsOf(entries),
    total: entries === null || isPaged(operation) ? hole() : entries.length,
    size: given('size'),
    offset,
    number: given('number', 1),
    ...Object.fromEntries(['next', 'previous', 'links', 'url'].map((name) => [name, hole()])),
  };
}
