import { describe, expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { arithmetic } from '../../src/semantics/value/arithmetic.ts';
import { equal, ordered } from '../../src/semantics/value/compare.ts';
import { Range, Unknown } from '../../src/semantics/value/value.ts';
import { clockOffMs, type Received } from '../../src/semantics/world/received.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { specificationOf } from '../service/served.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');
const [second, minute, hour] = [1000, 60_000, 3_600_000];

/** So long after noon; the request takes 10 ms. */
const at = (ms: number, offMs = 0): Received => ({ at: new Range(noon + ms, noon + ms + 10), offMs });
const text = (ms: number): string => new Date(noon + ms).toISOString();

const clock = `
endpoints:
  others: refuse
  GET /now: { does: (none), response: { status: 200, body: { at: "\${now}" } } }
`;

const world = (): World => new World(specificationOf(clock));

function request({ specification }: World): Request {
  const [operation] = specification.operations as [Operation];
  return { operation, path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: '' };
}

/** How the answers to requests at these times are judged: which of them differ. */
function wrong(...asked: readonly (readonly [received: Received, shown: string])[]): number[] {
  let known = world();
  return asked.flatMap(([received, shown], place) => {
    const steps = step(known, request(known), received);
    const { differences, world: next } = judge(steps, { status: 200, headers: {}, body: { at: shown } });
    known = next ?? known;
    return differences.length > 0 ? [place] : [];
  });
}

describe('`now` (language §G.2)', () => {
  it('may be another for each item that is there from the beginning', () => {
    const begun = new World(
      specificationOf(`
resources:
  Desk:
    identifier: name
    fields: { name: { type: string }, since: { type: string, format: date-time, set: { create: "\${now}" } } }
    items: [{ name: a }, { name: b }]
endpoints:
  others: refuse
  GET /desks: { does: { list: Desk, order: [name] }, response: { status: 200, body: "\${page.items.map(d, d.since)}" } }
`),
    );
    const wrongWith = (...since: string[]): boolean =>
      judge(step(begun, request(begun), at(0)), { status: 200, headers: {}, body: since }).differences
        .length > 0;
    expect(wrongWith(text(-9), text(-7))).toBe(false);
    expect(wrongWith(text(-9), text(hour))).toBe(true);
  });

  it('lies between when the request is sent and when it is answered', () => {
    expect(wrong([at(0), text(0)])).toEqual([]);
    expect(wrong([at(0), text(10)])).toEqual([]);
    expect(wrong([at(0), text(11)])).toEqual([0]);
    expect(wrong([at(0), text(-1)])).toEqual([0]);
    expect(wrong([at(0), 'noon'])).toEqual([0]);
  });

  it('may be as far off as the clock of the service may be', () => {
    expect(wrong([at(0, clockOffMs), text(-10 * minute)])).toEqual([]);
    expect(wrong([at(0, clockOffMs), text(hour + 11)])).toEqual([0]);
    expect(wrong([at(0, clockOffMs), '1970-01-01T00:00:00Z'])).toEqual([0]);
  });

  it('is not earlier than the `now` of a request that was answered before', () => {
    const off = clockOffMs;
    expect(wrong([at(0, off), text(minute)], [at(second, off), text(minute - 1)])).toEqual([1]);
    expect(wrong([at(0, off), text(minute)], [at(second, off), text(minute)])).toEqual([]);
    // The two are under way together.
    expect(wrong([at(0, off), text(minute)], [at(5, off), text(minute - 1)])).toEqual([]);
  });

  it('is not earlier, if nobody knows when the requests were sent', () => {
    const { received } = world();
    expect(wrong([received, '1970-01-01T00:00:01Z'], [received, '1970-01-01T00:00:02Z'])).toEqual([]);
    expect(wrong([received, '1970-01-01T00:00:02Z'], [received, '1970-01-01T00:00:01Z'])).toEqual([1]);
  });

  it('is compared with times that surely come before or after it', () => {
    const known = world().at(at(0, second));
    const now = known.now();
    expect(ordered(now, '<', text(2 * second), 'time')).toBe(true);
    expect(ordered(now, '>', text(2 * second), 'time')).toBe(false);
    expect(ordered(now, '<', text(second), 'time')).toBeInstanceOf(Unknown);
  });

  it('is so long after an earlier one as the requests tell, however far off the clock of the service is', () => {
    const made = world();
    const [before, now] = [made.at(at(0, hour)).now(), made.at(at(minute, hour)).now()];
    const passed = arithmetic('-', now, before, { times: true, wholeDivision: false });
    expect(ordered(passed, '>', 'PT59S', 'duration')).toBe(true);
    expect(ordered(passed, '>', 'PT61S', 'duration')).toBe(false);
    expect(ordered(passed, '>', 'PT60S', 'duration')).toBeInstanceOf(Unknown);
    expect(equal(passed, 'PT61S', 'duration')).toBe(false);
    expect(equal(passed, 'PT60S', 'duration')).toBeInstanceOf(Unknown);
  });

  it('is surely long after a time that was, if the clock of the service cannot be so far off', () => {
    const passed = arithmetic('-', world().at(at(0, second)).now(), text(-hour), {
      times: true,
      wholeDivision: false,
    });
    expect(ordered(passed, '>', 'PT59M', 'duration')).toBe(true);
    expect(ordered(passed, '>', 'PT1H', 'duration')).toBeInstanceOf(Unknown);
  });
});

describe('the clock of a service (language §F.3)', () => {
  /** What is known of it after `now` was shown so much later than the request was sent, one request a second. */
  const knownAfter = (...laterMs: readonly number[]): World =>
    laterMs.reduce((known, ms, place) => {
      const sent = place * second;
      const steps = step(known, request(known), at(sent, clockOffMs));
      const shown = { status: 200, headers: {}, body: { at: text(sent + ms) } };
      return (judge(steps, shown).world as World).at(at(sent + second, clockOffMs));
    }, world());
  const isPast = (known: World, ms: number): unknown => ordered(known.now(), '>', text(ms), 'time');

  it('is known once an answer shows it', () => {
    expect(isPast(knownAfter(), 10 * minute)).toBeInstanceOf(Unknown);
    const ahead = knownAfter(10 * minute + 5);
    expect(ahead.received.aheadMs).toBeCloseTo(10 * minute, -2);
    expect(isPast(ahead, 10 * minute)).toBe(true);
    expect(isPast(ahead, 10 * minute + 2 * second)).toBe(false);
    expect(isPast(ahead, 10 * minute + second)).toBeInstanceOf(Unknown);
  });

  it('is known less if whole seconds are shown', () => {
    const whole = knownAfter(0);
    expect(isPast(whole, -second)).toBe(true);
    expect(isPast(whole, 100)).toBeInstanceOf(Unknown);
  });

  it('is not known if several are shown', () => {
    const several = knownAfter(5, 10 * minute);
    expect(several.received.offMs).toBe(clockOffMs);
    expect(isPast(several, 30 * minute)).toBeInstanceOf(Unknown);
  });

  it('is not what a shown time is judged by', () => {
    const off = clockOffMs;
    expect(wrong([at(0, off), text(5)], [at(second, off), text(20 * minute)])).toEqual([]);
  });
});

describe('how long ago something was', () => {
  it('is known as far as it is known when the two requests were received', () => {
    const known = world().at(at(0, clockOffMs));
    const since = known.now();
    expect(known.at(at(minute)).hasPassed(since, minute - 10)).toBe(true);
    expect(known.at(at(minute)).hasPassed(since, minute)).toBeInstanceOf(Unknown);
    expect(known.at(at(minute)).hasPassed(since, minute + 11)).toBe(false);
  });

  it('is less than an hour, if nobody knows when requests were received', () => {
    const known = world();
    const since = known.now();
    expect(known.hasPassed(since, hour)).toBe(false);
    expect(known.hasPassed(since, hour - 1)).toBeInstanceOf(Unknown);
  });
});
