import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import type { Running } from '../faulty/floor.ts';
import * as shed from '../faulty/shed.ts';
import * as tickets from '../faulty/tickets.ts';
import { blamed, specificationOf } from './documents.ts';

/** A small service, with the document that it was written from, and the faults that can be planted in it. */
interface Service {
  readonly file: string;
  readonly faults: readonly string[];
  readonly start: (fault: string | null) => Promise<Running>;
}

const services: readonly Service[] = [
  {
    file: 'tickets.yaml',
    faults: tickets.faults,
    start: (fault) => tickets.startTickets(fault as tickets.Fault | null),
  },
  { file: 'shed.yaml', faults: shed.faults, start: (fault) => shed.startShed(fault as shed.Fault | null) },
];

const folder = new URL('../documents/changing/', import.meta.url);

describe.each(services)('what changes items, of $file,', ({ file, faults, start }) => {
  const of = specificationOf(readFileSync(fileURLToPath(new URL(file, folder)), 'utf8'), file);
  const testing = async (fault: string | null, seed = 1): Promise<Report> => {
    const running = await start(fault);
    try {
      return await testService(of, { url: running.url, seed });
    } finally {
      await running.close();
    }
  };

  it('is judged in nearly every check, and none hangs on an open point', async () => {
    const { counts, results } = await testing(null);
    const judged = counts.conforms.stated + counts.violates.stated;
    expect(judged / results.length).toBeGreaterThan(0.95);
    expect(counts['not stated']).toEqual({ stated: 0, assumed: 0 });
  });

  it.each([2, 3, 5, 8])('is never blamed where it is kept to: seed %i', async (seed) => {
    expect(blamed(await testing(null, seed))).toEqual([]);
  });

  // Every planted fault is tried in the long form; a run of each takes minutes.
  it.runIf(process.env['TACET_LONG']).each(faults)('is blamed where it is not: %s', async (fault) => {
    expect(blamed(await testing(fault))).not.toEqual([]);
  });
});
