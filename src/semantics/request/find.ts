import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Unknown, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { Stored } from '../world/world.ts';
import type { Request } from './prediction.ts';

/** Verbs that are about one item that is there. */
const ofOneItem = ['read', 'update', 'replace', 'delete'];

/**
 * The item that the parameters single out (language §H.2); null: there is none, and there should be one; undefined: the
 * operation is about no item that is there.
 */
export function findSubject(
  operation: Operation,
  { path }: Request,
  { world }: Moment,
): Stored | null | undefined | Unknown {
  const change = stated(operation.does);
  if (change === undefined || operation.subject === null) return undefined;
  const { subject, verb, qualifiers } = change;
  if (subject.kind === 'every' || verb === 'list' || verb === 'create') return undefined;
  const isPlain =
    subject.kind === 'one' && ofOneItem.includes(verb) && stated(qualifiers.where) === undefined;
  if (!isPlain || stated(qualifiers.absent) !== undefined) return unknown([]);
  const fields = new Map<string, Value>();
  for (const [name, binding] of operation.bindings) {
    if (binding.kind !== 'subject') return unknown([]);
    fields.set(binding.field, path[name] ?? null);
  }
  return fields.size === 0 ? unknown([]) : world.find(operation.subject.name, fields);
}
