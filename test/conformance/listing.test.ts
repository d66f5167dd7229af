import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/conformance/check.ts';
import { type Report, testService } from '../../src/conformance/run.ts';
import * as depot from '../faulty/depot.ts';
import type { Running } from '../faulty/kit.ts';
import * as library from '../faulty/library.ts';
import { blamed, specificationOf } from './documents.ts';

/** A service that was written by hand, with its document, and the faults that can be planted in it. */
interface Service {
  readonly file: string;
  readonly faults: readonly string[];
  readonly start: (fault: string | null) => Promise<Running>;
}

const services: readonly Service[] = [
  {
    file: 'library.yaml',
    faults: library.faults,
    start: (fault) => library.startLibrary(fault as library.Fault | null),
  },
  {
    file: 'depot.yaml',
    faults: depot.faults,
    start: (fault) => depot.startDepot(fault as depot.Fault | null),
  },
];

const folder = new URL('../documents/listing/', import.meta.url);
const seeds = Array.from({ length: process.env['TACET_LONG'] ? 20 : 3 }, (_, seed) => seed);
const patience = 120_000;

describe.each(services)('what is kept, listed and asked for, in $file,', ({ file, faults, start }) => {
  const of = specificationOf(readFileSync(fileURLToPath(new URL(file, folder)), 'utf8'), file);
  const testing = async (
    fault: string | null,
    seed: number,
    onResult: (result: Result) => void = () => undefined,
  ): Promise<Report> => {
    const running = await start(fault);
    try {
      return await testService(of, { url: running.url, seed, onResult });
    } finally {
      await running.close();
    }
  };

  /** The first check that finds a fault; a run goes no further. */
  const firstBlame = async (fault: string): Promise<string | null> => {
    const found: Result[] = [];
    const stop = (result: Result): void => {
      if (result.verdict !== 'violates') return;
      found.push(result);
      throw found;
    };
    await testing(fault, 1, stop).catch((error: unknown) => {
      if (error !== found) throw error;
    });
    return found[0]?.says ?? null;
  };

  it.each(seeds)('is never blamed where it is kept to: seed %i', { timeout: patience }, async (seed) => {
    expect(blamed(await testing(null, seed))).toEqual([]);
  });

  it('is judged in nearly every check, and none hangs on an open point', { timeout: patience }, async () => {
    const { counts, results } = await testing(null, 1);
    const judged = counts.conforms.stated + counts.violates.stated;
    expect(judged / results.length).toBeGreaterThan(0.95);
    expect(counts['not stated']).toEqual({ stated: 0, assumed: 0 });
  });

  // Every planted fault is tried in the long form; a run of each takes minutes.
  it.runIf(process.env['TACET_LONG']).each(faults)(
    'is blamed where it is not: %s',
    { timeout: patience },
    async (fault) => {
      expect(await firstBlame(fault)).not.toBeNull();
    },
  );
});
