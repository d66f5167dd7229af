import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { query, rowOf } from '../../../src/expression/query.ts';
import type { Plan } from '../../../src/service/store/plan.ts';
import { statement } from '../../../src/service/store/rows.ts';
import { openSqlite, type SqliteStore } from '../../../src/service/store/sqlite/store.ts';
import {
  FateUnknown,
  NotKept,
  type Reads,
  StoreRefused,
  type Table,
} from '../../../src/service/store/store.ts';
import { type Call, copied, diskError, dump, watched } from './failing.ts';
import { plan } from './stores.ts';

const long = Boolean(process.env['TACET_LONG']);

const tables: readonly Table[] = [
  { name: 'Note', keyFields: ['id'] },
  { name: 'trace', keyFields: ['id', 'count'] },
];

const note = (id: number, text = '') => ({ key: [id], text: JSON.stringify({ text }) });

/** Batches of every kind of plan: one write, several, a read between, refused, in another's way, failing, none. */
const batches: readonly (readonly Plan[])[] = [
  [plan((tx) => tx.insert('Note', note(1)))],
  [
    plan((tx) => tx.insert('Note', note(2))),
    plan((tx) => {
      tx.update('Note', note(1, 'changed'));
      tx.insert('trace', { key: [1, 1], text: '{}' });
      tx.insert('trace', { key: [1, 2], text: '{}' });
    }),
    plan((tx) => {
      tx.insert('trace', { key: [9, 9], text: '{}' });
      tx.insert('Note', note(1));
    }),
    plan((tx) => tx.insert('Note', note(3))),
  ],
  [
    plan((tx) => {
      tx.remove('Note', [2]);
      const left = tx.find('Note', [2]);
      tx.insert('trace', { key: [2, left === null ? 0 : 1], text: '{}' });
    }),
    {
      ...plan(() => {}),
      decide: (tx) => {
        tx.insert('Note', note(7));
        tx.insert('Note', note(8));
        return { keep: false, reply: { status: 400, headers: [], body: null } };
      },
    },
    plan((tx) => {
      tx.update('Note', note(3, 'undone'));
      tx.insert('trace', { key: [3, 3], text: '{}' });
      throw new Error('the plan fails');
    }),
  ],
  [plan((tx) => void tx.find('Note', [1]))],
  [
    plan((tx) => {
      tx.removeEvery('trace');
      tx.insert('Note', note(4));
    }),
  ],
];

const answers = [[201], [201, 201, 409, 201], [201, 400, 500], [201], [201]];

/** What the batches come to: the keys of the notes and the traces after each. */
const keys = [
  [[], []],
  [[[1]], []],
  [
    [[1], [2], [3]],
    [
      [1, 1],
      [1, 2],
    ],
  ],
  [
    [[1], [3]],
    [
      [1, 1],
      [1, 2],
      [2, 0],
    ],
  ],
  [
    [[1], [3]],
    [
      [1, 1],
      [1, 2],
      [2, 0],
    ],
  ],
  [[[1], [3], [4]], []],
];

const everything = tables.map((table) => statement(query(rowOf(table))));

/** The keys of all rows as the store itself sees them. */
function seen(store: Reads): unknown {
  return everything.map((all) => store.rows(all, []).map(({ key }) => key));
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tacet-failpoints-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** What is kept before the first batch, and after each. */
async function statesOf(file: string): Promise<readonly string[]> {
  const store = openSqlite(file, tables);
  const states = [dump(file)];
  expect(seen(store)).toEqual(keys[0]);
  for (const [index, batch] of batches.entries()) {
    const replies = await store.commit(batch, () => index);
    expect(replies.map(({ status }) => status)).toEqual(answers[index]);
    expect(seen(store)).toEqual(keys[index + 1]);
    states.push(dump(file));
  }
  store.close();
  return states;
}

/** A fault at one call: whether it comes before the call or after it, and whether it stays. */
interface Fault {
  readonly at: number;
  readonly moment: 'before' | 'after';
  readonly stays: boolean;
}

/** Carries all batches out under a fault, each again once it was repaired. Whether the fault came about. */
async function under(fault: Fault, file: string, states: readonly string[]): Promise<boolean> {
  let isBroken = false;
  let isRepaired = false;
  const strike = (call: Call): void => {
    if (isRepaired || (call.number !== fault.at && !(fault.stays && call.number > fault.at))) return;
    isBroken = true;
    throw diskError();
  };
  const connect = watched({ [fault.moment]: strike });
  const open = (): SqliteStore => {
    try {
      return openSqlite(file, tables, connect);
    } catch (error) {
      expect(error).toBeInstanceOf(StoreRefused);
      isRepaired = true;
      return openSqlite(file, tables, connect);
    }
  };
  const store = open();
  for (const [index, batch] of batches.entries()) {
    const before = states[index];
    const after = states[index + 1];
    try {
      await store.commit(batch, () => index);
    } catch (error) {
      const isUnknown = error instanceof FateUnknown;
      expect(isUnknown || error instanceof NotKept).toBe(true);
      if (fault.stays) expect(() => store.commit(batch, () => index)).toThrow(NotKept);
      expect([before, ...(isUnknown ? [after] : [])]).toContain(dump(file));
      isRepaired = true;
      // What comes next may be a read or a write.
      if (fault.at % 2 === 0) expect(seen(store)).toEqual(keys[dump(file) === before ? index : index + 1]);
      if (dump(file) !== after) await store.commit(batch, () => index);
    }
    expect({ fault, index, kept: dump(file) }).toEqual({ fault, index, kept: after });
  }
  store.close();
  return isBroken;
}

describe('a store of which one call fails', () => {
  it.each([
    ['before it has an effect', 'before', false],
    ['after it had its effect', 'after', false],
    ['before it has an effect, and all that follow', 'before', true],
    ['after it had its effect, and all that follow', 'after', true],
  ] as const)(
    'has of every batch all or nothing, and goes on: %s',
    { timeout: 120_000 },
    async (_, moment, stays) => {
      const within = folder();
      const states = await statesOf(join(within, 'sound.sqlite'));
      let at = 1;
      while (await under({ at, moment, stays }, join(within, `${at}.sqlite`), states)) at += 1;
      expect(at).toBeGreaterThan(30);
    },
  );
});

/** A copy of the files as a process leaves them that is killed at one call, and what may be kept in it. */
interface Killed {
  readonly file: string;
  readonly call: string;
  readonly may: readonly string[];
}

async function killedAtEach(within: string): Promise<readonly Killed[]> {
  const states = await statesOf(join(within, 'sound.sqlite'));
  const file = join(within, 'killed.sqlite');
  const found: Killed[] = [];
  let index = -1;
  const copy =
    (moment: string) =>
    ({ number, text }: Call): void => {
      const copyOf = copied(file, join(within, `${moment}-${number}.sqlite`));
      const may = index < 0 ? [''] : [states[index] as string, states[index + 1] as string];
      found.push({ file: copyOf, call: `${moment} ${number}: ${text}`, may });
    };
  const store = openSqlite(file, tables, watched({ before: copy('before'), after: copy('after') }));
  for (index = 0; index < batches.length; index++) {
    await store.commit(batches[index] as readonly Plan[], () => index);
    found.push({
      file: copied(file, join(within, `acknowledged-${index}.sqlite`)),
      call: `acknowledged ${index}`,
      may: [states[index + 1] as string],
    });
  }
  store.close();
  // Before the first batch, only that the file can be used is asked.
  return found.map((one) => (one.may[0] === '' ? { ...one, may: [states[0] as string] } : one));
}

describe('a store whose process is killed', () => {
  it('at any call has of every batch all or nothing, and each that was acknowledged', {
    timeout: 120_000,
  }, async () => {
    const within = folder();
    const killed = await killedAtEach(within);
    expect(killed.length).toBeGreaterThan(60);
    for (const { file, call, may } of killed) {
      openSqlite(file, tables).close();
      expect({ call, isWhole: may.includes(dump(file)) }).toEqual({ call, isWhole: true });
    }
  });

  it('and killed again while it recovers, has the same', { timeout: 600_000 }, async () => {
    const within = folder();
    const killed = (await killedAtEach(within)).filter((_, index) => long || index % 9 === 0);
    for (const { file, call, may } of killed) {
      const again: string[] = [];
      const copy = ({ number }: Call): void => {
        again.push(copied(file, `${file}-again-${number}`));
      };
      openSqlite(file, tables, watched({ before: copy })).close();
      for (const one of again) {
        openSqlite(one, tables).close();
        expect({ call, one, isWhole: may.includes(dump(one)) }).toEqual({ call, one, isWhole: true });
      }
    }
  });
});
