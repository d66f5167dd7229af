import { isWholeBody } from '../../expression/template.ts';
import { machinesOf, transitionsIn } from '../../specification/model/machine.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { steps } from '../../specification/reading/address.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import { requestByMedia } from '../../specification/vocabulary/request.ts';
import type { Field } from '../../specification/vocabulary/resource/field.ts';
import { bodyOf } from '../body.ts';
import { isRecord } from './record.ts';

/** Whether an operation may give a field of its subject a value, so that the keyword of the field may refuse it. If that is not sure, it may. */
export function mayGive(
  operation: Operation,
  field: string | undefined,
  specification: Specification,
): boolean {
  if (field === undefined) return true;
  const { bindings, does, request, subject } = operation;
  const change = stated(does);
  const known = subject?.fields.get(field);
  if (change === undefined || known === undefined) return true;
  // The key of an item that is there was judged when it was made.
  const isInPath =
    change.verb === 'create' &&
    [...bindings.values()].some((binding) => binding.kind === 'subject' && binding.field === field);
  const made = change.verb === 'create' ? [known.create, known.update] : [known.update];
  if (isInPath || made.some((said) => said.kind === 'stated')) return true;
  if (bodyOf(specification, operation)?.fields.has(field)) return true;
  const isApart = request !== null && stated(request.body) !== undefined && !isOfSubject(operation);
  const isOther = isApart && mayHold(operation, field, specification);
  const given = stated(change.qualifiers.with);
  if (given)
    return given.some(({ template }) => {
      if (template.kind === 'object') return template.members.has(field);
      return isOther || !isWholeBody(template);
    });
  return isOther || setByMove(change.verb, subject?.name ?? '', field, specification);
}

/** Whether a change may give a field of its item another value. If that is not sure, it may. */
export function mayWrite(
  { verb, qualifiers }: Change,
  { resource, name, update }: Field,
  specification: Specification,
): boolean {
  if (verb === 'create' || verb === 'replace' || update.kind === 'stated') return true;
  const isMoved = stated(specification.states)?.has(`${resource}.${name}`) === true && verb !== 'update';
  if (isMoved || setByMove(verb, resource, name, specification)) return true;
  const given = stated(qualifiers.with);
  if (given === undefined) return verb === 'update';
  return given.some(({ template }) => template.kind !== 'object' || template.members.has(name));
}

/** Whether a body with a shape of its own may hold a member of this name. If that is not sure, it may. */
function mayHold(operation: Operation, name: string, specification: Specification): boolean {
  const body = bodyOf(specification, operation);
  const properties = body?.schema['properties'];
  const isClosed = body?.others && ['refuse', 'ignore'].includes(stated(body.others) ?? '');
  const hasOne = operation.request !== null && requestByMedia(operation.request).length < 2;
  return !isClosed || !hasOne || !isRecord(properties) || name in properties;
}

function isOfSubject({ request, subject }: Operation): boolean {
  return subject !== null && request !== null && stated(request.body)?.of?.name === subject.name;
}

/** Whether a transition sets a field. */
function setByMove(verb: string, resource: string, field: string, specification: Specification): boolean {
  return [...machinesOf(specification, resource).values()].some((machine) => {
    const move = transitionsIn(machine).get(verb);
    return move !== undefined && stated(move.set)?.has(field) === true;
  });
}

/** The field of a resource that a statement is about; undefined: it is about none, or several. */
export function fieldNamed({ address }: Said<unknown>): string | undefined {
  const [, , part, field] = steps(address) ?? [];
  return part === 'fields' && typeof field === 'string' ? field : undefined;
}
