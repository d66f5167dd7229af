import { once } from '../../source/once.ts';
import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Grant, Rule } from '../../specification/vocabulary/rule.ts';
import { type Refusal, refusal } from '../change/refusal.ts';
import { attempt, both, some, type Truth, truthOf } from '../value/truth.ts';
import { type Item, Unknown } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import { isActor, isKnown, type Sender } from './sender.ts';

/** The rule of an operation; null: nothing is stated about who may ask (language §5.5). */
export function ruleFor(operation: Operation, { world }: Moment): Rule | null {
  const { authentication } = world.specification;
  const part = stated(authentication);
  if (part === undefined) return null;
  const said = ruleOf(part, operation);
  const rule = stated(said);
  if (rule !== undefined || (stated(part.schemes)?.size ?? 0) === 0) return rule ?? null;
  // While it is open who may ask, a request may be refused for it (`withSilence`). A list may leave out any item.
  return world.mayAdd && !isOfMany(operation) ? null : world.leave(new Unknown(new Set([said.address])));
}

/** Whether an operation is about any number of items. */
export function isOfMany({ does }: Operation): boolean {
  const change = stated(does);
  return change?.verb === 'list' || change?.subject.kind === 'every';
}

/** Whether the rule is judged for each item (language §5.5, rule 19). */
export const isAboutItem = once(({ rule, items }: Rule): boolean =>
  [...(stated(rule) ?? []), ...(stated(items) ?? [])].some(
    (grant) => grant.kind === 'expression' && grant.aboutItem,
  ),
);

/** The part of a rule that is judged before an item is searched for; undefined: there is none. */
function beforehand({ rule }: Rule): readonly Grant[] | undefined {
  const grants = stated(rule);
  return grants?.some((grant) => grant.kind === 'expression' && grant.aboutItem) ? undefined : grants;
}

/** Whether the sender may be let in for some item. */
export function mayBeLetIn(rule: Rule, sender: Sender, moment: Moment): boolean {
  const early = beforehand(rule);
  return early === undefined || some(early, (grant) => granted(grant, sender, null, moment)) !== false;
}

/** Whether a rule lets the sender in, for an item; null: the item does not exist, or there is none. */
export function letsIn(rule: Rule, sender: Sender, item: Item | null, moment: Moment): Truth {
  const holds = (grants: readonly Grant[]): Truth =>
    some(grants, (grant) => granted(grant, sender, item, moment));
  const items = stated(rule.items);
  return both(holds(stated(rule.rule) ?? []), () => (items === undefined ? true : holds(items)));
}

/** A rule that cannot be computed refuses nothing (language §H.4, rule 7). */
function granted(grant: Grant, sender: Sender, item: Item | null, moment: Moment): Truth {
  switch (grant.kind) {
    case 'anyone':
      return true;
    case 'known':
      return isKnown(sender);
    case 'actor':
      return isActor(grant.name, sender, moment);
    case 'expression':
      if (grant.aboutItem && item === null) return false;
      return holdsFor(grant.expression, sender, item, moment);
  }
}

function holdsFor(expression: PlacedTemplate, { actor }: Sender, item: Item | null, moment: Moment): Truth {
  return truthOf(attempt(() => moment.value(expression, { actor, ...(item && { this: item }) })));
}

/**
 * Why the sender is refused (conditions 4, 7 and 8). A client that nobody knows is refused by the rule, too, so that
 * `not authorized` may conceal (§H.4, rule 8).
 *
 * @param item the item that the operation is about; null: there is none, or the rule is about no item
 */
export function refusedSender(
  rule: Rule,
  sender: Sender,
  item: Item | null,
  moment: Moment,
): readonly Refusal[] {
  if (!sender.grants) return [refusal('not authorized')];
  const isLetIn = moment.world.decide(letsIn(rule, sender, item, moment));
  const found = refusedCredential(sender, isLetIn, moment);
  if (isLetIn) return found;
  if (!mayBeLetIn(rule, sender, moment) || !isAboutItem(rule)) return [...found, refusal('not authorized')];
  return item === null ? found : [...found, refusal('not authorized', item.resource)];
}

/** Why the sender is refused by a rule about an item that does not exist: only `anyone` holds (language §H.4, rules 7 and 10). */
export function refusedUnfound({ rule, items }: Rule, sender: Sender, moment: Moment): readonly Refusal[] {
  if (!sender.grants) return [refusal('not authorized')];
  const isFree = (stated(rule) ?? []).some(({ kind }) => kind === 'anyone') && stated(items) === undefined;
  return refusedCredential(sender, isFree, moment);
}

/** Whether no credential came where one is needed, and whether one came that is not good (condition 4). */
function refusedCredential({ credential, wrong }: Sender, isLetIn: boolean, { world }: Moment): Refusal[] {
  // What happens to a wrong credential where none is needed may be a choice (language §F.1).
  const isRefused = (): boolean => (wrong ?? ['refuse', 'ignore'][world.ways.choose(2)]) === 'refuse';
  if (credential === 'wrong' && (!isLetIn || isRefused())) return [refusal('credential wrong')];
  return credential === 'none' && !isLetIn ? [refusal('credential missing')] : [];
}
