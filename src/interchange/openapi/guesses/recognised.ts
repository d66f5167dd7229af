import { type Collection, collectionsIn, keyOf, plainName } from '../../recognise/collections.ts';
import type { Described } from '../operations.ts';
import { propertiesOf, type Shaping } from '../shape.ts';
import { elementsOf, foundIn, type Named } from './named.ts';

/** A named schema whose items a description keeps under a path, as far as paths and shapes show. */
export interface Kept extends Named {
  readonly collection: Collection;
  /** The member that singles out an item. */
  readonly key: string;
  /** Whether an answer refers to the schema by its name in two places at least. */
  readonly isSure: boolean;
  /** Whether these items have another collection, which says what singles them out. */
  readonly isFurther: boolean;
  /** Whether there is one alone: at its path, or below each item of another resource. */
  readonly isSingle: boolean;
}

/** The resources of a description, each by its collections, the first of which says what it is; a tie is none. */
export function keptIn(operations: readonly Described[], shaping: Shaping): readonly Kept[] {
  const at = new Map(operations.map((each) => [each.key, each]));
  const collections = collectionsIn([...new Set(operations.map(({ path }) => path))]);
  const found = collections.flatMap((each) => keptUnder(each, at, shaping));
  const kept = [...Map.groupBy(found, ({ name }) => name).values()].flatMap((those) =>
    joined(those, at, shaping),
  );
  return [...kept, ...singlesIn(operations, at, kept, shaping)];
}

/** What is read at a path, and changed there: no path leads to one of several. A tie is none. */
function singlesIn(
  operations: readonly Described[],
  at: ReadonlyMap<string, Described>,
  kept: readonly Kept[],
  shaping: Shaping,
): readonly Kept[] {
  const taken = new Set(kept.flatMap(({ name, collection }) => [name, collection.path]));
  const found = operations.flatMap(({ method, path, successes: [answer] }): Kept[] => {
    const item = foundIn(answer?.content, shaping);
    if (method !== 'GET' || path.endsWith('}') || taken.has(path)) return [];
    if (item === undefined || taken.has(item.name) || elementsOf(answer?.content, shaping)) return [];
    const isWritten = ['PUT', 'PATCH', 'POST'].some((each) => {
      const written = at.get(`${each} ${path}`);
      return written?.body && foundIn(written.successes[0]?.content, shaping)?.name === item.name;
    });
    if (!isWritten) return [];
    const { name, schema } = item;
    const collection = { path, itemPath: null, parameter: null, isBelow: path.includes('{') };
    const key = singleKey([...propertiesOf(schema, shaping.places).keys()]);
    return [{ name, schema, collection, key, isSure: false, isFurther: false, isSingle: true }];
  });
  return [...Map.groupBy(found, ({ name }) => name).values()].flatMap((those) =>
    those.length === 1 ? those : [],
  );
}

/** A field that tells the only item, which no member is called like. */
function singleKey(members: readonly string[]): string {
  let name = 'only';
  while (members.includes(name)) name = `${name}One`;
  return name;
}

/** What is kept in one collection, judged by itself. */
function keptUnder(
  collection: Collection,
  at: ReadonlyMap<string, Described>,
  shaping: Shaping,
): readonly Kept[] {
  const { path, itemPath, parameter } = collection;
  const answer = (key: string) => at.get(key)?.successes[0]?.content;
  const read = itemPath === null ? undefined : foundIn(answer(`GET ${itemPath}`), shaping);
  const listed = elementsOf(answer(`GET ${path}`), shaping)?.item;
  const made = foundIn(answer(`POST ${path}`), shaping);
  const item = read ?? made ?? listed;
  if (item === undefined || (path.endsWith('}') && listed?.name !== read?.name)) return [];
  const { name, schema } = item;
  const members = new Set(propertiesOf(schema, shaping.places).keys());
  const called = [name, path.split('/').at(-1) ?? ''];
  const key = keyOf(parameter ?? 'id', called, members);
  const isSure = read !== undefined && listed?.name === name;
  return key === undefined
    ? []
    : [{ name, schema, collection, key, isSure, isFurther: false, isSingle: false }];
}

/** The collections of one schema: that of all items, and those in which some of them are. */
function joined(
  those: readonly Kept[],
  at: ReadonlyMap<string, Described>,
  shaping: Shaping,
): readonly Kept[] {
  const withItems = those.filter(({ collection }) => collection.itemPath !== null);
  const making = those.filter(({ collection }) => at.has(`POST ${collection.path}`));
  const main = mainOf(withItems.length > 0 ? withItems : making);
  if (main === undefined) return [];
  const further = those.filter(
    (each) =>
      each !== main &&
      each.key === main.key &&
      each.collection.isBelow &&
      (main.collection.isBelow || isToldApart(each, shaping)),
  );
  return [main, ...further.map((each) => ({ ...each, isFurther: true }))];
}

function mainOf(those: readonly Kept[]): Kept | undefined {
  const top = those.filter(({ collection }) => !collection.isBelow);
  if (top.length === 0) return those[0];
  const called = top.filter(({ name, collection }) => {
    const last = plainName(collection.path.split('/').at(-1) ?? '');
    return last !== '' && plainName(name).startsWith(last.replace(/(ies|es|s)$/, ''));
  });
  return top.length === 1 ? top[0] : called.length === 1 ? called[0] : undefined;
}

/** Whether a member of the items says to what they belong: a parameter before the collection is called so. */
function isToldApart({ schema, collection }: Kept, { places }: Shaping): boolean {
  const parameters = [...collection.path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => plainName(name ?? ''));
  const members = [...propertiesOf(schema, places).keys()].map(plainName);
  return members.includes(parameters.at(-1) ?? '');
}
