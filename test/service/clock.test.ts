import { describe, expect, it } from 'vitest';
import { clock } from '../../src/service/value/clock.ts';
import { ask, place, start } from './served.ts';

const notes = `
resources:
  Note: { identifier: id, fields: { id: { type: integer }, at: { type: string, set: { create: "\${now}" } } } }
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /now: { does: (none), response: { status: 200, body: "\${now}" } }
`;

const instant = Date.parse('2026-11-21T12:00:00Z');

describe('the clock of a service (language §G.2)', () => {
  it('goes on by microseconds while the clock below stands, or is set back', () => {
    const times = [instant, instant, instant - 60_000, instant + 1];
    const now = clock(() => times.shift() as number);
    expect([now(), now(), now(), now()]).toEqual([
      '2026-11-21T12:00:00.000000Z',
      '2026-11-21T12:00:00.000001Z',
      '2026-11-21T12:00:00.000002Z',
      '2026-11-21T12:00:00.001000Z',
    ]);
  });

  it('goes on after a restart from what was kept, though the clock below was set back', async () => {
    const data = await place();
    const first = await start(notes, { data, milliseconds: () => instant });
    const made = (await ask(first, 'POST /notes', { id: 1 })).body as { at: string };
    expect(made.at).toMatch(/^2026-11-21T12:00:00/);
    await first.close();
    const second = await start(notes, { data, milliseconds: () => instant - 86_400_000 });
    const later = (await ask(second, 'POST /notes', { id: 2 })).body as { at: string };
    expect(later.at > made.at).toBe(true);
    expect(later.at).toMatch(/^2026-11-21T12:00:00\.0000/);
    await second.close();
  });

  it('goes by the clock below again after a restart where nothing was kept', async () => {
    const data = await place();
    const first = await start(notes, { data, milliseconds: () => instant });
    expect((await ask(first, 'POST /notes', { id: 'no number' })).status).toBe(400);
    await first.close();
    const second = await start(notes, { data, milliseconds: () => instant - 86_400_000 });
    expect((await ask(second, 'GET /now')).body).toMatch(/^2026-11-20T12:00:00/);
  });
});
