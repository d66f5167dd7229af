import { withArticle } from '../../specification/reading/article.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { ifReached, Unreached } from '../check.ts';
import { identityOf } from '../item.ts';
import type { Item } from '../partly.ts';
import { readBack } from '../perform.ts';
import { ended } from '../refusals/groups.ts';
import { movesOn, noteSince, type Since, sinceOf } from '../states/since.ts';
import { afterMs, dueMs, isWaitedFor, marginMs, movesUnasked, tooLong } from '../states/timers.ts';
import { type Done, operationFor, type Trial } from '../trial.ts';
import { walk } from '../walk.ts';
import { placeOf } from '../world.ts';
import { goOn, isMade } from './going.ts';
import { isWait, type Step, statesOf, type Wait, type Way, waitedMs } from './tree.ts';

/** Items that are brought by one way to where its last wait leads, several at once: each wait is waited for once. */
interface Group {
  readonly resource: Resource;
  readonly way: Way;
  /** How many were asked for and are not begun yet, and how many were begun. */
  wanted: number;
  begun: number;
  readonly underWay: Waiting[];
  readonly arrived: Item[];
  /** Why one did not get there: no more are begun then. */
  why: Unreached | null;
}

/** An item that waits: for which of its way's steps. */
interface Waiting {
  readonly item: Item;
  readonly at: number;
}

/** By the last wait of their way. */
const groups = new WeakMap<Trial, Map<Wait, Group>>();

/** How many items are begun at once, and how often they are, for one that is asked for. */
const most = { together: 32, times: 3 } as const;

/** Notes that an item will be asked for that the waits of a way lead to. */
export function noteWanted(trial: Trial, resource: Resource, way: Way): void {
  const last = way.findLastIndex(isWait);
  if (last !== -1) groupOf(trial, resource, way.slice(0, last + 1)).wanted += 1;
}

/**
 * An item that a way leads to which ends with a wait, looked at just now. Throws `Unreached` where it takes longer than
 * the tester's patience, while what takes no time is tried, and where none is found to get there.
 */
export async function waited(trial: Trial, resource: Resource, way: Way): Promise<Item> {
  const why = tooLongOn(trial, way);
  if (why !== null) throw new Unreached(why);
  const group = groupOf(trial, resource, way);
  if (!trial.waits.now) {
    group.wanted += 1;
    throw new Unreached(
      `${withArticle(resource.name)} is brought there by a timer, which is waited for later`,
    );
  }
  for (let times = 0; times < most.times; times += 1) {
    for (let item = group.arrived.shift(); item; item = group.arrived.shift()) {
      if (times > 0) await forgetMoved(trial);
      const found = await stillThere(trial, item);
      if (found) return found;
    }
    if (group.why === null && group.underWay.length === 0) await begin(trial, group);
    await arrive(trial, group);
    if (group.why !== null && group.arrived.length === 0) break;
  }
  throw group.why ?? new Unreached(`no ${resource.name} was found to stay where timers lead it`);
}

/** Forgets what a timer may have moved of what others refer to, and makes it anew. */
async function forgetMoved(trial: Trial): Promise<void> {
  for (const [name, items] of [...trial.stock]) {
    const [first] = items.filter((one) => movesUnasked(trial.of, one.resource, one).length > 0);
    if (first === undefined || operationFor(trial.of, first.resource, 'create') === null) continue;
    trial.stock.delete(name);
    await ifReached(() => trial.stocked(name));
  }
}

/** Why a way takes longer than the tester's patience; null where it does not. */
export function tooLongOn(trial: Trial, way: Way): string | null {
  const long = way.filter(isWait).find(({ timer }) => !isWaitedFor(trial, timer));
  return long ? tooLong(long.timer) : null;
}

function groupOf(trial: Trial, resource: Resource, way: Way): Group {
  const all = groups.get(trial) ?? new Map<Wait, Group>();
  groups.set(trial, all);
  const last = way.at(-1) as Wait;
  const found = all.get(last) ?? { resource, way, wanted: 0, begun: 0, underWay: [], arrived: [], why: null };
  all.set(last, found);
  return found;
}

/** Begins what is asked for, and all with it that takes as long or longer: it waits at the same time. */
async function begin(trial: Trial, first: Group): Promise<void> {
  first.wanted = Math.max(first.wanted, first.begun, 1);
  const lengthMs = waitedMs(trial, first.way);
  for (const group of groups.get(trial)?.values() ?? []) {
    if (group.wanted === 0 || waitedMs(trial, group.way) < lengthMs) continue;
    const count = Math.min(group.wanted, most.together);
    group.wanted = 0;
    for (let made = 0; made < count; made += 1) if (!(await goTo(trial, group, undefined, 0))) break;
    group.begun += group.underWay.length;
  }
}

/** Takes an item to its next wait, or to the end of its way. Tells whether it got there. */
async function goTo(trial: Trial, group: Group, from: Item | undefined, at: number): Promise<boolean> {
  const { resource, way } = group;
  const ahead = way.slice(at);
  const next = ahead.findIndex(isWait);
  try {
    const start = at > 0 || isMade(way) ? from : await trial.come(resource);
    const steps = (next === -1 ? ahead : ahead.slice(0, next)) as readonly Step[];
    const item = await goOn(trial, resource, start, steps);
    if (next === -1) group.arrived.push(item);
    else group.underWay.push({ item, at: at + next });
    return true;
  } catch (error) {
    if (!(error instanceof Unreached)) throw error;
    group.why = error;
    return false;
  }
}

/** Waits until the first of these items is there, or none is under way any more; all others go on meanwhile. */
async function arrive(trial: Trial, group: Group): Promise<void> {
  while (group.arrived.length === 0 && group.underWay.length > 0) {
    const all = [...(groups.get(trial)?.values() ?? [])];
    const next = Math.min(...all.flatMap((one) => one.underWay.map((waiting) => dueAt(one, waiting))));
    const [of] = group.underWay;
    await ended(trial.groups, trial.of);
    await trial.wait(
      Math.max(0, next - trial.now()),
      `the timer of ${(group.way[of?.at ?? 0] as Wait).timer.name}`,
    );
    trial.seen.clear();
    trial.seenLists.clear();
    for (const one of all) await goOnIfDue(trial, one);
  }
}

async function goOnIfDue(trial: Trial, group: Group): Promise<void> {
  const due = group.underWay.filter((one) => dueAt(group, one) <= trial.now());
  for (const one of due) {
    group.underWay.splice(group.underWay.indexOf(one), 1);
    const moved = await movedOn(trial, group, one);
    if (moved) await goTo(trial, group, moved, one.at + 1);
  }
}

/** When whoever looks is to see that an item was moved, at the latest. */
function dueAt({ way }: Group, { item, at }: Waiting): number {
  const { timer, move } = way[at] as Wait;
  const entered = sinceOf(item)?.get(move.of.field);
  return (entered?.latestMs ?? 0) + (dueMs(timer) ?? 0) + marginMs;
}

/** The item, looked at once its timer was due; undefined where it is not where that leads, or may have been moved on. */
async function movedOn(trial: Trial, group: Group, { item, at }: Waiting): Promise<Item | undefined> {
  const { timer, move, foreseen } = group.way[at] as Wait;
  const after = foreseen.after as Item;
  const since = new Map(sinceOf(item));
  const { earliestMs = 0 } = since.get(move.of.field) ?? {};
  since.set(move.of.field, { earliestMs: earliestMs + (afterMs(timer) ?? 0), latestMs: trial.now() });
  const next = movesOn(trial.of, after, since);
  if (next && next.atMs <= trial.now()) return undefined;
  try {
    const { item: found } = await lookedAt(trial, item);
    const [wanted, states] = [statesOf(trial, after), found && statesOf(trial, found)];
    if (found === null || wanted !== states)
      throw new Unreached(
        `once ${timer.name} was due the ${group.resource.name} was found in ${states}, and not in ${wanted}`,
      );
    noteSince(
      found,
      since.set(move.of.field, { ...(since.get(move.of.field) as Since), latestMs: trial.now() }),
    );
    return found;
  } catch (error) {
    if (!(error instanceof Unreached)) throw error;
    group.why = error;
    return undefined;
  }
}

/** The item as it is seen now; undefined where it left its states, or a timer may move it on before long. */
async function stillThere(trial: Trial, item: Item): Promise<Item | undefined> {
  const around = [...(trial.around.get(placeOf(item))?.values() ?? [])];
  if (around.some((one) => movesUnasked(trial.of, one.resource, one).length > 0))
    throw new Unreached('what it was made under may have been moved meanwhile');
  const next = movesOn(trial.of, item);
  if (next && next.atMs - trial.now() < (afterMs(next.timer) ?? 0) / 2) return undefined;
  const { item: found } = await lookedAt(trial, item);
  if (found === null || statesOf(trial, found) !== statesOf(trial, item)) return undefined;
  noteSince(found, sinceOf(item) ?? new Map());
  return found;
}

/** What is seen of an item now: where nothing reads one, in the list of whoever made it. Throws `Unreached` where nothing shows it. */
export async function lookedAt(trial: Trial, item: Item): Promise<Done> {
  const { of } = trial;
  const lister = operationFor(of, item.resource, 'list');
  if (operationFor(of, item.resource, 'read') || lister === null) return await readBack(trial, item);
  const as = trial.makers.get(placeOf(item));
  const { entries, last } = await walk(trial, lister, { attempt: as ? { as } : {} });
  const found = entries.find((one) => identityOf(one.item) === identityOf(item));
  if (found === undefined) throw new Unreached(`${lister.key} does not show the ${item.resource.name}`);
  return { ...last, ...found, entries: null };
}
