import { describe, expect, it } from 'vitest';
import { covering } from '../../src/conformance/pairwise.ts';

describe('rows that cover every pair', () => {
  it.each([2, 3, 4, 5, 10, 11, 20, 35])('of %i columns', (columns) => {
    const rows = covering(columns);
    for (let a = 0; a < columns; a++)
      for (let b = 0; b < a; b++)
        expect(new Set(rows.map((row) => `${row[a]} ${row[b]}`)).size, `${a} and ${b}`).toBe(4);
  });

  it('are as few as there can be', () => {
    expect([2, 3, 4, 5, 10, 11, 35].map((columns) => covering(columns).length)).toEqual([
      4, 4, 5, 6, 6, 7, 8,
    ]);
  });
});
