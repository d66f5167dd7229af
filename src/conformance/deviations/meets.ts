import { children, type Syntax } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Condition, ConditionName } from '../../specification/vocabulary/condition.ts';
import type { Row } from '../../specification/vocabulary/parts/errors.ts';

/** Whether some request to an operation may be refused by a row of part 7. If that is not sure, it may (language §H.4). */
export function mayMeet(row: Row, operation: Operation, specification: Specification): boolean {
  const own = stated(row.operations);
  if (own && !own.some(({ text }) => text === operation.name)) return false;
  const conditions = stated(row.when);
  if (conditions === undefined || stated(operation.does)?.verb === 'handled') return true;
  return conditions.some((condition) => mayHold(condition, operation, specification));
}

/** What some conditions need, beside what others do. */
const needs: Partial<Record<ConditionName, (operation: Operation, of: Specification) => boolean>> = {
  'credential missing': isRuled,
  'credential wrong': (_, { authentication }) => authentication.kind === 'stated',
  'rate exceeded': (_, { limits }) => stated(limits) !== undefined,
  'too large': (_, { limits }) => stated(limits) !== undefined,
  'unsupported media': ({ request }) => request !== null && stated(request.body) !== undefined,
  invalid: (operation) =>
    takesValues(operation) || changesOf(operation).some(({ verb }) => verb !== 'delete'),
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
  'wrong credentials': ({ does, endpoint }) =>
    [...[stated(does) ?? []].flat(), ...(stated(endpoint.also) ?? [])].some(
      ({ verb }) => verb === 'authenticate' || verb === 'run',
    ),
  'in use': (operation) => changesOf(operation).some(({ verb }) => verb !== 'create'),
  'quota exceeded': (operation) => changesOf(operation).length > 0,
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
      case 'not authorized':
        return (
          isRuled(operation, specification) &&
          (resource === '' || isRuledBy(operation, resource, specification))
        );
      case 'unknown':
      case 'gone':
        return findsItem(operation, resource);
      case 'different':
      case 'not unique':
        return changesOf(operation).some(
          (change) => change.verb !== 'delete' && isOf(change, resource) && mayCollide(change, specification),
        );
      case 'transition refused':
        return changesOf(operation).some((change) => isOf(change, resource) && !plain.has(change.verb));
      case 'guard refused':
        return changesOf(operation).some(
          (change) =>
            (isOf(change, resource) && isGuarded(change, part)) ||
            (['', 'delete'].includes(part) && cascades(change)),
        );
      case 'invariant broken':
        return changesOf(operation).some((change) => mayBreak(change, resource, specification));
      default:
        return needs[name]?.(operation, specification) ?? true;
    }
  });
}

/** A change that an operation makes. */
interface Done {
  /** A verb of the language, or a transition. */
  readonly verb: string;
  /** Null: it may be any. */
  readonly resource: string | null;
}

const plain: ReadonlySet<string> = new Set(['create', 'update', 'replace', 'delete']);

/** The changes of items that an operation makes by itself, and by `also`. */
function changesOf({ does, endpoint, subject }: Operation): readonly Done[] {
  const all = [...[stated(does) ?? []].flat(), ...(stated(endpoint.also) ?? [])];
  return all.flatMap(({ verb, subject: about }, place): Done[] => {
    if (['read', 'list', 'authenticate', 'revoke'].includes(verb)) return [];
    const own = place === 0 && subject !== null ? subject.name : null;
    const isAny = about.kind === 'expression' || verb === 'run' || verb === 'handled';
    return [{ verb, resource: isAny ? null : (own ?? about.name) }];
  });
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

/** Whether values of items of a resource may collide. */
function mayCollide({ resource }: Done, { resourcesByName }: Specification): boolean {
  const of = resource === null ? undefined : resourcesByName.get(resource);
  if (of === undefined || of.unique.kind === 'stated') return true;
  const identifier = stated(of.identifier)?.map(({ text }) => text) ?? [];
  return [...of.fields.values()].some(
    ({ name, unique, create }) =>
      (unique.kind === 'stated' && unique.value !== false) ||
      (identifier.includes(name) && create.kind !== 'stated'),
  );
}

/** Whether a change may break an invariant: of the item itself, or of one that refers to it. */
function mayBreak(change: Done, name: string, { resourcesByName }: Specification): boolean {
  const { verb, resource } = change;
  if (resource === null || name === '') return true;
  const of = resourcesByName.get(name);
  const templates = [...((of && stated(of.invariants)?.values()) ?? [])].flatMap(
    (said) => stated(said)?.template ?? [],
  );
  const words = new Set(
    templates.flatMap((template) => expressionsIn(template)).flatMap(({ syntax }) => namesIn(syntax)),
  );
  if (words.has(resource)) return true;
  if (resource === name) return verb !== 'delete';
  const isReached = [...resourcesByName.values()].some(({ fields }) =>
    [...fields.values()].some(
      (field) => words.has(field.name) && stated(field.refers)?.resource === resource,
    ),
  );
  return isReached && verb !== 'create';
}

function namesIn(node: Syntax): readonly string[] {
  const own =
    node.op === 'id'
      ? [String(node.args)]
      : node.op === '.' || node.op === '.?'
        ? [String(node.args[1])]
        : [];
  return [...own, ...children(node).flatMap(namesIn)];
}

/** Whether a rule may refuse a sender: it does not let in anyone, for every item. */
function isRuled(operation: Operation, { authentication }: Specification): boolean {
  const part = stated(authentication);
  const rule = part && stated(ruleOf(part, operation));
  if (part === undefined || rule === undefined) return part !== undefined;
  const grants = stated(rule.rule);
  return (
    grants === undefined || stated(rule.items) !== undefined || !grants.some(({ kind }) => kind === 'anyone')
  );
}

/** Whether the rule is about an item of a resource (language §H.4, row `not authorized`). */
function isRuledBy(operation: Operation, resource: string, { authentication }: Specification): boolean {
  const { subject } = operation;
  const part = stated(authentication);
  const rule = part && stated(ruleOf(part, operation));
  if (rule === undefined) return true;
  const grants = [...(stated(rule.rule) ?? []), ...(stated(rule.items) ?? [])];
  const isAboutItem = grants.some((grant) => grant.kind === 'expression' && grant.aboutItem);
  return isAboutItem && (subject === null || subject.name === resource);
}

/** Whether operations share a path and a method: then none of them may be meant (language §4.1, rule 10). */
function isBeside(other: Operation, operation: Operation): boolean {
  return (
    other.key === operation.key && (other !== operation || stated(operation.endpoint.when) !== undefined)
  );
}

function takesValues({ request, bindings, endpoint }: Operation): boolean {
  if ([...bindings.values()].some((binding) => binding.kind === 'text')) return true;
  const given = [request?.body, request?.query, request?.headers].some((said) => said?.kind === 'stated');
  const others = request === null ? [] : Object.values(stated(request.others) ?? {});
  const refuses = others.some((said) => stated(said) === 'refuse');
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
    [...bindings.values()].some((binding) =>
      binding.kind === 'other' ? isIt(binding.resource) : binding.kind === 'subject' && isIt(subject?.name),
    )
  );
}
