import type { Contestant, Place } from './contestants.ts';
import { cpuSeconds, residentMiB } from './processes.ts';
import { start } from './server.ts';

/** One start: from the start of the process to its first answer, and what it had used by then. */
export interface Start {
  readonly ms: number;
  readonly cpuSeconds: number;
  readonly residentMiB: number;
}

/** Starts every contestant in every round, in one direction and then in the other, each over a new folder. */
export async function startAll(
  contestants: readonly Contestant[],
  rounds: number,
  place: Place,
): Promise<Map<string, Start[]>> {
  const readings = new Map<string, Start[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const server = await start(contestant, place(contestant));
      try {
        readings.get(contestant.name)?.push({
          ms: server.startMs,
          cpuSeconds: cpuSeconds(server.pid),
          residentMiB: residentMiB(server.pid),
        });
      } finally {
        await server.stop();
      }
    }
  }
  return readings;
}
