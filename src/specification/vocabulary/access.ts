import { drop, get, type Mapping, put, scalar } from '../../source/node.ts';
import { section } from '../reading/form.ts';
import { boolean, entry, kindOf, type Reading, type Values } from '../reading/reading.ts';
import { isOpenMarker } from '../reading/said.ts';

/** Whether a member of a shape with `fields` is shown, and may be given (language §H.1). */
export const accessKeys = {
  readable: entry(
    boolean,
    section('H.1', 'shape.member')('Whether the member is shown: true or false.', {
      rules: '6',
      open: 'it is shown (E.8)',
    }),
  ),
  writable: entry(
    boolean,
    section('H.1', 'shape.member')('Whether a client may give the member: true or false.', {
      rules: '6',
      open: 'a client may (E.8)',
    }),
  ),
};

/** Spellings that stand for `writable: false` and `readable: false` (language §E.9). */
export const accessSpellings = {
  readOnly: entry(
    boolean,
    section('E.9', 'notation.access')('`true` is `writable: false`.', { open: '`writable` says' }),
  ),
  writeOnly: entry(
    boolean,
    section('E.9', 'notation.access')('`true` is `readable: false`.', { open: '`readable` says' }),
  ),
};

export type Access = Values<typeof accessKeys>;

const spellings = { readOnly: 'writable', writeOnly: 'readable' } as const satisfies Record<
  keyof typeof accessSpellings,
  keyof typeof accessKeys
>;

/** What says of a field, or of a member, who reads and writes it. */
export const accessWords: readonly string[] = Object.keys({
  ...accessKeys,
  ...accessSpellings,
});

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

/** Bytes are shown in no JSON (language §E.9): `format: binary` says so. */
export function bytesHidden(map: Mapping): Mapping {
  const [format, written] = [get(map, 'format'), map.entries.get('format')];
  if (format?.kind !== 'scalar' || format.value !== 'binary' || !written || map.entries.has('readable'))
    return map;
  return put(map, 'readable', scalar(false, format.span, format.assumed), written.key);
}
