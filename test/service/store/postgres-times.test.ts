import { describe, expect, it } from 'vitest';
import { answer, ask, start } from '../served.ts';
import { absence, connected, schema } from './postgres.ts';

const missing = await absence();

const notes = `name: notes
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, code: { type: string, unique: true } } }
  Other: { identifier: id, fields: { id: { type: string } } }
endpoints:
  others: refuse
  GET /notes: { operation: list, does: list Note, response: { status: 200, body: { count: "\${page.items.size()}" } } }
  GET /notes/{id}: { operation: read, does: read Note, response: { status: 200, body: Note } }
  POST /notes: { operation: make, does: create Note, request: { body: Note }, response: { status: 201, body: (none) } }
  POST /others: { operation: makeOther, does: create Other, request: { body: Other }, response: { status: 201, body: (none) } }
states: (none)
authentication: (none)
events: (none)
errors: { payload: (none), codes: { late: { when: timed out, status: 504 } } }
limits: { times: { request: PT1S } }
versioning: (none)
`;

describe.skipIf(missing !== null)('how long a request may take, in PostgreSQL', () => {
  /** A service whose notes nobody can look at until they are let go. */
  const locked = async () => {
    const { address, beside } = await schema();
    const service = await start(notes, { data: address });
    await ask(service, 'POST /notes', { id: 'a', code: 'x' });
    await beside.query('BEGIN; LOCK TABLE "Note" IN ACCESS EXCLUSIVE MODE');
    const watching = await connected(address);
    const waiting = async (): Promise<number> => {
      const { rows } = await watching.query(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = current_schema() AND wait_event_type = 'Lock'",
      );
      return (rows as { readonly count: number }[])[0]?.count ?? 0;
    };
    const end = async (): Promise<void> => {
      await beside.query('COMMIT');
      await watching.end();
    };
    return { service, waiting, end };
  };

  it.each(['GET /notes', 'GET /notes/a'])('%s: ends the query with the request', async (line) => {
    const { service, waiting, end } = await locked();
    expect(await ask(service, line)).toEqual(answer(504));
    await expect.poll(waiting, { timeout: 5000 }).toBe(0);
    await end();
    expect((await ask(service, line)).status).toBe(200);
    expect(service.faults).toEqual([]);
  });

  it('ends the query of a change, which holds up no other', async () => {
    const { service, waiting, end } = await locked();
    const [late, other] = await Promise.all([
      ask(service, 'POST /notes', { id: 'b', code: 'y' }),
      ask(service, 'POST /others', { id: 'c' }),
    ]);
    expect(late).toEqual(answer(504));
    expect([201, 504]).toContain(other.status);
    await expect.poll(waiting, { timeout: 5000 }).toBe(0);
    expect(await ask(service, 'POST /others', { id: 'd' })).toEqual(answer(201));
    await end();
    expect(await ask(service, 'GET /notes/b')).toMatchObject({ status: 404 });
    expect(await ask(service, 'POST /notes', { id: 'b', code: 'y' })).toEqual(answer(201));
  });
});
