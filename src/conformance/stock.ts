import type { Resource } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import { ifReached, Unreached } from './check.ts';
import { someItem } from './items.ts';
import type { Item } from './partly.ts';
import type { Trial } from './trial.ts';

/** How many items of a resource are kept for others to refer to: two, so that a reference can be changed. */
const kept = 2;

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
function targetsOf({ of }: Trial, resource: Resource): readonly Resource[] {
  return [...resource.fields.values()].flatMap((field) => {
    const to = stated(field.refers);
    return (to && of.resourcesByName.get(to.resource)) ?? [];
  });
}
