import { describe, expect, it } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { blamed } from '../conformance/documents.ts';
import { isLong } from '../long.ts';
import { completeDesk } from './faults/list.ts';
import { credentials, started } from './running.ts';

const seeds = Array.from({ length: isLong ? 20 : 1 }, (_, seed) => seed + 1);
/** How many requests walks have: in the long form, as many as `tacet test` sends. */
const requests = isLong ? {} : { walks: 640 };

const complete = completeDesk();

describe.each(['fastify', 'python'] as const)('the parcel desk that is written by hand, in %s', (kind) => {
  it.each(seeds)('is never blamed: seed %i', async (seed) => {
    const { desk, ...how } = await started(kind);
    try {
      const report = await testService(complete, {
        url: desk.url,
        seed,
        credentials,
        ...requests,
        ...how,
      });
      expect(blamed(report)).toEqual([]);
      expect(report.inventions).toEqual([]);
      expect(report.counts['not stated']).toEqual({ stated: 0, assumed: 0 });
    } finally {
      await desk.close();
    }
  });
});
