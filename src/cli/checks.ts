import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testService } from '../conformance/run.ts';
import { blocking } from '../conformance/summary.ts';
import { serve } from '../service/service.ts';
import type { Specification } from '../specification/model/specification.ts';

/**
 * How many checks end *not stated* because of each open point. What a check hangs on shows only when something was
 * observed (its guard reads the answer), so this tests the service that is made of the specification itself, on
 * loopback and with a database of its own: the one implementation that keeps to it and adds nothing.
 */
export async function checksHanging(of: Specification): Promise<ReadonlyMap<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-'));
  try {
    const service = await serve(of, { data: join(folder, 'data.sqlite') });
    try {
      const { results } = await testService(of, { url: service.url, seed: 1 });
      return new Map(blocking(results));
    } finally {
      await service.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
