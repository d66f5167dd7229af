import { expect, it } from 'vitest';
import { testService } from '../../../src/conformance/run.ts';
import { type SeatFault, seatFaults, seatsDocument, startSeats } from '../../faulty/seats.ts';
import { specificationOf, start } from '../../service/served.ts';

const seats = specificationOf(seatsDocument);

async function tested(fault: SeatFault | null, seed = 1) {
  const { address } = await start(seatsDocument);
  const running = await startSeats(address, fault);
  try {
    const report = await testService(seats, { url: running.url, seed, sequences: 20, walks: 320 });
    return { ...report, violations: report.results.filter(({ verdict }) => verdict === 'violates') };
  } finally {
    await running.close();
  }
}

it.each(process.env['TACET_LONG'] === undefined ? [1] : [1, 2, 3])(
  'a service that carries out one request after another is not blamed (seed %d)',
  async (seed) => {
    const { violations } = await tested(null, seed);
    expect(
      violations.map(({ says, expected, found }) => `${says}: expected ${expected}, found ${found}`),
    ).toEqual([]);
  },
);

it.each(seatFaults)('if requests come at once, %s: this is found, and told with both', async (fault) => {
  const { violations, sequences } = await tested(fault, 4);
  const [first] = violations;
  expect(first?.expected).toContain('whichever of 2 requests sent at once is first');
  const [found] = sequences;
  // Played by itself, it may be that others had the key before.
  expect(found?.sequence.confirmed).toBe(fault !== 'a key has two effects');
  expect(found?.sequence.steps.filter((step) => step.together)).toHaveLength(1);
});
