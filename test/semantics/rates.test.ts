import { describe, expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Range } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import { specificationOf } from '../service/served.ts';

const began = 1_790_000_000_000;

/** A service where Ann and Bob may look, and one rate counts. */
const document = (rate: string, more = ''): string => `
complete: true
resources:
  Person:
    identifier: name
    fields: { name: { type: string }, key: { type: string, readable: false } }
    items: [{ name: ann, key: key-of-ann }, { name: bob, key: key-of-bob }]
endpoints:
  others: refuse
  GET /look: { operation: look, does: (none), request: { query: { n: { type: integer } } }, response: 204 }
  GET /other: { operation: other, does: (none), response: 204 }
authentication:
  schemes:
    key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person, wrong: refuse }
  authorization: { look: anyone, other: anyone }
errors:
  codes:
    bad_key: { when: credential wrong, status: 401 }
    often:   { when: rate exceeded some, status: 429 }
    misfit:  { when: invalid, status: 422 }
${more || '  order: listed'}
limits: { rates: { some: ${rate} } }
`;

const perActor = (window: string, more = ''): string =>
  `{ allow: 2, every: PT10S, per: actor, ${window && `window: ${window}, `}operations: [look]${more} }`;

interface Sent {
  readonly as?: string;
  readonly path?: string;
  readonly n?: number | string;
  /** Of the answer, by name in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long it takes. */
  readonly tookMs?: number;
}

/** What is known of a service, whose answers are told. */
class Desk {
  #world: World;

  constructor(text: string, { isShared = false, unseenMs = Number.NEGATIVE_INFINITY } = {}) {
    this.#world = new World(specificationOf(text), { isShared });
    this.#world.countedUnseenMs = unseenMs;
  }

  /** Where an answer differs from what is stated. The world goes on in any case. */
  wrong(ms: number, status: number, sent: Sent = {}): readonly string[] {
    const { as = 'ann', path = '/look', n, headers = {}, tookMs = 2 } = sent;
    const operation = this.#world.specification.operations.find(({ key }) => key === `GET ${path}`);
    if (operation === undefined) throw new TypeError(path);
    const request: Request = {
      operation,
      path: {},
      query: n === undefined ? {} : { n },
      headers: {},
      credentials: as === '' ? [] : [{ scheme: 'key', value: `key-of-${as}` }],
      content: undefined,
      url: 'http://a',
    };
    const received = { at: new Range(began + ms, began + ms + tookMs), offMs: 600_000 };
    const { differences, next } = judge(
      step(this.#world, request, received),
      { status, headers, body: undefined },
      true,
    );
    if (next === null) throw new TypeError('nothing is known any more');
    this.#world = next;
    return differences.map(({ at }) => at);
  }

  /** The statuses of these that the answer may have. */
  may(ms: number, sent: Sent = {}): readonly number[] {
    const before = this.#world;
    return [204, 401, 422, 429].filter((status) => {
      const isRight = this.wrong(ms, status, sent).length === 0;
      this.#world = before;
      return isRight;
    });
  }
}

const desk = (rate: string, more = ''): Desk => new Desk(document(rate, more));

/** Two requests of Ann, which are let in. */
function used(rate: string, more = ''): Desk {
  const made = desk(rate, more);
  expect(made.wrong(0, 204)).toEqual([]);
  expect(made.wrong(4000, 204)).toEqual([]);
  return made;
}

describe('a rate (language §8.1)', () => {
  it('lets in as many requests as stated, and refuses more, however it reckons', () => {
    for (const window of ['fixed', 'sliding', 'bucket']) {
      const made = desk(perActor(window));
      expect(made.may(0)).toEqual([204]);
      made.wrong(0, 204);
      expect(made.may(10)).toEqual([204]);
      made.wrong(10, 204);
      expect(made.may(20)).toEqual([429]);
    }
  });

  it('reckons as `window` says', () => {
    // The windows are over after 10 s; one of two requests comes back after 10 s, or 5 s after it was used up.
    expect(used(perActor('fixed')).may(9990)).toEqual([429]);
    expect(used(perActor('fixed')).may(10_010)).toEqual([204]);
    const fixed = used(perActor('fixed'));
    fixed.wrong(10_010, 204);
    expect(fixed.may(10_020)).toEqual([204]);
    const sliding = used(perActor('sliding'));
    expect(sliding.may(9990)).toEqual([429]);
    sliding.wrong(10_010, 204);
    expect(sliding.may(10_020)).toEqual([429]);
    expect(sliding.may(14_010)).toEqual([204]);
    const bucket = used(perActor('bucket'));
    expect(bucket.may(4990)).toEqual([429]);
    expect(bucket.may(5010)).toEqual([204]);
  });

  it('may do either at the edge of a window', () => {
    expect(used(perActor('fixed')).may(9999)).toEqual([204, 429]);
    expect(used(perActor('fixed')).may(9000, { tookMs: 2000 })).toEqual([204, 429]);
  });

  it('may reckon in any way that is not stated, and keeps to it', () => {
    const made = used(perActor(''));
    expect(made.may(4100)).toEqual([429]);
    expect(made.may(5010)).toEqual([204, 429]);
    made.wrong(5010, 429);
    expect(made.may(5020)).toEqual([429]);
    expect(made.may(10_010)).toEqual([204]);
  });

  it('counts nothing that it refuses', () => {
    const made = used(perActor('sliding'));
    for (let ms = 4100; ms < 9000; ms += 1000) expect(made.wrong(ms, 429)).toEqual([]);
    expect(made.may(10_010)).toEqual([204]);
  });

  it('counts each actor apart, and nobody who is not known', () => {
    const made = used(perActor('fixed'));
    expect(made.may(4010, { as: 'bob' })).toEqual([204]);
    expect(made.may(4010, { as: '' })).toEqual([204]);
    expect(made.may(4010)).toEqual([429]);
  });

  it('counts all together, or those of which an expression says so', () => {
    for (const per of ['(none)', 'address', `"\${request.method}"`]) {
      const made = used(`{ allow: 2, every: PT10S, per: ${per}, window: fixed }`);
      expect(made.may(4010, { as: 'bob', path: '/other' })).toEqual([429]);
    }
    const byNumber = used(
      `{ allow: 2, every: PT10S, per: "\${has(request.query.n) ? request.query.n : null}", window: fixed }`,
    );
    expect(byNumber.may(4010)).toEqual([204]);
  });

  it('counts only the operations and requests that are stated', () => {
    const made = used(perActor('fixed'));
    expect(made.may(4010, { path: '/other' })).toEqual([204]);
    const some = used(perActor('fixed', `, when: "\${actor.name == 'bob'}"`));
    expect(some.may(4010)).toEqual([204]);
  });

  it('does not count what is refused before, by the order of rows, and counts what is refused after', () => {
    const made = desk(perActor('fixed'));
    for (let ms = 0; ms < 100; ms += 10) expect(made.wrong(ms, 401, { as: 'nobody' })).toEqual([]);
    expect(made.may(100)).toEqual([204]);
    made.wrong(100, 422, { n: 'x' });
    made.wrong(110, 422, { n: 'x' });
    expect(made.may(120)).toEqual([429]);
    const early = desk(perActor('fixed'), '  order: [misfit, often]');
    for (let ms = 0; ms < 100; ms += 10) expect(early.wrong(ms, 422, { n: 'x' })).toEqual([]);
    expect(early.may(120)).toEqual([204]);
  });

  it('may have counted what is refused where no order is stated', () => {
    const made = desk(perActor('fixed'), '  messages: {}');
    for (let ms = 0; ms < 50; ms += 10) expect(made.wrong(ms, 422, { n: 'x' })).toEqual([]);
    expect(made.may(120)).toEqual([204, 429]);
  });

  it('tells what remains, and until when, on each answer that it counts or refuses', () => {
    const told = `, headers: { X-Left: "\${rate.remaining}", X-Reset: "\${rate.reset}" }`;
    const made = desk(perActor('fixed', told));
    const headers = (left: string, reset: string) => ({ headers: { 'x-left': left, 'x-reset': reset } });
    expect(made.wrong(0, 204, headers('1', '10'))).toEqual([]);
    expect(made.wrong(4000, 422, { n: 'x', ...headers('1', '6') })).toEqual(['headers.x-left']);
    const again = desk(perActor('fixed', told));
    again.wrong(0, 204, headers('1', '10'));
    expect(again.wrong(4000, 422, { n: 'x', ...headers('0', '8') })).toEqual(['headers.x-reset']);
    const row = 'status: 429, headers: { Retry-After: "${rate.reset}" } }';
    const last = new Desk(document(perActor('fixed', told)).replace('status: 429 }', row));
    last.wrong(0, 204, headers('1', '10'));
    last.wrong(4000, 204, headers('0', '6'));
    const late = (own: Readonly<Record<string, string>>): Sent => ({ headers: { 'x-reset': '5', ...own } });
    expect(last.may(5010, late({ 'x-left': '0', 'retry-after': '5' }))).toEqual([429]);
    expect(last.may(5010, late({ 'retry-after': '5' }))).toEqual([]);
    expect(last.may(5010, late({ 'x-left': '0', 'retry-after': '9' }))).toEqual([]);
  });

  it('judges only what is sure where others use it, too', () => {
    const nobody = { as: '' };
    for (const [window, most] of [
      ['sliding', 2],
      ['fixed', 4],
    ] as const) {
      const made = new Desk(document(`{ allow: 2, every: PT10S, per: (none), window: ${window} }`), {
        isShared: true,
      });
      for (let count = 0; count < most; count++) {
        expect(made.may(count * 10, nobody)).toEqual([204, 429]);
        made.wrong(count * 10, 204, nobody);
      }
      expect(made.may(most * 10, nobody)).toEqual([429]);
    }
  });

  it('may have been used before the first request that is known', () => {
    const made = new Desk(document(perActor('fixed')), { unseenMs: began });
    expect(made.may(5000)).toEqual([204, 429]);
    expect(made.may(10_010)).toEqual([204]);
    made.wrong(5000, 429);
    // The window began before, and nobody knows when.
    expect(made.may(5010)).toEqual([204, 429]);
  });

  it('may have counted a request of which it is not known what came of it', () => {
    const made = desk(perActor('fixed'));
    expect(made.wrong(0, 418)).toEqual(['status']);
    expect(made.may(10)).toEqual([204]);
    made.wrong(10, 204);
    expect(made.may(20)).toEqual([204, 429]);
    expect(made.may(10_020)).toEqual([204]);
  });
});

describe('several rates (language §8.1, rules 1 and 2)', () => {
  const both = (order: string): string =>
    `${document(perActor('fixed')).replace(/limits: .*/, '')}
limits:
  rates:
    some: { allow: 2, every: PT10S, per: actor, window: fixed }
    more: { allow: 3, every: PT10S, per: actor, window: fixed }
`.replace('order: listed', order);
  const rows = `order: listed`;

  it('count one after the other: none counts what one before it refuses', () => {
    const made = new Desk(
      both(rows).replace('    misfit:', '    most: { when: rate exceeded more, status: 430 }\n    misfit:'),
    );
    made.wrong(0, 204);
    made.wrong(10, 204);
    for (let ms = 20; ms < 60; ms += 10) expect(made.wrong(ms, 429)).toEqual([]);
    // Both windows are over.
    expect(made.may(10_020)).toEqual([204]);
  });
});
