import type { Specification } from '../../specification/model/specification.ts';
import type { Exchange } from '../http.ts';
import { type Given, givenIn, operationOf } from './asked.ts';
import type { Noted } from './journal.ts';
import type { Bound, Place, Sequence, Step, Use } from './sequence.ts';
import { isTelling, type Token, tokensIn } from './tokens.ts';

/** What a sequence is made of: all that was exchanged, and what the tester made up so that nobody had it yet. */
export interface Evidence {
  readonly specification: Specification;
  /** The address of the implementation. */
  readonly url: string;
  readonly entries: readonly Noted[];
  readonly fresh: ReadonlySet<string>;
}

/** Where a value was first told by an answer. */
interface Source {
  readonly index: number;
  readonly at: Place;
}

const isSafe = ({ request }: Exchange): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(request.method);

/** Whether a request may change what is kept (RFC 9110 §9.2.1). */
export function changes({ exchange }: Noted): boolean {
  return !isSafe(exchange);
}

/**
 * The exchanges that these ones need, and these, as a sequence: what tells the values in them, and what made the
 * items that they are about. What only looks, and tells nothing that is needed, is left out.
 *
 * @param needed the exchanges that are part of it in any case, by their place in the journal
 * @param deciding those whose answers the verdict rests on
 * @param isExact whether nothing is part of it only since it gave the same text first: without it, the text may be as good
 */
export function sequenceOf(
  evidence: Evidence,
  needed: ReadonlySet<number>,
  deciding: ReadonlySet<number>,
  isExact = false,
): { readonly sequence: Sequence; readonly places: readonly number[] } {
  const { entries, url } = evidence;
  const known = sources(evidence);
  const kept = new Set([...needed, ...deciding]);
  const uses: { readonly given: Given; readonly index: number; readonly source: Source | 'anew' }[] = [];
  const open = [...kept];
  const keep = (one: number): void => {
    if (kept.has(one)) return;
    kept.add(one);
    open.push(one);
  };
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    for (const given of givenIn(evidence.specification, (entries[at] as Noted).exchange.request, url)) {
      const source = known.sourceOf(given, at);
      if (source === null) continue;
      uses.push({ given, index: at, source });
      const first = isExact ? undefined : known.givenFirst(given.value, at);
      const from = source === 'anew' ? first : source.index;
      if (from !== undefined) keep(from);
    }
  }
  const order = [...kept].sort((a, b) => a - b);
  const stepAt = new Map(order.map((one, step) => [one, step]));
  const bound = new Map<
    string,
    { readonly was: string; from?: Bound['from']; uses: Use[]; isAll: boolean }
  >();
  const bind = (was: string, source: Source | 'anew', use: Use | null): void => {
    const key = JSON.stringify([was, source]);
    const from = source === 'anew' ? undefined : { step: stepAt.get(source.index) as number, at: source.at };
    const one = bound.get(key) ?? { was, ...(from && { from }), uses: [], isAll: isTelling(was) || !from };
    if (use) one.uses.push(use);
    bound.set(key, one);
  };
  for (const { given, index: at, source } of uses)
    bind(given.value, source, given.use && { step: stepAt.get(at) as number, ...given.use });
  // What a deciding answer shows of the others is the same each time only if it is told by them then, too.
  for (const at of deciding)
    for (const value of shownAt(entries[at] as Noted)) {
      const source = isTelling(value) ? known.toldBefore(value, at, kept) : null;
      if (source !== null) bind(value, source, null);
    }
  const steps = order.map((one, step): Step => {
    const { exchange, sent } = entries[one] as Noted;
    const { method, headers, body, base64 } = exchange.request;
    const previous = entries[order[step - 1] ?? -1];
    const path = exchange.request.url.slice(url.length);
    return {
      request: { method, path, headers, body, ...(base64 !== undefined && { base64 }) },
      answer: exchange.response,
      ...(previous && sent < previous.answered && { together: true as const }),
      ...(deciding.has(one) && { decides: true as const }),
    };
  });
  const values = [...bound.values()].map(({ was, from, uses: own, isAll }) => ({
    was,
    ...(from && { from }),
    ...(!isAll && { uses: own }),
  }));
  return { sequence: { steps, values, varies: [], confirmed: false }, places: order };
}

/** How many places of one value are kept: the first are those that matter. */
const mostPlaces = 40;

/** Where the values of a journal stand, by what they are. */
interface Index {
  /** As many exchanges as were read. */
  read: number;
  readonly told: Map<string, { readonly index: number; readonly token: Token }[]>;
  /** The requests that give a value, in whatever letters. */
  readonly given: Map<string, number[]>;
}

const indexes = new WeakMap<Evidence['entries'], Index>();

/** The index of a journal, brought up to its end. */
function indexOf({ specification: of, url, entries }: Evidence): Index {
  const index = indexes.get(entries) ?? { read: 0, told: new Map(), given: new Map() };
  indexes.set(entries, index);
  const add = <T>(to: Map<string, T[]>, key: string, one: T): void => {
    const places = to.get(key) ?? [];
    if (places.length === 0) to.set(key, places);
    if (places.length < mostPlaces) places.push(one);
  };
  for (; index.read < entries.length; index.read += 1) {
    const { request, response } = (entries[index.read] as Noted).exchange;
    for (const { value } of givenIn(of, request, url)) add(index.given, value.toLowerCase(), index.read);
    for (const token of response ? tokensIn(response) : [])
      add(index.told, token.value, { index: index.read, token });
  }
  return index;
}

/** Where the values of the journal come from. */
function sources(evidence: Evidence): {
  sourceOf: (given: Given, before: number) => Source | 'anew' | null;
  givenFirst: (value: string, before: number) => number | undefined;
  toldBefore: (value: string, before: number, among: ReadonlySet<number>) => Source | null;
} {
  const { specification: of, url, entries, fresh } = evidence;
  const { told, given } = indexOf(evidence);
  const isNew = new Set([...fresh].map((text) => text.toLowerCase()));
  const subjectAt = (at: number): string | undefined => {
    const { method, url: whole } = (entries[at] as Noted).exchange.request;
    return operationOf(of, method, whole.slice(url.length))?.subject?.name;
  };
  return {
    sourceOf: ({ value, of: resource }, before) => {
      if (isNew.has(value.toLowerCase())) return 'anew';
      const found = (told.get(value) ?? []).filter((one) => one.index < before);
      const isSame = ({ index: at }: { readonly index: number }): boolean => subjectAt(at) === resource;
      const first = isTelling(value) ? found[0] : resource === null ? undefined : found.find(isSame);
      const client = given.get(value.toLowerCase())?.[0] ?? Number.POSITIVE_INFINITY;
      return first && first.index < client ? { index: first.index, at: first.token.at } : null;
    },
    // What was changed with it before: the item of that name, or whoever is called so.
    givenFirst: (value, before) =>
      given.get(value.toLowerCase())?.find((at) => at < before && changes(entries[at] as Noted)),
    toldBefore: (value, before, among) => {
      const isGiven = [...among].some((at) => at <= before && given.get(value.toLowerCase())?.includes(at));
      const found = (told.get(value) ?? []).find((one) => one.index < before && among.has(one.index));
      return found && !isGiven ? { index: found.index, at: found.token.at } : null;
    },
  };
}

function shownAt({ exchange: { response } }: Noted): readonly string[] {
  return response ? [...new Set(tokensIn(response).map(({ value }) => value))] : [];
}
