import { describe, expect, it } from 'vitest';
import { atTurns } from '../../src/conformance/foresee/turns.ts';
import type { Members } from '../../src/conformance/item.ts';
import { schemas } from '../../src/conformance/schema.ts';
import type { Trial } from '../../src/conformance/trial.ts';
import { read } from '../../src/specification/read.ts';

const { specification } = read('nothing.yaml', 'tacet: 1');
const trial = { tools: schemas(specification), now: () => Date.parse('2026-01-01T12:00:00Z') } as Trial;
const time = { type: 'string', format: 'date-time' };
const reading = { members: ['from', 'until'], values: [], sizes: [], spans: [], readsNow: false };

const made = (members: Members, about: object = {}): readonly unknown[] =>
  [
    ...atTurns(trial, { type: 'object', properties: { from: time, until: time } }, members, {
      ...reading,
      ...about,
    }),
  ].map(({ until }) => until);

describe('members at which an expression turns', () => {
  it('are times beside another, a leap second too', () => {
    expect(made({ from: '2016-12-31T23:59:60Z' })).toEqual(
      expect.arrayContaining(['2017-01-01T00:00:00Z', '2017-01-01T00:00:01Z', '2017-01-01T01:00:00Z']),
    );
  });

  it('are no times that cannot be written', () => {
    const far = { spans: [9e15, 9000 * 365 * 86_400_000], readsNow: true };
    expect(
      made({ from: '9999-12-31T23:30:00Z' }, far).filter(
        (one) => one !== undefined && !/^\d{4}-/.test(String(one)),
      ),
    ).toEqual([]);
  });
});
