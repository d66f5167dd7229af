import { ruleOf } from '../../../specification/model/authorization.ts';
import type { Operation } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { stated } from '../../../specification/reading/said.ts';
import type { ConditionName } from '../../../specification/vocabulary/condition.ts';
import type { Row } from '../../../specification/vocabulary/parts/errors.ts';
import type { Rule } from '../../../specification/vocabulary/rule.ts';

/** Whether a rule may refuse a sender: it does not let in anyone, for every item. */
export function isRuled(operation: Operation, specification: Specification): boolean {
  const rule = ruleFor(operation, specification);
  if (rule === undefined) return stated(specification.authentication) !== undefined;
  const grants = stated(rule.rule);
  return (
    grants === undefined || stated(rule.items) !== undefined || !grants.some(({ kind }) => kind === 'anyone')
  );
}

/**
 * Whether `not authorized` may be answered by a row about a resource; of none: by one that is about no resource
 * (language §H.4, rows 7 and 8).
 */
export function mayBeUnauthorized(
  resource: string,
  operation: Operation,
  specification: Specification,
): boolean {
  if (!isRuled(operation, specification)) return false;
  const rule = ruleFor(operation, specification);
  if (rule === undefined) return true;
  const { subject } = operation;
  const own = isAboutItem(rule) && (subject === null || resource === '' || subject.name === resource);
  if (resource !== '') return own;
  return mayRefuseSender(rule, specification) || (own && !isListed(subject?.name, operation, specification));
}

/** Whether a rule refuses somebody only for the item that a request is about, so that the item has to be there. */
export function isOfItemAlone(operation: Operation, specification: Specification): boolean {
  const rule = ruleFor(operation, specification);
  return rule !== undefined && isAboutItem(rule) && !mayRefuseSender(rule, specification);
}

function ruleFor(operation: Operation, { authentication }: Specification): Rule | undefined {
  const part = stated(authentication);
  return part && stated(ruleOf(part, operation));
}

function isAboutItem({ rule, items }: Rule): boolean {
  const grants = [...(stated(rule) ?? []), ...(stated(items) ?? [])];
  return grants.some((grant) => grant.kind === 'expression' && grant.aboutItem);
}

/** Whether a rule may refuse somebody whatever the item is, and not for the credential alone. */
function mayRefuseSender({ rule, schemes }: Rule, specification: Specification): boolean {
  const grants = stated(rule) ?? [];
  const isScoped = (stated(schemes) ?? []).flat().some(({ scopes }) => scopes.length > 0);
  if (isScoped || grants.length === 0) return true;
  const isLate = grants.some((grant) => grant.kind === 'expression' && grant.aboutItem);
  if (isLate || grants.some(({ kind }) => kind === 'anyone')) return false;
  return !grants.some(({ kind }) => kind === 'known') || !isCredentialFirst(specification);
}

/** Whether who has no good credential is refused for that before `not authorized` answers. */
function isCredentialFirst(specification: Specification): boolean {
  const order = stated(stated(specification.errors)?.order)?.map(({ text }) => text) ?? [];
  const rows = order.map((code) => rowNamed(code, specification));
  const lists = (row: Row | undefined, name: ConditionName): boolean =>
    (row && stated(row.when))?.some(({ names }) => names.includes(name)) ?? false;
  const refused = rows.findIndex((row) => lists(row, 'not authorized'));
  const before = rows.slice(0, refused).filter((row) => row && stated(row.operations) === undefined);
  return (['credential missing', 'credential wrong'] as const).every((name) =>
    before.some((row) => lists(row, name)),
  );
}

function rowNamed(code: string, { errors }: Specification): Row | undefined {
  return stated(stated(stated(errors)?.codes)?.get(code) ?? undefined);
}

/** Whether another row is about the item of an operation: it comes first (language §H.4, rule 4). */
function isListed(resource: string | undefined, { name }: Operation, { errors }: Specification): boolean {
  return [...(stated(stated(errors)?.codes)?.values() ?? [])].some((said) => {
    const row = stated(said);
    const operations = row && stated(row.operations);
    if (!row || (operations && !operations.some(({ text }) => text === name))) return false;
    return (stated(row.when) ?? []).some(
      ({ names, subject }) =>
        resource !== undefined && subject === resource && names.includes('not authorized'),
    );
  });
}
