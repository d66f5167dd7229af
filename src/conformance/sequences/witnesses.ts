import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Exchange } from '../http.ts';
import type { Truth } from '../verdict.ts';

/** What was seen, and ends in an exchange that decides it. */
interface Seen {
  readonly exchange: Exchange;
}

/** What of a check is asked: `guard ⇒ claim`. */
interface Check<S extends Seen> {
  readonly name: string;
  readonly guard: (seen: S) => Truth;
  readonly claim: (seen: S) => { readonly truth: Truth; readonly expected: string; readonly found: string };
  readonly exchange?: (seen: S) => Exchange;
}

const showed = new WeakMap<object, readonly Exchange[]>();

/** Notes which exchanges showed a list of things. */
export function notedAs<T extends object>(list: T, exchanges: readonly Exchange[]): T {
  showed.set(list, exchanges);
  return list;
}

/** The exchanges that showed a list, as it was noted. */
export function showedBy(list: object): readonly Exchange[] {
  return showed.get(list) ?? [];
}

/** What a violation rests on. */
export interface Witnesses {
  /** The exchanges without which it would not be one, and the one that decides. */
  readonly exchanges: readonly Exchange[];
  /** The status and header fields of the answer that decides are enough to tell: whatever came before, it would be one. */
  readonly isPlain: boolean;
}

/** Tries the parts of what was seen, one after the other: what the verdict comes to without, it does not rest on. */
export function witnesses<S extends Seen>(check: Check<S>, seen: S): Witnesses {
  const wanted = violation(check, seen);
  const isSame = (hidden: readonly string[]): boolean => violation(check, hiding(seen, hidden)) === wanted;
  const decided = check.exchange?.(seen) ?? seen.exchange;
  if (isOfForm(check) && violation(check, bare(seen)) === wanted)
    return { exchanges: [decided], isPlain: true };
  const parts = Object.keys(seen).filter((name) => exchangesOf(Reflect.get(seen, name)).length > 0);
  const hidden: string[] = [];
  for (const name of parts) if (isSame([...hidden, name])) hidden.push(name);
  const kept = parts.filter((name) => !hidden.includes(name));
  return {
    exchanges: [...new Set([...kept.flatMap((name) => exchangesOf(Reflect.get(seen, name))), decided])],
    isPlain: false,
  };
}

/** The first of the exchanges that a violation rests on of which something is so. */
export function restsOn<S extends Seen>(
  check: Check<S>,
  seen: S,
  isSo: (exchange: Exchange) => boolean,
): Exchange | undefined {
  return Object.values(seen)
    .flatMap((part) => exchangesOf(part))
    .some(isSo)
    ? witnesses(check, seen).exchanges.find(isSo)
    : undefined;
}

/** Whether a check is of what answers of a kind look like, and not of what there should have been (language §F.2). */
function isOfForm({ name }: Pick<Check<Seen>, 'name'>): boolean {
  return /^(answer|protocol)\./.test(name);
}

/** What a check finds wrong; null where it finds nothing, or cannot be made. */
function violation<S extends Seen>(check: Check<S>, seen: S): string | null {
  try {
    const { truth, expected, found } = check.claim(seen);
    return check.guard(seen).value === true && truth.value === false ? `${expected} ${found}` : null;
  } catch {
    return null;
  }
}

function hiding<S extends object>(seen: S, hidden: readonly string[]): S {
  const without = (value: unknown): unknown => (value instanceof Map ? new Map() : undefined);
  return { ...seen, ...Object.fromEntries(hidden.map((name) => [name, without(Reflect.get(seen, name))])) };
}

/** Nothing but the exchange, and of its answer no content. */
function bare<S extends Seen>(seen: S): S {
  const { request, response, failure } = seen.exchange;
  const exchange = { request, response: response && { ...response, body: '' }, failure };
  const operation = Reflect.get(seen, 'operation') as Operation | undefined;
  // Where one answer alone is stated, it is the same whatever came before.
  const isOne = operation && stated(operation.response)?.length === 1;
  const others = Object.keys(seen).filter((name) => name !== 'operation' && !(isOne && name === 'answer'));
  return { ...hiding(seen, others), exchange };
}

/** The exchanges that a part of what was seen is, or was made of. */
function exchangesOf(value: unknown, depth = 0): readonly Exchange[] {
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  const noted = showed.get(value);
  if (noted) return noted;
  if ('request' in value && 'response' in value && 'failure' in value) return [value as Exchange];
  if ('exchange' in value) return exchangesOf(value.exchange, depth + 1);
  if (value instanceof Map) return [...value.values()].flatMap((one) => exchangesOf(one, depth + 1));
  if (Array.isArray(value)) return value.flatMap((one) => exchangesOf(one, depth + 1));
  if ('before' in value && 'after' in value)
    return [value.before, value.after].flatMap((one) => exchangesOf(one, depth + 1));
  return [];
}
