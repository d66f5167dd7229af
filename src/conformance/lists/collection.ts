import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { admitsItem } from '../access/admits.ts';
import { bodyOf } from '../body.ts';
import { ifReached, Unreached } from '../check.ts';
import { identityOf, type Members } from '../item.ts';
import { isFew } from '../keys.ts';
import type { Item } from '../partly.ts';
import { make, readBack } from '../perform.ts';
import { fieldSchema } from '../schema.ts';
import { type Names, workOut } from '../solve.ts';
import { type Attempt, type Entry, operationFor, type Trial } from '../trial.ts';
import { placeOf } from '../world.ts';

/** Makes items of a resource, each told in full as far as anything shows it. Throws `Unreached` where none is made. */
export async function several(
  trial: Trial,
  resource: Resource,
  count: number,
  members: (index: number) => Members = () => ({}),
  more: Attempt = {},
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let index = 0; index < count; index++) {
    const done = await ifReached(() => make(trial, resource, members(index), more));
    if (done === undefined) continue;
    const isWhole = done.shown !== undefined && done.lens?.view === null && !done.lens.isDrawn;
    const read = isWhole ? undefined : await ifReached(() => readBack(trial, done.item));
    items.push(read?.item ?? done.item);
  }
  if (items.length === 0) throw new Unreached(`no ${resource.name} could be made`);
  return items;
}

/** Asks for a list where an item is, which was made under others (language §4.2). */
export function where(trial: Trial, item: Item | null | undefined): Attempt {
  const others = item && trial.around.get(placeOf(item));
  return others ? { others } : {};
}

/** Values of a member that a new item may be given, so that items differ in it, or two have it alike. */
export function choices(trial: Trial, resource: Resource, name: string, count: number): readonly Json[] {
  const maker = operationFor(trial.of, resource, 'create');
  const field = maker ? bodyOf(trial.of, maker)?.fields.get(name) : undefined;
  if (field === undefined || field.refers.kind === 'stated') return [];
  const schema = fieldSchema(trial.of, field);
  const found = new Map<string, Json>();
  for (let tries = 0; tries < 10 * count && found.size < count; tries++) {
    const value = trial.tools.valid(schema, tries % 2 === 0 ? 'most' : 'least');
    if (value !== undefined) found.set(JSON.stringify(value), value);
    if (isFew(schema) && found.size > 1 && tries > 3 * count) break;
  }
  return [...found.values()];
}

/** The entries of a list that are this item. */
export function sightings(entries: readonly Entry[], item: Item): readonly Entry[] {
  const identity = identityOf(item);
  return identity === undefined ? [] : entries.filter((entry) => identityOf(entry.item) === identity);
}

/** Whether every entry tells who it is. */
export function tellsWho(entries: readonly Entry[]): boolean {
  return entries.every(({ item }) => identityOf(item) !== undefined);
}

/** The entry with all that is known of its item. */
export function knownOf(entry: Entry, items: readonly Item[]): Item {
  const identity = identityOf(entry.item);
  return (
    (identity === undefined ? undefined : items.find((one) => identityOf(one) === identity)) ?? entry.item
  );
}

/** Whether a list shows an item, as far as its `where` and its rule decide that; null where that cannot be told. */
export function isListed(of: Specification, operation: Operation, item: Item, names: Names): boolean | null {
  const template = stated(stated(operation.does)?.qualifiers.where)?.template;
  const about = new Map(names).set('this', item);
  const truth = template === undefined ? true : workOut(template, about);
  if (truth === false || truth === null) return false;
  const isLetIn = admitsItem(of, operation, about).value;
  if (isLetIn === false) return false;
  return truth === true && isLetIn === true ? true : null;
}
