import { randomUUID } from 'node:crypto';
import type { Taken } from '../message/tally.ts';
import { alone, begin, connecting, line, placeOf, refused } from '../store/postgres/open.ts';
import { send } from '../store/postgres/statements.ts';
import { NotRead } from '../store/store.ts';
import type { Counter } from './counter.ts';
import { layout } from './postgres-functions.ts';
import { leaseMs, placeName, renewed, windowName } from './shared.ts';

/** How long an answer may take to come. */
const patienceMs = 2000;
/** How often what counts nothing any more is removed. */
const sweepMs = 60_000;
/** Whoever makes the tables holds this lock, since two that do so at once would be in each other's way. */
const lockNumber = 0x7461_6365;

/**
 * Counts in PostgreSQL, for all processes that name the same address and service: one round trip a request, by the
 * server's clock.
 *
 * @param address as that of the store: `postgres://USER@HOST/DATABASE[?schema=NAME]`
 * @param service what those that count together have in common: the service's name
 * @param microseconds a clock in place of the server's
 * @throws StoreRefused where it cannot be used
 */
export async function postgresCounter(
  address: string,
  service: string,
  microseconds?: () => number,
): Promise<Counter> {
  const place = placeOf(address);
  const connect = connecting(place);
  const connection = line(() => connect('ask'));
  try {
    const client = await connection.get();
    await begin(client);
    await client.query(`SELECT pg_advisory_xact_lock(${lockNumber})`);
    await client.query(layout);
    await client.query('COMMIT');
  } catch (error) {
    await connection.close();
    throw refused(place, error);
  }
  const ask = async (name: string, text: string, values: unknown[]): Promise<unknown> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      connection.drop();
      late.reject(new Error('it took too long'));
    }, patienceMs);
    try {
      const asked = connection
        .get()
        .then((client) => alone(client, () => send(client, { name, text }, values)));
      const rows = await Promise.race([asked, late.promise]);
      return rows[0]?.[0];
    } catch (cause) {
      throw new NotRead('requests cannot be counted', { cause });
    } finally {
      clearTimeout(timer);
    }
  };
  const sweep = (): void =>
    void ask('tacet_sweep', 'DELETE FROM tacet_counted WHERE until < tacet_micros()', []).catch(() => {});
  const sweeping = setInterval(sweep, sweepMs);
  sweeping.unref();
  return {
    isShared: true,
    take: async (counted) => {
      const told = (await ask('tacet_take', 'SELECT tacet_take($1, $2, $3, $4, $5)', [
        counted.map(({ rate, whose }) => `${service} ${windowName(rate, whose)}`),
        counted.map(({ rate }) => rate.window),
        counted.map(({ rate }) => rate.allow),
        counted.map(({ rate }) => rate.everyMs * 1000),
        microseconds?.() ?? null,
      ])) as readonly number[];
      return Array.from({ length: told.length / 3 }, (_, index): Taken => {
        const [isAllowed, remaining, reset] = told.slice(index * 3) as [number, number, number];
        return { isAllowed: isAllowed === 1, remaining, resetMs: reset / 1000 };
      });
    },
    enter: async ({ name, allow, whose }) => {
      const [where, id] = [`${service} ${placeName(name, whose)}`, randomUUID()];
      const lease = leaseMs * 1000;
      const text = 'SELECT tacet_enter($1, $2, $3, $4)';
      if ((await ask('tacet_enter', text, [where, id, allow, lease])) !== true) return null;
      const renew =
        'UPDATE tacet_running SET until = tacet_micros() + $3::float8 WHERE name = $1 AND id = $2::uuid';
      return renewed(
        () => ask('tacet_renew', renew, [where, id, lease]),
        () => ask('tacet_leave', 'DELETE FROM tacet_running WHERE name = $1 AND id = $2::uuid', [where, id]),
      );
    },
    close: async () => {
      clearInterval(sweeping);
      await connection.close();
    },
  };
}
