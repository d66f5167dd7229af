import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/service/events/event.ts';
import { answer, ask, type Served, start } from '../served.ts';
import { eventsIn } from './kept.ts';

const text = (events: string): string => `
name: A desk
complete: true
resources:
  Parcel:
    identifier: id
    fields:
      id: { type: string }
      weight: { type: integer }
      ratio: { type: integer, derived: "\${6 / this.weight}" }
      status: { type: string }
      scans: { type: integer, derived: "\${Scan.filter(s, s.parcel == this).size()}" }
    required: [id, weight]
    invariants: { "not too heavy": "\${this.weight < 100}" }
  Scan:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, parcel: { refers: Parcel, ifDeleted: delete } }
states:
  Parcel.status:
    states: [registered, moving, delivered, lost]
    initial: registered
    transitions:
      pickUp: { from: registered, to: moving, also: [{ create: Scan, with: { parcel: "\${this}" } }] }
      deliver: { from: moving, to: delivered, when: "\${this.weight > 1}" }
      rush: { from: registered, to: delivered, also: [] }
      lose: { from: moving, to: lost, after: P1D }
      drop: { from: lost, to: (none) }
authentication: (none)
endpoints:
  others: refuse
  POST /parcels: { operation: register, does: create Parcel, request: { body: Parcel }, response: { status: 201, body: { id: "\${this.id}" } } }
  PUT /parcels/{id}: { operation: put, does: { create: Parcel, present: match }, request: { body: Parcel }, response: { status: 200, body: Parcel } }
  PATCH /parcels/{id}: { operation: correct, does: update Parcel, request: { body: Parcel }, response: { status: 200, body: Parcel } }
  DELETE /parcels/{id}: { operation: remove, does: delete Parcel, response: 204 }
  DELETE /parcels: { operation: clear, does: delete every Parcel, response: 204 }
  POST /weigh: { operation: weigh, does: { update: every Parcel, with: { weight: "\${7}" } }, response: 204 }
  POST /parcels/{id}/pick-up: { operation: collect, does: pickUp Parcel, response: 204 }
  POST /parcels/{id}/delivery: { operation: bring, does: deliver Parcel, response: 204 }
  POST /parcels/{id}/both: { operation: both, does: pickUp Parcel, also: [{ deliver: this }], response: 204 }
  POST /parcels/{id}/drop: { operation: drop, does: drop Parcel, response: 204 }
  POST /parcels/{id}/scans: { operation: scan, does: read Parcel, also: [{ create: Scan, with: { parcel: "\${this}" } }], response: 204 }
  POST /parcels/{id}/looks: { operation: look, does: read Parcel, also: [{ create: Scan, when: "\${false}", with: { parcel: "\${this}" } }], response: 204 }
  GET /parcels: { operation: list, does: list Parcel, response: { status: 200, body: "\${Parcel(page.items)}" } }
errors:
  codes:
    unknown: { when: unknown, status: 404 }
    invalid: { when: invalid, status: 422 }
    taken: { when: not unique, status: 409 }
    wrong: { when: [transition refused, guard refused, invariant broken, different], status: 409 }
events:
${events.replace(/^/gm, '  ')}
`;

/** What was emitted: the kind, by what, and what it says. */
const told = (service: Served): string[] =>
  eventsIn(service).map(({ kind, by, body }) => `${kind} ${by} ${body}`);

async function desk(events: string): Promise<Served> {
  const service = await start(text(events));
  await ask(service, 'POST /parcels', { id: 'a', weight: 2 });
  await ask(service, 'POST /parcels', { id: 'b', weight: 3 });
  return service;
}

describe('an event (language §6.1)', () => {
  it('is stored for each change that a kind names, and for none that was refused or changed nothing', async () => {
    const service = await desk(
      'kinds: { made: { by: [register, put], body: "${this.id}" }, corrected: { by: [correct], body: { now: "${this.weight}", was: "${old.weight}" } } }',
    );
    expect(await ask(service, 'POST /parcels', { id: 'a', weight: 2 })).toEqual(answer(409));
    expect(await ask(service, 'POST /parcels', { id: 'c', weight: 'x' })).toEqual(answer(422));
    expect(await ask(service, 'POST /parcels', { id: 'd', weight: 100 })).toEqual(answer(409));
    expect((await ask(service, 'PUT /parcels/a', { weight: 2 })).status).toBe(200);
    expect((await ask(service, 'PATCH /parcels/a', { weight: 2 })).status).toBe(200);
    expect((await ask(service, 'PATCH /parcels/a', { weight: 5 })).status).toBe(200);
    expect(told(service)).toEqual([
      'made register "a"',
      'made register "b"',
      'corrected correct {"now":5,"was":2}',
    ]);
  });

  it('is stored for each item of several, and of a deleted one tells what it was', async () => {
    const service = await desk(
      'kinds: { changed: { by: [weigh], body: "${this.id + string(this.weight)}" }, gone: { by: [remove, clear], body: "${this.id + string(this.weight)}" } }',
    );
    await ask(service, 'POST /parcels', { id: 'c', weight: 7 });
    expect(await ask(service, 'POST /weigh')).toEqual(answer(204));
    expect(await ask(service, 'DELETE /parcels/b')).toEqual(answer(204));
    expect(await ask(service, 'DELETE /parcels')).toEqual(answer(204));
    expect(told(service)).toEqual([
      'changed weigh "a7"',
      'changed weigh "b7"',
      'gone remove "b7"',
      'gone clear "a7"',
      'gone clear "c7"',
    ]);
  });

  it('of an operation that changes no item itself is stored once, where something else is changed', async () => {
    const service = await desk('kinds: { seen: { by: [scan, look], body: "${this.scans}" } }');
    expect(await ask(service, 'POST /parcels/a/scans')).toEqual(answer(204));
    expect(await ask(service, 'POST /parcels/a/looks')).toEqual(answer(204));
    expect(told(service)).toEqual(['seen scan 1']);
  });

  it('of a transition is stored whatever asks for it, as the item was after it; kinds of one change in listed order', async () => {
    const service = await desk(
      `kinds:
  first: { by: [Parcel.deliver, collect], body: { status: "\${this.status}" } }
  moved: { by: [Parcel.pickUp, Parcel.deliver, Parcel.drop], body: { status: "\${this.status}", was: "\${old.status}", scans: "\${this.scans}" } }
  last: { by: [collect, both], body: { status: "\${this.status}", was: "\${old.status}" } }`,
    );
    expect(await ask(service, 'POST /parcels/a/pick-up')).toEqual(answer(204));
    expect(await ask(service, 'POST /parcels/a/pick-up')).toEqual(answer(409));
    expect(await ask(service, 'POST /parcels/b/both')).toEqual(answer(204));
    expect(told(service)).toEqual([
      'first collect {"status":"moving"}',
      'moved Parcel.pickUp {"status":"moving","was":"registered","scans":1}',
      'last collect {"status":"moving","was":"registered"}',
      'moved Parcel.pickUp {"status":"moving","was":"registered","scans":1}',
      'last both {"status":"delivered","was":"registered"}',
      'first Parcel.deliver {"status":"delivered"}',
      'moved Parcel.deliver {"status":"delivered","was":"moving","scans":1}',
    ]);
  });

  it('of a transition that takes the item away tells what it was; a timer has no actor', async () => {
    const clock = { now: Date.parse('2026-01-31T12:00:00Z') };
    const service = await start(
      text(
        'kinds: { lost: { by: [Parcel.lose], body: { by: "${actor == null}", at: "${now}" } }, dropped: { by: [Parcel.drop], body: "${this.status}" } }',
      ),
      { milliseconds: () => clock.now },
    );
    await ask(service, 'POST /parcels', { id: 'a', weight: 2 });
    await ask(service, 'POST /parcels/a/pick-up');
    clock.now += 86_400_000;
    expect(await ask(service, 'POST /parcels/a/drop')).toEqual(answer(204));
    const [lost, dropped] = eventsIn(service);
    expect(lost).toMatchObject({ kind: 'lost', by: 'Parcel.lose', item: ['Parcel', 'a'] });
    expect(JSON.parse(lost?.body ?? '')).toEqual({ by: true, at: lost?.at });
    expect(dropped).toMatchObject({ kind: 'dropped', by: 'Parcel.drop', body: '"lost"' });
  });

  it('is stored only where its `when` is true, which one that cannot be worked out is not', async () => {
    const service = await desk(
      'kinds: { heavy: { by: [register], when: "${this.weight > 2}", body: "${event.by}" }, odd: { by: [register], when: "${1 / (this.weight - 2) > 0}", body: {} } }',
    );
    expect(told(service)).toEqual(['heavy register "register"', 'odd register {}']);
    expect(eventsIn(service).map(({ item }) => item)).toEqual([
      ['Parcel', 'b'],
      ['Parcel', 'b'],
    ]);
  });

  it.each([
    ['nothing of which kinds there are', 'kinds: (open) which?'],
    ['nothing of which there is none', 'kinds: (none)'],
    ['none of a kind of which it is open what emits it', 'kinds: { made: { body: {} } }'],
  ])('%s', async (_, events) => {
    const service = await desk(events);
    expect(JSON.stringify(await service.rows())).not.toContain('"event"');
    expect((await ask(service, 'POST /parcels', { id: 'c', weight: 1 })).status).toBe(201);
  });
});

describe('what an event is sent in (language §6.2)', () => {
  const only = async (events: string): Promise<Event> => {
    const service = await start(text(events), { url: 'https://desk.example' });
    await ask(service, 'POST /parcels', { id: 'a', weight: 0 });
    return eventsIn(service)[0] as Event;
  };
  const kind = (body: string, more = ''): string =>
    `kinds: { made: { by: [register], body: ${body}${more} } }`;

  it('is a CloudEvent in structured JSON', async () => {
    const event = await only(
      `${kind('{ id: "${this.id}" }')}\nenvelope: cloudevents\nsource: "\${service.url}/desk"\nsubject: "parcels/\${this.id}"`,
    );
    expect(event.content).toBe(
      JSON.stringify({
        specversion: '1.0',
        id: event.id,
        source: 'https://desk.example/desk',
        type: 'made',
        subject: 'parcels/a',
        time: event.at,
        datacontenttype: 'application/json',
        data: { id: 'a' },
      }),
    );
    expect(event.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('is a CloudEvent without subject or data where none is stated', async () => {
    const event = await only(
      `${kind('(none)', ', subject: (none)')}\nenvelope: cloudevents\nsource: desk\nsubject: "parcels/\${this.id}"`,
    );
    expect(JSON.parse(event.content ?? '')).toEqual({
      specversion: '1.0',
      id: event.id,
      source: 'desk',
      type: 'made',
      time: event.at,
    });
  });

  it('is the body alone', async () => {
    expect((await only(`${kind('{ id: "${this.id}" }')}\nenvelope: (none)`)).content).toBe('{"id":"a"}');
  });

  it('is a shape of one’s own, without what is not there', async () => {
    const event = await only(
      `${kind('["${this.id}"]', ', subject: "s/${this.id}"')}\nenvelope: { id: "evt_\${event.id}", type: "\${event.kind}", by: "\${event.by}", on: "\${event.subject}", from: "\${event.source}", data: { object: "\${event.body}" }, of: "\${event.item.weight}" }`,
    );
    expect(JSON.parse(event.content ?? '')).toEqual({
      id: `evt_${event.id}`,
      type: 'made',
      by: 'register',
      on: 's/a',
      data: { object: ['a'] },
      of: 0,
    });
  });

  it('is nothing while it is open who asks, where it tells of them; and where that decides whether, it is not emitted', async () => {
    const open = text(
      `kinds: { made: { by: [register], body: "\${actor == null}" }, known: { by: [register], when: "\${actor == null}", body: {} } }\nenvelope: (none)`,
    ).replace('authentication: (none)\n', '');
    const service = await start(open.replace('complete: true\n', ''));
    await ask(service, 'POST /parcels', { id: 'a', weight: 2 });
    expect(eventsIn(service).map(({ kind, content }) => [kind, content])).toEqual([['made', null]]);
  });

  it.each([
    ['its body is open', `kinds: { made: { by: [register] } }\nenvelope: (none)`],
    ['its body cannot be worked out', `${kind('"${this.ratio}"')}\nenvelope: (none)`],
    ['the envelope is open', kind('{}')],
    ['a CloudEvent has no source', `${kind('{}')}\nenvelope: cloudevents`],
  ])('is nothing that could be delivered while %s; the event is stored', async (_, events) => {
    expect(await only(events)).toMatchObject({ kind: 'made', content: null });
  });

  it('is nothing while its body, or its envelope, cannot be evaluated, and the log says so', async () => {
    const wrong = [
      'body: "${this.ratio}" } }\nenvelope: (none)',
      'body: {} } }\nenvelope: { a: "${1 / 0}" }',
    ];
    for (const more of wrong) {
      const service = await start(text(`kinds: { made: { by: [register], ${more}`));
      expect((await ask(service, 'POST /parcels', { id: 'a', weight: 0 })).status).toBe(201);
      expect(eventsIn(service)[0]).toMatchObject({ kind: 'made', content: null });
      expect(service.faults.map(String)).toEqual(['Error: event made: stored and not delivered']);
    }
  });
});
