import { describe, expect, it } from 'vitest';
import { attemptsEnd, judgedAttempts } from '../../../src/conformance/observe/attempts.ts';
import { observedAs } from '../../../src/conformance/observe/observer.ts';
import { World } from '../../../src/semantics/world/world.ts';
import { stated } from '../../../src/specification/reading/said.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
complete: true
resources: { Hook: { identifier: id, fields: { id: { type: string }, url: { type: string } } } }
endpoints: { POST /hooks: { operation: listen, does: create Hook, request: { body: Hook }, response: 204 } }
events:
  kinds: { made: { by: [listen], body: {} } }
  envelope: (none)
  delivery: { hooks: { webhook: Hook.url, success: [200, 202], retries: [PT1M, PT10M], sign: standard-webhooks, secret: Hook.id } }
`);
const delivery = stated(stated(stated(specification.events)?.delivery)?.get('hooks'));
const [second, minute] = [1000, 60_000];

/** What attempts at these times come to, of which one that is late is signed with the time of the first. */
function judged(status: number, times: readonly number[], nowMs: number, isHeld = true, isStale = false) {
  if (delivery?.kind !== 'webhook') throw new TypeError('no webhook');
  const url = `http://127.0.0.1:1/answers-${status}/a`;
  const world = new World(specification);
  if (isHeld)
    world.create(
      'Hook',
      new Map([
        ['id', 'h'],
        ['url', url],
      ]),
    );
  const came = times.map((ms) => {
    const time = String(Math.floor((isStale ? (times[0] ?? 0) : ms) / second));
    const headers = [['webhook-timestamp', time]] as const;
    return observedAs(
      'hooks',
      url,
      { id: 'e', kind: null, content: '{}', headers: [...headers], subject: null },
      ms,
    );
  });
  const attempts = { delivery, id: 'e', url, came };
  const finding = judgedAttempts(attempts, world, nowMs);
  return {
    ends: attemptsEnd(attempts, world),
    by: finding?.by,
    wrong: finding?.differences.map(({ by }) => by),
  };
}

describe('what the tester refuses', () => {
  const retries = 'events.delivery.hooks.retries';
  const whole = [0, minute, 11 * minute + 5];

  it('is sent again after each pause, and then no more', () => {
    expect(judged(503, whole, 12 * minute)).toMatchObject({ by: [retries], wrong: [], ends: null });
    expect(judged(503, [0], 30 * second)).toMatchObject({ by: undefined, ends: 11 * minute + 5001 });
    expect(judged(503, [...whole, 21 * minute], 22 * minute).wrong).toEqual([retries]);
  });

  it('is sent again neither too early nor too late', () => {
    expect(judged(503, [0, 50 * second], minute).wrong).toEqual([retries]);
    expect(judged(503, [0, 55 * second], minute).wrong).toBeUndefined();
    expect(judged(503, [0], minute + 5001).wrong).toEqual([retries]);
    expect(judged(201, [0, minute], 20 * minute).wrong).toEqual([retries]);
  });

  it('is not missed if no item holds the address any more', () => {
    expect(judged(503, [0], 20 * minute, false)).toMatchObject({ wrong: undefined, ends: null });
  });

  it('is signed with the time of each attempt', () => {
    expect(judged(503, whole, 12 * minute, true, true).wrong).toEqual(['events.delivery.hooks.sign']);
  });
});

describe('what the tester accepts', () => {
  it('is not sent again as if it were refused', () => {
    expect(judged(202, [0], minute).by).toBeUndefined();
    expect(judged(202, [0, 5], minute).by).toBeUndefined();
    expect(judged(202, [0, minute, 11 * minute], 12 * minute).wrong).toEqual([
      'events.delivery.hooks.success',
    ]);
  });
});
