import { Range } from '../value/value.ts';

/** How many requests a rate allows, and in what time (language §8.1). */
export interface Allowance {
  readonly allow: number;
  readonly everyMs: number;
}

/** Starts with its first request. */
interface Fixed {
  readonly kind: 'fixed';
  readonly start: Range;
  /** How many requests it counted. 0: there may be no such window. */
  readonly used: Range;
}

/** In no such time there are more requests. */
interface Sliding {
  readonly kind: 'sliding';
  readonly counted: readonly Counted[];
}

/** Requests at one time, and how many of them were counted. */
interface Counted {
  readonly at: Range;
  readonly least: number;
  readonly most: number;
}

/** So many requests at once, which come back one after the other. */
interface Bucket {
  readonly kind: 'bucket';
  /** When a request was received last. */
  readonly since: Range;
  /** How long it took then until all would have come back. */
  readonly owedMs: Range;
}

/**
 * What is known of the requests that a rate counted together, as the service reckons them (language §8.1, rule 5). Times are
 * in milliseconds, by the tester's clock.
 */
export type Window = Fixed | Sliding | Bucket;

/** One thing that may come of a request. */
export interface Taken {
  /** False: the rate refuses it, and does not count it. */
  readonly isIn: boolean;
  readonly window: Window;
  /** How many more are allowed by now. */
  readonly remaining: Range;
  /** How long until more will be. */
  readonly resetMs: Range;
}

/** A service may count in whole milliseconds. */
const marginMs = 1;

/** What shares of a time are off by, if they are added up. */
const roundingMs = 1e-6;

/** More windows than this are taken together. */
const mostWindows = 8;

/** Before the first request. */
export function emptyWindow(kind: Window['kind']): Window {
  return windowUntil(kind, Number.NEGATIVE_INFINITY, { allow: 0, everyMs: 0 });
}

/** If any requests may have been counted until a time. */
export function windowUntil(kind: Window['kind'], untilMs: number, { allow, everyMs }: Allowance): Window {
  const before = new Range(Number.NEGATIVE_INFINITY, untilMs);
  switch (kind) {
    case 'fixed':
      return { kind, start: before, used: new Range(0, allow) };
    case 'sliding':
      return { kind, counted: allow > 0 ? [{ at: before, least: 0, most: allow }] : [] };
    case 'bucket':
      return { kind, since: new Range(untilMs, untilMs), owedMs: new Range(0, everyMs) };
  }
}

/** All that may come of a request that is received at a time. */
export function taken(window: Window, at: Range, allowance: Allowance): readonly Taken[] {
  switch (window.kind) {
    case 'fixed':
      return takenFixed(window, at, allowance);
    case 'sliding':
      return takenSliding(window, at, allowance);
    case 'bucket':
      return takenBucket(window, at, allowance);
  }
}

function takenFixed({ kind, start, used }: Fixed, at: Range, { allow, everyMs }: Allowance): Taken[] {
  const found: Taken[] = [];
  const isOver = used.least === 0 || at.most - start.least >= everyMs - marginMs;
  if (isOver) {
    const window: Fixed = { kind, start: at, used: new Range(1, 1) };
    found.push({ isIn: true, window, remaining: only(allow - 1), resetMs: only(everyMs) });
  }
  const isSame = used.most > 0 && at.least - start.most < everyMs + marginMs;
  if (!isSame) return found;
  const least = Math.max(start.least, at.least - everyMs - marginMs);
  const own = new Range(Math.min(least, start.most), start.most);
  const resetMs = within(own, at, everyMs);
  if (used.least < allow) {
    const after = new Range(used.least + 1, Math.min(used.most, allow - 1) + 1);
    const remaining = new Range(allow - after.most, allow - after.least);
    found.push({ isIn: true, window: { kind, start: own, used: after }, remaining, resetMs });
  }
  if (used.most >= allow)
    found.push({
      isIn: false,
      window: { kind, start: own, used: only(allow) },
      remaining: only(0),
      resetMs,
    });
  return found;
}

/** How long after `at` a time has passed that began at `since`. */
function within(since: Range, at: Range, everyMs: number): Range {
  const most = Math.min(since.most + everyMs - at.least + marginMs, everyMs);
  return new Range(
    Math.max(0, Math.min(since.least + everyMs - at.most - marginMs, most)),
    Math.max(0, most),
  );
}

function takenSliding({ kind, counted }: Sliding, at: Range, { allow, everyMs }: Allowance): Taken[] {
  const active = counted.filter((each) => at.least - each.at.most < everyMs + marginMs);
  const sure = active.filter((each) => each.least > 0 && at.most - each.at.least < everyMs - marginMs);
  const least = sure.reduce((sum, each) => sum + each.least, 0);
  const most = active.reduce((sum, each) => sum + each.most, 0);
  const first = new Range(
    Math.min(at.least, ...active.map((each) => each.at.least)),
    Math.min(at.most, ...sure.map((each) => each.at.most)),
  );
  const resetMs = within(first, at, everyMs);
  const found: Taken[] = [];
  if (least < allow) {
    const remaining = new Range(allow - 1 - Math.min(most, allow - 1), allow - 1 - least);
    const window: Sliding = { kind, counted: [...active, { at, least: 1, most: 1 }] };
    found.push({ isIn: true, window, remaining, resetMs });
  }
  if (most >= allow)
    found.push({ isIn: false, window: { kind, counted: active }, remaining: only(0), resetMs });
  return found;
}

function takenBucket({ kind, since, owedMs }: Bucket, at: Range, { allow, everyMs }: Allowance): Taken[] {
  const shareMs = everyMs / allow;
  const least = Math.max(0, owedMs.least - Math.max(0, at.most - since.least + marginMs));
  const most = Math.max(0, owedMs.most - Math.max(0, at.least - since.most - marginMs));
  const resetMs = new Range(0, shareMs);
  const found: Taken[] = [];
  if (least + shareMs <= everyMs + roundingMs) {
    const owed = new Range(least + shareMs, Math.min(most + shareMs, everyMs));
    const used = [owed.least, owed.most].map((ms) => Math.ceil((ms - roundingMs) / shareMs)) as [
      number,
      number,
    ];
    const remaining = new Range(allow - used[1], allow - used[0]);
    found.push({ isIn: true, window: { kind, since: at, owedMs: owed }, remaining, resetMs });
  }
  if (most + shareMs > everyMs + roundingMs) {
    const owed = new Range(Math.max(least, everyMs - shareMs), most);
    found.push({ isIn: false, window: { kind, since: at, owedMs: owed }, remaining: only(0), resetMs });
  }
  return found;
}

function only(value: number): Range {
  return new Range(value, value);
}

/** Windows of which the service has one, with those that hardly differ taken together. */
export function merged(windows: readonly Window[]): readonly Window[] {
  const fixed = windows.filter((each) => each.kind === 'fixed');
  const sliding = windows.filter((each) => each.kind === 'sliding');
  const buckets = windows.filter((each) => each.kind === 'bucket');
  const distinct = new Map(
    fixed.map((each) => [[each.start, each.used].map(({ least, most }) => `${least} ${most}`).join(), each]),
  );
  return [
    ...(distinct.size > mostWindows ? joinedFixed(fixed) : distinct.values()),
    ...(sliding.length > 1 ? joinedSliding(sliding) : sliding),
    ...(buckets.length > 1 ? joinedBuckets(buckets) : buckets),
  ];
}

function joinedFixed(all: readonly Fixed[]): Fixed[] {
  return [
    {
      kind: 'fixed',
      start: hull(all.map(({ start }) => start)),
      used: hull(all.map(({ used }) => used)),
    },
  ];
}

function joinedBuckets(all: readonly Bucket[]): Bucket[] {
  const since = hull(all.map((each) => each.since));
  return [{ kind: 'bucket', since, owedMs: hull(all.map(({ owedMs }) => owedMs)) }];
}

/** What one of them does not hold, may not have been counted. */
function joinedSliding(all: readonly Sliding[]): Sliding[] {
  const times = new Set(all.flatMap(({ counted }) => counted.map(({ at }) => at)));
  const counted = [...times].map((at): Counted => {
    const found = all.map((each) => each.counted.find((one) => one.at === at));
    return {
      at,
      least: Math.min(...found.map((one) => one?.least ?? 0)),
      most: Math.max(...found.map((one) => one?.most ?? 0)),
    };
  });
  return [{ kind: 'sliding', counted }];
}

/** The least range that holds all of these. */
export function hull(ranges: readonly Range[]): Range {
  return new Range(
    Math.min(...ranges.map(({ least }) => least)),
    Math.max(...ranges.map(({ most }) => most)),
  );
}
