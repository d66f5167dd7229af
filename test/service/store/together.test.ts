import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { query, rowOf } from '../../../src/expression/query.ts';
import { bare } from '../../../src/service/message/reply.ts';
import { statement, type Transaction } from '../../../src/service/store/rows.ts';
import type { Table } from '../../../src/service/store/store.ts';
import { dataFile } from '../served.ts';
import { watched } from './failing.ts';
import { opened, plan } from './stores.ts';

const tables: readonly Table[] = [
  { name: 'Note', keyFields: ['id'] },
  { name: 'Tag', keyFields: ['id'] },
];
const [notes, tags] = tables.map((table) => statement(query(rowOf(table)))) as [
  ReturnType<typeof statement>,
  ReturnType<typeof statement>,
];
const row = (id: number, text = '{}') => ({ key: [id], text });

/** A store whose calls are noted, without those that open it. */
function noted() {
  const calls: string[] = [];
  const store = opened(tables, dataFile(), watched({ before: ({ text }) => void calls.push(text) }));
  calls.length = 0;
  return { store, calls };
}

describe('what the plans of a batch write', () => {
  it('is added table by table, each in the order of the plans', async () => {
    const { store, calls } = noted();
    const both = (id: number) =>
      plan((tx) => {
        tx.insert('Note', row(id));
        tx.insert('Tag', row(-id));
      });
    await store.commit([both(3), both(1), both(2), both(4)], () => 0);
    expect(calls.filter((text) => /^INSERT/.test(text)).length).toBe(2);
    expect(calls).not.toContain('SAVEPOINT plan');
    const kept = [notes, tags].map((all) => store.rows(all, []).map(({ key, place }) => [key[0], place]));
    expect(kept).toEqual([
      [3, 1, 2, 4].map((id, index) => [id, index + 1]),
      [-3, -1, -2, -4].map((id, index) => [id, index + 1]),
    ]);
  });

  it.each([1, 2, 63, 64, 65, 127, 200])('is there in its order, of %i rows', async (count) => {
    const { store } = noted();
    const ids = Array.from({ length: count }, (_, index) => (index * 7919) % 10_007);
    await store.commit(
      ids.map((id) => plan((tx) => tx.insert('Note', row(id, `{"n":${id}}`)))),
      () => 0,
    );
    expect(store.rows(notes, [])).toEqual(
      ids.map((id, index) => ({ ...row(id, `{"n":${id}}`), place: index + 1 })),
    );
  });

  it('is read by the plans after it, and waits where they read another table', async () => {
    const { store, calls } = noted();
    const seen: unknown[] = [];
    await store.commit(
      [
        plan((tx) => tx.insert('Note', row(1))),
        plan((tx) => {
          seen.push(tx.find('Tag', [1]), tx.rows(tags, []).length);
          seen.push(calls.some((text) => /^INSERT/.test(text)));
          seen.push(tx.find('Note', [1])?.key, tx.rows(notes, []).length);
        }),
      ],
      () => 0,
    );
    expect(seen).toEqual([null, 0, false, [1], 1]);
  });
});

/** What a plan does, one after the other; `ends` tells how. */
interface Plotted {
  readonly acts: readonly Act[];
  readonly ends: 'kept' | 'refused' | 'failed';
}

type Name = 'Note' | 'Tag';
interface Act {
  readonly act: 'insert' | 'update' | 'remove' | 'removeEvery' | 'find' | 'all';
  readonly of: Name;
  /** Of the row that it is about, where it is about one. */
  readonly id: number;
}

const act: fc.Arbitrary<Act> = fc.record({
  act: fc.constantFrom('insert', 'insert', 'insert', 'update', 'remove', 'removeEvery', 'find', 'all'),
  of: fc.constantFrom('Note', 'Tag'),
  id: fc.nat(9),
});
const plotted: fc.Arbitrary<Plotted> = fc.record({
  acts: fc.array(act, { maxLength: 4 }),
  ends: fc.constantFrom('kept', 'kept', 'kept', 'refused', 'failed'),
});

type Kept = Record<Name, ReadonlyMap<number, string>>;

/** What a plan comes to where each is carried out by itself; `isMet`: a row was in its way. */
function carriedOut({ acts }: Plotted, before: Kept, text: string) {
  const kept = { Note: new Map(before.Note), Tag: new Map(before.Tag) };
  const seen: unknown[] = [];
  let isMet = false;
  for (const one of acts) {
    const of = kept[one.of];
    if (one.act === 'all') seen.push([...of]);
    else if (one.act === 'removeEvery') of.clear();
    else if (one.act === 'find') seen.push(of.get(one.id));
    else if (one.act === 'remove') of.delete(one.id);
    else if (one.act === 'update') {
      if (of.has(one.id)) of.set(one.id, text);
    } else if (of.has(one.id)) isMet = true;
    else of.set(one.id, text);
  }
  return { kept, seen, isMet };
}

function actIn(tx: Transaction, one: Act, text: string, seen: unknown[]): void {
  switch (one.act) {
    case 'all':
      seen.push(tx.rows(one.of === 'Note' ? notes : tags, []).map((found) => [found.key[0], found.text]));
      break;
    case 'removeEvery':
      tx.removeEvery(one.of);
      break;
    case 'find':
      seen.push(tx.find(one.of, [one.id])?.text);
      break;
    case 'remove':
      tx.remove(one.of, [one.id]);
      break;
    default:
      tx[one.act](one.of, row(one.id, text));
  }
}

describe('a batch of plans', () => {
  it('comes to what they come to one by one, whatever they write and read, and whatever is in their way', () => {
    const store = opened(tables);
    let kept: Kept = { Note: new Map(), Tag: new Map() };
    const holds = (batch: readonly Plotted[]): void => {
      const seen: unknown[][] = [];
      const plans = batch.map(({ acts, ends }, index) => ({
        ...plan(() => {}),
        decide: (tx: Transaction) => {
          seen[index] = [];
          for (const one of acts) actIn(tx, one, `{"by":${index}}`, seen[index]);
          if (ends === 'failed') throw new Error('the plan fails');
          return { reply: bare(ends === 'kept' ? 201 : 400), keep: ends === 'kept' };
        },
      }));
      const replies = store.commit(plans, () => 0) as readonly { readonly status: number }[];
      const own = { kept: 201, refused: 400, failed: 500 };
      for (const [index, one] of batch.entries()) {
        const come = carriedOut(one, kept, `{"by":${index}}`);
        // What is in the way of a plan that is undone anyhow need not be met.
        const allowed = !come.isMet ? [own[one.ends]] : one.ends === 'kept' ? [409] : [409, own[one.ends]];
        expect(allowed).toContain(replies[index]?.status);
        if (!come.isMet) expect(seen[index]).toEqual(come.seen);
        if (replies[index]?.status === 201) kept = come.kept;
      }
      for (const [of, all] of [['Note', notes] as const, ['Tag', tags] as const])
        expect(store.rows(all, []).map((found) => [found.key[0], found.text])).toEqual([...kept[of]]);
    };
    fc.assert(fc.property(fc.array(plotted, { minLength: 1, maxLength: 8 }), holds), {
      numRuns: 300,
      seed: 20261122,
      endOnFailure: true,
    });
  });
});
