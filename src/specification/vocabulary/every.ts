import { drop, type Entry, get, type Mapping, mapping, type Node, put } from '../../source/node.ts';
import { asMap, type Reading, unknownKeys } from '../reading/reading.ts';

/** What `every METHOD /path` may hold; of a request, what is about its form, and the items that its path names. */
const keys = ['conditional', 'cors', 'idempotency', 'matching', 'request'];
const requestKeys = ['headers', 'media', 'nesting', 'others'];

/** Maps of a request that are laid in name by name. */
const maps = ['headers', 'path'];

/** What says something of a body alone. */
const ofBodies = ['media', 'nesting'];

interface Rule {
  readonly key: string;
  readonly method: string | null;
  /** The segments that a path begins with; empty: any path. */
  readonly path: readonly string[];
  readonly entry: Entry;
}

/** A key of part 4 that is about several endpoints: `every POST`, `every /repos/{owner}`, `every GET /repos`. */
export function isRule(key: string): boolean {
  return key.startsWith('every ');
}

/**
 * The tree without the rules of part 4, which are laid into each endpoint that they are about and that does not state
 * the same itself; of several rules the one of the longest path goes before (language §E.15).
 */
export function laidRules(tree: Mapping, reading: Reading): Mapping {
  const endpoints = get(tree, 'endpoints');
  if (endpoints?.kind !== 'map') return tree;
  const rules = rulesIn(endpoints, reading);
  if (rules.length === 0) return tree;
  const bare = [...endpoints.entries.keys()].filter(isRule).reduce(drop, endpoints);
  const used = new Set<Rule>();
  const entries = [...bare.entries].map(([key, entry]) => {
    if (!key.includes(' ') || entry.value.kind !== 'map') return [key, entry] as const;
    const fitting = rules.filter((rule) => isAbout(rule, key));
    for (const rule of fitting) used.add(rule);
    const value = fitting.reduce((map, rule) => withRule(map, known(rule, reading)), entry.value);
    return [key, { ...entry, value }] as const;
  });
  for (const rule of rules)
    if (!used.has(rule)) reading.report('idle', rule.entry.key, { key: rule.key, where: 'any endpoint' });
  return put(tree, 'endpoints', { ...bare, entries: new Map(entries) });
}

/** The rules, those of the longest paths first; a key that looks like one and is none is reported. */
function rulesIn(endpoints: Mapping, reading: Reading): Rule[] {
  const found: Rule[] = [];
  for (const [key, entry] of endpoints.entries) {
    if (!isRule(key)) continue;
    const match = /^every ([A-Z][A-Z-]*)?(?: ?(\/\S*))?$/.exec(key);
    const [, method, path] = match ?? [];
    if (method === undefined && path === undefined) reading.report('bad-endpoint', entry.key, { key });
    else found.push({ key, method: method ?? null, path: segments(path ?? '/'), entry });
  }
  const weight = ({ method, path }: Rule): number => 2 * path.length + (method === null ? 0 : 1);
  return found.sort((a, b) => weight(b) - weight(a));
}

function segments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function isAbout({ method, path: begins }: Rule, key: string): boolean {
  const space = key.indexOf(' ');
  const [path = ''] = key.slice(space + 1).split(' ');
  const own = segments(path);
  return (
    (method === null || method === key.slice(0, space)) && begins.every((segment, i) => segment === own[i])
  );
}

const checked = new WeakMap<Rule, Mapping>();

/** What the rule says, without what it cannot say; that is reported, once. */
function known(rule: Rule, reading: Reading): Mapping {
  const before = checked.get(rule);
  if (before) return before;
  const { key, path, entry } = rule;
  const map = asMap(entry.value, reading) ?? mapping([], entry.value.span);
  const place = { address: key, at: entry.value.span };
  const ofRequest = path.some((segment) => segment.startsWith('{')) ? [...requestKeys, 'path'] : requestKeys;
  unknownKeys(map, keys, place, reading);
  const written = get(map, 'request');
  const request = written && asMap(written, reading);
  if (request) unknownKeys(request, ofRequest, { ...place, address: `${key}.request` }, reading);
  const own = only(map, keys);
  const result = request ? put(own, 'request', only(request, ofRequest)) : drop(own, 'request');
  checked.set(rule, result);
  return result;
}

function only(map: Mapping, names: readonly string[]): Mapping {
  return { ...map, entries: new Map([...map.entries].filter(([name]) => names.includes(name))) };
}

/** The endpoint with what the rule says and it does not. */
function withRule(endpoint: Mapping, rule: Mapping): Mapping {
  let result = endpoint;
  for (const [name, entry] of rule.entries)
    if (name === 'request') result = withRequest(result, entry);
    else if (!result.entries.has(name)) result = put(result, name, entry.value, entry.key);
  return result;
}

function withRequest(endpoint: Mapping, { key, value }: Entry): Mapping {
  const own = endpoint.entries.get('request');
  if (value.kind !== 'map' || (own && own.value.kind !== 'map')) return endpoint;
  let into = own?.value.kind === 'map' ? own.value : mapping([], key, value.assumed);
  let isGrown = false;
  for (const [name, entry] of value.entries) {
    const there = get(into, name);
    // `content` says it of each media type.
    const isOfBody = ofBodies.includes(name) && there === undefined;
    if (isOfBody && (into.entries.has('content') || !into.entries.has('body'))) continue;
    const merged: Node | undefined = there === undefined ? entry.value : joined(name, there, entry.value);
    if (merged === undefined) continue;
    into = put(into, name, merged, entry.key);
    isGrown = true;
  }
  return isGrown ? put(endpoint, 'request', into, own?.key ?? key) : endpoint;
}

/** A map of parameters with those of the rule that it does not name; undefined where nothing is added. */
function joined(name: string, own: Node, rule: Node): Mapping | undefined {
  if (!maps.includes(name) || own.kind !== 'map' || rule.kind !== 'map') return undefined;
  const more = [...rule.entries].filter(([parameter]) => !own.entries.has(parameter));
  return more.reduce((map, [parameter, entry]) => put(map, parameter, entry.value, entry.key), own);
}
