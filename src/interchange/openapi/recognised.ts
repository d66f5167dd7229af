import { type Collection, collectionsIn, keyOf } from '../recognise/collections.ts';
import type { Content, Described } from './operations.ts';
import type { Place } from './place.ts';
import { raw } from './place.ts';
import { isObject, propertiesOf, requiredOf, type Shaping } from './shape.ts';

/** A named schema whose items a description keeps under a path, as far as paths and shapes show. */
export interface Kept {
  /** Its name in part 2. */
  readonly name: string;
  /** The schema of an item. */
  readonly schema: Place;
  readonly collection: Collection;
  /** The member that singles out an item. */
  readonly key: string;
  /** Whether an answer refers to the schema by its name in two places at least. */
  readonly isSure: boolean;
}

/** What an operation most likely does. */
export interface Meant {
  readonly verb: 'create' | 'read' | 'list' | 'update' | 'replace' | 'delete';
  readonly kept: Kept;
  /** Whether an item that is there is replaced. Default: it is not */
  readonly isUpsert?: true;
  /** Where the elements of a list stand in the answer: a member, or null for the answer itself. */
  readonly elements?: string | null;
}

/** The resources of a description, each by its collection; a tie is none. */
export function keptIn(operations: readonly Described[], shaping: Shaping): readonly Kept[] {
  const collections = collectionsIn([...new Set(operations.map(({ path }) => path))]);
  const found = collections.flatMap((collection): Kept[] => {
    const { path, itemPath, parameter } = collection;
    if (itemPath === null || parameter === null) return [];
    const at = (key: string): Described | undefined => operations.find((each) => each.key === key);
    const read = named(at(`GET ${itemPath}`)?.successes[0]?.content, shaping);
    const listed = elementsOf(at(`GET ${path}`)?.successes[0]?.content, shaping)?.item;
    const item = read ?? named(at(`POST ${path}`)?.successes[0]?.content, shaping) ?? listed;
    if (item === undefined) return [];
    const members = new Set(propertiesOf(item.schema, shaping.places).keys());
    const key = keyOf(parameter, [item.name, path.split('/').at(-1) ?? ''], members);
    const isSure = read !== undefined && listed?.name === read.name;
    return key === undefined ? [] : [{ ...item, collection, key, isSure }];
  });
  const names = Map.groupBy(found, ({ name }) => name);
  return found.filter(({ name }) => names.get(name)?.length === 1);
}

/** What each operation most likely does; operations of which that cannot be told are not in it. */
export function meantBy(
  operations: readonly Described[],
  kept: readonly Kept[],
  shaping: Shaping,
): ReadonlyMap<Described, Meant> {
  const found = new Map<Described, Meant>();
  for (const each of kept) {
    const { path, itemPath } = each.collection;
    const posts = operations.some(({ key }) => key === `POST ${path}`);
    for (const operation of operations) {
      const meant =
        operation.path === path
          ? ofCollection(operation, each, shaping)
          : operation.path === itemPath
            ? ofItem(operation, each, posts, shaping)
            : undefined;
      if (meant) found.set(operation, meant);
    }
  }
  return found;
}

function ofCollection(operation: Described, kept: Kept, shaping: Shaping): Meant | undefined {
  const content = operation.successes[0]?.content;
  if (operation.method === 'GET') {
    const found = elementsOf(content, shaping);
    return found?.item.name === kept.name ? { verb: 'list', kept, elements: found.member } : undefined;
  }
  const isMade = content === undefined || named(content, shaping)?.name === kept.name;
  return operation.method === 'POST' && operation.body && isMade && fits(operation.body, kept, shaping)
    ? { verb: 'create', kept }
    : undefined;
}

function ofItem(operation: Described, kept: Kept, posts: boolean, shaping: Shaping): Meant | undefined {
  const { method, body } = operation;
  if (method === 'GET')
    return named(operation.successes[0]?.content, shaping)?.name === kept.name
      ? { verb: 'read', kept }
      : undefined;
  if (method === 'DELETE') return { verb: 'delete', kept };
  if (!body || !fits(body, kept, shaping)) return undefined;
  if (method === 'PATCH' || method === 'POST') return { verb: 'update', kept };
  if (method !== 'PUT') return undefined;
  return posts ? { verb: 'replace', kept } : { verb: 'create', kept, isUpsert: true };
}

/** Whether most members of a body are those of the resource. */
function fits({ schema }: Content, kept: Kept, { places }: Shaping): boolean {
  if (schema === undefined) return false;
  const own = propertiesOf(kept.schema, places);
  const given = [...propertiesOf(places.followed(schema), places).keys()];
  return given.length > 0 && given.filter((name) => own.has(name)).length >= 0.88 * given.length;
}

interface Named {
  readonly name: string;
  readonly schema: Place;
}

/** The named object that content is. */
function named(content: Content | undefined, { names, places }: Shaping): Named | undefined {
  if (content?.schema === undefined) return undefined;
  const schema = places.followed(content.schema);
  const all = [schema, ...places.elements(raw(schema, 'allOf'))];
  const found = all.filter(({ pointer }) => names.has(pointer));
  const [only] = found;
  return only && (found.length === 1 || only === schema)
    ? { name: names.get(only.pointer) as string, schema: only }
    : undefined;
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
  return items && named({ media: '', schema: items }, shaping);
}

/** Whether a client has to give a member, may give it, or cannot, when it makes an item. */
export function givenIn(
  body: Content | undefined,
  member: string,
  { places }: Shaping,
): 'required' | 'optional' | 'never' {
  if (body?.schema === undefined) return 'never';
  const schema = places.followed(body.schema);
  const property = propertiesOf(schema, places).get(member);
  if (property === undefined) return 'never';
  const flags = raw(places.followed(property), 'readOnly')?.node;
  if (flags?.kind === 'scalar' && flags.value === true) return 'never';
  return requiredOf(schema, places).includes(member) ? 'required' : 'optional';
}
