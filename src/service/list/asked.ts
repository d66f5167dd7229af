import type { Frame } from '../../expression/compile.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Parameter, Roles } from '../../specification/vocabulary/request.ts';
import type { Failing } from '../message/refusal.ts';

/** What a parameter may say of the page that is wanted (language §4.5). */
export type PageWord = Extract<Roles['page'], { readonly kind: 'stated' }>['value'];

/** A parameter by the place where it stands in a request. */
export interface Placed {
  readonly place: 'path' | 'query' | 'headers';
  readonly parameter: Parameter;
}

/** The parameters that say which page is wanted, by what they say. */
export type PageParameters = Readonly<Partial<Record<PageWord, Placed>>>;

/** Every stated parameter of a request. */
export function parametersOf({ request }: Operation): readonly Placed[] {
  if (request === null) return [];
  return (['path', 'query', 'headers'] as const).flatMap((place) =>
    [...(stated(request[place])?.values() ?? [])].flatMap((said) => {
      const parameter = stated(said);
      return parameter ? [{ place, parameter }] : [];
    }),
  );
}

export function pageParameters(parameters: readonly Placed[]): PageParameters {
  const found: Partial<Record<PageWord, Placed>> = {};
  for (const placed of parameters) {
    const word = stated(placed.parameter.roles.page);
    if (word) found[word] = placed;
  }
  return found;
}

/** The value of a parameter, or its default; undefined where there is neither. */
export function givenIn({ place, parameter }: Placed, { names }: Frame): unknown {
  const request = names['request'] as Readonly<Record<string, Readonly<Record<string, unknown>>>> | null;
  const values = request?.[place];
  return values && Object.hasOwn(values, parameter.name) ? values[parameter.name] : undefined;
}

/** Which stretch of a list is asked for. What counts begins after what names an item or a cursor. */
export interface Asked {
  /** How many items at most; null: all. */
  readonly size: number | null;
  readonly offset: number | null;
  readonly start: number | null;
  readonly number: number | null;
  readonly cursor: unknown;
  readonly after: unknown;
  readonly before: unknown;
}

export function compileAsked(parameters: PageParameters): (frame: Frame) => Asked {
  const given = (word: PageWord, frame: Frame): unknown => {
    const placed = parameters[word];
    return placed && givenIn(placed, frame);
  };
  const counted = (word: PageWord, least: 0 | 1, frame: Frame): number | null => {
    const value = given(word, frame);
    return typeof value === 'number' ? Math.max(least, value) : null;
  };
  return (frame) => ({
    size: counted('size', 0, frame),
    offset: counted('offset', 0, frame),
    start: counted('start', 1, frame),
    number: counted('number', 1, frame),
    cursor: given('cursor', frame),
    after: given('after', frame),
    before: given('before', frame),
  });
}

/** How many items are left out before the page: `offset`, `start` and `number` each count in what the others leave. */
export function skipped({ size, offset, start, number }: Asked): number {
  const pages = number === null || number === 1 ? 0 : (number - 1) * (size ?? Number.POSITIVE_INFINITY);
  return Math.min((offset ?? 0) + ((start ?? 1) - 1) + pages, Number.MAX_SAFE_INTEGER);
}

/** What is wrong with what a parameter says of the list. */
export function failing({ place, parameter: { name } }: Placed, keyword: string, value: unknown): Failing {
  return { field: name, keyword, value, limit: null, subjects: [`${place}.${name}.${keyword}`] };
}
