import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../../src/service/store/rows.ts';
import type { SqliteStore } from '../../../src/service/store/sqlite/store.ts';
import type { Table } from '../../../src/service/store/store.ts';
import { dataFile } from '../served.ts';
import { done, opened, plan } from './stores.ts';

const tables: readonly Table[] = [
  { name: 'Note', keyFields: ['id'] },
  { name: 'Tag', keyFields: ['id'] },
];
const note = (id: number) => ({ key: [id], text: '{}' });

/** The mark of a table, as a plan sees it. */
async function markOf(store: SqliteStore, table = 'Note'): Promise<number> {
  let mark: number | undefined;
  await done(store, (tx) => {
    mark = tx.mark?.(table);
  });
  return mark as number;
}

/** Whether the marks of both tables are others after something. */
async function changed(store: SqliteStore, act: () => unknown): Promise<readonly boolean[]> {
  const before = [await markOf(store), await markOf(store, 'Tag')];
  await act();
  return [(await markOf(store)) !== before[0], (await markOf(store, 'Tag')) !== before[1]];
}

describe('the mark of a table', () => {
  it('is the same as long as nothing is written to it', async () => {
    const store = opened(tables);
    await done(store, (tx) => tx.insert('Note', note(1)));
    expect(await changed(store, () => done(store, (tx) => tx.find('Note', [1])))).toEqual([false, false]);
    expect(await changed(store, () => done(store, (tx) => tx.insert('Tag', note(1))))).toEqual([false, true]);
  });

  it.each<[string, (tx: Transaction) => void]>([
    ['a row more', (tx) => tx.insert('Note', note(2))],
    ['another row', (tx) => tx.update('Note', note(1))],
    ['a row less', (tx) => tx.remove('Note', [1])],
    ['no row any more', (tx) => tx.removeEvery('Note')],
  ])('is another after %s, and within the plan too', async (_, act) => {
    const store = opened(tables);
    await done(store, (tx) => tx.insert('Note', note(1)));
    const seen: unknown[] = [];
    const write = (tx: Transaction): void => {
      const before = tx.mark?.('Note');
      act(tx);
      seen.push(tx.mark?.('Note') === before);
    };
    expect(await changed(store, () => done(store, write))).toEqual([true, false]);
    expect(seen).toEqual([false]);
  });

  it('is another once what was written is undone, of a plan and of a transaction', async () => {
    const store = opened(tables);
    let within: number | undefined;
    const undone = {
      ...plan(() => {}),
      decide: (tx: Transaction) => {
        tx.insert('Note', note(1));
        within = tx.mark?.('Note');
        return { ...plan(() => {}).decide(tx), keep: false };
      },
    };
    await store.commit([undone], () => 0);
    expect(await markOf(store)).not.toBe(within);
    const fails = plan((tx) => {
      tx.insert('Note', note(1));
      tx.find('Note', [1]);
      within = tx.mark?.('Note');
    });
    await expect(async () =>
      store.commit([fails], () => {
        throw new Error('there is no time');
      }),
    ).rejects.toThrow('the transaction failed');
    expect(await markOf(store)).not.toBe(within);
  });

  it('is another once somebody else has written to the file', async () => {
    const file = dataFile();
    const store = opened(tables, file);
    const beside = new Database(file);
    expect(await changed(store, () => beside.exec('DELETE FROM "_note"'))).toEqual([true, true]);
    beside.close();
  });
});
