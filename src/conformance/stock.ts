import { stated } from '../specification/reading/said.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { ifReached, Unreached } from './check.ts';
import { carryOut } from './foresee/course.ts';
import { nodes } from './foresee/tree.ts';
import { someItem } from './items.ts';
import type { Item } from './partly.ts';
import type { Trial } from './trial.ts';

/** How many items of a resource are kept for others to refer to: two, so that a reference can be changed. */
const kept = 2;

/** How many items that can be come to are looked at for one that fits. */
const most = 60;

/** Makes, before anything else, the items that others need in order to be made: a reference is to something. */
export async function stockUp(trial: Trial): Promise<void> {
  for (const resource of trial.of.resourcesByName.values())
    for (const target of targetsOf(trial, resource)) await ifReached(() => stocked(trial, target.name));
}

/** An item to refer to. Throws `Unreached` where there is none, and none can be made. */
export async function stocked(trial: Trial, name: string): Promise<Item> {
  const [first] = trial.stock.get(name) ?? (await fill(trial, name));
  if (first === undefined) throw new Unreached(`there is no ${name} to refer to`);
  return first;
}

/**
 * One of them that fits, made by what requests can come to where none does; any, where none can be told to fit.
 * Throws `Unreached` where there is none at all.
 */
export async function stockedAs(trial: Trial, name: string, isFit: (item: Item) => boolean): Promise<Item> {
  const any = await stocked(trial, name);
  const kept = trial.stock.get(name) ?? [];
  const found = kept.find(isFit);
  if (found) return found;
  let tried = 0;
  for (const { item, steps } of nodes(trial, any.resource)) {
    if (tried++ >= most) break;
    if (!isFit(item)) continue;
    const made = await ifReached(() => carryOut(trial, any.resource, steps));
    if (made === undefined || !isFit(made)) break;
    kept.push(made);
    return made;
  }
  return any;
}

async function fill(trial: Trial, name: string): Promise<readonly Item[]> {
  const resource = trial.of.resourcesByName.get(name);
  const items: Item[] = [];
  // Noted at once: what refers to its own kind is made without a reference first.
  trial.stock.set(name, items);
  if (resource === undefined) return items;
  for (const target of targetsOf(trial, resource)) await ifReached(() => stocked(trial, target.name));
  for (let i = 0; i < kept; i++) {
    const item = await ifReached(() => someItem(trial, resource));
    if (item) items.push(item);
  }
  return items;
}

/** The resources that fields of a resource refer to. */
export function targetsOf({ of }: Trial, resource: Resource): readonly Resource[] {
  return [...resource.fields.values()].flatMap((field) => {
    const to = stated(field.refers);
    return (to && of.resourcesByName.get(to.resource)) ?? [];
  });
}
