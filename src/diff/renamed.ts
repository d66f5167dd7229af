import { type Entry, get, json, type Mapping, mapping, type Node, put, type Scalar } from '../source/node.ts';
import { type Address, find, replaced, step, steps } from '../specification/reading/address.ts';
import { holdsExpression } from '../specification/reading/templates.ts';
import { holdsLiteral } from './places.ts';

/** Fields that have another name now, by their addresses before (language §9.3, `was`). */
export type Renames = ReadonlyMap<Address, string>;

/**
 * The statements of a document by the names that its fields have in another, so that a new name is no difference.
 * Texts and expressions take the new name only if no other field has the old one: else nobody knows which is meant.
 */
export function renamed(tree: Mapping, renames: Renames): Mapping {
  if (renames.size === 0) return tree;
  const words = new Map<string, string>();
  for (const [address, name] of renames) {
    const old = String(steps(address)?.at(-1));
    if (countOf(tree, old) <= 1) words.set(old, name);
  }
  const spoken = worded(tree, [], words) as Mapping;
  const lists = Map.groupBy(renames.keys(), (address) => JSON.stringify(steps(address)?.slice(0, -1)));
  return withMachines(
    [...lists].reduce((result, [key, addresses]) => {
      const path = JSON.parse(key) as string[];
      const fields = find(result, path);
      if (fields?.kind !== 'map') return result;
      const names = new Map(addresses.map((one) => [String(steps(one)?.at(-1)), renames.get(one) as string]));
      const entries = [...fields.entries].map(([name, entry]) => [names.get(name) ?? name, entry] as const);
      return replaced(result, path, mapping(entries, fields.span), fields.span) as Mapping;
    }, spoken),
    renames,
  );
}

/** Machines are stated by the field that holds the state. */
function withMachines(tree: Mapping, renames: Renames): Mapping {
  const states = get(tree, 'states');
  if (states?.kind !== 'map') return tree;
  const entries = [...states.entries].map(([machine, entry]) => {
    const [resource = '', field = ''] = machine.split('.');
    const name = renames.get(step(`${step('resources', resource)}.fields`, field));
    return [name === undefined ? machine : `${resource}.${name}`, entry] as const;
  });
  return put(tree, 'states', mapping(entries, states.span));
}

/** The statements without the fields that a version does not have, and without their names in `required`. */
export function without(tree: Mapping, fields: readonly Address[]): Mapping {
  return fields.reduce((result, address) => {
    const path = (steps(address) ?? []).map(String);
    const name = String(path.at(-1));
    const owner = path.slice(0, -2);
    const required = find(result, [...owner, 'required']);
    const left =
      required?.kind === 'list'
        ? replaced(
            result,
            [...owner, 'required'],
            { ...required, items: required.items.filter((one) => json(one) !== name) },
            required.span,
          )
        : result;
    return replaced(left, path, undefined, result.span) as Mapping;
  }, tree);
}

/** How many resources and shapes have a field of this name. */
function countOf(tree: Mapping, field: string): number {
  const resources = get(tree, 'resources');
  const all = resources?.kind === 'map' ? [...resources.entries.values()] : [];
  return all.filter(({ value }) => get(get(value, 'fields'), field) !== undefined).length;
}

/** Maps whose keys are fields, besides the list of fields itself. */
const keyedByField = ['by', 'with', 'set'];

function worded(node: Node, path: readonly string[], words: ReadonlyMap<string, string>): Node {
  if (node.kind === 'scalar') return text(node, path, words);
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => worded(item, path, words)) };
  const isKeyed = keyedByField.includes(path.at(-1) ?? '');
  const entries = [...node.entries].map(([key, { key: place, value }]): [string, Entry] => [
    (isKeyed ? words.get(key) : undefined) ?? key,
    { key: place, value: worded(value, [...path, key], words) },
  ]);
  return { ...node, entries: new Map(entries) };
}

function text(node: Scalar, path: readonly string[], words: ReadonlyMap<string, string>): Scalar {
  if (typeof node.value !== 'string') return node;
  const isExpression = holdsExpression(node);
  if (!isExpression && holdsLiteral(path)) return node;
  const written = isExpression
    ? node.written.replace(/(?<=\.)[A-Za-z_]\w*/g, (name) => words.get(name) ?? name)
    : (words.get(node.written) ?? node.written);
  return written === node.written ? node : { ...node, value: written, written };
}
