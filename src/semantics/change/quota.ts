import { stated } from '../../specification/reading/said.ts';
import type { Quota } from '../../specification/vocabulary/parts/limits.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { equal } from '../value/compare.ts';
import { both, type Truth, truthOf } from '../value/truth.ts';
import { Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { Stored } from '../world/stored.ts';
import { itemOf, type World } from '../world/world.ts';
import { type Refusal, refusal } from './refusal.ts';

/** Quotas that a change exceeds: it makes the use of a group more, and past what is allowed (language §8.4, rule 15). */
export function quotasExceeded(before: World, moment: Moment): readonly Refusal[] {
  const { specification } = moment.world;
  const quotas = stated(stated(specification.limits)?.quotas) ?? [];
  for (const [name, said] of quotas) {
    const quota = stated(said);
    const resource = quota && specification.resourcesByName.get(stated(quota.of)?.text ?? '');
    if (!quota || !resource) continue;
    const found = exceeded(name, quota, resource, before, moment);
    if (found !== null) return [found];
  }
  return [];
}

function exceeded(
  name: string,
  quota: Quota,
  resource: Resource,
  before: World,
  moment: Moment,
): Refusal | null {
  const then = new Moment(before.fork(moment.world.ways), moment.names);
  const former = new Set(before.items(resource.name));
  const written = moment.world.items(resource.name).filter((stored) => !former.has(stored));
  for (const stored of written.toReversed()) {
    if (countsFor(quota, itemOf(stored, resource), moment) === false) continue;
    const group = groupOf(quota, resource, stored, moment);
    if (group instanceof Unknown) moment.world.leave(group);
    if (group === null) continue;
    const decided: Decided = new Map();
    const [used, use] = [then, moment].map((when) => useOf(quota, resource, group, decided, when)) as [
      number,
      number,
    ];
    const allow = allowed(quota, resource, stored, moment);
    if (allow !== null && use > used) moment.decides(quota, `${Math.max(-1, Math.min(allow - use, 2))} left`);
    if (allow !== null && use > used && use > allow)
      return { ...refusal('quota exceeded', name), names: { quota: { limit: allow, used } } };
  }
  return null;
}

/** What the item counts with; null: no quota counts it. */
function groupOf(quota: Quota, resource: Resource, stored: Stored, moment: Moment): Value {
  return valueFor(quota, itemOf(stored, resource), moment);
}

/** Whether a quota counts an item. */
function countsFor(quota: Quota, item: Value, moment: Moment): Truth {
  const when = stated(quota.when);
  return when ? truthOf(moment.value(when, { this: item })) : true;
}

function valueFor(quota: Quota, item: Value, moment: Moment): Value {
  const per = stated(quota.per);
  return per ? moment.value(per, { this: item }) : true;
}

function allowed(quota: Quota, resource: Resource, stored: Stored, moment: Moment): number | null {
  const allow = stated(quota.allow);
  if (allow === undefined) return null;
  if (typeof allow === 'number') return allow;
  const value = moment.value(allow, { this: itemOf(stored, resource) });
  return typeof value === 'number' || value === null ? value : moment.world.leave(unknown([value]));
}

/** Of an item of which it is not known whether a quota counts it: whether it is taken to count. */
type Decided = Map<Stored, boolean>;

function isCounted(stored: Stored, decided: Decided, { world }: Moment): boolean {
  const does = decided.get(stored) ?? world.decide(unknown([]));
  decided.set(stored, does);
  return does;
}

/** How much the items of a group use. */
function useOf(quota: Quota, resource: Resource, group: Value, decided: Decided, moment: Moment): number {
  let total = 0;
  const theirs = moment.world.theirs(resource.name);
  const isTheirs = theirs && equal(valueFor(quota, theirs, moment), group);
  if (isTheirs !== undefined && isTheirs !== false) return moment.world.leave(unknown([]));
  for (const stored of moment.world.items(resource.name)) {
    const item = { this: itemOf(stored, resource) };
    const isOfGroup = equal(groupOf(quota, resource, stored, moment), group);
    const counts = both(isOfGroup, () => countsFor(quota, item.this, moment));
    if (!(counts instanceof Unknown ? isCounted(stored, decided, moment) : counts)) continue;
    moment.world.finds(stored);
    const sum = stated(quota.sum);
    const amount = sum ? moment.value(sum, item) : 1;
    if (amount !== null && typeof amount !== 'number') return moment.world.leave(unknown([amount]));
    total += amount ?? 0;
  }
  return total;
}
