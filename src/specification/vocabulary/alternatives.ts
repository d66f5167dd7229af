import { type Entry, get, type Mapping, put } from '../../source/node.ts';
import type { Reading } from '../reading/reading.ts';
import { isMarker } from '../reading/said.ts';

/**
 * The tree with each list under one `METHOD /path` as endpoints of their own, by the names of their operations: what
 * stands at `endpoints["GET /a"].name` (language §4.1, §C). Nothing that comes after meets a list.
 */
export function withAlternatives(tree: Mapping, reading: Reading): Mapping {
  const endpoints = get(tree, 'endpoints');
  if (endpoints?.kind !== 'map') return tree;
  const isList = ([key, { value }]: readonly [string, Entry]): boolean =>
    value.kind === 'list' && key.includes(' ') && !key.startsWith('every ');
  const all = [...endpoints.entries];
  if (!all.some(isList)) return tree;
  const entries = all.flatMap((one) => (isList(one) ? ofList(...one, reading) : [one]));
  return put(tree, 'endpoints', { ...endpoints, entries: new Map(entries) });
}

function ofList(key: string, { value }: Entry, reading: Reading): [string, Entry][] {
  const items = value.kind === 'list' ? value.items : [];
  if (items.length < 2)
    reading.report('contradiction', value.span, { problem: 'a list has two operations, or more' });
  const found = new Map<string, Entry>();
  for (const item of items) {
    const name = get(item, 'operation');
    if (item.kind !== 'map' || name?.kind !== 'scalar' || isMarker(name)) {
      reading.report('alternative-unnamed', item.span, { key });
      continue;
    }
    const twin = found.get(`${key} ${name.written}`);
    if (twin) reading.report('operation-twice', name.span, { name: name.written }, { related: [twin.key] });
    else found.set(`${key} ${name.written}`, { key: name.span, value: item });
  }
  return [...found];
}
