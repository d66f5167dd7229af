import type { Frame } from '../expression/compile.ts';
import { type Json, setMember } from '../source/node.ts';
import { stated } from '../specification/said.ts';
import { type Doing, isClear, nothingFound } from './change/doing.ts';
import type { Writing } from './change/write.ts';
import { bare } from './reply.ts';
import type { KeptResource, Members } from './resource/kept.ts';
import { type Store, StoreRefused, type Table, type Transaction } from './store/store.ts';

/** Which of the items that are there from the start were made: one that was deleted stays so. */
export const seedTable: Table = { name: 'seed', keyFields: ['resource', 'item'] };

/** What it takes to make items before the first request. */
export interface Sowing {
  readonly store: Store;
  readonly now: () => string;
  readonly latest: () => number;
  readonly writing: Writing;
  readonly frame: (tx: Transaction, names: Readonly<Record<string, unknown>>) => Frame;
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
  const { store, now, latest, writing, frame } = sowing;
  const refuse = (problem: string): never => {
    throw new StoreRefused(`the items of the specification cannot be made: ${problem}`);
  };
  let problem: string | null = null;
  const decide = (tx: Transaction) => {
    problem = null;
    const at = now();
    const doing: Doing = {
      tx,
      now: at,
      frame: (more) => frame(tx, { now: at, ...more }),
      found: nothingFound(),
    };
    for (const kept of resources)
      for (const { members } of stated(kept.resource.items) ?? []) {
        const wrong = make(
          doing,
          kept,
          new Map([...members].map(([name, one]) => [name, one.value])),
          writing,
        );
        problem ??= wrong;
      }
    return { keep: problem === null, reply: bare(204) };
  };
  const failed = (why: string) => () => {
    problem ??= why;
    return bare(500);
  };
  await store.commit(
    [{ decide, conflict: failed('another item is in the way'), fault: (error) => failed(String(error))() }],
    latest,
  );
  if (problem !== null) refuse(problem);
}

/** Makes one item, unless that was done before; what stands in the way, or null. */
function make(
  doing: Doing,
  kept: KeptResource,
  given: ReadonlyMap<string, Json>,
  writing: Writing,
): string | null {
  const { tx } = doing;
  const set: Members = {};
  for (const [name, value] of given) setMember(set, name, structuredClone(value));
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
