import type { Json, Pattern, Step } from './witness.ts';

/** What a request brings, and what its answer has. */
export interface More {
  readonly body?: Readonly<Record<string, Json>>;
  readonly shows?: Pattern;
  readonly fields?: Readonly<Record<string, Pattern>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly keep?: string;
}

/**
 * The steps of witnesses in which one of some people asks.
 *
 * @param refusing what the body of a refusal shows, by its code
 */
export function asksBy<Person extends string>(refusing: (code: string) => Pattern) {
  /** Somebody asks, and is answered so. */
  const does = (as: Person, ask: string, status: number, more: More = {}): Step => ({
    ...{ ask, as, status },
    ...more,
  });
  const sees = (as: Person, path: string, shows: Pattern, more: More = {}): Step =>
    does(as, `GET ${path}`, 200, { shows, ...more });
  const refused = (as: Person, ask: string, status: number, code: string, more: More = {}): Step =>
    does(as, ask, status, { shows: refusing(code), ...more });
  return { does, sees, refused };
}
