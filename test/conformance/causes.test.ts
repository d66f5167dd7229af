import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/conformance/result.ts';
import type { Found } from '../../src/conformance/sequences/sequence.ts';
import { causesOf } from '../../src/conformance/verdicts/causes.ts';
import { statementCounts, untested } from '../../src/conformance/verdicts/statements.ts';

const resultOf = (address: string, more: Partial<Result> = {}): Result => ({
  check: 'answer.permitted',
  says: `${more.operation}: ${more.place}`,
  statement: { address, at: 'a.md:1:1' },
  verdict: 'violates',
  assumed: false,
  expected: 'a',
  found: 'b',
  ...more,
});

/** The causes in short. */
const inShort = (results: readonly Result[], sequences: readonly Found[] = []) =>
  causesOf(results, sequences).map(({ statement, place, operations, exchanges }) => [
    statement.address,
    place,
    operations.join(' '),
    exchanges,
  ]);

const [a, b] = ['GET /a', 'GET /b'];

describe('the causes of violations', () => {
  it('are one for a field, a row and a scheme, whichever operations show it', () => {
    const field = 'resources.A.fields.x.pattern';
    const row = 'errors.codes.invalid';
    const scheme = 'authentication.schemes.key.wrong';
    expect(
      inShort([
        resultOf(field, { operation: a, place: 'body.x' }),
        resultOf(field, { operation: b, place: 'body.items.*.x' }),
        resultOf(`${row}.status`, { operation: a, place: 'status', exchanges: 5 }),
        resultOf(`${row}.body`, { operation: b, place: 'body.code' }),
        resultOf(scheme, { operation: b }),
        resultOf(scheme, { operation: b }),
        resultOf(field, { operation: a, verdict: 'conforms' }),
      ]),
    ).toEqual([
      [`${row}.status`, undefined, 'GET /a GET /b', 6],
      [field, undefined, 'GET /a GET /b', 2],
      [scheme, undefined, 'GET /b', 2],
    ]);
  });

  it('are told apart by the place of the answer of an operation, by its last name', () => {
    const body = 'endpoints["GET /a"].response.body';
    expect(
      inShort([
        resultOf(body, { operation: a, place: 'body.items.*.x' }),
        resultOf(body, { operation: a, place: 'body.y' }),
        resultOf(body, { operation: a, place: 'body.x' }),
        resultOf(body, { operation: a, place: 'body' }),
        resultOf(body, { operation: a, place: 'body.*' }),
      ]).map(([, place, , exchanges]) => [place, exchanges]),
    ).toEqual([
      ['x', 2],
      ['body', 2],
      ['y', 1],
    ]);
  });

  it('are one for an operation of which no success was right, and it comes first', () => {
    const response = 'endpoints["GET /a"].response';
    const other = resultOf('errors.codes.x.status', { operation: a, exchanges: 9 });
    const status = resultOf(`${response}.status`, { operation: a, place: 'status' });
    const body = resultOf(`${response}.body`, { operation: a, place: 'body.x' });
    expect(inShort([other, status, body]).map(([address, , , exchanges]) => [address, exchanges])).toEqual([
      [`${response}.status`, 2],
      ['errors.codes.x.status', 9],
    ]);
    // One success was right, so each statement is a cause of its own.
    const right = resultOf(`${response}.headers`, { operation: a, verdict: 'conforms' });
    expect(inShort([other, status, body, right])).toHaveLength(3);
    expect(inShort([other, status])).toHaveLength(2);
  });

  it('come in this order: stated before assumed, then by operations, by exchanges, by requests', () => {
    const sequence = { steps: [], values: [], varies: [], confirmed: true };
    const short: Found = {
      version: 1,
      check: 'answer.permitted',
      says: 'short',
      statement: { address: 'd', at: '' },
      expected: '',
      found: '',
      sequence,
    };
    const results = [
      resultOf('a', { assumed: true, exchanges: 99 }),
      resultOf('b', { operation: a, exchanges: 9 }),
      resultOf('c', { operation: a }),
      resultOf('c', { operation: b }),
      resultOf('e', { operation: a }),
      resultOf('d', { operation: a, says: 'long' }),
      resultOf('d', { operation: a, says: 'short' }),
      resultOf('f', { operation: a }),
      resultOf('f', { operation: a }),
    ];
    expect(inShort(results, [short]).map(([address]) => address)).toEqual(['c', 'b', 'd', 'f', 'e', 'a']);
    // The violation of which it is known how to come to it again comes first.
    expect(causesOf(results, [short])[2]?.results.map(({ says }) => says)).toEqual(['short', 'long']);
  });
});

describe('the statements of a run', () => {
  const results = [
    resultOf('a', { operation: a, verdict: 'conforms' }),
    resultOf('a', { operation: b, verdict: 'not exercised', reason: 'no way' }),
    resultOf('a', { operation: a, verdict: 'not exercised', assumed: true }),
    resultOf('c', { operation: a, verdict: 'not stated' }),
  ];
  it('are counted by verdict', () => {
    expect(statementCounts(results)).toEqual([
      { address: 'a', at: 'a.md:1:1', conforms: 1, 'not exercised': 2, assumed: 1 },
      { address: 'c', at: 'a.md:1:1', 'not stated': 1 },
    ]);
  });
  it('were not tested where no check of an operation was exercised', () => {
    expect(untested(results)).toEqual([
      { statement: { address: 'a', at: 'a.md:1:1' }, operation: b, reason: 'no way' },
    ]);
  });
});
