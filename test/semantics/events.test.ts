import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EmittedEvent, EventDelivery } from '../../src/semantics/event/event.ts';
import { judgedEvent, type ObservedEvent } from '../../src/semantics/judge/event.ts';
import type { Settled } from '../../src/semantics/judge/judge.ts';
import type { Difference } from '../../src/semantics/judge/judgement.ts';
import { Judging } from '../../src/semantics/judge/judging.ts';
import { absent } from '../../src/semantics/value/evaluate.ts';
import { seen, Unknown, type Value } from '../../src/semantics/value/value.ts';
import type { World } from '../../src/semantics/world/world.ts';
import type { Event } from '../../src/service/events/event.ts';
import type { Json } from '../../src/source/node.ts';
import { deliveriesIn, eventsIn } from '../service/events/kept.ts';
import type { Served } from '../service/served.ts';
import { played, tally } from './playing.ts';

const sequences = process.env['TACET_LONG'] ? 300 : Number(process.env['TACET_SEQUENCES'] ?? 4);
const length = 40;

/** How many events were predicted, and how many of these in all that they tell. */
interface Counts {
  events: number;
  deliveries: number;
  unknown: number;
  partial: number;
}

/** Compares what the service stored since the last request with what the semantics says. */
function outbox(counts: Counts): (settled: Settled, service: Served) => readonly Difference[] {
  let known = 0;
  return ({ events: emission, world }, service) => {
    const all = eventsIn(service);
    const stored = all.slice(known);
    known = all.length;
    if (emission instanceof Unknown) {
      counts.unknown += 1;
      return [];
    }
    counts.events += emission.length;
    const certain = emission.filter(({ isEmitted }) => isEmitted === true);
    if (certain.length < emission.length) {
      counts.partial += 1;
      return [];
    }
    const kinds = emission.map(({ kind, by }) => `${kind} ${by}`).join(', ');
    const found = stored.map(({ kind, by }) => `${kind} ${by}`).join(', ');
    if (kinds !== found) return [{ at: 'events', expected: kinds, found, by: 'events' }];
    return emission.flatMap((event, place) => [
      ...stored_(event, stored[place] as Event),
      ...delivered(event, stored[place] as Event, service, counts, world),
    ]);
  };
}

function stored_(event: EmittedEvent, { body, subject }: Event): readonly Difference[] {
  const judging = new Judging(event.address, false);
  if (event.body === absent) judging.place(body === null, 'body', 'no body', body);
  else judging.value(event.body as Value, body === null ? undefined : (JSON.parse(body) as Json), 'body');
  judging.value(event.subject, subject, 'subject');
  return judging.differences;
}

/** An event is put in line for each address that it is meant for, and for no other. */
function delivered(
  event: EmittedEvent,
  stored: Event,
  service: Served,
  counts: Counts,
  world: World | null,
): readonly Difference[] {
  const differences: Difference[] = [];
  const lines = deliveriesIn(service).filter((each) => each.event === stored.id);
  for (const delivery of event.deliveries) {
    if (delivery.isSent !== true) continue;
    counts.deliveries += 1;
    const observed: ObservedEvent = {
      way: delivery.way,
      url: null,
      id: stored.id,
      kind: stored.kind,
      content: contentFor(delivery, stored, world) ?? '',
      headers: Object.fromEntries(
        Object.entries(delivery.headers).map(([name, value]) => [name, String(seen(value))]),
      ),
      subject: null,
    };
    differences.push(...judgedEvent({ event, delivery }, observed).differences);
    const key = delivery.to && seen(delivery.to.key);
    const isIn = lines.some(
      ({ way, target }) => way === delivery.way && (key === null || target.includes(String(key))),
    );
    if (delivery.to && !isIn)
      differences.push({ at: 'delivery', expected: String(key), found: undefined, by: '' });
  }
  const isSure = event.deliveries.every(({ isSent }) => isSent === true);
  const expected = event.deliveries.filter(({ to }) => to !== null);
  const ways = new Set(expected.map(({ way }) => way));
  const found = lines.filter(({ way }) => ways.has(way));
  if (isSure && found.length !== expected.length)
    differences.push({ at: 'deliveries', expected: String(expected.length), found: found.length, by: '' });
  return differences;
}

/** What the service sends: what the version says that the way or the receiver speaks (language §6.3, rule 19). */
function contentFor({ way, to }: EventDelivery, { content, versions }: Event, world: World | null) {
  const speaks = to && world?.stored(to)?.members.get('speaks');
  const version = way === 'old' ? '1' : typeof speaks === 'string' ? speaks : '2';
  return versions?.[version] ?? content;
}

describe('the events that a document says a request emits are those that the service stores', () => {
  it.each([
    ['test/semantics/notices.yaml', 50, 20, 1],
    ['examples/parcel-desk.md', 5, 0, 2],
    ['test/semantics/letters.yaml', 15, 50, 2],
  ])('%s', async (file, events, deliveries, share) => {
    const text = readFileSync(file, 'utf8');
    const counts: Counts = { events: 0, deliveries: 0, unknown: 0, partial: 0 };
    for (let seed = 1; seed <= sequences / share; seed++)
      expect(await played(text, seed, length, tally(), outbox(counts))).toBeNull();
    if (process.env['TACET_SHARES']) console.log(file, counts);
    expect(counts.events).toBeGreaterThan(events);
    expect(counts.deliveries).toBeGreaterThanOrEqual(deliveries);
  });
});
