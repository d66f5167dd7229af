import { once } from '../../source/once.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Parameter, Roles } from '../../specification/vocabulary/request.ts';
import { type Members, seen, type Value } from '../value/value.ts';

/** What a parameter may say of a page (language §4.5). */
export type PageWord = Extract<Roles['page'], { readonly kind: 'stated' }>['value'];

/** Which page a request wants. */
export interface Asked {
  /** Undefined: no size is given. */
  readonly size: number | undefined;
  /** How many items it skips, by `offset`, `start` and `number` together. */
  readonly skip: number;
  /** What is given of `cursor`, `after` and `before`. */
  readonly cursor: Value | undefined;
  readonly after: Value | undefined;
  readonly before: Value | undefined;
}

/** The parameter that says this of a page. */
export const pageParameter = once((operation: Operation, word: PageWord): Parameter | undefined =>
  queryParameters(operation).find((parameter) => stated(parameter.roles.page) === word),
);

/** @param query the parameters, with their defaults */
export function askedOf(operation: Operation, query: Members): Asked {
  const given = (word: PageWord): Value | undefined => {
    const parameter = pageParameter(operation, word);
    return (parameter && query[parameter.name]) ?? undefined;
  };
  const numberOf = (word: PageWord, otherwise: number): number => {
    const value = seen(given(word) ?? null);
    return typeof value === 'number' ? value : otherwise;
  };
  const size = numberOf('size', -1);
  const pages = numberOf('number', 1) - 1;
  return {
    size: size < 0 ? undefined : size,
    // Without a size, all items are on the first page.
    skip: Math.min(
      numberOf('offset', 0) +
        (numberOf('start', 1) - 1) +
        (pages === 0 ? 0 : pages * (size < 0 ? Number.POSITIVE_INFINITY : size)),
      Number.MAX_SAFE_INTEGER,
    ),
    cursor: given('cursor'),
    after: given('after'),
    before: given('before'),
  };
}
