import { describe, expect, it, onTestFinished } from 'vitest';
import { type Connect, connecting, placeOf } from '../../../src/service/store/postgres/open.ts';
import { openPostgres } from '../../../src/service/store/postgres/store.ts';
import type { Row, Store, Transaction } from '../../../src/service/store/store.ts';
import { clock } from '../../../src/service/value/clock.ts';
import { isLong } from '../../long.ts';
import { statementsOf } from '../statements.ts';
import { wrong } from './chance.ts';
import { absence, connected, isPooled, schema, waits } from './postgres.ts';
import {
  byCode,
  done,
  highOfParent,
  isThere,
  membersOf,
  notes,
  ofParent,
  onOfParent,
  type Process,
  processes,
  row,
  rowsOf,
  slips,
  slipsOf,
  slipsOfNone,
  tables,
} from './processes.ts';
import { plan } from './stores.ts';

const missing = await absence();

/** How long is waited for what another process does: what never comes fails, and what takes its time does not. */
const patience = { timeout: 60_000 };

type Write = (process: Process, round: string, writer: number) => Promise<unknown>;

/** What several writers do to a few rows at once, and what must hold of them afterwards. */
interface Skew {
  readonly first?: Write;
  readonly write: Write;
  readonly holds: (process: Process, round: string) => Promise<boolean>;
}

/**
 * Two notes have a slip each, and each writer changes one of the slips if it finds by the note of the other one that
 * it may: so what one reads another writes, and the reverse. At most one of them is changed.
 */
function ofTwo(may: (tx: Transaction, other: string) => boolean, change: object): Skew {
  const begun = (of: string) => ({ of, on: false, n: 1 });
  return {
    first: (process, round) =>
      done(process, (tx) => {
        for (const of of ['a', 'b'].map((one) => `${round} ${one}`)) tx.insert('Slip', row(of, begun(of)));
      }),
    write: (process, round, writer) =>
      done(process, (tx) => {
        // Those of one process change the same one, so that locks of other plans in its transactions hide nothing.
        const names = [`${round} a`, `${round} b`] as const;
        const [own, other] = writer % 3 === 0 ? names : ([names[1], names[0]] as const);
        if (may(tx, other) && tx.find('Slip', [own]))
          tx.update('Slip', row(own, { ...begun(own), ...change }));
      }),
    holds: async (process, round) => {
      const all = (await rowsOf(process, slips)).filter(({ key }) => String(key).startsWith(`${round} `));
      return all.filter(({ key, text }) => text !== JSON.stringify(begun(String(key)))).length < 2;
    },
  };
}

const skews: Readonly<Record<string, Skew>> = {
  'there are at most three slips of a note, which each writer counts': {
    write: (process, round, writer) =>
      done(process, (tx) => {
        if (Number(tx.value(ofParent, [round])) < 3)
          tx.insert('Slip', row(`${round} ${writer}`, { of: round }));
      }),
    holds: async (process, round) =>
      (await rowsOf(process, slips)).filter((one) => membersOf(one)['of'] === round).length === 3,
  },
  'one of two rows stays on, which each writer looks at both of': {
    first: (process, round) =>
      done(process, (tx) => {
        for (const id of ['a', 'b']) tx.insert('Slip', row(`${round} ${id}`, { on: true }));
      }),
    write: (process, round, writer) =>
      done(process, (tx) => {
        const [a, b] = ['a', 'b'].map((id) => tx.find('Slip', [`${round} ${id}`]));
        if (membersOf(a ?? null)['on'] && membersOf(b ?? null)['on'])
          tx.update('Slip', row(`${round} ${writer % 2 === 0 ? 'a' : 'b'}`, { on: false }));
      }),
    holds: async (process, round) =>
      (await rowsOf(process, slips)).some(
        ({ key, text }) => String(key).startsWith(`${round} `) && text.includes('true'),
      ),
  },
  'one of two rows is made, by whoever finds that neither is there': {
    write: (process, round, writer) =>
      done(process, (tx) => {
        const ids = [`${round} a`, `${round} b`] as const;
        if (ids.every((id) => tx.find('Slip', [id]) === null))
          tx.insert('Slip', row(ids[writer % 2] as string));
      }),
    holds: async (process, round) =>
      (await rowsOf(process, slips)).filter(({ key }) => String(key).startsWith(`${round} `)).length === 1,
  },
  'a note with a code, or a slip: by whoever sees that the other is not there': {
    write: (process, round, writer) =>
      done(process, (tx) => {
        if (writer % 2 === 0) {
          if (tx.rows(byCode, [round]).length === 0) tx.insert('Slip', row(round));
        } else if (tx.find('Slip', [round]) === null && tx.rows(byCode, [round]).length === 0)
          tx.insert('Note', row(`${round} ${writer}`, { code: round }));
      }),
    holds: async (process, round) => {
      const [ofNotes, ofSlips] = [await rowsOf(process, notes), await rowsOf(process, slips)];
      const isNote = ofNotes.some((one) => membersOf(one)['code'] === round);
      return isNote !== ofSlips.some(({ key }) => key[0] === round);
    },
  },
  'no slip is of a note that was removed, since nobody counted any': {
    first: (process, round) => done(process, (tx) => tx.insert('Note', row(round))),
    write: (process, round, writer) =>
      done(process, (tx) => {
        if (writer % 2 === 0) {
          if (tx.find('Note', [round])) tx.insert('Slip', row(`${round} ${writer}`, { of: round }));
        } else if (tx.value(ofParent, [round]) === 0 && tx.find('Note', [round])) tx.remove('Note', [round]);
      }),
    holds: async (process, round) => {
      const isThere = (await rowsOf(process, notes)).some(({ key }) => key[0] === round);
      return isThere || !(await rowsOf(process, slips)).some((one) => membersOf(one)['of'] === round);
    },
  },
  'a slip of one of two notes is on at most': ofTwo((tx, other) => tx.value(onOfParent, [other]) === 0, {
    on: true,
  }),
  'a slip of one of two notes has a high number at most': ofTwo(
    (tx, other) => tx.value(highOfParent, [other]) === 0,
    { n: 5 },
  ),
  'a slip of one of two notes is seen to have a high number at most': ofTwo(
    (tx, other) => tx.rows(slipsOf, [other]).every((one) => Number(membersOf(one)['n']) < 4),
    { n: 5 },
  ),
  'the slip of one of two notes stays, where the other one is moved away': ofTwo(
    (tx, other) => tx.value(isThere, [other]) === true,
    { of: 'elsewhere' },
  ),
  'slips of one note have at most three in all, which each writer adds up': {
    first: (process, round) =>
      done(process, (tx) => {
        for (const id of ['a', 'b']) tx.insert('Slip', row(`${round} ${id}`, { of: round, n: 1 }));
      }),
    write: (process, round, writer) =>
      done(process, (tx) => {
        const all = tx.rows(slipsOf, [round]);
        const sum = all.reduce((sum, one) => sum + Number(membersOf(one)['n']), 0);
        const own = all[writer % 2] as Row;
        if (sum < 3)
          tx.update('Slip', {
            ...own,
            text: JSON.stringify({ of: round, n: Number(membersOf(own)['n']) + 1 }),
          });
      }),
    holds: async (process, round) => {
      const own = (await rowsOf(process, slips)).filter((one) => membersOf(one)['of'] === round);
      return own.reduce((sum, one) => sum + Number(membersOf(one)['n']), 0) === 3;
    },
  },
  'there is one slip of no note, made by whoever finds none': {
    first: (process) =>
      done(process, (tx) => {
        for (const { key } of tx.rows(slipsOfNone, [null])) tx.remove('Slip', key);
      }),
    write: (process, round, writer) =>
      done(process, (tx) => {
        if (!tx.value(isThere, [null])) tx.insert('Slip', row(`${round} ${writer}`));
      }),
    holds: async (process) =>
      (await rowsOf(process, slips)).filter((one) => membersOf(one)['of'] === undefined).length === 1,
  },
  'each of those that count up counts': {
    first: (process, round) => done(process, (tx) => tx.insert('Slip', row(round, { n: 0 }))),
    write: (process, round) =>
      done(process, (tx) => {
        const n = Number(membersOf(tx.find('Slip', [round]))['n']);
        tx.update('Slip', row(round, { n: n + 1 }));
      }),
    holds: async (process, round) =>
      membersOf((await rowsOf(process, slips)).find(({ key }) => key[0] === round) ?? null)['n'] === writers,
  },
  'a name that was found under another code is not changed meanwhile': {
    first: (process, round) =>
      done(process, (tx) => tx.insert('Note', row(round, { code: round, name: 'x' }))),
    write: (process, round, writer) =>
      done(process, (tx) => {
        const [found] = tx.rows(byCode, [round]);
        if (!found) return;
        const n = Number(membersOf(found)['n'] ?? 0);
        tx.update('Note', row(round, { code: round, n: n + 1, by: writer }));
      }),
    holds: async (process, round) =>
      membersOf((await rowsOf(process, notes)).find(({ key }) => key[0] === round) ?? null)['n'] === writers,
  },
};

/** How many write at once, each to a process of its own or with others. */
const writers = 12;

async function round(all: readonly Process[], name: string, of: string): Promise<boolean> {
  const { first, write, holds } = skews[name] as (typeof skews)[string];
  await first?.(all[0] as Process, of, 0);
  await Promise.all(
    Array.from({ length: writers }, (_, writer) => write(all[writer % all.length] as Process, of, writer)),
  );
  return holds(all[0] as Process, of);
}

const rounds = isLong ? 200 : 12;

describe.skipIf(missing !== null)('several processes that write at once', () => {
  it.each(Object.keys(skews))('%s', async (name) => {
    const all = await processes();
    for (let time = 0; time < rounds; time += 1)
      expect([time, await round(all, name, `r${time}`)]).toEqual([time, true]);
  });

  it.each(Object.keys(skews))('without locks, not so, the control: %s', async (name) => {
    const all = await processes(3, false);
    let wrong = 0;
    for (let time = 0; time < 60 && wrong === 0; time += 1)
      if (!(await round(all, name, `r${time}`))) wrong += 1;
    expect(wrong).toBe(1);
  });
});

describe.skipIf(missing !== null)('plans by chance, of three processes at once', () => {
  it.each(Array.from({ length: isLong ? 40 : 2 }, (_, index) => index + 1))(
    'see and leave what they would one after another, in the order of their times (%i)',
    async (seed) => {
      expect(await wrong(await processes(), seed)).toBe(0);
    },
  );

  it('do not without locks: the control', async () => {
    let found = 0;
    for (let seed = 1; seed <= 10 && found === 0; seed += 1)
      found = await wrong(await processes(3, false), seed).catch(() => 1);
    expect(found).toBeGreaterThan(0);
  });
});

describe.skipIf(missing !== null)('changes that are alike', () => {
  it.skipIf(isPooled)('take their locks at once, from the second on', async () => {
    const [process] = (await processes(1)) as [Process];
    const like = {};
    const change = (id: string) => ({
      ...plan((tx) => {
        if (tx.find('Slip', [id])) tx.update('Slip', row(id, { n: 1 }));
      }),
      like,
    });
    await done(process, (tx) => {
      for (const id of ['a', 'b']) tx.insert('Slip', row(id));
    });
    const rounds: number[] = [];
    for (const id of ['a', 'b']) {
      const { sent } = await statementsOf(async () => process.store.commit([change(id)], () => 0));
      rounds.push(sent.filter(({ text }) => text.includes('FROM "Slip" AS r')).length);
    }
    // The first is looked for before it is locked.
    expect(rounds).toEqual([2, 1]);
    expect((await rowsOf(process, slips)).map(({ text }) => text)).toEqual(['{"n":1}', '{"n":1}']);
  });
});

/** Connections of which the first that locks rows is told that it and another wait for each other. */
function meeting(address: string): Connect {
  const connect = connecting(placeOf(address));
  let hasMet = false;
  return async (use) => {
    const client = await connect(use);
    const send = client.query.bind(client) as (given: unknown, ...more: unknown[]) => unknown;
    const query = (given: string | { text: string }, ...more: unknown[]): unknown => {
      if (hasMet || typeof given === 'string' || !/ FOR (NO KEY UPDATE|SHARE) OF r$/.test(given.text))
        return send(given, ...more);
      hasMet = true;
      return send('SELECT met()');
    };
    return Object.assign(client, { query });
  };
}

describe.skipIf(missing !== null)('changes that wait for each other', () => {
  it('are carried out again where the server ends one of them as it locks rows', async () => {
    const { address, beside } = await schema();
    const store = await openPostgres(address, tables, meeting(address));
    onTestFinished(() => store.close());
    const process = { store, now: clock() };
    await done(process, (tx) => tx.insert('Slip', row('a')));
    await beside.query(
      `CREATE FUNCTION met() RETURNS void LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$`,
    );
    const isKept = await done(process, (tx) => {
      if (tx.find('Slip', ['a'])) tx.update('Slip', row('a', { n: 1 }));
    });
    expect([isKept, (await rowsOf(process, slips)).map(({ text }) => text)]).toEqual([true, ['{"n":1}']]);
  });

  it('are both carried out, one of them again: what no two may have is had by one', async () => {
    const [one, other] = (await processes(2)) as [Process, Process];
    // Neither looks whether others have the codes, so that each meets the other at the index alone.
    const write = ({ store }: Process, id: string, codes: readonly string[]) =>
      store.commit(
        [
          plan((tx) => {
            for (const code of codes) tx.insert('Note', row(`${id} ${code}`, { code }));
          }),
        ],
        () => 0,
      );
    for (let time = 0; time < 3; time += 1) {
      const codes = Array.from({ length: 50 }, (_, index) => `${time} ${index}`);
      const replies = await Promise.all([
        write(one, `one ${time}`, codes),
        write(other, `other ${time}`, [...codes].reverse()),
      ]);
      expect(replies.map(([reply]) => reply?.status).sort()).toEqual([201, 409]);
    }
    expect(await rowsOf(one, notes)).toHaveLength(150);
  });
});

/** Two stores. The first counts the slips of a note and makes one, and a note with a code besides; the other makes slips. */
async function counting() {
  const { address, beside } = await schema();
  const [one, other] = [await openPostgres(address, tables), await openPostgres(address, tables)];
  for (const store of [one, other]) onTestFinished(() => store.close());
  const make = (of: string | readonly string[], id: string, code = id) =>
    one.commit(
      [
        plan((tx) => {
          for (const name of [of].flat()) {
            if (Number(tx.value(ofParent, [name])) > 9) return;
            tx.insert('Slip', row(`${id} ${name}`, { of: name }));
          }
          tx.insert('Note', row(id, { code }));
        }),
      ],
      () => 0,
    );
  const makeOther = (of: string, id: string) =>
    other.commit([plan((tx) => tx.insert('Slip', row(id, { of })))], () => 0);
  const told = async (): Promise<string> =>
    (await beside.query('SELECT divisions FROM tacet_latest')).rows[0].divisions;
  const watching = await connected(address);
  onTestFinished(() => watching.end());
  return { beside, watching, make, makeOther, told };
}

/** How many advisory locks the services hold. */
async function advisoryLocks(watching: {
  query: (text: string) => Promise<{ rows: unknown[] }>;
}): Promise<number> {
  const { rows } = await watching.query(
    "SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted AND application_name = current_schema()",
  );
  return rows.length;
}

describe.skipIf(missing !== null)('changes for which rows with certain values decide', () => {
  it('wait for those of the same values, and for no others', async () => {
    const { beside, watching, make, makeOther, told } = await counting();
    await make('a', 'one');
    await expect.poll(told, patience).not.toBe('');
    // It goes by what is told once it finds it told.
    await make('a', 'two');
    // The first holds its locks, because another has a note with its code that is not committed.
    await beside.query(`BEGIN; INSERT INTO "Note" (key0, members) VALUES ('beside', '{"code":"x"}')`);
    const ended: string[] = [];
    const ends = async (name: string, made: ReturnType<typeof make>): Promise<void> => {
      await made;
      ended.push(name);
    };
    const first = ends('of a, with the code', make('a', 'first', 'x'));
    await expect.poll(() => waits(watching), patience).toBe(1);
    const same = ends('of a', makeOther('a', 'same'));
    await expect.poll(() => waits(watching), patience).toBe(2);
    await ends('of b', makeOther('b', 'b'));
    await ends('of c, by the process that waits', make('c', 'c'));
    expect(ended).toEqual(['of b', 'of c, by the process that waits']);
    await beside.query('ROLLBACK');
    await Promise.all([first, same]);
    expect(ended.slice(2)).toEqual(['of a, with the code', 'of a']);
  });

  it('lock the whole table where there are very many values', async () => {
    const { beside, watching, make, makeOther, told } = await counting();
    await make('a', 'one');
    await expect.poll(told, patience).not.toBe('');
    await make('a', 'two');
    await beside.query(`BEGIN; INSERT INTO "Note" (key0, members) VALUES ('beside', '{"code":"x"}')`);
    const many = make(
      Array.from({ length: 260 }, (_, index) => String(index)),
      'many',
      'x',
    );
    await expect.poll(() => waits(watching), patience).toBe(1);
    // That of the service, and those of the two tables.
    expect(await advisoryLocks(watching)).toBe(3);
    const other = makeOther('b', 'b');
    await expect.poll(() => waits(watching), patience).toBe(2);
    await beside.query('ROLLBACK');
    expect((await many)[0]?.status).toBe(201);
    expect((await other)[0]?.status).toBe(201);
  });

  it('are told to all processes', async () => {
    const { make, told } = await counting();
    expect(await told()).toBe('');
    await make('a', 'one');
    await expect
      .poll(told, patience)
      .toBe('{"Slip":[{"fields":[[null,"of"]],"isSome":true,"reads":["of"]}]}');
  });
});

describe.skipIf(missing !== null)('a change that has nothing to do with another', () => {
  it('does not wait until that is over', async () => {
    const { address, beside } = await schema();
    const [one, other] = [await openPostgres(address, tables), await openPostgres(address, tables)];
    for (const store of [one, other]) onTestFinished(() => store.close());
    const write = (store: Store, table: string, id: string) =>
      store.commit([plan((tx) => tx.insert(table, row(id)))], () => 0);
    // Its INSERT waits, and so it holds its locks.
    await beside.query('BEGIN; LOCK TABLE "Note" IN ACCESS EXCLUSIVE MODE');
    let isOver = false;
    const waiting = Promise.resolve(write(one, 'Note', 'a')).finally(() => {
      isOver = true;
    });
    for (const store of [other, one])
      expect((await write(store, 'Slip', String(store === one)))[0]?.status).toBe(201);
    expect(isOver).toBe(false);
    await beside.query('COMMIT');
    expect((await waiting)[0]?.status).toBe(201);
  });
});
