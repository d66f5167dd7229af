import { drop, type Entry, get, type Mapping, mapping, type Node, put, scalar } from '../source/node.ts';
import { isMarker } from '../specification/reading/said.ts';
import { holdsExpression } from '../specification/reading/templates.ts';

/** What states content of one media type, besides `media`: an entry of `content` states the same. */
const keys = ['body', 'under', 'nesting', 'shape'];

/** The `content` of those who state one media type alone: nothing but that is taken or sent. */
const ofOne = new WeakSet<Node>();

/** Whether a node is the `content` of somebody who states one media type alone. */
export function isOfOne(node: Node): boolean {
  return ofOne.has(node);
}

/** A path without the media type under which something stands in `content` (language §H.3). */
export function withoutMedia(path: readonly string[]): readonly string[] {
  const at = path.indexOf('content');
  const isContent =
    at !== -1 &&
    path.length > at + 2 &&
    ((path[0] === 'endpoints' && at === 3 && ['request', 'response'].includes(path[2] as string)) ||
      (path[0] === 'errors' && ((path[1] === 'payload' && at === 2) || (path[1] === 'codes' && at === 3))));
  return isContent ? [...path.slice(0, at), ...path.slice(at + 2)] : path;
}

/** Two trees in which what states one media type alone is an entry of `content`, where the other tree has `content`. */
export function alike(before: Mapping, after: Mapping): readonly [Mapping, Mapping] {
  return [likewise(before, after), likewise(after, before)];
}

function likewise(tree: Mapping, other: Mapping): Mapping {
  const endpoints = inEach(tree, other, 'endpoints', (endpoint, its) =>
    inside(inside(endpoint, its, 'request', byType), its, 'response', sent),
  );
  return inside(endpoints, other, 'errors', (errors, its) =>
    inEach(inside(errors, its, 'payload', sent), its, 'codes', sent),
  );
}

type Change = (node: Mapping, its: Node) => Mapping;

/** A node with what stands at a key changed, if both have a map there; each answer, where both have several. */
function inside(tree: Mapping, other: Node, key: string, change: Change): Mapping {
  const [own, its] = [tree.entries.get(key), get(other, key)];
  if (own === undefined || its === undefined) return tree;
  if (own.value.kind === 'list' && its.kind === 'list') {
    const items = own.value.items.map((item, index) => {
      const twin = its.items[index];
      return item.kind === 'map' && twin ? change(item, twin) : item;
    });
    return put(tree, key, { ...own.value, items }, own.key);
  }
  return own.value.kind === 'map' ? put(tree, key, change(own.value, its), own.key) : tree;
}

function inEach(tree: Mapping, other: Node, key: string, change: Change): Mapping {
  return inside(tree, other, key, (map, its) => {
    const entries = [...map.entries.keys()].map((name) => {
      // All of them in one map: to copy it for each would take the square of their number.
      const own = map.entries.get(name) as Entry;
      const only = inside(mapping([[name, own]], map.span), its, name, change);
      return [name, only.entries.get(name) as Entry] as const;
    });
    return { ...map, entries: new Map(entries) };
  });
}

/** What is sent, with the type that is sent first as its `media`. */
function sent(own: Mapping, its: Node): Mapping {
  const whole = byType(own, its);
  const content = get(whole, 'content');
  const [first] = content?.kind === 'map' ? [...content.entries] : [];
  return first ? put(whole, 'media', scalar(first[0], first[1].key), first[1].key) : whole;
}

/** What states content, as `content` if the other does. */
function byType(own: Mapping, its: Node): Mapping {
  const media = own.entries.get('media');
  if (get(its, 'content')?.kind !== 'map' || media === undefined) return own;
  const types = media.value.kind === 'list' ? media.value.items : [media.value];
  const texts = types.flatMap((type) =>
    type.kind === 'scalar' && !isMarker(type) && !holdsExpression(type) ? [type.written] : [],
  );
  if (texts.length < types.length) return own;
  const entry = keys.flatMap((key) => {
    const found = own.entries.get(key);
    return found ? [[key, found] as const] : [];
  });
  const { span } = media.value;
  const entries = texts.map((type) => [type, { key: media.key, value: mapping(entry, span) }] as const);
  const whole = mapping(entries, span);
  ofOne.add(whole);
  return put(['media', ...keys].reduce(drop, own), 'content', whole, media.key);
}
