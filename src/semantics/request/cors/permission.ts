import { pathsIn } from '../../../expression/template.ts';
import { once } from '../../../source/once.ts';
import type { Operation } from '../../../specification/model/operation.ts';
import { stated } from '../../../specification/reading/said.ts';
import type { Rule } from '../../../specification/vocabulary/rule.ts';
import {
  isAboutItem,
  isOfMany,
  letsIn,
  mayBeLetIn,
  refusedSender,
  refusedUnfound,
  ruleFor,
} from '../../access/rule.ts';
import type { Sender } from '../../access/sender.ts';
import { type Refusal, refusal } from '../../change/refusal.ts';
import type { Truth } from '../../value/truth.ts';
import { Item, unknown, type Value } from '../../value/value.ts';
import type { Moment } from '../../world/moment.ts';
import type { Stored } from '../../world/stored.ts';
import { findSubject, isGone } from '../find.ts';
import type { Request } from '../prediction.ts';

/** Whether the sender may ask, and what about (conditions 4, 7 and 8 of language §H.4). */
export interface Permission {
  readonly refusals: readonly Refusal[];
  readonly stored: Stored | null;
  /** Whether an item is missing. */
  readonly isMissing: boolean;
  /** Whether the rule admits an item of a list, or of `every`. */
  readonly admits: (item: Value) => Truth;
}

/**
 * @param unseen why the sender is refused, as `refusalsUnseen` gives it
 * @param unbound the resources of items that parameters bind and that do not exist
 */
export function permission(
  request: Request,
  sender: Sender,
  unseen: readonly Refusal[] | null,
  unbound: readonly string[],
  moment: Moment,
): Permission {
  const { operation } = request;
  const rule = ruleFor(operation, moment);
  const subject = unbound.length === 0 ? findSubject(operation, request, moment) : undefined;
  // `absent: ignore` is about the subject, not about what the path binds besides.
  const isIgnored = stated(stated(operation.does)?.qualifiers.absent) === 'ignore';
  const missing = subject === null && !isIgnored ? [operation.subject?.name ?? ''] : unbound;
  const item = subject ? moment.world.itemOf(subject) : null;
  const ofSender = unseen ?? (rule === null ? [] : senderRefusals(rule, sender, operation, item, moment));
  const absent = missing.map((resource) => missingItem(resource, request, moment));
  return {
    refusals: [...ofSender, ...absent],
    stored: subject ?? null,
    isMissing: absent.length > 0,
    admits: (each) => isAdmitted(rule, sender, each, moment),
  };
}

/** Why the sender is refused, whatever the request is about; null: the rule may read an item that is to be found. */
export function refusalsUnseen(
  operation: Operation,
  sender: Sender,
  moment: Moment,
): readonly Refusal[] | null {
  const rule = ruleFor(operation, moment);
  if (rule === null) return [];
  return isAboutItem(rule) || boundRead(rule, operation).length > 0
    ? null
    : refusedSender(rule, sender, null, moment);
}

/** The names of items that the path binds and that a rule reads. */
const boundRead = once(({ rule }: Rule, { bindings }: Operation): readonly string[] => {
  const read = (stated(rule) ?? []).flatMap((grant) =>
    grant.kind === 'expression' ? pathsIn(grant.expression.template).map(([root]) => root) : [],
  );
  const names = [...bindings.values()].map((binding) => (binding.kind === 'other' ? binding.as : null));
  return names.filter((name) => name !== null && read.includes(name)) as readonly string[];
});

/** A list and `every` leave out what a rule about items refuses. */
function isAdmitted(rule: Rule | null, sender: Sender, item: Value, moment: Moment): Truth {
  if (rule === null || !isAboutItem(rule)) return true;
  return item instanceof Item ? letsIn(rule, sender, item, moment) : unknown([item]);
}

function senderRefusals(
  rule: Rule,
  sender: Sender,
  operation: Operation,
  item: Item | null,
  moment: Moment,
): readonly Refusal[] {
  const isFound = boundRead(rule, operation).every((name) => Object.hasOwn(moment.names, name));
  if (!isFound) return refusedUnfound(rule, sender, moment);
  // The language does not say whether a rule about items holds for nobody, if there may be no items.
  const isUnsaid = isOfMany(operation) && isAboutItem(rule) && sender.credential !== 'good';
  if (isUnsaid && mayBeLetIn(rule, sender, moment)) moment.world.leave(unknown([]));
  return refusedSender(rule, sender, item, moment);
}

function missingItem(resource: string, request: Request, moment: Moment): Refusal {
  const gone = moment.world.decide(isGone(resource, request, moment.world));
  return refusal(gone ? 'gone' : 'unknown', resource);
}
