import { equal } from '../../expression/functions.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { Unreached } from '../check.ts';
import { carryOut, wayInto } from '../foresee/course.ts';
import { identityOf, isReadable } from '../item.ts';
import type { Item } from '../partly.ts';
import { perform } from '../perform.ts';
import { operationFor, type Trial } from '../trial.ts';
import { placeOf } from '../world.ts';
import { type Move, machinesOf } from './machines.ts';
import { noteSince, sinceOf } from './since.ts';
import { timedMakers } from './timed-makers.ts';
import { afterMs, dueMs, forgotten, isWaitedFor, marginMs } from './timers.ts';

/** Items that timers have made and nothing was asked of yet, and how many are made the next time. */
interface Pool {
  items: Item[];
  readonly known: Set<string>;
  /** Until when no timer of their own moves them, in milliseconds. */
  goodUntil: number;
  count: number;
}

const pools = new WeakMap<Trial, Map<Resource, Pool>>();

/** How many are made at once, at first and at most: each time is waited for as long. */
const many = { first: 4, most: 32 } as const;

/** An item that a timer made, which is waited for. Throws `Unreached` where none does, or while what takes no time is tried. */
export async function cameByTimer(trial: Trial, resource: Resource): Promise<Item> {
  const makers = timedMakers(trial.of, resource).filter(({ move }) => isWaitedFor(trial, move));
  if (makers.length === 0) throw new Unreached(`no operation that can be exercised creates ${resource.name}`);
  const own = pools.get(trial) ?? new Map<Resource, Pool>();
  pools.set(trial, own);
  const pool = own.get(resource) ?? { items: [], known: new Set(), goodUntil: 0, count: many.first };
  own.set(resource, pool);
  if (trial.now() >= pool.goodUntil) pool.items = [];
  for (const { move } of makers) {
    if (pool.items.length > 0) break;
    await fill(trial, resource, move, pool);
  }
  const item = pool.items.shift();
  if (item === undefined) throw new Unreached(`no timer was seen to make a ${resource.name}`);
  return item;
}

async function fill(trial: Trial, resource: Resource, move: Move, pool: Pool): Promise<void> {
  if (!trial.waits.now)
    throw new Unreached(`${resource.name} is made by ${move.name}, which is waited for later`);
  const way = wayInto(trial, move);
  const lister = operationFor(trial.of, resource, 'list');
  if (way === undefined || lister === null) return;
  const { count } = pool;
  pool.count = Math.min(count * 2, many.most);
  const moved: Item[] = [];
  while (moved.length < count) moved.push(await carryOut(trial, move.of.resource, way));
  const makers = moved.map((item) => trial.makers.get(placeOf(item)) ?? trial.persona);
  const references = referencesTo(resource, move.of.resource);
  await trial.wait((dueMs(move) ?? 0) + marginMs, `the timer of ${move.name}`);
  forgotten(trial);
  for (const as of new Set(makers)) {
    const { entries } = await perform(trial, lister, { as });
    for (const { item } of entries ?? []) {
      const identity = identityOf(item);
      if (identity === undefined || pool.known.has(identity)) continue;
      const of = moved.find((one) => references.some((field) => isKeyOf(item, field, one)));
      // It may be of another, and have come long ago.
      if (references.length > 0 && of === undefined) continue;
      pool.known.add(identity);
      const entered = of && sinceOf(of)?.get(move.of.field);
      if (entered) noteCame(trial, item, entered.earliestMs + (afterMs(move) ?? 0));
      pool.items.push(item);
      if (as) trial.makers.set(placeOf(item), as);
    }
  }
  const soonMs = machinesOf(trial.of, resource).flatMap(({ moves }) =>
    moves.flatMap((one) => afterMs(one) ?? []),
  );
  pool.goodUntil = trial.now() + Math.min(...soonMs) / 2;
}

/** The fields that show which item of another resource one refers to. */
function referencesTo({ fields }: Resource, { name }: Resource): readonly Field[] {
  return [...fields.values()].filter((field) => stated(field.refers)?.resource === name && isReadable(field));
}

function isKeyOf(item: Item, { name, refers }: Field, one: Item): boolean {
  const [key, own] = [item.known.get(name), one.known.get(stated(refers)?.field ?? '')];
  return key !== undefined && own !== undefined && equal(key, own);
}

function noteCame(trial: Trial, item: Item, earliestMs: number): void {
  const since = { earliestMs, latestMs: trial.now() };
  noteSince(item, new Map(machinesOf(trial.of, item.resource).map(({ field }) => [field, since])));
}
