import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Address } from '../../specification/reading/address.ts';
import { isSaid, stated } from '../../specification/reading/said.ts';
import type { Rate, Share } from '../../specification/vocabulary/parts/limits.ts';
import { type Refusal, refusal } from '../change/refusal.ts';
import { type Counted, type Counting, type Fate, outcomesOf, type Told, tallied } from '../rate/counting.ts';
import type { Tally } from '../rate/tally.ts';
import { equal } from '../value/compare.ts';
import { attempt, type Truth, truthOf } from '../value/truth.ts';
import { Item, isList, isObject, Range, seen, Unknown, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';
import { headersOf } from './answer.ts';
import type { Prediction } from './prediction.ts';
import { rankFor } from './rows.ts';

/** The rates that count requests to an operation. */
const ratesFor = once(
  ({ limits }: World['specification'], { name }: Operation): readonly (readonly [string, Rate])[] =>
    [...(stated(stated(limits)?.rates) ?? [])].flatMap(([key, said]) => {
      const rate = stated(said);
      return rate && isFor(rate, name) ? [[key, rate] as const] : [];
    }),
);

function isFor({ operations }: Share, name: string): boolean {
  return stated(operations)?.some(({ text }) => text === name) ?? true;
}

/** The bounds on what runs at once that count requests to an operation (language §8.2). */
const boundsFor = once(
  ({ limits }: World['specification'], { name }: Operation): readonly (readonly [string, Share])[] =>
    [...(stated(stated(limits)?.concurrency) ?? [])].flatMap(([key, said]) => {
      const bound = stated(said);
      return bound && isFor(bound, name) ? [[key, bound] as const] : [];
    }),
);

/** Ways in which a service may reckon that is not told how (language §F.1). */
const anyKind = ['fixed', 'sliding', 'bucket'] as const;

/** The reasons to refuse that rates give, one after the other, and bounds on what runs at once (language §8.1, §8.2). */
export function ratesExceeded(operation: Operation, moment: Moment): readonly Refusal[] {
  const { world } = moment;
  const counting = ratesFor(world.specification, operation).flatMap(([name, rate]) =>
    countingOf(name, rate, moment),
  );
  world.counting = { rates: counting, names: moment.names };
  const bounds = boundsFor(world.specification, operation).filter(([, bound]) =>
    mayRunTogether(bound, moment),
  );
  return [
    ...counting.filter(({ isIn }) => !isIn).map((each) => exceeded(each)),
    ...bounds.filter(() => world.decide(unknown([]))).map(([name]) => refusal('rate exceeded', name)),
  ];
}

function exceeded({ name, allowance, told }: Counting): Refusal {
  return { ...refusal('rate exceeded', name), names: { rate: named(allowance.allow, told) } };
}

/** What expressions read of a rate (rule 8). */
function named(limit: number, { remaining, resetMs }: Told): Value {
  const reset = new Range(Math.ceil(resetMs.least / 1000), Math.ceil(resetMs.most / 1000));
  return { limit, remaining: single(remaining), reset: single(reset) };
}

function single(range: Range): Value {
  return range.least === range.most ? range.least : range;
}

/** What a rate does with a request in one way; empty: it does not count it. */
function countingOf(name: string, rate: Rate, moment: Moment): readonly Counting[] {
  const { world } = moment;
  const [isCounted, key] = [isCountedBy(rate, moment), keyOf(rate, moment)];
  if (isCounted === false || key === null) return [];
  const [allow, everyMs] = [stated(rate.allow), stated(rate.every)];
  const isOpen = allow === undefined || everyMs === undefined;
  const window = stated(rate.window);
  const counted: Counted = {
    name,
    allowance: { allow: allow ?? 1, everyMs: everyMs ?? Number.POSITIVE_INFINITY },
    kinds: window ? [window] : anyKind,
    key: isOpen || key instanceof Unknown ? undefined : key,
    othersUntilMs: othersUntil(name, key, world),
    isSure: isCounted === true,
  };
  const { isIn, isOut } = outcomesOf(counted, world.tallies, world.received.at);
  // What is not counted is let in.
  const mayBeIn = isIn !== null || !counted.isSure;
  const isRefused = isOut !== null && world.decide(mayBeIn ? unknown([]) : true);
  const told = isRefused ? isOut : (isIn ?? isOut);
  return told ? [{ ...counted, isIn: !isRefused, told }] : [];
}

function isCountedBy({ when }: Share, moment: Moment): Truth {
  if (when.kind === 'open' && when.question !== null) return new Unknown(new Set([when.address]));
  const condition = stated(when);
  return condition ? truthOf(attempt(() => moment.value(condition))) : true;
}

/** What requests that are counted together have in common (rules 3 and 4); null: the request is not counted. */
function keyOf({ per }: Share, moment: Moment): Value {
  if (!isSaid(per)) return new Unknown(new Set([per.address]));
  const by = stated(per);
  if (by === undefined) return 'all';
  // In what others recorded, clients have addresses of their own.
  if (by.kind === 'address') return isRecorded(moment.world) ? unknown([]) : 'address';
  if (by.kind === 'actor') return seen(moment.names['actor'] ?? null);
  return by.kind === 'expression' ? seen(attempt(() => moment.value(by.expression))) : unknown([]);
}

function isRecorded({ countedUnseenMs }: World): boolean {
  return countedUnseenMs === Number.POSITIVE_INFINITY;
}

/** Before this time others may have sent requests with a key. */
function othersUntil(rate: string, key: Value, world: World): number {
  if (isRecorded(world)) return Number.POSITIVE_INFINITY;
  if (isOursAlone(key, world)) return Number.NEGATIVE_INFINITY;
  return world.isShared || world.hiddenRates.includes(rate)
    ? Number.POSITIVE_INFINITY
    : world.countedUnseenMs;
}

/** Whether nobody else can send requests with a key: it holds an item that we made, or what was made for one. */
function isOursAlone(key: Value, world: World): boolean {
  if (key instanceof Item) return key.handle !== null && key.handle > world.founding;
  if (isList(key)) return key.some((each) => isOursAlone(each, world));
  if (isObject(key)) return Object.values(key).some((each) => isOursAlone(each, world));
  return world.isOurs(key);
}

/** Whether requests of others may run when one is received. Ours run one after the other. */
function mayRunTogether(bound: Share, moment: Moment): boolean {
  const key = keyOf(bound, moment);
  if (isCountedBy(bound, moment) === false || key === null) return false;
  return isRecorded(moment.world) || !isOursAlone(key, moment.world);
}

/** What rates counted, if nothing is known of a request but its operation. */
export function doubtful(world: World, operation: Operation): World {
  const { at } = world.received;
  const tallies = ratesFor(world.specification, operation).reduce(
    (all: readonly Tally[], [name, rate]) =>
      tallied(all, { ...unkeyed(name, rate), isIn: true }, 'perhaps', at),
    world.tallies,
  );
  return world.tallying(tallies);
}

function unkeyed(name: string, rate: Rate): Counted {
  const allowance = {
    allow: stated(rate.allow) ?? 1,
    everyMs: stated(rate.every) ?? Number.POSITIVE_INFINITY,
  };
  const window = stated(rate.window);
  return {
    ...{ name, allowance, kinds: window ? [window] : anyKind },
    ...{ key: undefined, othersUntilMs: Number.POSITIVE_INFINITY, isSure: false },
  };
}

/** A rate that a request came to, and whether it counts the request. */
export type Counts = readonly (readonly [Counting, Fate])[];

/**
 * Which rates count a request in the end: those at whose place in the order nothing had refused it (rules 1 and 2).
 *
 * @param isRepeat whether the answer is that of an earlier request: where such a request is judged is left open
 */
export function countsOf(
  { status, condition, subject, rank }: Prediction,
  counting: readonly Counting[],
  operation: Operation,
  { specification }: World,
  isRepeat = false,
): Counts {
  const isSuccess = !(status instanceof Unknown) && status.every((each) => each < 400);
  return counting.map((each): readonly [Counting, Fate] => {
    if (!each.isIn) return [each, 'not counted'];
    if (condition === undefined) return [each, isSuccess && !isRepeat ? 'counted' : 'perhaps'];
    const own = rankFor(refusal('rate exceeded', each.name), operation, specification);
    if (condition === 'rate exceeded' && subject === each.name) return [each, 'not counted'];
    if (rank === undefined || own === rank || !Number.isFinite(Math.min(own, rank))) return [each, 'perhaps'];
    return [each, own < rank ? 'counted' : 'not counted'];
  });
}

/** The same, if it is not known what came of the request, nor who sent it; undefined: nor to which rates it came. */
export function countsPerhaps(all: readonly (Counts | undefined)[]): Counts | undefined {
  const found = new Map<string, Counts[number]>();
  for (const counts of all) {
    if (counts === undefined) return undefined;
    for (const [counting] of counts) {
      const { name, key } = found.get(counting.name)?.[0] ?? counting;
      const isSame = name === counting.name && (key === counting.key || isEqual(key, counting.key));
      found.set(name, [{ ...counting, isIn: true, ...(!isSame && { key: undefined }) }, 'perhaps']);
    }
  }
  return [...found.values()];
}

function isEqual(one: Value | undefined, other: Value | undefined): boolean {
  return one !== undefined && other !== undefined && equal(one, other) === true;
}

/** The world after a request that rates counted. */
export function counted(world: World, counts: Counts): World {
  const { at } = world.received;
  return world.tallying(
    counts.reduce(
      (tallies: readonly Tally[], [counting, fate]) => tallied(tallies, counting, fate, at),
      world.tallies,
    ),
  );
}

/**
 * The prediction with the fields of the rates that count the request, and of the one that refuses it (rules 6 to 8). How the
 * fields of the draft are spelled is not carried out.
 */
export function withRateFields(
  prediction: Prediction,
  counts: Counts,
  operation: Operation,
  moment: Moment,
): Prediction {
  const rates = new Map(ratesFor(moment.world.specification, operation));
  const fields = counts.flatMap(([{ name, allowance, told, isIn, isSure }, fate]) => {
    const headers = stated(rates.get(name)?.headers);
    const isRefusing = !isIn && prediction.condition === 'rate exceeded' && prediction.subject === name;
    if (headers?.kind !== 'fields' || !(isRefusing || (fate === 'counted' && isSure))) return [];
    const read = { rate: named(allowance.allow, told) };
    return [...headers.fields].flatMap(([name, said]) =>
      // A field that cannot be computed is left out.
      Object.entries(
        headersOf(new Map([[name, said]]), (each) => attempt(() => moment.value(each, read))),
      ).map(([field, value]) => ({ field, value, by: said.address })),
    );
  });
  const byField = Map.groupBy(fields, ({ field }) => field);
  // Several fields of one name are sent side by side.
  const own = [...byField].map(([field, [first, ...more]]): [string, Value] => [
    field,
    more.length > 0 || field in prediction.headers ? unknown([]) : (first?.value as Value),
  ]);
  const others = fields.map(({ field, by }): [string, Address] => [`headers.${field}`, by]);
  return {
    ...prediction,
    headers: { ...prediction.headers, ...Object.fromEntries(own) },
    others: { ...prediction.others, ...Object.fromEntries(others) },
  };
}
