import { expect } from 'vitest';
import type { Statement } from '../../../src/service/store/rows.ts';
import type { Key, Row, Transaction } from '../../../src/service/store/store.ts';
import { randomFrom } from '../../random.ts';
import {
  byCode,
  byName,
  highOfParent,
  isThere,
  membersOf,
  ofParent,
  onOfParent,
  type Process,
  row,
  slipsOf,
  tables,
} from './processes.ts';
import { plan } from './stores.ts';

/** What is counted of slips by chance, with the note of which they are to be. */
const counts = (id: string): readonly (readonly [Statement, string | null])[] => [
  ...[ofParent, onOfParent, highOfParent, isThere].map((asked) => [asked, id] as const),
  [isThere, null],
];

/** Of two that have nothing to do with each other, either may be made first. */
const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** What a plan does by chance, and what it sees. */
type Step = (tx: Transaction, seen: unknown[]) => void;

function stepBy(random: () => number): Step {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const id = pick('abcdefgh'.split(''));
  const [code, name] = [pick('uvwxyz'.split('')), pick(['Ä', 'ä', 'ß', 'B', 'b', 'c', 'C'])];
  const shown = (found: Row | null | undefined): unknown => found && [found.key, found.text];
  const made = row(id, { code, name, by: Math.floor(random() * 1e9) });
  const kind = random();
  if (kind < 0.15) return (tx, seen) => void seen.push(shown(tx.rows(byCode, [code])[0]));
  if (kind < 0.3) return (tx, seen) => void seen.push(shown(tx.rows(byName, [name])[0]));
  if (kind < 0.45) return (tx, seen) => void seen.push(shown(tx.find('Note', [id])));
  if (kind < 0.6) {
    const [asked, given] = pick(counts(id));
    return (tx, seen) => void seen.push(tx.value(asked, [given]));
  }
  if (kind < 0.67) return (tx, seen) => void seen.push(tx.rows(slipsOf, [id]).map(shown).sort(byText));
  if (kind < 0.72) return (tx) => void (tx.find('Note', [id]) && tx.remove('Note', [id]));
  if (kind < 0.85) {
    // Slips are moved from note to note, and are changed where they are.
    const [of, n, on] = [pick([id, pick([...'abcdefgh']), null]), pick([1, 2, 5]), pick([true, false])];
    const one = row(code, { ...(of !== null && { of }), n, on });
    const isGone = random() < 0.2;
    return (tx) => {
      if (!tx.find('Slip', one.key)) tx.insert('Slip', one);
      else if (isGone) tx.remove('Slip', one.key);
      else tx.update('Slip', one);
    };
  }
  if (kind < 0.855) return (tx) => tx.removeEvery('Slip');
  return (tx, seen) => {
    const others = [...tx.rows(byCode, [code]), ...tx.rows(byName, [name])];
    if (others.some((other) => other.key[0] !== id)) return void seen.push('taken');
    if (tx.find('Note', [id])) tx.update('Note', made);
    else tx.insert('Note', made);
  };
}

/** The same for one plan after another, in memory. */
class Model {
  readonly #tables = new Map(tables.map(({ name }) => [name, new Map<string, Row>()]));

  #of(table: string): Map<string, Row> {
    return this.#tables.get(table) as Map<string, Row>;
  }
  tx(): Transaction {
    const is = (member: string, wanted: unknown, fold: (text: string) => string) => (one: Row) =>
      fold(String(membersOf(one)[member])) === fold(String(wanted));
    const plain = (text: string): string => text;
    const key = (of: Key): string => JSON.stringify(of);
    return {
      find: (table, of) => this.#of(table).get(key(of)) ?? null,
      rows: (asked, [wanted]) => {
        if (asked === slipsOf) return [...this.#of('Slip').values()].filter(is('of', wanted, plain));
        const isIt =
          asked === byCode ? is('code', wanted, plain) : is('name', wanted, (text) => text.toLowerCase());
        return [...this.#of('Note').values()].filter(isIt);
      },
      value: (asked, [wanted]) => {
        const all = [...this.#of('Slip').values()].map(membersOf).filter(({ of = null }) => of === wanted);
        if (asked === isThere) return all.length > 0;
        if (asked === onOfParent) return all.filter(({ on }) => on === true).length;
        return all.filter(({ n }) => asked === ofParent || Number(n) > 3).length;
      },
      insert: (table, one) => void this.#of(table).set(key(one.key), one),
      update: (table, one) => void this.#of(table).set(key(one.key), one),
      remove: (table, of) => void this.#of(table).delete(key(of)),
      removeEvery: (table) => this.#of(table).clear(),
    };
  }
}

/** How many clients each process has, and how many plans each of them sends, one after another. */
const [clients, plansOfEach] = [4, 25];

/** How many plans, by chance and at once, saw another thing than they would have in the order of their times. */
export async function wrong(all: readonly Process[], seed: number): Promise<number> {
  const random = randomFrom(seed);
  const kept: { readonly at: string; readonly seen: unknown[]; readonly steps: readonly Step[] }[] = [];
  const alike = [{}, {}, undefined];
  const carryOut = async ({ store, now }: Process): Promise<void> => {
    const steps = Array.from({ length: 1 + Math.floor(random() * 4) }, () => stepBy(random));
    let [at, seen] = ['', [] as unknown[]];
    const one = plan((tx) => {
      [at, seen] = [now(), []];
      for (const step of steps) step(tx, seen);
    });
    // Plans pass for alike that are not, so that what is guessed of them is wrong again and again.
    const like = alike[Math.floor(random() * 4)];
    const [reply] = await store.commit([{ ...one, like }], () => 0);
    expect(reply?.status).toBe(201);
    kept.push({ at, seen, steps });
  };
  const works = all.flatMap((process) =>
    Array.from({ length: clients }, async () => {
      for (let time = 0; time < plansOfEach; time += 1) await carryOut(process);
    }),
  );
  await Promise.all(works);
  const model = new Model();
  kept.sort((a, b) => (a.at < b.at ? -1 : 1));
  return kept.filter(({ seen, steps }) => {
    const own: unknown[] = [];
    for (const step of steps) step(model.tx(), own);
    return JSON.stringify(own) !== JSON.stringify(seen);
  }).length;
}
