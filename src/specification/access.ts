import { drop, type Mapping, put, scalar } from '../source/node.ts';
import { boolean, entry, kindOf, type Reading, type Values } from './reading.ts';
import { isOpenMarker } from './said.ts';

/** Whether a member of a shape with `fields` is shown, and may be given (language §H.1). */
export const accessKeys = { readable: entry(boolean), writable: entry(boolean) };

export type Access = Values<typeof accessKeys>;

/** Spellings that stand for `writable: false` and `readable: false` (language §E.9). */
const spellings = { readOnly: 'writable', writeOnly: 'readable' } as const;

/** What says of a field, or of a member, who reads and writes it. */
export const accessWords: readonly string[] = [...Object.keys(accessKeys), ...Object.keys(spellings)];

/** The map with `readOnly` and `writeOnly` as what they stand for. */
export function accessSpelledOut(map: Mapping, reading: Reading): Mapping {
  let result = map;
  for (const [spelling, key] of Object.entries(spellings)) {
    const found = map.entries.get(spelling);
    if (found === undefined) continue;
    const { value } = found;
    const twin = map.entries.get(key);
    result = drop(result, spelling);
    if (twin) reading.report('key-twice', found.key, { key }, { related: [twin.key] });
    else if (value.kind === 'scalar' && typeof value.value === 'boolean')
      result = put(result, key, scalar(!value.value, value.span, value.assumed), found.key);
    else if (isOpenMarker(value)) result = put(result, key, value, found.key);
    else reading.report('wrong-kind', value.span, { wanted: 'true or false', found: kindOf(value) });
  }
  return result;
}
