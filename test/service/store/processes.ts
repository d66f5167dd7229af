import { onTestFinished } from 'vitest';
import {
  and,
  compare,
  field,
  literal,
  matchesCaseless,
  type Node,
  parameter,
  type Query,
  query,
  rowOf,
} from '../../../src/expression/query.ts';
import { type Connect, connecting, placeOf } from '../../../src/service/store/postgres/open.ts';
import { openPostgres } from '../../../src/service/store/postgres/store.ts';
import { type Statement, statement } from '../../../src/service/store/rows.ts';
import type { Row, Store, Table, Transaction } from '../../../src/service/store/store.ts';
import { clock } from '../../../src/service/value/clock.ts';
import { schema } from './postgres.ts';
import { plan } from './stores.ts';

const note: Table = {
  name: 'Note',
  keyFields: ['id'],
  indexes: [
    { fields: [{ path: ['code'] }], unique: true },
    { fields: [{ path: ['name'], caseless: true }], unique: true },
  ],
};
const slip: Table = { name: 'Slip', keyFields: ['id'] };
export const tables = [note, slip];
export const [notes, slips] = [rowOf(note), rowOf(slip)];

type Gives = Query['gives'];

/** A query of notes or slips. */
function asked(of: typeof notes, gives: Gives, ...where: readonly Node[]): Statement {
  return statement(query(of, { where: and(...where), gives, ...(gives === 'rows' && ofOne) }));
}

const ofOne = { limit: literal(1) };
const count: Gives = { kind: 'count' };
const isOf = compare('matches', field(slips, 'of', 'text'), parameter(0, 'text'));

export const byCode = asked(
  notes,
  'rows',
  compare('matches', field(notes, 'code', 'text'), parameter(0, 'text')),
);
export const byName = asked(
  notes,
  'rows',
  matchesCaseless(field(notes, 'name', 'text'), parameter(0, 'text')),
);
/** How many slips are of a note, how many of these are on, and how many have a number above 3. */
export const ofParent = asked(slips, count, isOf);
export const onOfParent = asked(
  slips,
  count,
  compare('==', field(slips, 'on', 'boolean'), literal(true)),
  isOf,
);
export const highOfParent = asked(slips, count, isOf, compare('>', field(slips, 'n', 'number'), literal(3)));
/** Whether there is a slip of a note, or of none. */
export const isThere = asked(
  slips,
  { kind: 'exists' },
  compare('==', field(slips, 'of', 'text'), parameter(0, 'text')),
);
/** The slips of a note, or of none. */
export const slipsOf = statement(query(slips, { where: isOf }));
export const slipsOfNone = statement(
  query(slips, { where: compare('==', field(slips, 'of', 'text'), parameter(0, 'text')) }),
);

/** Connections of a store that takes no locks of tables and rows: the control. */
function lockless(address: string): Connect {
  const connect = connecting(placeOf(address));
  return async (use) => {
    const client = await connect(use);
    const send = client.query.bind(client) as (given: unknown, ...more: unknown[]) => unknown;
    const query = (given: string | { text: string }, ...more: unknown[]): unknown => {
      if (typeof given === 'string') return send(given, ...more);
      const text = given.text
        .replace(/ FOR (NO KEY UPDATE|SHARE) OF r$/, '')
        .replace(/pg_advisory_xact_lock(_shared)?\(n\)/g, 'NULL');
      return send({ ...given, text }, ...more);
    };
    return Object.assign(client, { query });
  };
}

/** A store as a process of a service has it, with the clock that its plans read. */
export interface Process {
  readonly store: Store;
  readonly now: () => string;
}

/** How a store is reached that is at an address. */
type Way = (address: string) => string;

/**
 * Several stores in one schema. All of them read one clock, so that the times of plans tell in which order they held
 * their locks, to the microsecond. Clocks of different machines are tested in `postgres-writers.test.ts`.
 */
export async function processes(
  count = 3,
  isLocking = true,
  by: Way = (address) => address,
): Promise<readonly Process[]> {
  const address = by((await schema()).address);
  const now = clock();
  const all: Process[] = [];
  for (let index = 0; index < count; index += 1) {
    const store = await openPostgres(address, tables, isLocking ? undefined : lockless(address));
    onTestFinished(() => store.close());
    all.push({ store, now: store.steady(now, { isTime: true }) });
  }
  return all;
}

export const row = (id: string, members: object = {}): Row => ({ key: [id], text: JSON.stringify(members) });
export const membersOf = (found: Row | null): Record<string, unknown> => JSON.parse(found?.text ?? '{}');

/** Carries out one plan at a process, and tells whether it was kept. */
export async function done({ store }: Process, act: (tx: Transaction) => void): Promise<boolean> {
  const [reply] = await store.commit([plan(act)], () => 0);
  return reply?.status === 201;
}

/** All rows of a table by now. */
export async function rowsOf({ store }: Process, of: typeof notes): Promise<readonly Row[]> {
  return store.read((reads) => reads.rows(statement(query(of, {})), []));
}
