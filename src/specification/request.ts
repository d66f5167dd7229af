import { reserved } from '../expression/reserved.ts';
import { drop, get, type Json, type Mapping, mapping, put, type Scalar, scalar } from '../source/node.ts';
import type { Span } from '../source/text.ts';
import { step } from './address.ts';
import { nameOf } from './answer.ts';
import { checkFieldName } from './field-name.ts';
import { withMedia } from './media.ts';
import {
  asMap,
  boolean,
  entry,
  knownKeys,
  listOf,
  literal,
  type Place,
  type Placed,
  placedText,
  type Read,
  type Reading,
  record,
  say,
  text,
  type Values,
  value,
  word,
} from './reading.ts';
import { isMarker, type Said } from './said.ts';
import { type Others, othersWord, readShape, type Shape, shape } from './shape.ts';
import { expression, holdsExpression, literalJson, member, textTemplate } from './templates.ts';

/** A parameter in a path, a query or a header field (language §4.2). */
export interface Parameter {
  readonly name: string;
  readonly address: string;
  readonly at: Span;
  /** `R.field` or `R.field as name`: the item whose field this is. */
  readonly binding: { readonly resource: string; readonly field: string; readonly as: string | null } | null;
  readonly shape: Shape;
  readonly default: Said<Json>;
  readonly required: Said<boolean>;
  /** What it does to a list, how a given value is taken in, and how it is written (language §4.2). */
  readonly roles: Roles;
}

/** A request's body: the writable members of a resource (language §E.4), or a shape of its own. */
export interface Body {
  readonly address: string;
  readonly at: Span;
  /** The name, where the body is one. */
  readonly of: { readonly name: string; readonly at: Span } | null;
  /** Of the members of what `of` names, these alone, or all but these. */
  readonly shows: Said<readonly Placed[]>;
  readonly omits: Said<readonly Placed[]>;
  /** The shape, or the further keywords beside `of`. */
  readonly shape: Shape;
}

const someOf = { shows: entry(listOf(placedText)), omits: entry(listOf(placedText)) };

export interface Request {
  readonly address: string;
  readonly path: Said<ReadonlyMap<string, Said<Parameter>>>;
  readonly query: Said<ReadonlyMap<string, Said<Parameter>>>;
  readonly headers: Said<ReadonlyMap<string, Said<Parameter>>>;
  readonly body: Said<Body>;
  readonly under: Said<string>;
  readonly media: Said<readonly string[]>;
  readonly nesting: Said<'brackets'>;
  readonly others: Said<OthersOf>;
}

/** What becomes of members and query parameters that nobody stated. */
export interface OthersOf {
  readonly body: Said<Others>;
  readonly query: Said<Others>;
}

const parameterKeys = {
  default: literal(literalJson),
  required: entry(boolean),
  filter: entry(expression),
  sort: entry(listOf(placedText)),
  page: entry(word('size', 'offset', 'start', 'number', 'cursor', 'after', 'before')),
  taken: entry(textTemplate),
  style: entry(word('simple', 'form', 'label', 'matrix', 'spaceDelimited', 'pipeDelimited', 'deepObject')),
  explode: entry(boolean),
};

export type Roles = Omit<Values<typeof parameterKeys>, 'default' | 'required'>;

function parameter(name: string, place: 'path' | 'query' | 'headers'): Read<Parameter> {
  return (node, where, reading) => {
    const { address } = where;
    const isName = nameOf(node) !== undefined;
    if (node.kind === 'scalar' && !isName) return bound(name, node, where, reading);
    const written = isName ? node : asMap(node, reading);
    const map = written?.kind === 'map' ? spelledOut(written, name, place, where.at) : written;
    const shape = map && readShape(map, where, reading, Object.keys(parameterKeys));
    if (shape === undefined) return undefined;
    if (isName) reading.point(address, node.assumed ? 'assumed' : 'stated', node.span);
    reading.restOf(address, where.at);
    const keys = map?.kind === 'map' ? map : mapping([], node.span);
    const roles = parts(knownKeys(keys, parameterKeys, where, reading));
    return { name, address, at: node.span, binding: null, shape, ...roles };
  };
}

/** A parameter that is a field of a resource: `R.field`, or `R.field as name`. */
function bound(name: string, node: Scalar, where: Place, reading: Reading): Parameter | undefined {
  const { address } = where;
  const match = /^([A-Z][A-Za-z0-9]*)\.(.+?)(?:\s+as\s+([A-Za-z][A-Za-z0-9_-]*))?$/.exec(node.written);
  if (match === null) return reading.report('bad-parameter', node.span, { found: node.written });
  const [, resource, field, as] = match as unknown as [string, string, string, string | undefined];
  if (as !== undefined && reserved.includes(as)) {
    const hint = 'it stands for something else in every expression';
    reading.report('bad-name', node.span, { name: as }, { hint });
  }
  const silent = mapping([], node.span);
  const shape = readShape(silent, where, reading, []) as Shape;
  reading.point(address, node.assumed ? 'assumed' : 'stated', node.span);
  const binding = { resource, field, as: as ?? null };
  const roles = parts(knownKeys(silent, parameterKeys, where, reading));
  return { name, address, at: node.span, binding, shape, ...roles };
}

/** What a page may be counted by (language §4.2). */
export const counts: readonly string[] = ['size', 'offset', 'start', 'number'];

/** A parameter without a type is text, and an integer where it counts (language §E.13); `filter: f` compares the field f with it (§E.11). */
function spelledOut(written: Mapping, name: string, place: string, key: Span): Mapping {
  const map = written.entries.has('type')
    ? written
    : put(written, 'type', scalar(typeUnstated(written), key, written.assumed), key);
  const filter = get(map, 'filter');
  if (filter?.kind !== 'scalar' || filter.value === null || isMarker(filter) || holdsExpression(filter))
    return map;
  const compared = `\${this${member(filter.written)} == request.${place}${member(name)}}`;
  return put(map, 'filter', scalar(compared, filter.span, filter.assumed));
}

/** The type of a parameter that states none (language §E.13). */
export function typeUnstated(map: Mapping): 'integer' | 'string' {
  const page = get(map, 'page');
  return page?.kind === 'scalar' && counts.includes(page.written) ? 'integer' : 'string';
}

function parts(found: Values<typeof parameterKeys>): Pick<Parameter, 'default' | 'required' | 'roles'> {
  const { default: fallback, required, ...roles } = found;
  return { default: fallback, required, roles };
}

const parameters =
  (kind: 'path' | 'query' | 'headers'): Read<ReadonlyMap<string, Said<Parameter>>> =>
  (node, place, reading) => {
    const map = asMap(node, reading);
    if (map === undefined) return undefined;
    const found = new Map<string, Said<Parameter>>();
    for (const [name, written] of map.entries) {
      if (kind === 'headers') checkFieldName(name, written.key, false, reading);
      const where = { address: step(place.address, name), at: written.key };
      found.set(name, say(written.value, value(parameter(name, kind)), where, reading));
    }
    reading.restOf(place.address, place.at);
    return found;
  };

const body: Read<Body> = (node, place, reading) => {
  const { address } = place;
  const of = nameOf(node) === undefined ? get(node, 'of') : node;
  const nothing = mapping([], node.span);
  if (of === undefined) {
    const own = shape(node, place, reading);
    return (
      own && { address, at: node.span, of: null, ...knownKeys(nothing, someOf, place, reading), shape: own }
    );
  }
  const name = text(of, place, reading);
  if (name === undefined) return undefined;
  const map = node.kind === 'map' ? node : nothing;
  const [shows, omits] = [map.entries.get('shows'), map.entries.get('omits')];
  if (shows && omits) {
    const problem = 'a body either has these members or is without some';
    reading.report('contradiction', omits.key, { problem }, { related: [shows.key] });
  }
  const further = ['of', ...Object.keys(someOf)].reduce(drop, map);
  const some = knownKeys(map, someOf, place, reading);
  const own = readShape(further, place, reading, []);
  reading.point(address, node.assumed ? 'assumed' : 'stated', node.span);
  return own && { address, at: node.span, of: { name, at: of.span }, ...some, shape: own };
};

const othersRecord = record({ body: entry(othersWord), query: entry(othersWord) });

const others: Read<OthersOf> = (node, place, reading) => {
  if (node.kind === 'map') return othersRecord(node, place, reading);
  const rule = othersWord(node, place, reading);
  if (rule === undefined) return undefined;
  const said = {
    kind: 'stated',
    value: rule,
    address: place.address,
    at: node.span,
    assumed: node.assumed === true,
  } as const;
  return { body: said, query: said };
};

const keys = {
  path: entry(parameters('path')),
  query: entry(parameters('query')),
  headers: entry(parameters('headers')),
  body: entry(body),
  under: entry(text),
  media: entry(listOf(text)),
  nesting: entry(word('brackets')),
  others: entry(others),
};

const silentOthers = { ...keys, others: value(others) };

/** What a request may bring (language §4.2). */
export const request: Read<Request> = (node, place, reading) => {
  const map = asMap(node.kind === 'map' ? withMedia(node) : node, reading);
  if (map === undefined) return undefined;
  const takes = map.entries.has('body') || map.entries.has('query');
  const found = record(takes ? silentOthers : keys)(map, place, reading);
  return found && { ...found, address: place.address };
};
