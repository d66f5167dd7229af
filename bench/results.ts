import type { Conformance } from './conformance.ts';
import { names } from './contestants.ts';
import { type Growth, microseconds } from './growth.ts';
import type { Slice } from './load.ts';
import type { Machine } from './machine.ts';
import type { Memory } from './memory.ts';
import type { Start } from './starts.ts';
import { type Spread, spread, type Target, type Verdict, verdict } from './statistics.ts';
import { targets } from './targets.ts';
import type { Measured } from './works.ts';

/** What `bench/results.json` holds, and the table shows; while a run is under way, or was cut off, what it has. */
export interface Results {
  readonly date: string;
  readonly extent: string;
  readonly machine: Machine;
  readonly conformance: readonly Conformance[];
  readonly starts: StartResult;
  readonly works: readonly WorkResult[];
  readonly growth: readonly Growth[];
  readonly memory: Memory;
}

/** One contestant's readings of one work. */
interface Reading {
  readonly name: string;
  readonly perSecond: Spread;
  /** CPU time of a request, in microseconds. */
  readonly cpuMicroseconds: Spread;
  readonly cpuSecondsPerSecond: Spread;
  readonly p50Ms: Spread;
  readonly p99Ms: Spread;
}

/** tacet's readings over another's, pair by pair. */
export interface Ratio {
  readonly against: string;
  /** Of what the clock on the wall says: requests in a second, or the time of a start. */
  readonly wall: Spread;
  /** Of requests in a second of CPU time, or of the CPU time of a start. */
  readonly cpu: Spread;
  readonly pairs: readonly number[];
  readonly target: Target | null;
  readonly verdict: Verdict | null;
}

export interface WorkResult {
  readonly name: string;
  readonly title: string;
  readonly readings: readonly Reading[];
  readonly ratios: readonly Ratio[];
  readonly leftOut: readonly { readonly name: string; readonly fault: string }[];
}

export interface StartResult {
  readonly readings: readonly {
    readonly name: string;
    readonly ms: Spread;
    readonly cpuMs: Spread;
    readonly residentMiB: Spread;
  }[];
  readonly ratios: readonly Ratio[];
}

export function workResult({ work, pairs, faults }: Measured, us: string): WorkResult {
  const ours = [...new Set(pairs.flatMap(({ slices }) => slices.map((one) => one.ours)))];
  const ratios = pairs.map(({ other, slices }) =>
    compared(
      work.name,
      other,
      slices.map((one) => perSecond(one.ours) / perSecond(one.theirs)),
      slices.map((one) => microseconds(one.theirs) / microseconds(one.ours)),
    ),
  );
  // Alone, the ratio to one transaction a request would claim a gain that any service could have.
  const hasControl = ratios.some(({ against }) => against === names.grouped);
  const shown = ratios.filter(
    ({ against }) => work.name !== 'create' || against !== names.transactions || hasControl,
  );
  return {
    name: work.name,
    title: work.title,
    readings: [
      ...(ours.length > 0 ? [reading(us, ours)] : []),
      ...pairs.map(({ other, slices }) =>
        reading(
          other,
          slices.map((one) => one.theirs),
        ),
      ),
    ],
    ratios: shown,
    leftOut: faults,
  };
}

export function startResult(starts: ReadonlyMap<string, readonly Start[]>, us: string): StartResult {
  const ours = starts.get(us) ?? [];
  const readings = [...starts].map(([name, all]) => ({
    name,
    ms: spread(all.map(({ ms }) => ms)),
    cpuMs: spread(all.map(({ cpuSeconds }) => cpuSeconds * 1000)),
    residentMiB: spread(all.map(({ residentMiB }) => residentMiB)),
  }));
  const ratios = [...starts]
    .filter(([name]) => name !== us)
    .map(([name, theirs]) => {
      const over = (pick: (start: Start) => number): number[] =>
        ours.map((our, round) => pick(our) / pick(theirs[round] as Start));
      return compared(
        'start',
        name,
        over(({ ms }) => ms),
        over(({ cpuSeconds }) => cpuSeconds),
      );
    });
  return { readings, ratios };
}

function compared(work: string, against: string, wall: readonly number[], cpu: readonly number[]): Ratio {
  const target = targets[work]?.[against] ?? null;
  const measured = spread(wall);
  return {
    against,
    wall: measured,
    cpu: spread(cpu),
    pairs: wall,
    target,
    verdict: target === null ? null : verdict(measured, target),
  };
}

function reading(name: string, slices: readonly Slice[]): Reading {
  const of = (pick: (slice: Slice) => number): Spread => spread(slices.map(pick));
  return {
    name,
    perSecond: of(perSecond),
    cpuMicroseconds: of(microseconds),
    cpuSecondsPerSecond: of(({ cpuSeconds, seconds }) => cpuSeconds / seconds),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
  };
}

const perSecond = ({ requests, seconds }: Slice): number => requests / seconds;

/** JSON with four figures to a number that is not whole: more would be noise. */
export function jsonOf(results: Partial<Results>): string {
  const short = (_name: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
  return `${JSON.stringify(results, short, 2)}\n`;
}
