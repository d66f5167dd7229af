import { describe, expect, it } from 'vitest';
import { sentEvents } from '../../src/conformance/search/sent-events.ts';
import type { EmittedEvent } from '../../src/semantics/event/event.ts';
import type { ObservedEvent } from '../../src/semantics/judge/event.ts';
import { type EventsSeen, judgeEvents } from '../../src/semantics/judge/events.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import { answerTo } from '../../src/semantics/judge/permitted.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Range, Unknown } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { specificationOf } from '../service/served.ts';

const document = `
name: Notes
complete: true
resources:
  Note:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, text: { type: string } }
    required: [text]
  Hook:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, url: { type: string }, text: { type: string } }
    required: [url, text]
authentication: (none)
endpoints:
  others: refuse
  POST /notes: { operation: make, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  PATCH /notes/{id}: { operation: edit, does: { update: Note, same: changed }, request: { body: Note }, response: { status: 200, body: Note } }
  POST /hooks: { operation: listen, does: create Hook, request: { body: Hook }, response: { status: 201, body: Hook } }
  GET /events: { does: (none), response: { status: 200 } }
events:
  kinds:
    made:   { by: [make], body: { id: "\${this.id}", text: "\${this.text}" } }
    edited: { by: [edit], body: { id: "\${this.id}", text: "\${this.text}", was: "\${old.text}" } }
  envelope: cloudevents
  source: notes
  delivery:
    feed:  { stream: GET /events }
    hooks: { webhook: Hook.url, where: "\${event.body.text == this.text}", headers: { X-Kind: "\${event.kind}" }, within: PT10S, retries: (none) }
errors: { codes: { unfit: { when: [malformed, invalid], status: 422 }, unknown: { when: unknown, status: 404 } } }
`;

const url = (text: string): string => `https://hooks.example/${text}`;

/** What a right service sends, after two hooks, a note and two changes of it. */
function scene(isShared = false, text = document) {
  let world = new World(specificationOf(text), { isShared });
  const emitted: EmittedEvent[] = [];
  const observed: ObservedEvent[] = [];
  const send = (name: string, content: Record<string, string>, id?: string): string => {
    const operation = world.specification.operations.find((each) => each.name === name) as Operation;
    const path = id === undefined ? {} : { id };
    const request = { operation, path, query: {}, headers: {}, credentials: [], content, url: 'http://a' };
    const steps = step(world, request);
    const last = steps.at(-1);
    const answer = last && answerTo(last.prediction);
    if (!answer) throw new TypeError('nothing is answered');
    const settled = judge(steps, answer);
    const { events } = settled;
    if (events instanceof Unknown || settled.world === null) throw new TypeError('nothing is known');
    emitted.push(...events);
    observed.push(...(sentEvents(events) ?? []));
    world = settled.world;
    return (answer.body as { id: string }).id;
  };
  send('listen', { url: url('a'), text: 'a' });
  send('listen', { url: url('b'), text: 'b' });
  const note = send('make', { text: 'a' });
  send('edit', { text: 'b' }, note);
  send('edit', { text: 'c' }, note);
  return { emitted, observed, world };
}

/** The differences of what came, if it is changed so. */
function found(
  change: (observed: readonly ObservedEvent[]) => readonly ObservedEvent[],
  { isShared = false, ...more }: Partial<EventsSeen> & { readonly isShared?: boolean } = {},
): readonly string[] {
  const { emitted, observed, world } = scene(isShared);
  const { differences } = judgeEvents(emitted, change(observed), {
    world,
    waitedMs: 60_000,
    unknownBy: new Set(),
    ...more,
  });
  return differences.map(({ at, expected, by }) => `${by} (${at}): ${expected}`);
}

const isFeed = ({ way }: ObservedEvent): boolean => way === 'feed';

/** The first event comes once more, under another id. */
function again(all: readonly ObservedEvent[]): readonly ObservedEvent[] {
  const [first] = all as [ObservedEvent];
  const content = JSON.stringify({ ...JSON.parse(first.content), id: 'other' });
  return [...all, { ...first, id: 'other', content }];
}

describe('the events that come', () => {
  it('are those that are emitted, each by its ways and at the addresses that it is for', () => {
    const { emitted, observed } = scene();
    expect(observed.map(({ way, url: at, kind }) => `${kind} ${way} ${at}`)).toEqual([
      'made feed null',
      `made hooks ${url('a')}`,
      'edited feed null',
      `edited hooks ${url('b')}`,
      'edited feed null',
    ]);
    expect(emitted.map(({ kind, by }) => `${kind} ${by}`)).toEqual([
      'made make',
      'edited edit',
      'edited edit',
    ]);
    expect(found((all) => all)).toEqual([]);
  });

  it('are missing once they had their time', () => {
    expect(found((all) => all.slice(1))).toEqual([
      'events.kinds.made.by (event.made): an event by feed, emitted by make',
    ]);
    expect(found(() => [], { waitedMs: null })).toEqual([]);
    expect(found((all) => all.filter(isFeed), { waitedMs: 9999 })).toEqual([]);
    expect(found((all) => all.filter(isFeed), { waitedMs: 10_000 })).toHaveLength(2);
  });

  it('may come again under their id, and under no other', () => {
    expect(found((all) => [...all, ...all])).toEqual([]);
    expect(found(again)).toEqual(['events.kinds.made.by (event.made): one event for the change']);
    expect(found(again, { unknownBy: new Set(['make']) })).toEqual([]);
    expect(found(again, { unknownBy: new Set(['edit']) })).toHaveLength(1);
  });

  it('tell what is stated', () => {
    const without = (from: string, to: string) => (all: readonly ObservedEvent[]) =>
      all.map((each) => ({ ...each, content: each.content.replace(from, to) }));
    expect(found(without('"was":"a"', '"was":"b"'))).toEqual([
      'events.kinds.edited.body (body.was): "a"',
      'events.kinds.edited.body (body.was): "a"',
    ]);
    expect(found(without('"source":"notes"', '"source":"note"'))).toHaveLength(5);
    const kinds = found((all) =>
      all.map((each) => ({ ...each, headers: { ...each.headers, 'x-kind': 'made' } })),
    );
    expect(kinds).toEqual(['events.delivery.hooks.headers.x-kind (headers.x-kind): "edited"']);
    const media = found((all) =>
      all.map((each) => ({ ...each, headers: { ...each.headers, 'content-type': 'text/plain' } })),
    );
    expect(media).toHaveLength(2);
  });

  it('come of no kind that is not stated, and at no address that they are not for', () => {
    const other = found((all) => [...all, { ...(all[0] as ObservedEvent), id: 'x', kind: 'read' }]);
    expect(other).toEqual(['events.kinds (event.read): no event']);
    const wrong = found((all) => [...all, { ...(all[1] as ObservedEvent), url: url('b') }]);
    expect(wrong).toEqual(['events.delivery.hooks.where (event.made): no event at this address']);
  });

  it('may come of a move that was due earlier, where nobody held an address then', () => {
    const { emitted, observed, world } = scene();
    const [made] = observed.filter((each) => !isFeed(each)) as [ObservedEvent];
    const late = { ...made, id: 'late', url: url('new') };
    const judged = (moves: readonly EmittedEvent[]): number =>
      judgeEvents([...emitted, ...moves], [...observed, late], {
        world,
        waitedMs: 60_000,
        unknownBy: new Set(),
      }).differences.length;
    expect(judged([])).toBe(1);
    expect(judged([{ ...(emitted[0] as EmittedEvent), by: 'Note.expire', deliveries: [] }])).toBe(0);
  });

  it('of one item come in the order of its changes', () => {
    const turned = (all: readonly ObservedEvent[]): ObservedEvent[] => [
      ...all.filter(isFeed).toReversed(),
      ...all.filter((each) => !isFeed(each)),
    ];
    expect(found(turned)).toEqual(['events.delivery.feed.order (event.order): made, edited, edited']);
  });

  it('of a request and a timer have an order only if one was surely earlier', () => {
    const { emitted, observed, world } = scene(false, document.replace('{ stream:', '{ order: all, stream:'));
    const [first, second] = emitted as [EmittedEvent, EmittedEvent];
    const turned = observed.filter(isFeed).slice(0, 2).toReversed();
    const item = second.item && Object.assign(Object.create(second.item), { handle: 99 });
    const judged = (change: Partial<EmittedEvent>): readonly string[] =>
      judgeEvents([first, { ...second, item, ...change }], turned, {
        ...{ world, waitedMs: 0, unknownBy: new Set() },
      }).differences.map(({ at }) => at);
    expect(judged({})).toEqual(['event.order']);
    expect(judged({ isTimed: true })).toEqual([]);
    expect(judged({ isTimed: true, at: new Range(first.at.most, first.at.most + 1) })).toEqual([
      'event.order',
    ]);
  });

  it('are passed over on a service of others, if they do not carry what is ours', () => {
    const others = (all: readonly ObservedEvent[]): ObservedEvent[] => [
      ...all,
      { ...(all[0] as ObservedEvent), id: 'x', content: '{"data":{"id":"y","text":"a"}}' },
    ];
    expect(found(others)).toHaveLength(1);
    expect(found(others, { isShared: true })).toEqual([]);
    expect(found(again, { isShared: true })).toEqual([
      'events.kinds.made.by (event.made): one event for the change',
    ]);
  });
});

describe('an address that an item gives', () => {
  const statuses = (address: string, reached: readonly string[] = []): readonly unknown[] => {
    const world = new World(specificationOf(document));
    world.reached = reached;
    const operation = world.specification.operations.find(({ name }) => name === 'listen') as Operation;
    const content = { url: address, text: 'a' };
    const request = {
      operation,
      path: {},
      query: {},
      headers: {},
      credentials: [],
      content,
      url: 'http://a',
    };
    return step(world, request).map(({ prediction: { status } }) =>
      status instanceof Unknown ? 'unknown' : status,
    );
  };

  it('may be refused by the host, if it is of a network of its own (language §6.3, rule 24)', () => {
    expect(statuses('https://hooks.example/a')).toEqual([[201]]);
    expect(statuses('http://127.0.0.1:80/a')).toEqual([[400], [201]]);
    expect(statuses('http://127.0.0.1:80/a', ['http://127.0.0.1:80'])).toEqual([[201]]);
    expect(statuses('hooks')).toEqual(['unknown']);
  });
});
