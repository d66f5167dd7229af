import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { addFunctions } from '../../../src/service/store/sqlite/functions.ts';
import { print } from '../../../src/service/store/sqlite/sql.ts';
import { openSqlite } from '../../../src/service/store/sqlite/store.ts';
import type { Reads, Statement } from '../../../src/service/store/store.ts';
import { compileResources } from '../../../src/service/versions/resources.ts';
import { ask, dataFile, specificationOf, start } from '../served.ts';

/** Seats, which are known by a row and a number, and the bookings of them. */
const seats = (word: string): string => `
resources:
  Row: { identifier: name, fields: { name: { type: string } }, required: [name] }
  Seat:
    identifier: [row, number]
    fields: { row: { refers: Row }, number: { type: integer } }
    required: [row, number]
  Booking:
    identifier: id
    fields: { id: { type: integer }, seat: { refers: Seat, ifDeleted: ${word} } }
endpoints:
  others: refuse
  POST /rows: { does: create Row, request: { body: Row }, response: 201 }
  POST /seats: { does: create Seat, request: { body: Seat }, response: 201 }
  DELETE /seats/{row}/{number}: { does: delete Seat, request: { path: { row: Seat.row, number: Seat.number } }, response: 204 }
  POST /bookings: { does: create Booking, request: { body: Booking }, response: 201 }
  GET /bookings: { does: list Booking, response: { status: 200, body: "\${Booking(page.items)}" } }
errors: { codes: { in_use: { when: in use, status: 409 } } }
`;

const booked = [
  { id: 1, seat: ['a', 1] },
  { id: 2, seat: ['a', 2] },
  { id: 3, seat: ['b', 1] },
];

describe('a reference to an item that is known by several fields', () => {
  it.each([
    ['refuse', 409, booked],
    ['delete', 204, booked.slice(1)],
    ['clear', 204, [{ id: 1, seat: null }, ...booked.slice(1)]],
    ['keep', 204, booked],
  ])('of an item that is deleted: %s', async (word, status, left) => {
    const service = await start(seats(word));
    for (const name of ['a', 'b']) await ask(service, 'POST /rows', { name });
    for (const { seat } of booked) await ask(service, 'POST /seats', { row: seat[0], number: seat[1] });
    for (const one of booked) expect((await ask(service, 'POST /bookings', one)).status).toBe(201);
    expect((await ask(service, 'DELETE /seats/a/1')).status).toBe(status);
    expect((await ask(service, 'GET /bookings')).body).toEqual(left);
  });

  it('is found by an index', () => {
    const { kept, resources } = compileResources(specificationOf(seats('delete')));
    const file = dataFile();
    openSqlite(
      file,
      kept.map(({ table }) => table),
    ).close();
    const asked: Statement[] = [];
    const reads: Reads = {
      find: () => null,
      value: () => null,
      rows: (statement) => {
        asked.push(statement);
        return [];
      },
    };
    for (const { rows } of resources.get('Seat')?.referrers ?? []) rows(reads, { key: ['a', 1], text: '{}' });
    const database = new Database(file, { readonly: true });
    addFunctions(database);
    const plans = asked.flatMap(({ query }) => {
      const { sql, bind } = print(query);
      return database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...bind(['a', 1])) as { detail: string }[];
    });
    database.close();
    expect(plans.map(({ detail }) => detail)).toEqual([expect.stringMatching(/^SEARCH .* USING INDEX/)]);
  });
});
