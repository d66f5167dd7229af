import type { Content } from '../operations.ts';
import { type Place, type Places, raw, rawElements, textIn } from '../place.ts';
import { isObject, propertiesOf, type Shaping } from '../shape.ts';

/** A named schema of an object. */
export interface Named {
  readonly name: string;
  readonly schema: Place;
}

/** A named object in the content of an answer. */
export interface Found extends Named {
  /** The one member in which it stands; null: it is the content. */
  readonly under: string | null;
}

/** The named object that content is, or has as its only member. */
export function foundIn(content: Content | undefined, shaping: Shaping): Found | undefined {
  const own = content?.schema && namedIn(content.schema, shaping);
  if (content?.schema === undefined || own) return own && { ...own, under: null };
  const { places } = shaping;
  const schema = places.followed(content.schema);
  const members = isObject(schema, places) ? [...propertiesOf(schema, places)] : [];
  const [member, ...others] = members;
  const inner = member && others.length === 0 ? namedIn(member[1], shaping) : undefined;
  return inner && { ...inner, under: (member as [string, Place])[0] };
}

/** The named object that a schema is: by itself, beside what `allOf` adds, or beside what tells that it is gone. */
export function namedIn(schema: Place, { names, places }: Shaping): Named | undefined {
  const place = places.followed(schema);
  const all = [place, ...places.elements(raw(place, 'allOf'))];
  const union = names.has(place.pointer) ? [] : unionOf(place, places);
  const found = [...all, ...union.filter((each) => !isGone(each, places))].filter(({ pointer }) =>
    names.has(pointer),
  );
  const [only] = found;
  return only && (found.length === 1 || only === place)
    ? { name: names.get(only.pointer) as string, schema: only }
    : undefined;
}

/** The schemas of which a value fits one. Null beside another one says nothing. */
export function unionOf(place: Place, places: Places): readonly Place[] {
  const all = ['anyOf', 'oneOf'].flatMap((keyword) => places.elements(raw(place, keyword)));
  return all.filter((each) => textIn(each, 'type') !== 'null');
}

/** Whether objects of a schema tell that something was deleted: `deleted` is always true of them. */
export function isGone(schema: Place, places: Places): boolean {
  const flag = propertiesOf(schema, places).get('deleted');
  const only = flag && onlyValueOf(places.followed(flag));
  return only?.value === true;
}

/** The one value that a schema admits, if there is one. */
export function onlyValueOf(schema: Place): { readonly value: string | number | boolean } | undefined {
  const listed = rawElements(raw(schema, 'enum'));
  const only = raw(schema, 'const') ?? (listed.length === 1 ? listed[0] : undefined);
  return only?.node.kind === 'scalar' && only.node.value !== null ? { value: only.node.value } : undefined;
}

/** The named elements of a list, and the member in which the list stands; undefined: there is not exactly one list. */
export function elementsOf(
  content: Content | undefined,
  shaping: Shaping,
): { readonly item: Named; readonly member: string | null } | undefined {
  const { places } = shaping;
  if (content?.schema === undefined) return undefined;
  const schema = places.followed(content.schema);
  const own = itemsOf(schema, shaping);
  if (own) return { item: own, member: null };
  if (!isObject(schema, places)) return undefined;
  const lists = [...propertiesOf(schema, places)].flatMap(([member, each]) => {
    const item = itemsOf(places.followed(each), shaping);
    return item ? [{ item, member }] : [];
  });
  return lists.length === 1 ? lists[0] : undefined;
}

function itemsOf(schema: Place, shaping: Shaping): Named | undefined {
  const items = raw(schema, 'items');
  return items && namedIn(items, shaping);
}
