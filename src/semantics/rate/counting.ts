import { equal } from '../value/compare.ts';
import { Range, Unknown, type Value } from '../value/value.ts';
import { isOfKey, type Tally } from './tally.ts';
import {
  type Allowance,
  emptyWindow,
  hull,
  merged,
  type Taken,
  taken,
  type Window,
  windowUntil,
} from './window.ts';

/** A rate, and the requests with which it counts a request together. */
export interface Counted {
  readonly name: string;
  readonly allowance: Allowance;
  /** How the service may reckon: one way, if `window` is stated. */
  readonly kinds: readonly Window['kind'][];
  /** Undefined: it is not known with whose requests the request is counted. */
  readonly key: Value | undefined;
  /** Before this time others may have sent requests that are counted together with ours. Infinity: also later. */
  readonly othersUntilMs: number;
  /** Whether it is sure that the rate counts the request. */
  readonly isSure: boolean;
}

/** What a client is told of a rate (language §8.1, rule 8). */
export interface Told {
  readonly remaining: Range;
  readonly resetMs: Range;
}

/** What comes of a request that a rate is asked about. */
export interface Counting extends Counted {
  /** False: the rate refuses it. */
  readonly isIn: boolean;
  readonly told: Told;
}

/** What may come of it: null, if it cannot be let in, or refused. */
export interface Outcomes {
  readonly isIn: Told | null;
  readonly isOut: Told | null;
}

/** Whether the rate counts a request in the end. */
export type Fate = 'counted' | 'perhaps' | 'not counted';

/** What a rate may do with a request that is received at this time. */
export function outcomesOf(counted: Counted, tallies: readonly Tally[], at: Range): Outcomes {
  const { allow, everyMs } = counted.allowance;
  const any = { remaining: new Range(0, Math.max(0, allow - 1)), resetMs: new Range(0, everyMs) };
  const none = { ...any, remaining: new Range(0, 0) };
  const tally = tallyOf(counted, tallies, at);
  if (tally === undefined) return { isIn: any, isOut: none };
  if (counted.othersUntilMs === Number.POSITIVE_INFINITY)
    return { isIn: isUsedUp(tally, counted, at) ? null : any, isOut: none };
  const all = tally.windows.flatMap((window) => taken(window, at, counted.allowance));
  return { isIn: toldOf(all, true), isOut: toldOf(all, false) };
}

function toldOf(all: readonly Taken[], isIn: boolean): Told | null {
  const own = all.filter((each) => each.isIn === isIn);
  if (own.length === 0) return null;
  return {
    remaining: hull(own.map(({ remaining }) => remaining)),
    resetMs: hull(own.map(({ resetMs }) => resetMs)),
  };
}

/**
 * Whether our requests alone use the rate up, whatever others send. Where theirs begin a window that is fixed, ours may be in
 * two windows; a bucket fills again.
 */
function isUsedUp({ times }: Tally, { allowance: { allow, everyMs }, kinds }: Counted, at: Range): boolean {
  const isSliding = kinds.every((kind) => kind === 'sliding');
  const sure = times.filter(({ least }) => at.most - least < everyMs - 1);
  return sure.length >= (isSliding ? allow : 2 * allow);
}

/** What is known of the requests with which it is counted together; undefined: it is not known which these are. */
function tallyOf(counted: Counted, tallies: readonly Tally[], at: Range): Tally | undefined {
  const { name, key } = counted;
  if (key === undefined) return undefined;
  const found = tallies.find((tally) => isOfKey(tally, name, key));
  if (found) return found;
  const isUnsure = tallies.some(
    (tally) => tally.rate === name && tally.key !== undefined && equal(tally.key, key) instanceof Unknown,
  );
  return isUnsure ? undefined : begun(counted, key, tallies, at);
}

/** Before the first request of a key. Those of which it is not known whose they are may be of this one. */
function begun(counted: Counted, key: Value, tallies: readonly Tally[], { least }: Range): Tally {
  const { name, allowance, kinds, othersUntilMs } = counted;
  const isOver = least - othersUntilMs >= allowance.everyMs;
  const empty = kinds.map((kind) =>
    isOver ? emptyWindow(kind) : windowUntil(kind, othersUntilMs, allowance),
  );
  const anyones = tallies.find((tally) => tally.rate === name && tally.key === undefined)?.times ?? [];
  const first = anyones
    .filter(({ most }) => least - most < allowance.everyMs)
    .reduce((windows: readonly Window[], time) => perhaps(windows, time, counted), empty);
  return { rate: name, key, times: [], windows: first, first };
}

function perhaps(windows: readonly Window[], at: Range, { allowance }: Counted): readonly Window[] {
  const counted = windows.flatMap((window) => taken(window, at, allowance).filter(({ isIn }) => isIn));
  return merged([...windows, ...counted.map(({ window }) => window)]);
}

/** What rates counted, once a request was answered that one of them was asked about. */
export function tallied(
  tallies: readonly Tally[],
  counting: Counted & { readonly isIn: boolean },
  fate: Fate,
  at: Range,
): readonly Tally[] {
  const { name, allowance, isIn } = counting;
  if (isIn && fate === 'not counted') return tallies;
  const tally = tallyOf(counting, tallies, at);
  if (tally === undefined) return isIn ? counted(tallies, counting, at) : tallies;
  const others = tallies.filter((each) => !isOfKey(each, name, tally.key));
  const isSure = fate === 'counted' && counting.isSure;
  if (isIn && !isSure) return [...others, { ...tally, windows: perhaps(tally.windows, at, counting) }];
  const own = tally.windows.flatMap((window) =>
    taken(window, at, allowance).filter((each) => each.isIn === isIn),
  );
  // Where others use it, too, ours do not tell what it holds.
  const windows = own.length > 0 ? merged(own.map(({ window }) => window)) : tally.windows;
  const times = tally.times.filter((time) => at.least - time.most < allowance.everyMs);
  return [...others, { ...tally, windows, times: isIn ? [...times, at] : times }];
}

/** A request may have been counted, with whoever's requests. */
function counted(tallies: readonly Tally[], counting: Counted, at: Range): readonly Tally[] {
  const { name, allowance } = counting;
  const all = tallies.map((tally) =>
    tally.rate === name && tally.key !== undefined
      ? { ...tally, windows: perhaps(tally.windows, at, counting) }
      : tally,
  );
  const anyones = all.find((tally) => tally.rate === name && tally.key === undefined);
  const times = (anyones?.times ?? []).filter(({ most }) => at.least - most < allowance.everyMs);
  return [
    ...all.filter((tally) => tally !== anyones),
    { rate: name, key: undefined, windows: [], first: [], times: [...times, at] },
  ];
}
