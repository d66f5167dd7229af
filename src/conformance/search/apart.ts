import type { Credential } from '../../semantics/access/credential.ts';
import { letsIn } from '../../semantics/access/rule.ts';
import { type Sender, senderOf } from '../../semantics/access/sender.ts';
import { attempt, type Truth, truthOf } from '../../semantics/value/truth.ts';
import { Item, unknown, type Value } from '../../semantics/value/value.ts';
import { Moment } from '../../semantics/world/moment.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import { Undetermined, Ways } from '../../semantics/world/ways.ts';
import { itemOf, type World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Grant, Rule } from '../../specification/vocabulary/rule.ts';
import type { Deviation } from '../deviations/deviation.ts';
import { replacementIn } from '../deviations/expressions/replacements.ts';
import type { Pool } from '../requests/pool.ts';
import { goodCredentialsFor } from '../requests/senders.ts';

/** Items and a sender for whom conditions come to something else if they are got wrong. */
export interface Apart {
  readonly items: readonly Stored[];
  readonly credentials: readonly Credential[];
}

/** How many items and how many senders are looked at. */
const most = 8;

/** A condition as it is got wrong, and as it is stated, for a sender and an item. */
export type Conditions = (sender: Sender, item: Item | null, moment: Moment) => readonly [Truth, Truth];

/** The condition that a deviation gets wrong, of a rule of part 5 or of an expression that reads an item; null: it is none. */
export const conditionsOf = once(
  (deviation: Deviation, operation: Operation, { authentication }: Specification): Conditions | null => {
    const { said, other } = deviation;
    const part = stated(authentication);
    const rule = part && stated(ruleOf(part, operation));
    const isOf = (of: Rule['rule']): boolean => of.address === said.address;
    if (rule && other?.kind === 'stated' && (isOf(rule.rule) || isOf(rule.items))) {
      const grants = other as typeof other & { readonly value: readonly Grant[] };
      const wrong: Rule = isOf(rule.rule) ? { ...rule, rule: grants } : { ...rule, items: grants };
      return (sender, item, moment) => [
        letsIn(wrong, sender, item, moment),
        letsIn(rule, sender, item, moment),
      ];
    }
    const found = replacementIn(deviation);
    if (found === null || !/\.where$|^errors\.codes\.[^.]+\.when$/.test(said.address)) return null;
    return (_, item, moment) => {
      const names = item ? { this: item } : {};
      return [
        truthOf(attempt(() => moment.value(found.other, names))),
        truthOf(attempt(() => moment.value(found.stated, names))),
      ];
    };
  },
);

/**
 * Looks among stored items and known senders for those that tell most of some conditions from what is stated: who asks for
 * what decides, and chance seldom brings the two together.
 *
 * @returns null: none tells any as yet
 */
export function apartIn(
  conditions: readonly Conditions[],
  operation: Operation,
  world: World,
  pool: Pool,
): Apart | null {
  let [best, count]: [Apart | null, number] = [null, 0];
  const senders = pool.shuffled(goodCredentialsFor(operation, world)).slice(0, most);
  for (const items of pool.shuffled(itemsFor(operation, world, pool)).slice(0, most))
    for (const credentials of senders) {
      const told = countApart(conditions, operation, credentials, items, world);
      if (told > count) [best, count] = [{ items: [...items.values()], credentials }, told];
    }
  return best;
}

/** The items that a request may be about, by the names that they have in expressions: `this`, and what the path binds. */
function itemsFor(
  { subject, bindings, does }: Operation,
  world: World,
  pool: Pool,
): ReadonlyMap<string, Stored>[] {
  const others = [...bindings.values()].flatMap((binding) =>
    binding.kind === 'other' ? [{ name: binding.as ?? '', resource: binding.resource }] : [],
  );
  const isMade = ['create', 'list'].includes(stated(does)?.verb ?? '');
  const subjects = subject && !isMade ? world.items(subject.name) : [];
  const [first] = others;
  const bases = isMade || !subject ? (first ? world.items(first.resource) : []) : subjects;
  return bases.slice(-2 * most).map((base) => {
    const found = new Map([[isMade || !subject ? (first?.name ?? '') : 'this', base]]);
    for (const { name, resource } of others) {
      if (found.has(name)) continue;
      const items = world.items(resource);
      const stored = referred(base, resource, world) ?? (items.length > 0 ? pool.item(items) : undefined);
      if (stored) found.set(name, stored);
    }
    return found;
  });
}

function referred({ members }: Stored, resource: string, world: World): Stored | undefined {
  const item = [...members.values()].find((value) => value instanceof Item && value.resource === resource);
  return item instanceof Item ? world.stored(item) : undefined;
}

/** How many of the conditions come to something else. */
function countApart(
  conditions: readonly Conditions[],
  operation: Operation,
  credentials: readonly Credential[],
  items: ReadonlyMap<string, Stored>,
  world: World,
): number {
  const names: Record<string, Value> = { now: unknown([]), request: unknown([]) };
  for (const [name, stored] of items) {
    const resource = world.specification.resourcesByName.get(stored.resource);
    if (resource && name !== 'this') names[name] = itemOf(stored, resource);
  }
  try {
    const moment = new Moment(world.fork(new Ways()), names);
    const sender = senderOf(operation, credentials, moment);
    const named = new Moment(moment.world, { ...names, actor: sender.actor });
    const own = items.get('this');
    const item = own && operation.subject ? itemOf(own, operation.subject) : null;
    return conditions.filter((each) => {
      const [wrong, right] = each(sender, item, named);
      return typeof wrong === 'boolean' && typeof right === 'boolean' && wrong !== right;
    }).length;
  } catch (error) {
    if (error instanceof Undetermined) return 0;
    throw error;
  }
}
