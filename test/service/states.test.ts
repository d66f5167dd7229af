import { describe, expect, it } from 'vitest';
import { answer, ask, start } from './served.ts';

/** A desk of tickets: a machine with a guard, what follows a move, and an end of life. */
const desk = (more = '', states = ''): string => `
name: A ticket desk
complete: true
resources:
  Ticket:
    identifier: id
    fields:
      id: { type: string }
      title: { type: string, minLength: 1 }
      weight: { type: integer, default: 1 }
      holder: { type: string, readOnly: true }
      closedAt: { type: string, readOnly: true }
      status: { type: string }
      mood: { type: string, writable: true }
    required: [id, title]
  Note:
    identifier: [ticket, number]
    fields:
      ticket: { type: string }
      number: { type: integer }
      text: { type: string }
states:
  Ticket.status:
    states: [open, held, closed]
    initial: "\${this.weight > 5 ? 'held' : 'open'}"
    final: [closed]
    transitions:
      hold: { from: open, to: held, set: { holder: somebody }${states} }
      close: { from: [open, held], to: closed, when: "\${this.weight < 10}", set: { closedAt: "\${this.status}" } }
      drop: { from: held, to: (none) }
  Ticket.mood:
    states: [calm, cross]
    initial: calm
    transitions:
      vex: { from: calm, to: cross }
      soothe: { from: cross, to: calm, when: "\${this.weight < 10}" }
endpoints:
  others: refuse
  POST /tickets: { does: create Ticket, request: { body: Ticket }, response: { status: 201, body: Ticket } }
  GET /tickets/{id}: { does: read Ticket, response: { status: 200, body: Ticket } }
  PATCH /tickets/{id}: { does: update Ticket, request: { body: Ticket }, response: { status: 200, body: Ticket } }
  POST /tickets/{id}/hold: { does: hold Ticket, response: { status: 200, body: Ticket } }
  POST /tickets/{id}/close: { does: close Ticket, response: { status: 200, body: Ticket } }
  POST /tickets/{id}/drop: { does: drop Ticket, response: 204 }
  GET /notes: { does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
${more}
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    ticket_unknown: { when: unknown Ticket, status: 404 }
    wrong_state: { when: transition refused Ticket, status: 409 }
    too_heavy: { when: guard refused Ticket.close, status: 422 }
    invalid: { when: invalid, status: 400 }
`;

const ticket = (id: string, more: object = {}): object => ({ id, title: 'a', ...more });
const shown = (id: string, status: string, more: object = {}): object => ({
  id,
  title: 'a',
  weight: 1,
  status,
  mood: 'calm',
  ...more,
});
const refused = (status: number, code: string) => answer(status, { code });

describe('a machine (language §3)', () => {
  it('begins in the state that is stated, by an expression too', async () => {
    const service = await start(desk());
    expect((await ask(service, 'POST /tickets', ticket('a'))).body).toEqual(shown('a', 'open'));
    const heavy = shown('b', 'held', { weight: 6 });
    expect((await ask(service, 'POST /tickets', ticket('b', { weight: 6 }))).body).toEqual(heavy);
  });

  it('makes the moves that are listed, with what they set, and no others', async () => {
    const service = await start(desk());
    await ask(service, 'POST /tickets', ticket('a'));
    const held = shown('a', 'held', { holder: 'somebody' });
    expect(await ask(service, 'POST /tickets/a/hold')).toEqual(answer(200, held));
    expect(await ask(service, 'POST /tickets/a/hold')).toEqual(refused(409, 'wrong_state'));
    expect((await ask(service, 'GET /tickets/a')).body).toEqual(held);
    const closed = { ...held, status: 'closed', closedAt: 'held' };
    expect((await ask(service, 'POST /tickets/a/close')).body).toEqual(closed);
    expect(await ask(service, 'POST /tickets/a/drop')).toEqual(refused(409, 'wrong_state'));
  });

  it('refuses a move whose guard does not hold, and changes nothing', async () => {
    const service = await start(desk());
    await ask(service, 'POST /tickets', ticket('a', { weight: 10 }));
    expect(await ask(service, 'POST /tickets/a/close')).toEqual(refused(422, 'too_heavy'));
    expect((await ask(service, 'GET /tickets/a')).body).toEqual(shown('a', 'held', { weight: 10 }));
  });

  it('ends the life of an item that moves to nothing', async () => {
    const service = await start(desk());
    await ask(service, 'POST /tickets', ticket('a', { weight: 6 }));
    expect(await ask(service, 'POST /tickets/a/drop')).toEqual(answer(204));
    expect(await ask(service, 'GET /tickets/a')).toEqual(refused(404, 'ticket_unknown'));
    expect(await ask(service, 'POST /tickets/a/drop')).toEqual(refused(404, 'ticket_unknown'));
  });

  it('takes a state that is written for the move that leads to it, guards and all', async () => {
    const service = await start(desk());
    await ask(service, 'POST /tickets', ticket('a', { weight: 9 }));
    const cross = shown('a', 'held', { weight: 9, mood: 'cross' });
    expect((await ask(service, 'PATCH /tickets/a', { mood: 'cross' })).body).toEqual(cross);
    expect((await ask(service, 'PATCH /tickets/a', { mood: 'cross' })).body).toEqual(cross);
    const heavier = { ...cross, weight: 10 };
    expect(await ask(service, 'PATCH /tickets/a', { mood: 'calm', weight: 10 })).toEqual(answer(400));
    expect((await ask(service, 'GET /tickets/a')).body).toEqual(cross);
    expect((await ask(service, 'PATCH /tickets/a', { weight: 10 })).body).toEqual(heavier);
    expect((await ask(service, 'PATCH /tickets/a', { status: 'closed' })).status).toBe(400);
  });

  it('takes a state that is given on creation for a move from the first', async () => {
    const service = await start(desk());
    const made = await ask(service, 'POST /tickets', ticket('a', { mood: 'cross' }));
    expect(made.body).toEqual(shown('a', 'open', { mood: 'cross' }));
    expect(await ask(service, 'POST /tickets', ticket('b', { mood: 'furious' }))).toEqual(
      refused(409, 'wrong_state'),
    );
    expect((await ask(service, 'GET /tickets/b')).status).toBe(404);
  });

  it('lets one of fifty win who ask for the same move at once', async () => {
    const service = await start(desk());
    for (let round = 0; round < 20; round += 1) {
      await ask(service, 'POST /tickets', ticket(`t${round}`));
      const racers = Array.from({ length: 50 }, () => ask(service, `POST /tickets/t${round}/hold`));
      const statuses = (await Promise.all(racers)).map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)]);
    }
  });
});

describe('what follows a change (language §H.2, `also`)', () => {
  const noting = `
  POST /tickets/{id}/note:
    does: hold Ticket
    also:
      - { create: Note, with: { ticket: "\${this.id}", number: 1, text: "\${this.status + ' ' + old.status + ' ' + outcome}" }, as: note }
      - { create: Note, when: "\${note.number == 1}", with: { ticket: "\${this.id}", number: 2, text: second } }
      - { create: Note, when: "\${note.number == 2}", with: { ticket: "\${this.id}", number: 3, text: never } }
      - { create: Note, for: "\${[10, 11]}", with: { ticket: "\${this.id}", number: "\${value}", text: each } }
      - { close: this }
    response: { status: 200, body: Ticket }`;
  const notes = (id: string) => [
    { ticket: id, number: 1, text: 'held open changed' },
    { ticket: id, number: 2, text: 'second' },
    { ticket: id, number: 10, text: 'each' },
    { ticket: id, number: 11, text: 'each' },
  ];

  it('is made with it, in order, and the answer shows the item as it is at the end', async () => {
    const service = await start(desk(noting));
    await ask(service, 'POST /tickets', ticket('a'));
    const { body } = await ask(service, 'POST /tickets/a/note');
    expect(body).toEqual(shown('a', 'closed', { holder: 'somebody', closedAt: 'held' }));
    expect((await ask(service, 'GET /notes')).body).toEqual(notes('a'));
  });

  it('leaves nothing of it all where one of them is refused', async () => {
    const service = await start(desk(noting.replace('close: this', 'hold: this')));
    await ask(service, 'POST /tickets', ticket('a'));
    expect(await ask(service, 'POST /tickets/a/note')).toEqual(refused(409, 'wrong_state'));
    expect((await ask(service, 'GET /notes')).body).toEqual([]);
    expect((await ask(service, 'GET /tickets/a')).body).toEqual(shown('a', 'open'));
  });

  it('follows a transition wherever that is asked for', async () => {
    const also = `, also: [{ create: Note, with: { ticket: "\${this.id}", number: 7, text: "\${old.status}" } }]`;
    const service = await start(desk('', also));
    await ask(service, 'POST /tickets', ticket('a'));
    await ask(service, 'POST /tickets/a/hold');
    expect((await ask(service, 'GET /notes')).body).toEqual([{ ticket: 'a', number: 7, text: 'open' }]);
  });
});
