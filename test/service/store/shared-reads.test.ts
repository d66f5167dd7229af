import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { NotKept, NotRead, type Table } from '../../../src/service/store/store.ts';
import { type Call, diskError, watched } from './failing.ts';
import { done, opened } from './stores.ts';

const tables: readonly Table[] = [{ name: 'Note', keyFields: ['id'] }];
const note = (id: number) => ({ key: [id], text: '{}' });
const find = (store: SqliteStore, id: number): unknown => store.find('Note', [id])?.key;

/** A store, and what it was asked since; `strike` goes before each call. */
function listening(strike: (call: Call) => void = () => {}): { store: SqliteStore; asked: () => string[] } {
  let all: string[] = [];
  const store = opened(
    tables,
    undefined,
    watched({
      before: (call) => {
        all.push(call.text.split(' ').slice(0, 2).join(' '));
        strike(call);
      },
    }),
  );
  const asked = (): string[] => {
    const found = all;
    all = [];
    return found;
  };
  asked();
  return { store, asked };
}

describe('the reads of one turn of the event loop', () => {
  it('have no transaction where there is one, and one together where there are more', async () => {
    const { store, asked } = listening();
    find(store, 1);
    await turn();
    expect(asked()).toEqual(['SELECT members']);
    for (const id of [1, 2, 3]) find(store, id);
    await turn();
    expect(asked()).toEqual(['SELECT members', 'BEGIN', 'SELECT members', 'SELECT members', 'COMMIT']);
    find(store, 1);
    await turn();
    expect(asked()).toEqual(['SELECT members']);
  });

  it('see what is written between them', async () => {
    const { store } = listening();
    expect([find(store, 1), find(store, 1)]).toEqual([undefined, undefined]);
    const written = done(store, (tx) => tx.insert('Note', note(1)));
    expect([find(store, 1), find(store, 1)]).toEqual([[1], [1]]);
    expect(await written).toMatchObject({ status: 201 });
    expect([find(store, 1), find(store, 1)]).toEqual([[1], [1]]);
  });

  it('see what is written after the turn', async () => {
    const { store } = listening();
    expect([find(store, 1), find(store, 1)]).toEqual([undefined, undefined]);
    await turn();
    await done(store, (tx) => tx.insert('Note', note(1)));
    await turn();
    expect([find(store, 1), find(store, 1)]).toEqual([[1], [1]]);
  });

  it.each(['BEGIN', 'COMMIT', 'SELECT'])('go on after %s failed in one of them', async (failing) => {
    let isBroken = false;
    const { store } = listening(({ text }) => {
      if (isBroken && text.startsWith(failing)) throw diskError();
    });
    await done(store, (tx) => tx.insert('Note', note(1)));
    await turn();
    isBroken = true;
    const reads = (): unknown[] =>
      [1, 1, 1].map((id) => {
        try {
          return find(store, id);
        } catch (error) {
          return error;
        }
      });
    const met = reads();
    await turn();
    const later = [...met, ...reads()];
    await turn();
    expect(later.some((one) => one instanceof NotRead)).toBe(true);
    expect(later.every((one) => one instanceof NotRead || Array.isArray(one))).toBe(true);
    const written = await done(store, (tx) => tx.insert('Note', note(2))).catch((error: unknown) => error);
    if (failing !== 'SELECT') expect(written).toBeInstanceOf(NotKept);
    isBroken = false;
    await turn();
    expect(await done(store, (tx) => tx.insert('Note', note(3)))).toMatchObject({ status: 201 });
    expect([find(store, 1), find(store, 3)]).toEqual([[1], [3]]);
  });
});
