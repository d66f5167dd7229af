import { describe, expect, it } from 'vitest';
import { compare, field, parameter, query, rowOf } from '../../../src/expression/query.ts';
import { openPostgres } from '../../../src/service/store/postgres/store.ts';
import { statement } from '../../../src/service/store/rows.ts';
import { FateUnknown, NotKept, type Store, type Transaction } from '../../../src/service/store/store.ts';
import { statementsOf } from '../statements.ts';
import { absence, isPooled, opened, schema } from './postgres.ts';
import { plan } from './stores.ts';

const note = {
  name: 'Note',
  keyFields: ['id'],
  indexes: [{ fields: [{ path: ['code'] }], unique: true }],
};
const row = rowOf(note);
const all = statement(query(row));
const byCode = statement(
  query(row, { where: compare('matches', field(row, 'code', 'text'), parameter(0, 'text')) }),
);

const missing = await absence();
if (missing !== null) console.warn(`the store in PostgreSQL is not tested: ${missing}`);

const made = (id: string, code: string) => ({ key: [id], text: JSON.stringify({ code }) });

/** What a store answers to plans that arrive together. */
async function together(store: Store, ...acts: ((tx: Transaction) => void)[]): Promise<unknown[]> {
  const replies = await store.commit(acts.map(plan), () => 1);
  return replies.map(({ status, body }) => (body === null ? status : `${status} ${body}`));
}

/** The keys of all rows, in the order in which they were made. */
async function keys(store: Store): Promise<unknown[]> {
  return (await store.read((reads) => reads.rows(all, []))).map(({ key }) => key[0]);
}

describe.skipIf(missing !== null)('a store in PostgreSQL', () => {
  it('carries plans out that arrive together, and tells each what was in its way', async () => {
    const store = await opened((await schema()).address, [note]);
    const [first, second] = [made('a', 'x'), made('b', 'x')];
    expect(
      await together(
        store,
        (tx) => tx.insert('Note', first),
        (tx) => tx.insert('Note', second),
        (tx) => tx.insert('Note', made('a', 'y')),
        (tx) => tx.insert('Note', made('c', 'z')),
      ),
    ).toEqual([201, '409 Note: code', '409 Note: id', 201]);
    expect(await keys(store)).toEqual(['a', 'c']);
  });

  it('lets a plan see what it wrote, and those before it, and undoes it whole', async () => {
    const store = await opened((await schema()).address, [note]);
    let seen: unknown[] = [];
    const replies = await together(
      store,
      (tx) => tx.insert('Note', made('a', 'x')),
      (tx) => {
        tx.insert('Note', made('b', 'y'));
        seen = [tx.find('Note', ['a'])?.text, tx.rows(byCode, ['y']).length, tx.rows(all, []).length];
        tx.update('Note', made('a', 'changed'));
        seen.push(tx.rows(byCode, ['changed']).length);
        throw new Error('undone');
      },
      (tx) => {
        seen.push(tx.rows(all, []).length, tx.find('Note', ['b']));
        tx.remove('Note', ['a']);
        tx.insert('Note', made('c', 'x'));
      },
    );
    expect(replies).toEqual([201, 500, 201]);
    expect(seen).toEqual(['{"code":"x"}', 1, 2, 1, 1, null]);
    expect(await keys(store)).toEqual(['c']);
  });

  it('gives a plan that begins anew the same values of a clock', async () => {
    const store = await opened((await schema()).address, [note]);
    let time = 0;
    const now = store.steady(() => ++time);
    let taken: number[] = [];
    await together(store, (tx) => {
      taken = [now()];
      tx.find('Note', [`${taken[0]}`]);
      taken.push(now());
    });
    expect(taken).toEqual([1, 2]);
  });

  it('counts without a gap or a double though three processes count at once', async () => {
    const { address } = await schema();
    const counter = { name: 'count', keyFields: ['of'] };
    const stores = await Promise.all([1, 2, 3].map(() => opened(address, [counter])));
    const numbers: number[] = [];
    const count = (tx: Transaction): void => {
      const found = tx.find('count', ['a']);
      const next = found === null ? 1 : (JSON.parse(found.text) as number) + 1;
      if (found === null) tx.insert('count', { key: ['a'], text: `${next}` });
      else tx.update('count', { key: ['a'], text: `${next}` });
    };
    await Promise.all(
      stores.flatMap((store) =>
        Array.from({ length: 100 }, async () => {
          let number = 0;
          await together(store, (tx) => {
            count(tx);
            number = JSON.parse(tx.find('count', ['a'])?.text as string) as number;
          });
          numbers.push(number);
        }),
      ),
    );
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  });

  it('lets one of many in who want the same, whichever process they ask', async () => {
    const { address } = await schema();
    const stores = await Promise.all([1, 2, 3].map(() => opened(address, [note])));
    const replies = await Promise.all(
      stores.flatMap((store, one) =>
        Array.from({ length: 30 }, (_, index) =>
          together(store, (tx) => tx.insert('Note', made(`${one} ${index}`, 'x'))),
        ),
      ),
    );
    expect(replies.flat().filter((reply) => reply === 201)).toHaveLength(1);
    expect(await keys(stores[0] as Store)).toHaveLength(1);
  });

  it('tells what was not kept when the server ends its connections, and goes on', async () => {
    const { address, beside } = await schema();
    const store = await opened(address, [note]);
    const kept: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const id = `${round}`;
      const committing = together(store, (tx) => {
        tx.find('Note', ['z']);
        tx.insert('Note', made(id, id));
      });
      const ending = beside.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = current_schema()',
      );
      const outcome = await committing.catch((error: unknown) => error);
      await ending;
      if (Array.isArray(outcome)) kept.push(id);
      else expect(outcome instanceof NotKept || outcome instanceof FateUnknown).toBe(true);
      const there = await beside.query({ text: 'SELECT key0 FROM "Note" WHERE key0 = $1', values: [id] });
      if (outcome instanceof NotKept) expect(there.rows).toEqual([]);
      if (Array.isArray(outcome)) expect(there.rows).toHaveLength(1);
    }
    expect(await together(store, (tx) => tx.insert('Note', made('last', 'last')))).toEqual([201]);
    expect(await keys(store)).toEqual(expect.arrayContaining([...kept, 'last']));
  });

  it.skipIf(isPooled)(
    'ends what is under way when it is closed, and leaves no connection behind',
    async () => {
      const { address, beside } = await schema();
      const store = await openPostgres(address, [note]);
      const underway = ['a', 'b', 'c'].map((id) => together(store, (tx) => tx.insert('Note', made(id, id))));
      await store.close();
      expect(await Promise.all(underway)).toEqual([[201], [201], [201]]);
      await expect(together(store, (tx) => tx.insert('Note', made('d', 'd')))).rejects.toThrow(NotKept);
      const left = async () =>
        (await beside.query('SELECT 1 FROM pg_stat_activity WHERE application_name = current_schema()'))
          .rowCount;
      await expect.poll(left).toBe(0);
    },
  );

  it.skipIf(isPooled)('asks once what several ask alike in one turn', async () => {
    const store = await opened((await schema()).address, [note]);
    await together(store, (tx) => tx.insert('Note', made('a', 'x')));
    const { value, reads } = await statementsOf(() => Promise.all([keys(store), keys(store), keys(store)]));
    expect(value).toEqual([['a'], ['a'], ['a']]);
    expect(reads).toHaveLength(1);
  });

  it('streams a list of one moment, whatever is written meanwhile', async () => {
    const store = await opened((await schema()).address, [note]);
    const rows = Array.from({ length: 2500 }, (_, index) => made(`${index}`, `${index}`));
    await together(store, (tx) => {
      for (const one of rows) tx.insert('Note', one);
    });
    const pieces = store.stream(all, [])[Symbol.asyncIterator]();
    const found = [...((await pieces.next()).value ?? [])];
    await together(store, (tx) => tx.removeEvery('Note'));
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next())
      found.push(...piece.value);
    expect(found.map(({ key, text }) => ({ key, text }))).toEqual(rows);
    expect(await keys(store)).toEqual([]);
  });

  it('keeps texts with U+0000, as keys too', async () => {
    const store = await opened((await schema()).address, [note]);
    await together(store, (tx) => tx.insert('Note', made('a\0b', 'x\0')));
    expect(await store.read((reads) => reads.find('Note', ['a\0b']))).toEqual(made('a\0b', 'x\0'));
    expect(await store.read((reads) => reads.rows(byCode, ['x\0']).length)).toBe(1);
  });

  it.each([
    ['postgres://nobody@127.0.0.1:1/test', /no server listens there/],
    ['postgres://postgres:secret@127.0.0.1:5432/nowhere', /there is no such database/],
    ['mysql://127.0.0.1/test', /no address of a database/],
  ])('is refused, with what to do and without a password: %s', async (address, why) => {
    const error = await openPostgres(address, []).catch((one: unknown) => one as Error);
    expect(String(error)).toMatch(why);
    expect(String(error)).not.toContain('secret');
  });

  it('is refused where the rows are under another identifier', async () => {
    const { address } = await schema();
    const store = await opened(address, [note]);
    await together(store, (tx) => tx.insert('Note', made('a', 'x')));
    await expect(openPostgres(address, [{ ...note, keyFields: ['no'] }])).rejects.toThrow(
      /keeps Note under the identifier \["id"\]/,
    );
  });
});
