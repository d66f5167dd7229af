import { namesIn } from '../../expression/expression.ts';
import { expressionsIn, wholePath } from '../../expression/template.ts';
import { once } from '../../source/once.ts';
import { changesOf } from '../../specification/model/changes.ts';
import { machinesOf, transitionsIn } from '../../specification/model/machine.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Condition, ConditionName } from '../../specification/vocabulary/condition.ts';
import type { Row } from '../../specification/vocabulary/parts/errors.ts';
import type { Quota } from '../../specification/vocabulary/parts/limits.ts';
import type { Field } from '../../specification/vocabulary/resource/field.ts';
import { isRuled, mayBeUnauthorized } from './access/unauthorized.ts';
import { nothing } from './deviation.ts';
import { mayGive, mayWrite } from './gives.ts';

/** Whether some request to an operation may be refused by a row of part 7. If that is not sure, it may (language §H.4). */
export function mayMeet(row: Row, operation: Operation, specification: Specification): boolean {
  const own = stated(row.operations);
  if (own && !own.some(({ text }) => text === operation.name)) return false;
  const conditions = stated(row.when);
  if (conditions === undefined || stated(operation.does)?.verb === 'handled') return true;
  return conditions.some((condition) => mayHold(condition, operation, specification));
}

/** An operation without what others do in its place: a function refuses after all else, and what refuses a request that `run` sends stands in a result (language §H.2, rule 18). */
export function withoutOthers(operation: Operation): Operation {
  const { does } = operation;
  const isByOthers = ['handled', 'run'].includes(stated(does)?.verb ?? '');
  return isByOthers ? { ...operation, does: nothing(does) as typeof does } : operation;
}

/** What some conditions need, beside what others do. */
const needs: Partial<Record<ConditionName, (operation: Operation, of: Specification) => boolean>> = {
  'credential missing': isRuled,
  'credential wrong': (_, { authentication }) => authentication.kind === 'stated',
  'unsupported media': takesBody,
  invalid: (operation, specification) =>
    takesValues(operation) || changesMade(operation, specification).some(({ verb }) => verb !== 'delete'),
  'key missing': ({ endpoint }) => endpoint.idempotency.kind === 'stated',
  'key reused': ({ endpoint }) => endpoint.idempotency.kind === 'stated',
  'key busy': ({ endpoint }) => endpoint.idempotency.kind === 'stated',
  'precondition missing': ({ endpoint }) => {
    const conditional = stated(endpoint.conditional);
    return [conditional?.ifMatch, conditional?.ifUnmodifiedSince].some(
      (said) => said && stated(said) === 'required',
    );
  },
  'precondition failed': ({ endpoint, method }) => {
    const conditional = stated(endpoint.conditional);
    const given = [conditional?.ifMatch, conditional?.ifUnmodifiedSince];
    const all = ['GET', 'HEAD'].includes(method) ? given : [...given, conditional?.ifNoneMatch];
    return all.some((said) => said?.kind === 'stated');
  },
  'range not satisfiable': ({ endpoint }) => stated(endpoint.conditional)?.ranges.kind === 'stated',
  'wrong credentials': ({ does, endpoint }) =>
    [...[stated(does) ?? []].flat(), ...(stated(endpoint.also) ?? [])].some(
      ({ verb }) => verb === 'authenticate' || verb === 'run',
    ),
};

function mayHold({ names, subject }: Condition, operation: Operation, specification: Specification): boolean {
  const [resource = '', part = ''] = subject.split('.');
  return names.some((name) => {
    switch (name) {
      case 'unknown path':
      case 'method not allowed':
        return (
          specification.older.size > 0 || specification.operations.some((each) => isBeside(each, operation))
        );
      case 'malformed':
        return subject !== 'body' || takesBody(operation);
      case 'not authorized':
        return mayBeUnauthorized(resource, operation, specification);
      case 'rate exceeded':
        return isCounted(operation, subject, specification);
      case 'too large':
        return mayBeTooLarge(operation, subject, specification);
      case 'in use':
        return changesMade(operation, specification).some((change) =>
          mayDelete(change, resource, specification),
        );
      case 'quota exceeded':
        return changesMade(operation, specification).some((change) =>
          mayUse(change, subject, operation, specification),
        );
      case 'unknown':
      case 'gone':
        return findsItem(operation, resource);
      case 'different':
      case 'not unique':
        return changesMade(operation, specification).some(
          (change) => change.verb !== 'delete' && isOf(change, resource) && mayCollide(change, specification),
        );
      case 'transition refused':
        return changesMade(operation, specification).some(
          (change) => isOf(change, resource) && !plain.has(change.verb),
        );
      case 'guard refused':
        return changesMade(operation, specification).some(
          (change) =>
            (isOf(change, resource) && isGuarded(change, part)) ||
            (['', 'delete'].includes(part) && cascades(change)),
        );
      case 'invariant broken':
        return changesMade(operation, specification).some((change) =>
          mayBreak(change, resource, specification),
        );
      default:
        return needs[name]?.(operation, specification) ?? true;
    }
  });
}

/** A change that an operation makes. */
export interface Done {
  /** A verb of the language, or a transition. */
  readonly verb: string;
  /** Null: it may be any. */
  readonly resource: string | null;
  /** Whether it may give a field of its item another value. */
  readonly writes: (field: Field) => boolean;
}

const plain: ReadonlySet<string> = new Set(['create', 'update', 'replace', 'delete']);

/** The changes of items that an operation makes by itself, and by `also`. */
export const changesMade = once((operation: Operation, specification: Specification): readonly Done[] => {
  const main = stated(operation.does);
  return changesOf(operation).flatMap((change): Done[] => {
    const { verb } = change;
    if (['read', 'list', 'authenticate', 'revoke'].includes(verb)) return [];
    const isGiven = (field: Field): boolean =>
      change !== main || verb === 'create' || mayGive(operation, field.name, specification);
    const writes = (field: Field): boolean => mayWrite(change, field, specification) && isGiven(field);
    return [{ verb, resource: resourceOf(change, operation, specification), writes }];
  });
});

/** The resource of the items that a change is about; null: it may be any. */
function resourceOf(
  { verb, subject: about }: Change,
  { subject, bindings }: Operation,
  { resourcesByName }: Specification,
): string | null {
  if (verb === 'run' || verb === 'handled') return null;
  if (about.kind === 'one' || about.kind === 'every') return about.name;
  const words = about.kind === 'expression' ? wholePath(about.item.template) : [about.name ?? ''];
  const [root, ...members] = words ?? [];
  const bound = [...bindings.values()].find((binding) => binding.kind === 'other' && binding.as === root);
  const first = root === 'this' ? subject?.name : bound?.kind === 'other' ? bound.resource : undefined;
  const last = members.reduce<string | undefined>((resource, member) => {
    const refers = resourcesByName.get(resource ?? '')?.fields.get(member)?.refers;
    return refers && stated(refers)?.resource;
  }, first);
  return last ?? null;
}

function isOf({ resource }: Done, name: string): boolean {
  return name === '' || resource === null || resource === name;
}

/** Other items may be deleted together with one, or change with it. */
function cascades({ verb, resource }: Done): boolean {
  return resource === null || !['create', 'update', 'replace'].includes(verb);
}

function isGuarded({ verb }: Done, guard: string): boolean {
  if (guard === '' || verb === 'run' || verb === 'handled') return true;
  return verb === guard || (guard === 'update' && verb !== 'create' && verb !== 'delete');
}

/** Whether values of items of a resource may collide after a change. */
function mayCollide({ resource, writes }: Done, { resourcesByName }: Specification): boolean {
  const of = resource === null ? undefined : resourcesByName.get(resource);
  if (of === undefined) return true;
  const together = (stated(of.unique) ?? []).flatMap(({ fields }) => fields.map(({ text }) => text));
  const identifier = stated(of.identifier)?.map(({ text }) => text) ?? [];
  return [...of.fields.values()].some((field) => {
    const { name, unique, create } = field;
    const isMade = identifier.includes(name) && create.kind === 'stated';
    const isAlone = (unique.kind === 'stated' && unique.value !== false) || identifier.includes(name);
    return (together.includes(name) || (isAlone && !isMade)) && writes(field);
  });
}

/** Whether a change may break an invariant: of the item itself, or of one that refers to it. */
function mayBreak(change: Done, name: string, { resourcesByName }: Specification): boolean {
  const { verb, resource, writes } = change;
  if (resource === null || name === '') return true;
  const of = resourcesByName.get(name);
  const templates = [...((of && stated(of.invariants)?.values()) ?? [])].flatMap(
    (said) => stated(said)?.template ?? [],
  );
  const words = new Set(
    templates.flatMap((template) => expressionsIn(template)).flatMap(({ syntax }) => namesIn(syntax)),
  );
  if (words.has(resource)) return true;
  if (resource === name) {
    const fields = [...(of?.fields.values() ?? [])].filter((field) => words.has(field.name));
    return verb !== 'delete' && fields.some(writes);
  }
  const isReached = [...resourcesByName.values()].some(({ fields }) =>
    [...fields.values()].some(
      (field) => words.has(field.name) && stated(field.refers)?.resource === resource,
    ),
  );
  return isReached && verb !== 'create';
}

/** Whether a rate, or a bound on concurrency, counts the requests to an operation (language §8.1, §8.2). */
function isCounted({ name: operation }: Operation, named: string, { limits }: Specification): boolean {
  const part = stated(limits);
  if (part === undefined) return false;
  const all = [...(stated(part.rates) ?? []), ...(stated(part.concurrency) ?? [])];
  return all.some(([name, said]) => {
    const operations = stated(stated(said)?.operations ?? undefined);
    const isNamed = named === '' || named === name;
    return isNamed && (operations === undefined || operations.some(({ text }) => text === operation));
  });
}

/** Whether content, or a page, has a bound (language §8.3). */
function mayBeTooLarge(operation: Operation, what: string, { limits }: Specification): boolean {
  const isPaged = queryParameters(operation).some(({ roles }) => stated(roles.page) === 'size');
  return (
    stated(limits) !== undefined &&
    ((what !== 'page' && takesBody(operation)) || (what !== 'body' && isPaged))
  );
}

/** Whether a change may delete an item of a resource; of none: any item. By itself, or together with another item. */
function mayDelete(change: Done, of: string, specification: Specification): boolean {
  const { resource } = change;
  if (!mayEnd(change, specification)) return false;
  if (resource === null || of === '') return true;
  const deleted = new Set([resource]);
  for (let size = -1; size !== deleted.size; ) {
    size = deleted.size;
    for (const { name, fields } of specification.resourcesByName.values())
      for (const { refers, ifDeleted } of fields.values())
        if (stated(ifDeleted) === 'delete' && deleted.has(stated(refers)?.resource ?? '')) deleted.add(name);
  }
  return deleted.has(of);
}

/** Whether it may delete its item. What a transition does besides is not worked out here. */
function mayEnd({ verb, resource }: Done, specification: Specification): boolean {
  if (plain.has(verb)) return verb === 'delete';
  if (resource === null) return true;
  const moves = [...machinesOf(specification, resource).values()].flatMap(
    (machine) => transitionsIn(machine).get(verb) ?? [],
  );
  return moves.length === 0 || moves.some(({ to, also }) => to.kind !== 'stated' || also.kind === 'stated');
}

/** Whether a change may make the use of a quota more: what is deleted uses nothing any more (language §8.4, rule 15). */
function mayUse(change: Done, named: string, operation: Operation, specification: Specification): boolean {
  const quotas = [...(stated(stated(specification.limits)?.quotas) ?? [])];
  return quotas.some(([name, said]) => {
    const quota = stated(said);
    const of = quota && stated(quota.of)?.text;
    if (named !== '' && named !== name) return false;
    return (
      quota === undefined ||
      of === undefined ||
      change.resource === null ||
      (change.resource === of && mayCount(change, quota, operation, specification)) ||
      (mayEnd(change, specification) && clears(of, specification))
    );
  });
}

/** Whether an item may come to use more by a change. An update has to give it something that the quota reads. */
function mayCount(
  { verb }: Done,
  { per, sum, when }: Quota,
  operation: Operation,
  specification: Specification,
): boolean {
  if (verb !== 'update' || stated(operation.does)?.verb !== 'update') return verb !== 'delete';
  const read = [per, sum, when].flatMap((said) => stated(said)?.template ?? []).flatMap(expressionsIn);
  const fields = [...(operation.subject?.fields.values() ?? [])].map(({ name }) => name);
  const names = new Set(read.flatMap(({ syntax }) => namesIn(syntax)));
  return fields.some((field) => names.has(field) && mayGive(operation, field, specification));
}

/** Whether a deletion may change items of a resource. */
function clears(resource: string, { resourcesByName }: Specification): boolean {
  const fields = [...(resourcesByName.get(resource)?.fields.values() ?? [])];
  return fields.some(({ ifDeleted }) => stated(ifDeleted) === 'clear');
}

/** Whether operations share a path and a method: then none of them may be meant (language §4.1, rule 10). */
function isBeside(other: Operation, operation: Operation): boolean {
  return (
    other.key === operation.key && (other !== operation || stated(operation.endpoint.when) !== undefined)
  );
}

/** Whether an operation takes content. */
export function takesBody({ request }: Operation): boolean {
  return request !== null && stated(request.body) !== undefined;
}

function takesValues({ request, bindings, endpoint }: Operation): boolean {
  if ([...bindings.values()].some((binding) => binding.kind === 'text')) return true;
  const given = [request?.body, request?.query, request?.headers].some((said) => said?.kind === 'stated');
  // Members of a body are refused only where the operation takes a body, and that counts as given.
  const refuses = stated(stated(request?.others ?? undefined)?.query ?? undefined) === 'refuse';
  return given || refuses || endpoint.idempotency.kind === 'stated';
}

/** Whether it searches for an item of a resource, or of any. */
function findsItem({ bindings, subject, request, does }: Operation, resource: string): boolean {
  const change = stated(does);
  if (change?.verb === 'run') return true;
  const isIt = (name: string | undefined): boolean => name !== undefined && ['', name].includes(resource);
  const inQuery = [...(stated(request?.query ?? undefined)?.values() ?? [])].flatMap(
    (said) => stated(said)?.binding ?? [],
  );
  const isFound =
    change !== undefined && change.verb !== 'list' && stated(change.qualifiers.where) !== undefined;
  return (
    inQuery.some((binding) => isIt(binding.resource)) ||
    (isIt(subject?.name) && isFound) ||
    [...bindings.values()].some((binding) => {
      if (binding.kind === 'other') return isIt(binding.resource);
      // What is made need not be there.
      return binding.kind === 'subject' && change?.verb !== 'create' && isIt(subject?.name);
    })
  );
}
