import { type Mapping, type Node, type Scalar, scalar } from '../../../source/node.ts';
import type { Span } from '../../../source/text.ts';
import { step } from '../../reading/address.ts';
import type { About, Form } from '../../reading/form.ts';
import { essence, isMediaType } from '../../reading/media.ts';
import {
  asMap,
  entry,
  type Formed,
  formed,
  type Keys,
  type Place,
  type Reading,
  record,
  type Told,
  type Values,
  value,
} from '../../reading/reading.ts';
import { isMarker, marker, type Said } from '../../reading/said.ts';

/** Content of one of several media types: what it is, and its type in the form of the key `media` beside it. */
export type Typed<K extends Keys, M> = Values<K> & { readonly media: Said<M> };

/** How the entries of `content` are read. */
interface Options<M> {
  /** The media type of an entry, as `media` would say it. */
  readonly media: (type: Scalar) => M;
  /** Whether an entry may be for a range of media types, as `image/*`. */
  readonly ranges: boolean;
  /** An entry with its notation spelled out. */
  readonly spelledOut: (map: Mapping, reading: Reading) => Mapping;
}

/**
 * The key `content`: what the content is by media type or range, in the order in which they are listed (language §4.2,
 * §H.3). One alone is written with `media` and `body`.
 */
export function contentKey<K extends Keys, M>(
  keys: K,
  options: Options<M>,
  about: About,
): Told<readonly Typed<K, M>[]> {
  return entry(contents(keys, options), about);
}

function contents<K extends Keys, M>(keys: K, options: Options<M>): Formed<readonly Typed<K, M>[]> {
  const one = record(keys, { title: 'content' });
  const form: Form = { kind: 'map', of: value(one) };
  return formed(form, (node, place, reading) => {
    const map = asMap(node, reading);
    if (map === undefined) return undefined;
    if (map.entries.size < 2) reading.report('content-of-one', node.span, {});
    const found: Typed<K, M>[] = [];
    if (options.ranges) checkTwins(map, reading);
    for (const [type, written] of map.entries) {
      const where = { address: step(place.address, type), at: written.key };
      checkType(type, options.ranges, where, reading);
      if (isMarker(written.value)) {
        checkNone(written.value, where, reading);
        continue;
      }
      const own = asMap(written.value, reading);
      const values = own && one(options.spelledOut(own, reading), where, reading);
      if (!values) continue;
      const { address, at } = where;
      const media = options.media(scalar(type, at));
      const assumed = written.value.assumed === true;
      found.push({ ...values, media: { kind: 'stated', value: media, address, at, assumed } });
    }
    reading.restOf(place.address, place.at);
    return found.length === 0 ? undefined : found;
  });
}

/** An older version may have no such entry; what is open of an entry is asked at its keys. */
function checkNone(node: Node, { address }: Place, reading: Reading): void {
  const text = node.kind === 'scalar' ? node.written.trim() : '';
  if (marker(text)?.kind === 'none') {
    reading.point(address, node.assumed ? 'assumed' : 'stated', node.span);
    return;
  }
  const hint = 'a marker stands at a key of the entry, as body: (open)';
  reading.report('marker-in-literal', node.span, { text }, { hint });
}

/** What a request brings is told apart by its type without parameters. */
function checkTwins(map: Mapping, reading: Reading): void {
  const seen = new Map<string, Span>();
  for (const [type, { key }] of map.entries) {
    const twin = seen.get(essence(type));
    if (twin) reading.report('key-twice', key, { key: essence(type) }, { related: [twin] });
    else seen.set(essence(type), key);
  }
}

function checkType(type: string, ranges: boolean, { at }: Place, reading: Reading): void {
  const problem = !isMediaType(type)
    ? `${type} is no media type`
    : type.includes('*') && !ranges
      ? `${type} is a range, and an answer has one media type`
      : undefined;
  if (problem !== undefined) reading.report('content-shape', at, { problem });
}

/** Without `content`, its keys say it for the only media type; beside it, they would say it twice. */
export function checkAlone(map: Mapping, keys: Keys, reading: Reading): void {
  const content = map.entries.get('content');
  if (content === undefined || isMarker(content.value)) return;
  for (const key of ['media', ...Object.keys(keys)]) {
    const twin = map.entries.get(key);
    const problem = `${key} stands beside content, whose entries say it`;
    if (twin && !isMarker(twin.value))
      reading.report('content-shape', twin.key, { problem }, { related: [content.key] });
  }
}
