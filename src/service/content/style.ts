import { setMember } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import { type JsonLimits, parseJson } from '../http/json.ts';
import { decodePart, type Pair } from '../http/pairs.ts';
import type { Spelling } from '../shape/spelling.ts';

/** What a parameter came to: its value, or why it has none; undefined where it is not given. */
export type Found = { readonly value: unknown } | 'twice' | 'malformed' | undefined;

/** The pairs of a query by their names. */
export type Query = ReadonlyMap<string, readonly Pair[]>;

/** How a parameter is written: OpenAPI's `style` and `explode` (OpenAPI 3.2 §4.12.2, §4.12.3), and its defaults. */
export interface Style {
  readonly word: string;
  readonly explode: boolean;
  /** What a JSON text may hold (`style: json`). */
  readonly json: JsonLimits;
}

export function styleOf(
  parameter: Parameter | null,
  place: 'path' | 'query' | 'headers',
  json: JsonLimits,
): Style {
  const word = (parameter && stated(parameter.roles.style)) ?? (place === 'query' ? 'form' : 'simple');
  return { word, explode: (parameter && stated(parameter.roles.explode)) ?? word === 'form', json };
}

/** Reads one JSON text, which is a value as it stands (language §4.2). */
function inJson(text: Buffer, limits: JsonLimits): Found {
  const parsed = parseJson(text, limits);
  return parsed.kind === 'value' ? { value: parsed.value } : 'malformed';
}

/** Reads a parameter of a query. */
export function inQuery(name: string, style: Style, spelling: Spelling): (given: Query) => Found {
  const { word, explode } = style;
  if (word === 'json')
    return (given) => {
      const [first, second] = given.get(name) ?? [];
      if (first === undefined) return undefined;
      return second ? 'twice' : inJson(Buffer.from(first.value), style.json);
    };
  if (word === 'deepObject') return (given) => deep(name, given, spelling);
  if (explode && spelling.isObject) {
    const { names } = spelling;
    return (given) =>
      members(
        names.map((one) => [one, given.get(one) ?? []] as const),
        spelling,
      );
  }
  return (given) => {
    const pairs = given.get(name);
    const [first, second] = pairs ?? [];
    if (pairs === undefined || first === undefined) return undefined;
    if (explode && spelling.isList)
      return { value: pairs.map(({ value }, at) => spelling.item(at).value(value)) };
    if (second) return 'twice';
    if (!spelling.isList && !spelling.isObject) return { value: spelling.value(first.value) };
    // What separates is written as it is, or else, where a query cannot hold it so, in its coding.
    if (word === 'form') return pieces(first.raw.split(','), false, spelling, decodePart);
    return pieces(first.value.split(word === 'pipeDelimited' ? '|' : ' '), false, spelling, (text) => text);
  };
}

/** Which names of a query belong to a parameter. */
export function namesInQuery(
  name: string,
  { word, explode }: Style,
  spelling: Spelling,
): (one: string) => boolean {
  if (word === 'deepObject') return (one) => one.startsWith(`${name}[`);
  return explode && spelling.isObject ? (one) => spelling.names.includes(one) : (one) => one === name;
}

/** Reads a header field's value; a list is written with commas (RFC 9110 §5.6.1). */
export function inField(
  { word, explode, json }: Style,
  spelling: Spelling,
): (field: string | undefined) => Found {
  // Node reads each byte of a header field as a character; JSON is in UTF-8 (RFC 8259 §8.1).
  if (word === 'json')
    return (field) => (field === undefined ? undefined : inJson(Buffer.from(field, 'latin1'), json));
  const isPlain = !spelling.isList && !spelling.isObject;
  return (field) => {
    if (field === undefined) return undefined;
    if (isPlain) return { value: spelling.value(field) };
    return pieces(field.split(',').map(unspaced), explode, spelling, (text) => text);
  };
}

/** Without the spaces and tabs around it, read in one go. */
function unspaced(text: string): string {
  const isSpace = (at: number): boolean => text[at] === ' ' || text[at] === '\t';
  let [from, to] = [0, text.length];
  while (from < to && isSpace(from)) from++;
  while (from < to && isSpace(to - 1)) to--;
  return text.slice(from, to);
}

/** Reads a segment of a path: decoded, or, where it has parts, as it came. */
export function inPath(
  name: string,
  { word, explode, json }: Style,
  spelling: Spelling,
): (decoded: string, raw: () => string) => Found {
  if (word === 'json') return (decoded) => inJson(Buffer.from(decoded), json);
  const isPlain = !spelling.isList && !spelling.isObject;
  if (word === 'simple' && isPlain) return (decoded) => ({ value: spelling.value(decoded) });
  const read = (text: string, separator: string): Found =>
    isPlain
      ? { value: spelling.value(decodeURIComponent(text)) }
      : pieces(text.split(separator), explode, spelling, decodeURIComponent);
  if (word === 'simple') return (_, raw) => read(raw(), ',');
  if (word === 'label') {
    const separator = explode ? '.' : ',';
    return (_, raw) => (raw().startsWith('.') ? read(raw().slice(1), separator) : 'malformed');
  }
  return (_, raw) => {
    if (!raw().startsWith(';')) return 'malformed';
    const parts = raw().slice(1).split(';');
    if (explode && spelling.isObject) return pieces(parts, true, spelling, decodeURIComponent);
    const values = parts.map((part) => valueNamed(name, part));
    if (values.includes(undefined)) return 'malformed';
    if (explode && spelling.isList) return pieces(values as string[], false, spelling, decodeURIComponent);
    return values.length === 1 ? read(values[0] as string, ',') : 'malformed';
  };
}

/** The value of `name=value`; undefined where the name is another. */
function valueNamed(name: string, part: string): string | undefined {
  const [before, value = ''] = parted(part);
  return decodeURIComponent(before as string) === name ? value : undefined;
}

type Decode = (text: string) => string;

/** A list, or an object as `name,value,name,value`; exploded, as `name=value` each. */
function pieces(written: readonly string[], explode: boolean, spelling: Spelling, decode: Decode): Found {
  if (spelling.isList) return { value: written.map((text, at) => spelling.item(at).value(decode(text))) };
  const found: Record<string, unknown> = {};
  const pairs = explode ? written.map(parted) : paired(written);
  for (const [before = '', after] of pairs) {
    const name = decode(before);
    if (after === undefined || Object.hasOwn(found, name)) return 'malformed';
    setMember(found, name, spelling.member(name).value(decode(after)));
  }
  return { value: found };
}

/** Two and two; the last may be alone. */
function paired(written: readonly string[]): readonly (readonly string[])[] {
  return written.flatMap((_, at) => (at % 2 === 0 ? [written.slice(at, at + 2)] : []));
}

/** `name=value` as two; where there is no `=`, as one. */
function parted(text: string): readonly string[] {
  const equals = text.indexOf('=');
  return equals === -1 ? [text] : [text.slice(0, equals), text.slice(equals + 1)];
}

/** `name[member]=value` each. */
function deep(name: string, given: Query, spelling: Spelling): Found {
  const found: (readonly [string, readonly Pair[]])[] = [];
  for (const [one, pairs] of given) {
    if (!one.startsWith(`${name}[`)) continue;
    const member = /^([^[\]]*)\]$/.exec(one.slice(name.length + 1))?.[1];
    if (member === undefined) return 'malformed';
    found.push([member, pairs]);
  }
  return members(found, spelling);
}

function members(given: readonly (readonly [string, readonly Pair[]])[], spelling: Spelling): Found {
  const found: Record<string, unknown> = {};
  for (const [name, pairs] of given) {
    const of = spelling.member(name);
    const [first, second] = pairs;
    if (first === undefined) continue;
    if (second && !of.isList) return 'twice';
    const value = of.isList ? pairs.map((pair, at) => of.item(at).value(pair.value)) : of.value(first.value);
    setMember(found, name, value);
  }
  return Object.keys(found).length > 0 ? { value: found } : undefined;
}
