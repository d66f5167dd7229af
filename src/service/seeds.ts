import { setMember } from '../source/node.ts';
import { stated } from '../specification/reading/said.ts';
import type { Item } from '../specification/vocabulary/item.ts';
import type { Writing } from './change/write.ts';
import type { KeptResource, Members } from './resource/kept.ts';
import { done, ownPlan } from './store/plan.ts';
import { type Store, StoreRefused, type Table } from './store/store.ts';
import { type ByItself, beginByItself } from './time/by-itself.ts';
import { type Doing, isClear } from './transaction/doing.ts';

/** Which of the items that are there from the start were made: one that was deleted stays so. */
export const seedTable: Table = { name: 'seed', keyFields: ['resource', 'item'] };

/** What it takes to make items before the first request. */
export interface Sowing extends ByItself {
  readonly store: Store;
  readonly latest: () => number;
}

export function hasSeeds(resources: Iterable<KeptResource>): boolean {
  return [...resources].some(({ resource }) => (stated(resource.items) ?? []).length > 0);
}

/**
 * Makes the items that are there before the first request (language §2.1, `items`), each once, all or none. They
 * may refer to one another, whichever is written first.
 *
 * @throws StoreRefused where another item is in the way, or one cannot be made as it is stated
 */
export async function sow(resources: Iterable<KeptResource>, sowing: Sowing): Promise<void> {
  let problem: string | null = null;
  const plan = ownPlan(
    (tx) => {
      problem = null;
      const doing = beginByItself(sowing, tx);
      for (const kept of resources)
        for (const item of stated(kept.resource.items) ?? [])
          problem ??= make(doing, kept, item, sowing.changes.writing);
      return problem === null;
    },
    (error) => {
      problem ??= String(error);
    },
  );
  const [reply] = await sowing.store.commit([plan], sowing.latest);
  if (reply === done) return;
  const why = problem ?? 'another item is in the way';
  throw new StoreRefused(`the items of the specification cannot be made: ${why}`);
}

/** Makes one item, unless that was done before; what stands in the way, or null. */
function make(doing: Doing, kept: KeptResource, { members }: Item, writing: Writing): string | null {
  const { tx } = doing;
  const set: Members = {};
  for (const [name, { value }] of members) setMember(set, name, structuredClone(value));
  const named = JSON.stringify(kept.keyFields.map((name) => set[name]));
  const note = [kept.name, named];
  if (tx.find(seedTable.name, note) !== null) return null;
  const made = kept.create({ given: {}, set }, doing.frame({}));
  if ('missing' in made) return `${kept.name} ${named} has no ${made.missing.name}`;
  // Items may refer to one another, so that nobody may be there yet to refer to.
  const [wrong] = made.checked?.failures.filter(({ keyword }) => keyword !== 'refers') ?? [];
  if (wrong) return `${kept.name} ${named} does not meet ${wrong.subjects[0]}`;
  tx.insert(seedTable.name, { key: note, text: '{}' });
  if (kept.uniques[0]?.find(tx, made.members)) return null;
  writing.write(doing, kept, null, made.members);
  return isClear(doing) ? null : `${kept.name} ${named} is not unique`;
}
