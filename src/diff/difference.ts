import { isDeepStrictEqual } from 'node:util';
import { type Json, json, type Mapping, type Node } from '../source/node.ts';
import type { Span } from '../source/text.ts';
import { atOnce, type Steps } from '../source/turns.ts';
import type { Specification } from '../specification/model/specification.ts';
import {
  type Address,
  find,
  isUnder,
  type Part,
  parts,
  step,
  steps,
} from '../specification/reading/address.ts';
import { isOpenMarker, marker } from '../specification/reading/said.ts';
import { amountOf } from './amount.ts';
import { alike, isOfOne } from './content.ts';
import { holdsLiteral, holdsNames, isSet } from './places.ts';
import { type Renames, renamed, without } from './renamed.ts';
import { spelledOut } from './spelling.ts';

/**
 * How a place changed (language §F.4). `refinement`: it was open, and is stated. `withdrawn`: it was stated, and
 * is open. `changed`: it was stated, and is stated otherwise; to be left out of a closed list is a statement too.
 */
export type Change = 'refinement' | 'withdrawn' | 'changed';

/** One place at which two specifications say different things, as high up as that holds for all that is under it. */
export interface Difference {
  readonly change: Change;
  /** The steps to it, without the places in lists. */
  readonly path: readonly string[];
  readonly address: Address;
  /** What is stated; undefined where nothing is, because it is open or because a closed list leaves it out. */
  readonly before: Node | undefined;
  readonly after: Node | undefined;
  readonly was: Stand;
  readonly is: Stand;
  /** Further addresses at which the very same statement differs: what language §E.15 and §E.16 copy. */
  readonly also: readonly Address[];
}

/** What one specification says of a place: stated, open, or left out of a closed list; and where it does, or could. */
export interface Stand {
  readonly state: 'stated' | 'open' | 'left out';
  readonly at: Span;
}

/** What one specification states, spelled out. */
export interface Side {
  readonly of: Specification;
  readonly tree: Mapping;
}

/** Where the walk stands on one side: the node there, and the steps to it. */
interface Here {
  readonly node: Node | undefined;
  readonly path: readonly (string | number)[];
  /** Notation states it, and it stands in no list (language §D.2, §E). */
  readonly implied?: boolean;
}

type Found = Omit<Difference, 'also'>;

/** A specification, by the names that its fields have in the other. */
export function side(of: Specification, renames: Renames = new Map()): Side {
  const absent = [...(of.was ?? [])].filter(([, name]) => name === null);
  const tree = without(
    spelledOut(of),
    absent.map(([address]) => address),
  );
  return { of, tree: renamed(tree, renames) };
}

/**
 * Every difference between two specifications, in the order of the parts; spelling and the order of keys are none.
 *
 * @param among the parts to compare. Default: all
 */
export function differences(before: Side, after: Side, among: readonly Part[] = parts): Difference[] {
  return atOnce(differencesInSteps(before, after, among));
}

/** {@link differences} in steps. */
export function* differencesInSteps(
  before: Side,
  after: Side,
  among: readonly Part[] = parts,
): Steps<Difference[]> {
  const [was, is] = alike(before.tree, after.tree);
  const old: Side = { of: before.of, tree: was };
  const now: Side = { of: after.of, tree: is };
  const found: Found[] = [];
  const addresses = new Set([...old.of.points.keys(), ...now.of.points.keys()]);
  const lists = [...addresses].filter((address) => address.endsWith('.*'));
  for (const part of among) {
    walk(old, now, here(old, [part]), here(now, [part]), found);
    const rests = restsOf(part, lists, old, now).filter(
      (rest) => !found.some((one) => one.change === rest.change && isUnder(rest.address, one.address)),
    );
    found.push(...rests);
    yield;
  }
  return folded(found);
}

function here(side: Side, path: readonly (string | number)[]): Here {
  return { path, node: find(side.tree, path) };
}

function walk(old: Side, now: Side, a: Here, b: Here, found: Found[]): void {
  if (isRuledOtherwise(a) && isRuledOtherwise(b)) return;
  const before = said(a.node);
  const after = said(b.node);
  if (before && after) {
    if ((before.kind === 'map' || isNone(before)) && (after.kind === 'map' || isNone(after)))
      members(old, now, a, b, found);
    else if ((isOfMaps(before) || isOfMaps(after)) && !isSet(names(b.path)))
      for (const [i, j] of aligned(before, after)) walk(old, now, item(a, i), item(b, j), found);
    else if (!isSame(before, after, names(b.path))) found.push(difference(old, now, a, b));
    return;
  }
  const one = before ?? after;
  if (one && isHeading(b.path, one)) members(old, now, a, b, found);
  else if (one || a.node || b.node) {
    const candidate = difference(old, now, a, b);
    const { was, is } = candidate;
    const isDenied = was.state === 'left out' || is.state === 'left out';
    if (was.state !== is.state && !(isDenied && one && isNone(one))) found.push(candidate);
  }
}

function difference(old: Side, now: Side, a: Here, b: Here): Found {
  const [before, after] = [said(a.node), said(b.node)];
  const was = stand(old, a, b.implied);
  const is = stand(now, b, a.implied);
  const change = was.state === 'open' ? 'refinement' : is.state === 'open' ? 'withdrawn' : 'changed';
  const path = before && !after ? a.path : b.path;
  return { change, path: names(path), address: addressOf(path), before, after, was, is };
}

function stand(side: Side, { node, path }: Here, otherIsImplied = false): Stand {
  if (said(node)) return { state: 'stated', at: (node as Node).span };
  const open = otherIsImplied || isOpen(side, path);
  return { state: open ? 'open' : 'left out', at: placeOf(side, path) };
}

/** Where something could be stated: the nearest text that was written around it. */
function placeOf({ of, tree }: Side, path: readonly (string | number)[]): Span {
  for (let length = path.length; length > 1; length -= 1) {
    const point = of.points.get(addressOf(path.slice(0, length)));
    const node = point ?? find(tree, path.slice(0, length));
    if (node) return 'at' in node ? node.at : node.span;
  }
  return of.places.get(path[0] as Part) ?? tree.span;
}

function members(old: Side, now: Side, a: Here, b: Here, found: Found[]): void {
  const named = ({ node, path }: Here): ReadonlyMap<string, string> =>
    new Map(node?.kind === 'map' ? [...node.entries.keys()].map((name) => [sameAs(path, name), name]) : []);
  const [was, is] = [named(a), named(b)];
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [before, after] = [was.get(key) ?? is.get(key), is.get(key) ?? was.get(key)] as [string, string];
    walk(old, now, member(a, before), member(b, after), found);
  }
}

/** What makes two names the same: no request carries what a parameter of a path is called, only where it stands. */
function sameAs(path: readonly (string | number)[], name: string): string {
  const [part, key, place, list] = path;
  const parameter = /\{([^{}]*)\}/g;
  if (part !== 'endpoints') return name;
  if (path.length === 1) return name.includes(' ') ? name.replaceAll(parameter, '{}') : name;
  if (path.length !== 4 || place !== 'request' || list !== 'path') return name;
  const at = [...String(key).matchAll(parameter)].findIndex((match) => match[1] === name);
  return at < 0 ? name : `{${at}}`;
}

function member({ node, path }: Here, name: string): Here {
  const entry = node?.kind === 'map' ? node.entries.get(name) : undefined;
  const further = [...path, name];
  if (node === undefined || entry === undefined) return { path: further, node: undefined };
  const { key, value } = entry;
  // What is written stands after its key; what notation makes is placed at what it follows from.
  const isCopy = value.span.start < node.span.start || value.span.end > node.span.end;
  const implied = value.span.start < key.end || (isCopy && path[0] === 'errors' && path[1] === 'codes');
  return { path: further, node: value, implied };
}

/** What is said there: nothing, where somebody only asks. */
function said(node: Node | undefined): Node | undefined {
  return node === undefined || isOpenMarker(node) ? undefined : node;
}

/** Whether an operation has no rule of its own: what `otherwise` says is told there (language §5.5). */
function isRuledOtherwise({ path, node, implied }: Here): boolean {
  return path.length === 3 && path[1] === 'authorization' && (node === undefined || implied === true);
}

/** Whether nothing is stated at these steps, and nothing denies it either (language §D). */
function isOpen({ of, tree }: Side, path: readonly (string | number)[]): boolean {
  for (let length = path.length; length > 0; length -= 1) {
    const steps = path.slice(0, length);
    const address = addressOf(steps);
    if (of.points.get(address)?.state === 'open') return true;
    const node = find(tree, steps);
    if (node?.kind === 'scalar') return isOpenMarker(node);
    if (node) return !isOfOne(node) && of.completeness.closed(address) === undefined;
  }
  return true;
}

/** A part, and the lists right under some, hold what people name; one finding for all of them would say little. */
function isHeading(path: readonly (string | number)[], node: Node): boolean {
  if (node.kind !== 'map') return false;
  const isRequest =
    path[0] === 'endpoints' &&
    path[2] === 'request' &&
    (path.length === 3 || (path.length === 4 && ['path', 'query', 'headers'].includes(String(path[3]))));
  return path.length === 1 || (path.length === 2 && holdsNames(path.map(String))) || isRequest;
}

/** Lists that became complete, or are so no longer; those under such a list go without saying. */
function restsOf(part: string, rests: readonly string[], old: Side, now: Side): Found[] {
  const changed = rests.flatMap((address) => {
    if (!isUnder(address, part)) return [];
    const [was, is] = [restOf(old, address), restOf(now, address)];
    return was && is && was.state !== is.state ? [{ address, list: address.slice(0, -2), was, is }] : [];
  });
  return changed
    .filter(({ list }) => !changed.some((above) => above.list !== list && isUnder(list, above.list)))
    .map(({ address, was, is }) => ({
      change: is.state === 'open' ? 'withdrawn' : 'refinement',
      path: [part, '*'],
      address,
      before: undefined,
      after: undefined,
      was,
      is,
    }));
}

/** What is said of the rest of a list; of one that is `(none)`, that there is nothing. Undefined: there is no such list. */
function restOf({ of, tree }: Side, address: Address): Stand | undefined {
  const point = of.points.get(address);
  if (point) return { state: point.state === 'open' ? 'open' : 'stated', at: point.at };
  const path = steps(address)?.slice(0, -1) ?? [];
  const above = path
    .map((_, index) => find(tree, path.slice(0, index + 1)))
    .find((node) => node && isNone(node));
  return above && { state: 'stated', at: above.span };
}

/** The same statement, copied to several places by notation, is one difference, at the shortest of them. */
function folded(found: readonly Found[]): Difference[] {
  const place = (node: Node | undefined): string =>
    node ? `${node.span.text.file}:${node.span.start}-${node.span.end}` : '';
  const isCopied = ({ path }: Found): boolean => path[0] === 'endpoints' || path[0] === 'errors';
  const groups = Map.groupBy(found, (one) =>
    isCopied(one) && (one.before ?? one.after)
      ? `${one.path.at(-1)} ${place(one.before)} ${place(one.after)}`
      : one,
  );
  return [...groups.values()].map((group) => {
    const first = group.reduce((a, b) => (b.path.length < a.path.length ? b : a));
    return { ...first, also: group.filter((one) => one !== first).map((one) => one.address) };
  });
}

function isNone(node: Node): boolean {
  return node.kind === 'scalar' && marker(node.value)?.kind === 'none';
}

function isOfMaps(node: Node): boolean {
  return node.kind === 'list' && node.items.some((one) => one.kind === 'map');
}

/** Pairs of places in two lists: answers by what they are for, and whatever is left in its order. */
function aligned(before: Node, after: Node): [number | null, number | null][] {
  const keys = (node: Node): string[] => {
    const items = node.kind === 'list' ? node.items : [node];
    const whens = items.map((one) => JSON.stringify((json(one) as { when?: Json } | null)?.when ?? null));
    return new Set(whens).size === whens.length ? whens : items.map((_, index) => String(index));
  };
  const [old, now] = [keys(before), keys(after)];
  const place = (of: string[], key: string | undefined, node: Node): number | null =>
    key === undefined ? null : node.kind === 'list' ? of.indexOf(key) : -1;
  const less = old.filter((key) => !now.includes(key));
  const more = now.filter((key) => !old.includes(key));
  const pairs = [...old.filter((key) => now.includes(key)).map((key) => [key, key] as const)];
  const others = Array.from(
    { length: Math.max(less.length, more.length) },
    (_, i) => [less[i], more[i]] as const,
  );
  return [...pairs, ...others].map(([a, b]) => [place(old, a, before), place(now, b, after)]);
}

/** An item of a list by its place; -1 where one value stands for a list of one, null where there is none. */
function item({ node, path }: Here, index: number | null): Here {
  if (index === -1) return { node, path };
  const place = index ?? (node?.kind === 'list' ? node.items.length : 0);
  return { path: [...path, place], node: index === null ? undefined : find(node, [index]) };
}

/** Whether two values say the same: one value is a list of one, a minute is sixty seconds, and the spaces around an expression say nothing. */
function isSame(before: Node, after: Node, path: readonly string[]): boolean {
  const literal = holdsLiteral(path);
  // While the identifier of R is open, `refers: R` may come to any field of R (language §E.12).
  if (
    path.at(-1) === 'refers' &&
    [before, after].some((one) => one.kind === 'scalar' && !one.written.includes('.'))
  )
    return isDeepStrictEqual(
      ...([before, after].map((one) => String(json(one)).split('.')[0]) as [string, string]),
    );
  const isList = (node: Node): boolean => node.kind === 'list' && (literal || node.items.length !== 1);
  const texts = (node: Node): string[] => {
    const found = (node.kind === 'list' ? node.items : [node]).map((one) => {
      const amount = literal ? undefined : amountOf(one, path);
      return amount === undefined ? textOf(one, literal) : String(amount);
    });
    return isSet(path) ? found.sort() : found;
  };
  return isList(before) === isList(after) && isDeepStrictEqual(texts(before), texts(after));
}

function textOf(node: Node, literal: boolean): string {
  const trimmed = (text: string): string => text.replace(/^\$\{\s*([\s\S]*?)\s*\}$/, '${$1}');
  if (node.kind === 'scalar' && !literal)
    return typeof node.value === 'number' ? String(node.value) : trimmed(node.written);
  return JSON.stringify(json(node), (_name, value: Json) =>
    typeof value === 'string' ? trimmed(value) : value,
  );
}

function names(path: readonly (string | number)[]): string[] {
  return path.filter((one) => typeof one === 'string');
}

function addressOf(path: readonly (string | number)[]): Address {
  const [part, ...further] = path;
  return further.reduce<Address>(step, String(part));
}
