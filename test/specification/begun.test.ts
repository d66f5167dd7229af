import { describe, expect, it } from 'vitest';
import { document } from './documents.ts';
import { findings } from './findings.ts';

type Parts = Parameters<typeof document>[0];

/** What is found of a document, without the hints. */
const found = (parts: Parts): string[] => findings(document(parts)).map((one) => one.replace(/ → .*$/, ''));

const read = (parts: Parts): string[] =>
  findings(document(parts)).map((one) => one.replace(/^.*?: (these)/, '$1').replace(/ → [^→]*$/, ''));

const resource = (fields: string, items: string, more = ''): string =>
  `Plan: { identifier: id, fields: { id: { type: string }, n: { type: integer, ${fields} }, who: { type: string } }, items: ${items}${more} }`;

describe('initial items that a service could not begin with are errors', () => {
  it('a value that breaks `holds`', () => {
    const holds = 'holds: { it is positive: "${value > 0}" }';
    expect(found({ resources: resource(holds, '[{ id: a, n: 1 }, { id: b, n: -1 }]') })).toEqual([
      'contradiction -1: of this value it does not hold that it is positive',
    ]);
  });

  it('an item that breaks an invariant, by what it has, or has by default', () => {
    const invariants = ', invariants: { few: "${this.n < 5}" }';
    const few = (fields: string, items: string): string[] =>
      found({ resources: resource(fields, items, invariants) });
    expect(few('default: 7', '[{ id: a, n: 1 }, { id: b }]')).toEqual([
      'contradiction { id: b }: of this item it does not hold that few',
    ]);
    // What is set on creation may be anything.
    expect(few('set: { create: "${sequence()}" }', '[{ id: b }]')).toEqual([]);
    expect(few('default: 1', '[{ id: b }]')).toEqual([]);
  });

  it('a value that cannot be computed', () => {
    expect(
      found({ resources: resource('set: { create: "${size(this.who)}" }', '[{ id: a, who: x }]') }),
    ).toEqual([]);
    expect(found({ resources: resource('set: { create: "${6 / 0}" }', '[{ id: a }]') })).toEqual([
      'contradiction { id: a }: set.create of n cannot be computed for this item: the result is no number',
    ]);
  });

  it('more items than a quota allows, counted as it counts', () => {
    const limits = (rest: string): string => `quotas: { few: { of: Plan, allow: 2, ${rest} } }`;
    const items = '[{ id: a, n: 1, who: x }, { id: b, n: 1, who: y }, { id: c, n: 1, who: x }]';
    const counted = (rest: string): string[] =>
      found({ resources: resource('', items), limits: limits(rest) });
    const third =
      'contradiction { id: c, n: 1, who: x }: the quota few allows 2, and with this initial item there are 3';
    expect(counted('per: (none)')).toEqual([third]);
    expect(counted('per: "${this.who}"')).toEqual([]);
    expect(counted('per: (none), sum: "${this.n}"')).toEqual([third]);
    expect(counted('per: (none), when: "${this.n > 1}"')).toEqual([]);
  });
});

describe('a timer that is due at once is an error where it leads back to where it begins', () => {
  const machine = (transitions: string): string[] =>
    found({
      resources: 'Plan: { identifier: id, fields: { id: { type: string }, s: { type: string } } }',
      states: `Plan.s: { states: [a, b], initial: a, transitions: { ${transitions} } }`,
    });
  const endless = [
    'contradiction PT0S: this timer is due at once and leads back to where it begins, so that an item moves for ever',
  ];

  it('by itself, or by others', () => {
    expect(machine('on: { from: a, to: a, after: PT0S }')).toEqual(endless);
    expect(machine('on: { from: a, to: b, after: PT0S }, off: { from: b, to: a, after: PT0S }')).toEqual(
      endless,
    );
  });

  it('and not where it leads on, waits, or has a guard', () => {
    expect(machine('on: { from: a, to: b, after: PT0S }')).toEqual([]);
    expect(machine('on: { from: a, to: b, after: PT0S }, off: { from: b, to: a, after: PT1S }')).toEqual([]);
    expect(machine('on: { from: a, to: a, after: PT0S, when: "${this.id == \'x\'}" }')).toEqual([]);
  });
});

describe('what no request can do is an error', () => {
  it('the method CONNECT', () => {
    expect(found({ endpoints: 'CONNECT /plans: { response: 204 }' })).toEqual([
      'bad-endpoint CONNECT /plans: CONNECT /plans is neither METHOD /path nor a word of this part',
    ]);
  });

  it('a shape that requires itself', () => {
    const shapes = (left: string, right: string): string[] =>
      read({
        resources: `A: { identifier: (none), fields: { a: ${left} }, required: [a] }\nB: { identifier: (none), ${right} }`,
      });
    const circle = ['these need one another without end: A → A'];
    expect(shapes('A', 'type: string')).toEqual(circle);
    expect(shapes('{ type: array, items: A, minItems: 1 }', 'type: string')).toEqual(circle);
    expect(shapes('B', 'fields: { b: A }, required: [b]')).toEqual([
      'these need one another without end: A → B → A',
    ]);
    expect(shapes('B', 'fields: { b: A }')).toEqual([]);
    expect(shapes('{ type: array, items: A }', 'type: string')).toEqual([]);
    expect(shapes('{ anyOf: [A, { type: "null" }] }', 'type: string')).toEqual([]);
  });
});

describe('an expression that does not fit an older version', () => {
  it('is an error, though it stands outside of what differs', () => {
    const versions = (n: string): Parts => ({
      resources: 'Plan: { identifier: id, fields: { id: { type: string }, n: { type: integer } } }',
      endpoints:
        'POST /plans: { does: { create: Plan, with: ["${request.body}", { n: "${request.query.n + 1}" }] }, request: { query: { n: { type: integer, default: 1 } }, body: Plan }, response: 201 }',
      versioning: `scheme: number\nplace: { header: V }\ndefault: "2"\nversions: { "2": {}, "1": { differs: { 'endpoints["POST /plans"].request.query.n': ${n} } } }`,
    });
    expect(found(versions('{ type: string, default: "1" }'))).toEqual([
      'expression-type request.query.n + 1: text and an integer cannot be added',
    ]);
    expect(found(versions('{ type: integer, default: 5 }'))).toEqual([]);
  });
});
