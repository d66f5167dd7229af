import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addTimes, instant, span, subtractTimes } from '../../src/expression/time.ts';
import { byCodePoint } from '../../src/expression/values.ts';

const milliseconds = fc.integer({ min: Date.UTC(0, 0, 1), max: Date.UTC(9999, 11, 30) });
const ahead = fc.integer({ min: -23 * 60, max: 23 * 60 });

/** The same moment, told where clocks are so many minutes ahead of UTC. */
function told(at: number, minutes: number): string {
  const local = new Date(at + minutes * 60_000).toISOString().slice(0, -1);
  const pad = (n: number) => String(n).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

describe('times are instants (language §G.6)', () => {
  it('wherever they are told, and in their order', () => {
    fc.assert(
      fc.property(milliseconds, milliseconds, ahead, ahead, (a, b, here, there) => {
        fc.pre([told(a, here), told(b, there)].every((text) => /^\d{4}-/.test(text)));
        expect(instant(told(a, here))).toBe(instant(new Date(a).toISOString()));
        const order = byCodePoint(instant(told(a, here)) as string, instant(told(b, there)) as string);
        expect(Math.sign(order)).toBe(Math.sign(a - b));
      }),
      { seed: 1, numRuns: 2000 },
    );
  });

  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.'],
    ['2026-01-01T00:00:00.500Z', '2026-01-01T00:00:00.5'],
    ['2026-01-31t23:00:00.0-01:00', '2026-02-01T00:00:00.'],
    ['2026-02-29T00:00:00Z', '2026-02-29T00:00:00Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.'],
    ['2026-01-01 00:00:00Z', '2026-01-01 00:00:00Z'],
    ['2026-01-01T00:00:00', '2026-01-01T00:00:00'],
  ])('%s is %s', (text, expected) => {
    expect(instant(text)).toBe(expected);
  });

  it('reads a long fraction in one go, whatever its zeros', () => {
    const zeros = '0'.repeat(200_000);
    expect(instant(`2026-01-01T00:00:00.${zeros}1Z`)).toBe(`2026-01-01T00:00:00.${zeros}1`);
    expect(instant(`2026-01-30T00:00:00.1${zeros}Z`)).toBe('2026-01-30T00:00:00.1');
    expect(addTimes(`2026-01-01T00:00:00.${zeros}1Z`, 'PT1S')).toBe('2026-01-01T00:00:01.000000Z');
  });

  it('a duration has at most 100 characters', () => {
    expect(span(`PT0${'0'.repeat(95)}1S`)).toBe(1_000_000);
    const long = `PT0${'0'.repeat(96)}1S`;
    expect(span(long)).toBe(long);
    expect(() => addTimes(long, long)).toThrow('this is no time and no duration');
  });

  it('what is taken from a time and added to it again gives the time', () => {
    fc.assert(
      fc.property(milliseconds, milliseconds, (a, b) => {
        const [one, other] = [new Date(a).toISOString(), new Date(b).toISOString()];
        expect(addTimes(other, subtractTimes(one, other))).toBe(`${one.slice(0, -1)}000Z`);
      }),
      { seed: 2, numRuns: 2000 },
    );
  });
});
