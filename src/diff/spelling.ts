import { drop, get, type Mapping, mapping, type Node, put, type Scalar, scalar } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Specification } from '../specification/model/specification.ts';
import { withMedia } from '../specification/reading/media.ts';
import { isMarker, isOpenMarker, marker } from '../specification/reading/said.ts';
import { holdsExpression, member } from '../specification/reading/templates.ts';
import { nameOf } from '../specification/vocabulary/answer.ts';
import { isRule } from '../specification/vocabulary/every.ts';
import { typeUnstated } from '../specification/vocabulary/request.ts';
import { operationsOf } from './operations.ts';
import { holdsLiteral, holdsNames } from './places.ts';

/**
 * The statements of a specification with every row of language §E spelled out, so that two ways of writing
 * the same are the same tree. What the reader's own tree leaves to the place where it is read is done here:
 * E.2, E.5 to E.11, E.13, E.14, E.18; and what E.15 lays into endpoints stands there alone.
 */
export const spelledOut = once(({ tree }: Specification): Mapping => {
  const silent = withoutDescriptions(tree, []) as Mapping;
  const endpoints = get(silent, 'endpoints');
  const resources = get(silent, 'resources');
  const authentication = get(silent, 'authentication');
  let result = silent;
  if (endpoints?.kind === 'map')
    result = put(
      result,
      'endpoints',
      each(withoutShared(endpoints), (value, key) =>
        // Examples state nothing (§4.6).
        key.includes(' ') && value.kind === 'map' ? endpoint(drop(value, 'examples')) : value,
      ),
    );
  if (resources?.kind === 'map') result = put(result, 'resources', each(resources, entry));
  if (authentication?.kind === 'map')
    result = put(result, 'authentication', withRules(authentication, [...operationsOf(silent).keys()]));
  return result;
});

/** What `otherwise` rules on, operation by operation (language §5.5). */
function withRules(authentication: Mapping, operations: readonly string[]): Mapping {
  const otherwise = get(authentication, 'otherwise');
  if (otherwise === undefined || isMarker(otherwise)) return authentication;
  const listed = get(authentication, 'authorization') ?? mapping([], otherwise.span);
  if (listed.kind !== 'map') return authentication;
  const all = operations
    .filter((name) => !listed.entries.has(name))
    .reduce((rules, name) => put(rules, name, otherwise), listed);
  return put(authentication, 'authorization', all);
}

/** What language §E.15 has laid into the endpoints says nothing more where it was written. */
function withoutShared(endpoints: Mapping): Mapping {
  const shared = (key: string): boolean => ['others', 'cors'].includes(key) || isRule(key);
  return [...endpoints.entries.keys()].filter(shared).reduce(drop, endpoints);
}

function endpoint(of: Mapping): Mapping {
  return inside(
    inside(inside(inside(of, 'does', change), 'also', changes), 'request', request),
    'response',
    answers,
  );
}

/** Language §E.2, §E.7, §E.14. */
function change(node: Node): Node {
  const map = node.kind === 'scalar' ? written(node) : node;
  if (map?.kind !== 'map') return node;
  const verb = ['create', 'update', 'replace'].find((word) => map.entries.has(word));
  const by = get(map, 'by');
  if (by?.kind === 'list') {
    const members = by.items.map((item): [string, { key: Node['span']; value: Node }] => {
      const name = item.kind === 'scalar' ? item.written : '';
      return [name, { key: start(item), value: scalar(`\${request.body${member(name)}}`, item.span) }];
    });
    return put(map, 'by', mapping(members, by.span));
  }
  if (verb === undefined || map.entries.has('with')) return map;
  return put(map, 'with', scalar('${request.body}', map.span), map.entries.get(verb)?.key);
}

function changes(node: Node): Node {
  return node.kind === 'list' ? { ...node, items: node.items.map(change) } : change(node);
}

function written(node: Scalar): Mapping | undefined {
  const [, verb, about] = /^\s*(\S+)\s+((?:every\s+)?\S+)\s*$/.exec(node.written) ?? [];
  if (isMarker(node) || verb === undefined || about === undefined) return undefined;
  const subject = scalar(about.replace(/\s+/, ' '), node.span);
  return mapping([[verb, { key: start(node), value: subject }]], node.span);
}

function request(node: Node): Node {
  if (node.kind !== 'map') return node;
  let result: Node = withMedia(node);
  for (const place of ['path', 'query', 'headers'])
    result = inside(result as Mapping, place, (parameters) =>
      parameters.kind === 'map' ? each(parameters, (value) => parameter(value, place)) : parameters,
    );
  return inside(withBody(result as Mapping), 'content', (content) =>
    content.kind === 'map'
      ? each(content, (entry) => (entry.kind === 'map' ? withBody(entry) : entry))
      : content,
  );

  /** Language §4.2, rule 5; §E.13, §E.11. */
  function parameter(value: Node, place: string): Node {
    if (value.kind === 'scalar' && place === 'path' && !isMarker(value))
      return mapping([['is', { key: start(value), value }]], value.span);
    if (value.kind !== 'map') return value;
    const typed = ['type', 'is'].some((key) => value.entries.has(key))
      ? value
      : put(value, 'type', scalar(typeUnstated(value), value.span));
    const filter = get(typed, 'filter');
    if (filter?.kind !== 'scalar' || isMarker(filter) || holdsExpression(filter)) return typed;
    const name = [...((get(result, place) as Mapping).entries ?? [])].find(
      ([, one]) => one.value === value,
    )?.[0];
    const compared = `\${this${member(filter.written)} == request.${place}${member(name ?? '')}}`;
    return put(typed, 'filter', scalar(compared, filter.span));
  }
}

/** A body that is a name is a map with that. */
function withBody(map: Mapping): Mapping {
  return inside(map, 'body', (body) =>
    nameOf(body) === undefined ? body : mapping([['of', { key: start(body), value: body }]], body.span),
  );
}

/** Language §E.5, §E.6; a list of one answer is that answer. */
function answers(node: Node): Node {
  if (node.kind === 'list') {
    const [only, second] = node.items;
    return only && second === undefined ? answers(only) : { ...node, items: node.items.map(answers) };
  }
  if (node.kind !== 'map') return node;
  return inside(withMedia(withShown(node)), 'content', (content) =>
    content.kind === 'map'
      ? each(content, (entry) => (entry.kind === 'map' ? withShown(entry) : entry))
      : content,
  );
}

function withShown(map: Mapping): Mapping {
  const body = map.entries.get('body');
  const name = body && nameOf(body.value);
  return name && body ? put(map, 'body', scalar(`\${${name}(this)}`, body.value.span)) : map;
}

function entry(node: Node): Node {
  if (node.kind !== 'map') return node;
  const isShape = isNone(get(node, 'identifier'));
  return inside(node, 'fields', (fields) =>
    fields.kind === 'map' && !isShape ? each(fields, field) : fields,
  );
}

/** Language §E.8, §E.9. */
function field(node: Node): Node {
  if (node.kind !== 'map') return node;
  let result: Mapping = node;
  const state = (key: string, flag: boolean, at: Node['span']): void => {
    if (!result.entries.has(key)) result = put(result, key, scalar(flag, at), at);
  };
  const says = (key: string): Node | undefined => {
    const found = get(node, key);
    return found === undefined || isOpenMarker(found) || isNone(found) ? undefined : found;
  };
  for (const [spelling, key] of [
    ['readOnly', 'writable'],
    ['writeOnly', 'readable'],
  ] as const) {
    const found = says(spelling);
    result = drop(result, spelling);
    if (found?.kind === 'scalar') state(key, found.value !== true, found.span);
  }
  const derived = says('derived');
  if (derived) {
    state('readable', true, derived.span);
    state('writable', false, derived.span);
  }
  const secret = says('secret');
  if (secret) state('readable', false, secret.span);
  const format = get(node, 'format');
  if (format?.kind === 'scalar' && format.value === 'binary') state('readable', false, format.span);
  state('readable', true, node.span);
  const set = get(get(node, 'set'), 'create');
  state('writable', set === undefined || isOpenMarker(set) || isNone(set), set?.span ?? node.span);
  return result;
}

/** What says nothing about the service: a `description` beside keys of the language (§E.18), and annotations of a shape. */
function withoutDescriptions(node: Node, path: readonly string[]): Node {
  if (holdsLiteral(path)) return node;
  if (node.kind === 'list')
    return { ...node, items: node.items.map((item) => withoutDescriptions(item, path)) };
  if (node.kind !== 'map') return node;
  const named = holdsNames(path);
  const kept = [...node.entries].filter(
    ([key]) => named || !(key === 'description' || (isShape(path) && annotations.includes(key))),
  );
  const entries = kept.map(
    ([key, found]) => [key, { ...found, value: withoutDescriptions(found.value, [...path, key]) }] as const,
  );
  return { ...node, entries: new Map(entries) };
}

const annotations = ['title', 'deprecated', 'examples', '$comment'];

function isShape(path: readonly string[]): boolean {
  return path[0] === 'resources' || (path[0] === 'endpoints' && path[2] === 'request');
}

/** Where a key would begin that is written in short, with its value. */
function start({ span }: Node): Node['span'] {
  return { ...span, end: span.start };
}

function isNone(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && marker(node.value)?.kind === 'none';
}

function inside(map: Mapping, key: string, spell: (node: Node) => Node): Mapping {
  const found = get(map, key);
  return found === undefined || isMarker(found) ? map : put(map, key, spell(found));
}

function each(map: Mapping, spell: (node: Node, key: string) => Node): Mapping {
  const entries = [...map.entries].map(
    ([key, found]) => [key, { ...found, value: spell(found.value, key) }] as const,
  );
  return { ...map, entries: new Map(entries) };
}
