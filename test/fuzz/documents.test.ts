import { describe, expect, it } from 'vitest';
import { fuzz } from './run.ts';

const isLong = process.env['TACET_LONG'] === '1';
const count = isLong ? 10_000 : 200;

describe('generated documents', () => {
  it(
    'are served where check accepts them, answer each request, and throw nothing',
    async () => {
      const told = await fuzz({ from: 1, count, ...(!isLong && { mostMs: 60_000 }) });
      expect(told.failures).toEqual([]);
      expect(told.accepted).toBeGreaterThan(told.documents / 2);
      expect(told.answered).toBeGreaterThanOrEqual(told.free * 0.8);
    },
    isLong ? 3 * 3600_000 : 240_000,
  );
});
