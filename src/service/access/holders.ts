import { get, type Node } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { KeptResource } from '../resource/kept.ts';

/**
 * Whether no item can have the key of one that went: the service makes it, a new UUID each time, and nothing that
 * the document states sets it otherwise.
 */
export function comesOnce({ name, keyFields, resource }: KeptResource, of: Specification): boolean {
  const [only = '', second] = keyFields;
  const field = second === undefined ? resource.fields.get(only) : undefined;
  const made = field && stated(field.create)?.node;
  const isUuid = made?.kind === 'scalar' && /^\$\{\s*uuid\(\s*\d?\s*\)\s*\}$/.test(made.written);
  return isUuid && field !== undefined && stated(field.writable) === false && !isGiven(of.tree, name, only);
}

/** Whether a change that makes such an item may give it a value for this field. */
function isGiven(node: Node, resource: string, field: string): boolean {
  if (node.kind === 'list') return node.items.some((item) => isGiven(item, resource, field));
  if (node.kind === 'scalar') return false;
  const what = get(node, 'create');
  const set = get(node, 'with');
  if (set && what?.kind === 'scalar' && what.written === resource && sets(set, field)) return true;
  // What a function of the operator's asks for is not to be foreseen.
  const may = get(node, 'may');
  const names = may?.kind === 'list' ? may.items : may ? [may] : [];
  if (names.some((one) => one.kind === 'scalar' && one.written.includes(`create ${resource}`))) return true;
  return [...node.entries.values()].some(({ value }) => isGiven(value, resource, field));
}

function sets(node: Node, field: string): boolean {
  if (node.kind === 'list') return node.items.some((item) => sets(item, field));
  return node.kind === 'map' ? node.entries.has(field) : !/^\$\{\s*request\.body\s*\}$/.test(node.written);
}
