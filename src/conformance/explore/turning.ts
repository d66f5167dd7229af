import type { Request } from '../../semantics/request/prediction.ts';
import { each, eachMember } from '../../semantics/value/each.ts';
import { plain } from '../../semantics/value/plain.ts';
import { instantOf } from '../../semantics/value/times.ts';
import { Made, type Value } from '../../semantics/value/value.ts';
import type { Json } from '../../source/node.ts';
import type { Pool } from '../requests/pool.ts';

type Scalar = string | number | boolean;

/** Two values that an expression compared. */
export type Compared = readonly [Scalar, Scalar];

/** Two values that were compared, if a request could give either of them; null: it could not. */
export function comparedIn([one, other]: readonly [Value, Value]): Compared | null {
  const [a, b] = [shown(one), shown(other)];
  return isScalar(a) && isScalar(b) && typeof a === typeof b ? [a, b] : null;
}

/** A time that no answer showed, such as `now`, is about the one at which the request is received. */
function shown(value: Value): Json | undefined {
  const known = plain(value);
  if (known !== undefined || !(value instanceof Made) || value.form !== 'time') return known;
  const most = value.when?.taken.most ?? Number.POSITIVE_INFINITY;
  return Number.isFinite(most) ? new Date(most).toISOString() : undefined;
}

function isScalar(value: Json | undefined): value is Scalar {
  return value !== undefined && value !== null && typeof value !== 'object';
}

/** How a value changes so that what it is compared with is reached, or nearly. */
type Turn = (value: Scalar) => Scalar;

/**
 * The same request with a value at which a comparison turns: the other operand itself, or just beside it. What an expression
 * works out of the request, such as a sum, is taken to change by as much as the value does.
 *
 * @returns null if no value of the request is of the kind that was compared
 */
export function turned(request: Request, compared: readonly Compared[], pool: Pool): Request | null {
  if (compared.length === 0) return null;
  const [one, other] = pool.random.pick(compared);
  const [from, to] = pool.often(50) ? [one, other] : [other, one];
  const values = scalarsIn(request).filter((value) => turnOf(value, from, to, pool) !== null);
  const same = values.filter((value) => value === from);
  const meant = same.length > 0 ? same : values;
  if (meant.length === 0) return null;
  const value = pool.random.pick(meant);
  const turn = turnOf(value, from, to, pool);
  if (turn === null) return null;
  // Times of one request mostly move together.
  const areAll = isTime(value) && pool.often(50);
  return changed(request, (other) => (other === value || (areAll && isTime(other)) ? turn(other) : other));
}

/** Null: a value of this kind does not become the other operand. */
function turnOf(value: Scalar, from: Scalar, to: Scalar, pool: Pool): Turn | null {
  const beside = pool.random.pick([0, 0, 1, -1]);
  if (typeof value === 'number' && typeof from === 'number' && typeof to === 'number')
    return (given) => (given as number) + to - from + beside;
  const isDay = isDate(value);
  if ((isDay || isTime(value)) && isTime(from) && isTime(to)) {
    const ms = Date.parse(to as string) - Date.parse(from as string) + beside * (isDay ? dayMs : 1000);
    const later = (given: Scalar): string => new Date(Date.parse(given as string) + ms).toISOString();
    return isDay ? (given) => later(given).slice(0, dateLength) : later;
  }
  return value === from ? () => to : null;
}

const dayMs = 86_400_000;

/** `2026-12-01`. */
const dateLength = 10;

function isDate(value: Scalar): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}

function isTime(value: Scalar): boolean {
  return typeof value === 'string' && instantOf(value) !== undefined;
}

function scalarsIn(request: Request): readonly Scalar[] {
  const found: Scalar[] = [];
  changed(request, (value) => {
    found.push(value);
    return value;
  });
  return found;
}

function changed(request: Request, change: (value: Scalar) => Scalar): Request {
  const { query, content } = request;
  const ofScalar = (value: Value): Value => (isScalar(value as Json) ? change(value as Scalar) : value);
  return {
    ...request,
    query: eachMember(query, ofScalar),
    content: content === undefined ? undefined : each(content, ofScalar),
  };
}
