import { compileTemplate, type Frame, type Run } from '../../expression/compile.ts';
import { setMember } from '../../source/node.ts';
import { type Operation, pathsOf } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { idleParameters } from '../../specification/openness/sometimes-held.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Around } from '../../specification/vocabulary/paths.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import { credentialsInQuery } from '../access/presented.ts';
import { type Found, inField, inPath, inQuery, namesInQuery, type Query } from '../content/style.ts';
import { targetOf } from '../http/floor.ts';
import type { JsonLimits } from '../http/json.ts';
import { type Pair, readPairs } from '../http/pairs.ts';
import type { RequestView } from '../message/frame.ts';
import type { Incoming } from '../message/incoming.ts';
import type { Checked, Failing, Held } from '../message/refusal.ts';
import { versionsInQuery } from '../versions/versioning.ts';
import { compileOne, compilePath, type One } from './one.ts';
import { compileUnnamed } from './unnamed.ts';

type Places = Pick<RequestView, 'path' | 'query' | 'headers'>;

/** What a request's parameters came to: their values, and why they do not fit. */
interface Parameters extends Places {
  readonly checked: Checked | null;
  /** The values as they are taken in, where a parameter states `taken` (language §4.2); null: as they are. */
  readonly takenIn: ((frame: (names: Readonly<Record<string, unknown>>) => Frame) => Places) | null;
}

/** Where the coding of a parameter is broken: `query.page`, or `query` where even its name is. */
interface Unreadable {
  readonly unreadable: string;
}

/** Reads the parameters of a request. */
export type ReadParameters = (incoming: Incoming) => Parameters | Unreadable;

export function isReadable(found: Parameters | Unreadable): found is Parameters {
  return !('unreadable' in found);
}

/** A parameter with how it is read from a request. */
interface Compiled extends One {
  readonly read: (incoming: Incoming, query: Query) => Found;
}

/** Compiles the reading of parameters (language §4.2). What is not stated is not looked at. */
export function compileParameters(
  specification: Specification,
  operation: Operation,
  json: JsonLimits,
): ReadParameters {
  const compile = compileOne(specification, json);
  const of = (place: 'query' | 'headers'): Parameter[] => statedOf(operation.request?.[place]);
  const query = of('query').map((parameter) => {
    const one = compile(parameter, 'query');
    const read = inQuery(one.name, one.style, one.spelling);
    return { ...one, read: (_: Incoming, given: Query) => read(given) };
  });
  const headers = of('headers').map((parameter) => {
    const one = compile(parameter, 'headers');
    const read = inField(one.style, one.spelling);
    const name = one.name.toLowerCase();
    return { ...one, read: ({ headers: all }: Incoming) => read(joined(all[name])) };
  });
  const path = compilePath(specification, operation, json).map((one) => {
    const around = aroundParameter(operation, one.name);
    const read = inPath(one.name, one.style, one.spelling);
    return {
      ...one,
      read: (incoming: Incoming) => {
        const given = incoming.path[one.name];
        // A further path may lack it (language §4.1, `paths`).
        return given === undefined ? undefined : read(given, () => rawOf(incoming, one.name, around));
      },
    };
  });
  const names = query.map((one) => namesInQuery(one.name, one.style, one.spelling));
  const elsewhere = new Set([...credentialsInQuery(specification), ...versionsInQuery(specification)]);
  const unnamed = compileUnnamed(operation.request, names, elsewhere);
  const idle = compileIdle(specification, operation);
  const taking = compileTaking({ path, query, headers });
  return (incoming) => {
    const given = incoming.query ? byName(incoming.query) : nothing;
    if (given === null) return { unreadable: brokenIn(incoming.query as string) };
    const failures: Failing[] = [];
    const broken = (
      compiled: readonly Compiled[],
      place: keyof Places,
      found: Record<string, unknown>,
    ): Unreadable | null => {
      const isField = place === 'headers';
      const one = compiled.find((one) => !take(one, one.read(incoming, given), found, failures, isField));
      return one ? { unreadable: `${place}.${one.name}` } : null;
    };
    const places = {
      path: path.length > 0 ? { ...incoming.path } : incoming.path,
      query: query.length > 0 ? {} : none,
      headers: headers.length > 0 ? { ...incoming.headers } : incoming.headers,
    };
    const ahead = broken(path, 'path', places.path) ?? broken(query, 'query', places.query);
    if (ahead) return ahead;
    if (given.size > 0) failures.push(...unnamed.failures(given));
    const field = broken(headers, 'headers', places.headers);
    if (field) return field;
    const held = given.size > 0 ? (unnamed.held(given) ?? idle(given)) : null;
    const checked = failures.length > 0 || held ? { failures, held } : null;
    return { ...places, checked, takenIn: taking && !checked ? (frame) => taking(places, frame) : null };
  };
}

/** What may stand around a parameter in its segment: its own path, and further ones, have literal text there. */
function aroundParameter(operation: Operation, name: string): readonly Around[] {
  return pathsOf(operation).flatMap(({ path }) =>
    path.flatMap((one) => ('parameter' in one && one.parameter === name && one.around ? [one.around] : [])),
  );
}

/**
 * The text of a parameter in the path as it came, in which what is a part of a value is told from what separates. Literal text
 * around it is no part of it.
 */
function rawOf({ url, places, path }: Incoming, name: string, around: readonly Around[]): string {
  const raw = targetOf(url)?.path.slice(1).split('/')[places[name] ?? -1] ?? '';
  const given = path[name] ?? '';
  const cut = around.map(({ before, after }) => raw.slice(before.length, raw.length - after.length));
  return [raw, ...cut].find((text) => isCodingOf(text, given)) ?? encodeURIComponent(given);
}

function isCodingOf(text: string, value: string): boolean {
  try {
    return decodeURIComponent(text) === value;
  } catch {
    return false;
  }
}

const nothing: Query = new Map();
const none: Record<string, unknown> = {};

/** The pairs of a query by their names; null where the coding of one is broken. */
function byName(query: string): Query | null {
  const pairs = readPairs(query);
  if (pairs === null) return null;
  const found = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const same = found.get(pair.name);
    if (same) same.push(pair);
    else found.set(pair.name, [pair]);
  }
  return found;
}

/** The place in a query of which the coding is broken. */
function brokenIn(query: string): string {
  const pair = query.split('&').find((one) => readPairs(one) === null) ?? '';
  const [name] = readPairs(pair.split('=')[0] as string) ?? [];
  return name === undefined ? 'query' : `query.${name.name}`;
}

/** Given parameters of which it is open what they do hold the request up. */
function compileIdle(specification: Specification, operation: Operation): (given: Query) => Held | null {
  const idle = [...idleParameters(specification, operation)];
  return (given) => {
    const held = idle.flatMap(([name, hold]) => (given.has(name) ? [hold.address] : []));
    return held.length > 0 ? { held } : null;
  };
}

function statedOf(all: Said<ReadonlyMap<string, Said<Parameter>>> | undefined): Parameter[] {
  return [...(stated(all)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
}

/** False where it cannot be read at all. */
function take(
  one: One,
  given: Found,
  values: Record<string, unknown>,
  failures: Failing[],
  isField: boolean,
): boolean {
  const { name, subject } = one;
  // Names of header fields match in any case (RFC 9110 §5.1).
  const set = (value: unknown): void => {
    if (isField) setMember(values, name.toLowerCase(), value);
    setMember(values, name, value);
  };
  const fail = (keyword: string, value: unknown, limit: unknown): void =>
    void failures.push({ field: name, keyword, value, limit, subjects: [`${subject}.${keyword}`] });
  if (given === 'malformed') return false;
  if (given === 'twice') fail('twice', null, null);
  else if (given !== undefined) {
    const { value } = given;
    const wrong = one.validate(value);
    for (const failure of wrong) fail(failure.keyword, failure.value, failure.limit);
    // What is not of its type reads as null, until it is judged (language §G.3).
    set(wrong.some(({ keyword }) => keyword === 'type' || keyword === 'format') ? null : value);
  } else if (one.default !== undefined) set(one.default);
  else if (one.required) fail('required', null, null);
  return true;
}

/** A field that came several times is one with commas (RFC 9110 §5.3). */
function joined(field: string | readonly string[] | undefined): string | undefined {
  return typeof field === 'object' ? field.join(', ') : field;
}

/** How values are taken in, each for itself; null where none states it. */
function compileTaking(compiled: Readonly<Record<keyof Places, readonly One[]>>) {
  const runs = (place: keyof Places): (readonly [string, Run])[] =>
    compiled[place].flatMap(({ name, taken }) =>
      taken ? [[name, compileTemplate(taken.template, () => undefined)] as const] : [],
    );
  const all = { path: runs('path'), query: runs('query'), headers: runs('headers') };
  if (Object.values(all).every((some) => some.length === 0)) return null;
  return (places: Places, frame: (names: Readonly<Record<string, unknown>>) => Frame): Places => {
    const taken = (place: keyof Places): RequestView['query'] => {
      const values: Record<string, unknown> = { ...places[place] };
      for (const [name, run] of all[place])
        if (Object.hasOwn(values, name)) setMember(values, name, run(frame({ value: values[name] })));
      return values;
    };
    return { path: taken('path'), query: taken('query'), headers: taken('headers') };
  };
}
