import { describe, expect, it } from 'vitest';
import { answer, ask, type Served, start } from './served.ts';

const text = `
name: A waiting room
complete: true
resources:
  Guest:
    identifier: id
    fields:
      id: { type: string }
      leaves: { type: [string, "null"], format: date-time, default: null }
      patience: { type: integer, default: 60 }
      status: { type: string }
      movedAt: { type: [string, "null"], format: date-time, default: null, readOnly: true }
    required: [id]
  Note:
    identifier: id
    fields: { id: { type: string }, at: { type: string, format: date-time } }
states:
  Guest.status:
    states: [waiting, called, seen, gone]
    initial: waiting
    transitions:
      call: { from: [waiting, called], to: called }
      miss: { from: called, to: waiting, after: PT10S, when: "\${this.patience > 1}", set: { movedAt: "\${now}" } }
      leave: { from: [waiting, called], to: gone, at: "\${this.leaves}", also: [{ create: Note, with: { id: "\${this.id}", at: "\${now}" } }] }
      see: { from: called, to: seen }
      forget: { from: [seen, gone], to: (none), after: P1M }
endpoints:
  others: refuse
  POST /guests: { does: create Guest, request: { body: Guest }, response: { status: 201, body: Guest } }
  GET /guests: { does: list Guest, response: { status: 200, body: "\${Guest(page.items)}" } }
  GET /guests/{id}: { does: read Guest, response: { status: 200, body: Guest } }
  PATCH /guests/{id}: { does: update Guest, request: { body: Guest }, response: { status: 200, body: Guest } }
  POST /guests/{id}/call: { does: call Guest, response: 204 }
  POST /guests/{id}/see: { does: see Guest, response: 204 }
  GET /notes: { does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
errors:
  codes:
    unknown: { when: unknown, status: 404 }
    wrong: { when: transition refused, status: 409 }
    invalid: { when: invalid, status: 422 }
`;

const first = Date.parse('2026-01-31T12:00:00Z');

/** A service over a clock that only its test moves. */
async function room(data?: string) {
  const clock = { now: first };
  const service = await start(text, { milliseconds: () => clock.now, ...(data !== undefined && { data }) });
  return { service, clock };
}

const status = async (service: Served, id: string): Promise<unknown> => {
  const { status: code, body } = await ask(service, `GET /guests/${id}`);
  return code === 200 ? (body as { status: string }).status : code;
};

describe('what happens by itself (language §3.3)', () => {
  it('is seen as soon as it is due, and not before, by whoever reads the item', async () => {
    const { service, clock } = await room();
    await ask(service, 'POST /guests', { id: 'a' });
    expect(await ask(service, 'POST /guests/a/call')).toEqual(answer(204));
    clock.now += 9_999;
    expect(await status(service, 'a')).toBe('called');
    clock.now += 1;
    expect(await status(service, 'a')).toBe('waiting');
    const [guest] = (await ask(service, 'GET /guests')).body as { movedAt: string }[];
    expect(Date.parse(guest?.movedAt ?? '')).toBe(first + 10_000);
  });

  it('goes before what is next written: a move that it makes impossible is refused', async () => {
    const { service, clock } = await room();
    await ask(service, 'POST /guests', { id: 'a' });
    await ask(service, 'POST /guests/a/call');
    clock.now += 10_000;
    expect(await ask(service, 'POST /guests/a/see')).toEqual(answer(409));
    expect(await status(service, 'a')).toBe('waiting');
  });

  it('is counted anew from each entry, into the same state too, and not at all once that is left', async () => {
    const { service, clock } = await room();
    for (const id of ['a', 'b']) {
      await ask(service, 'POST /guests', { id });
      await ask(service, `POST /guests/${id}/call`);
    }
    clock.now += 6_000;
    await ask(service, 'POST /guests/a/call');
    await ask(service, 'POST /guests/b/see');
    clock.now += 6_000;
    expect(await status(service, 'a')).toBe('called');
    clock.now += 4_000;
    expect(await status(service, 'a')).toBe('waiting');
    expect(await status(service, 'b')).toBe('seen');
  });

  it('does not happen where its guard does not hold when it is due, nor later', async () => {
    const { service, clock } = await room();
    await ask(service, 'POST /guests', { id: 'a', patience: 1 });
    await ask(service, 'POST /guests/a/call');
    clock.now += 10_000;
    expect(await status(service, 'a')).toBe('called');
    await ask(service, 'PATCH /guests/a', { patience: 5 });
    clock.now += 60_000;
    expect(await status(service, 'a')).toBe('called');
  });

  it('happens at a time that the item holds, as that is by then, with what follows', async () => {
    const { service, clock } = await room();
    const at = (ms: number): string => new Date(first + ms).toISOString();
    await ask(service, 'POST /guests', { id: 'a', leaves: at(5_000) });
    await ask(service, 'POST /guests', { id: 'b', leaves: at(5_000) });
    await ask(service, 'POST /guests', { id: 'c', leaves: at(-1) });
    expect(await status(service, 'c')).toBe('gone');
    await ask(service, 'PATCH /guests/b', { leaves: at(9_000) });
    clock.now += 5_000;
    expect(await status(service, 'a')).toBe('gone');
    expect(await status(service, 'b')).toBe('waiting');
    await ask(service, 'PATCH /guests/b', { leaves: null });
    clock.now += 5_000;
    expect(await status(service, 'b')).toBe('waiting');
    const notes = (await ask(service, 'GET /notes')).body as { id: string }[];
    expect(notes.map(({ id }) => id).sort()).toEqual(['a', 'c']);
  });

  it('counts months by the calendar, and ends a life', async () => {
    const { service, clock } = await room();
    await ask(service, 'POST /guests', { id: 'a' });
    await ask(service, 'POST /guests/a/call');
    await ask(service, 'POST /guests/a/see');
    clock.now = Date.parse('2026-02-28T11:59:59Z');
    expect(await status(service, 'a')).toBe('seen');
    clock.now = Date.parse('2026-02-28T12:00:00.001Z');
    expect(await status(service, 'a')).toBe(404);
  });

  it('waits through a restart, and happens at once where it was due meanwhile', async () => {
    const { service, clock } = await room();
    await ask(service, 'POST /guests', { id: 'a' });
    await ask(service, 'POST /guests/a/call');
    await service.close();
    const again = await room(service.data);
    again.clock.now = clock.now + 10_000;
    expect(await status(again.service, 'a')).toBe('waiting');
  });

  it('waits for as long as the operator says, where that is his to say, and does not start without his word', async () => {
    const operators = text.replace('after: PT10S', 'after: operator');
    const clock = { now: first };
    const milliseconds = () => clock.now;
    const refused = (after: Record<string, string>) =>
      start(operators, { milliseconds, after }).then(
        () => null,
        (error: Error) => error.message,
      );
    expect(await refused({})).toContain('--after Guest.miss=P1D');
    expect(await refused({ 'Guest.miss': 'soon' })).toContain('soon is no duration');
    expect(await refused({ 'Guest.miss': 'PT1S', 'Guest.leave': 'PT1S' })).toContain(
      'leave --after Guest.leave out',
    );
    const service = await start(operators, { milliseconds, after: { 'Guest.miss': 'PT3S' } });
    await ask(service, 'POST /guests', { id: 'a' });
    await ask(service, 'POST /guests/a/call');
    clock.now += 2_999;
    expect(await status(service, 'a')).toBe('called');
    clock.now += 1;
    expect(await status(service, 'a')).toBe('waiting');
  });

  it('happens unasked, within a second', async () => {
    const clock = { now: first };
    const told: unknown[] = [];
    const service = await start(text, {
      milliseconds: () => clock.now,
      onFault: (fault) => void told.push(fault),
    });
    await ask(service, 'POST /guests', { id: 'a' });
    await ask(service, 'POST /guests/a/call');
    clock.now += 10_000;
    await expect
      .poll(async () => JSON.stringify(await service.rows()).includes('"timer",[]'), {
        timeout: 5_000,
        interval: 50,
      })
      .toBe(true);
    expect(told).toEqual([]);
    expect(await status(service, 'a')).toBe('waiting');
  });
});

describe('a move at a time that the item holds (language §3.3)', () => {
  const reminders = (transitions: string): string => `
name: Reminders
complete: true
resources:
  Note:
    identifier: id
    fields:
      id: { type: string }
      at: { type: string, format: date-time }
      isOn: { type: boolean, default: true }
      count: { type: integer, default: 0, writable: false }
      state: { type: string }
    required: [id]
states:
  Note.state:
    states: [open, told]
    initial: open
    transitions:
${transitions}
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  PATCH /notes/{id}: { does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
`;
  const remind =
    '      remind: { from: open, to: open, at: "${this.at}", when: "${this.isOn}", set: { count: "${this.count + 1}" } }';
  const past = '2020-01-01T00:00:00Z';
  const count = async (service: Served): Promise<unknown> =>
    ((await ask(service, 'GET /notes/a')).body as { count: number }).count;

  it('happens once for each time, though it stays in the state', async () => {
    const service = await start(reminders(remind));
    await ask(service, 'POST /notes', { id: 'a', at: past });
    expect(await count(service)).toBe(1);
    await ask(service, 'PATCH /notes/a', { isOn: false });
    expect(await count(service)).toBe(1);
    await ask(service, 'PATCH /notes/a', { isOn: true, at: '2020-01-02T00:00:00Z' });
    expect(await count(service)).toBe(2);
  });

  it('does not happen later where its guard did not hold then', async () => {
    const service = await start(reminders(remind));
    await ask(service, 'POST /notes', { id: 'a', at: past, isOn: false });
    expect(await count(service)).toBe(0);
    await ask(service, 'PATCH /notes/a', { isOn: true });
    expect(await count(service)).toBe(0);
  });

  it('goes to and fro without end in no service: it answers on, and tells of it', async () => {
    const service = await start(
      reminders(`      tell: { from: open, to: told, after: PT0S, when: "\${this.isOn}" }
      untell: { from: told, to: open, after: PT0S, when: "\${this.isOn}" }`),
    );
    await ask(service, 'POST /notes', { id: 'a' });
    expect((await ask(service, 'GET /notes/a')).status).toBe(200);
    expect(String(service.faults[0])).toMatch(/again and again/);
  });
});
