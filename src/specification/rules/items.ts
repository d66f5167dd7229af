import type { Json } from '../../source/node.ts';
import type { Specification } from '../model/specification.ts';
import { shownNames } from '../reading/nearest.ts';
import type { Reading } from '../reading/reading.ts';
import { isAsked, isSaid, stated } from '../reading/said.ts';
import type { Item, Member } from '../vocabulary/item.ts';
import type { Field, Resource } from '../vocabulary/parts/resources.ts';
import { checkField } from './names.ts';
import type { Typing } from './typing.ts';

type Of = Specification;

/** The items that are there from the start fit their fields, their keys, and one another (language §2, `items`). */
export function checkItems(of: Of, resource: Resource, typing: Typing, reading: Reading): void {
  const items = stated(resource.items) ?? [];
  for (const item of items) {
    checkGiven(resource, item, reading);
    for (const [name, member] of item.members) {
      checkField(of, resource.name, name, member.key, reading);
      const field = resource.fields.get(name);
      if (field) checkMember(of, field, resource, member, typing, reading);
    }
  }
  for (const { fields, comparable } of keysOf(resource)) checkDistinct(items, fields, comparable, reading);
}

/** What identifies an item, and what is required, is given, unless it is made as on creation. */
function checkGiven({ identifier, required, fields }: Resource, item: Item, reading: Reading): void {
  const missing = (name: string, problem: string): undefined =>
    reading.report('contradiction', item.at, { problem }, { hint: `give it ${name}` });
  const identifying = (stated(identifier) ?? []).map((one) => one.text);
  for (const name of identifying)
    if (!item.members.has(name)) missing(name, `an item is known by ${name}, and this one has none`);
  for (const { name } of stated(required) ?? []) {
    const field = fields.get(name);
    const isMade = field && (isSaid(field.create) || isSaid(field.default));
    if (!identifying.includes(name) && !isMade && !item.members.has(name))
      missing(name, `${name} is required, and this item has none`);
  }
}

function checkMember(
  of: Of,
  field: Field,
  subject: Resource,
  { value, node, key }: Member,
  typing: Typing,
  reading: Reading,
): void {
  if (field.derived.kind === 'stated') {
    const problem = `${field.name} is derived, so that no item has a value of its own`;
    reading.report('contradiction', key, { problem }, { related: [field.derived.at] });
    return;
  }
  const template = { template: { kind: 'literal', value }, node } as const;
  typing.kept(template, { situation: 'set', subject, bound: [] }, field, typing.fieldType(field), 'items');
  const refers = stated(field.refers);
  const target = refers && of.resourcesByName.get(refers.resource);
  const [only, second] = stated(target?.identifier) ?? [];
  const by = refers?.field ?? (second ? undefined : only?.text);
  if (target === undefined || by === undefined || value === null) return;
  if (target.items.kind === 'any' || isAsked(target.items)) return;
  const known = (stated(target.items) ?? []).map((one) => one.members.get(by)?.value);
  if (known.includes(value)) return;
  // Keys are often a character apart, so that none is taken for a slip of another.
  const hint = known.length > 0 ? `known: ${shownNames(known.map(String))}` : null;
  const name = typeof value === 'string' ? value : JSON.stringify(value);
  reading.report('unknown-name', node.span, { name, wanted: `an item of ${target.name}` }, { hint });
}

interface Key {
  readonly fields: readonly string[];
  /** A value in a form that is equal for equal values. */
  readonly comparable: (value: Json) => Json;
}

/** What no two items have alike: identifiers, unique fields, and fields that are unique together. */
function keysOf({ identifier, fields, unique }: Resource): Key[] {
  const asItIs = (value: Json): Json => value;
  const caseless = (value: Json): Json => (typeof value === 'string' ? value.toLowerCase() : value);
  const single = [...fields.values()].flatMap((field): Key[] => {
    const word = stated(field.unique);
    const comparable = word === 'caseless' ? caseless : asItIs;
    return word ? [{ fields: [field.name], comparable }] : [];
  });
  const together = (stated(unique) ?? []).map((one): Key => {
    const names = one.fields.map(({ text }) => text);
    return { fields: names, comparable: one.caseless ? caseless : asItIs };
  });
  const own = (stated(identifier) ?? []).map(({ text }) => text);
  const isTold = (key: Key): boolean => key.fields.join('.') === own.join('.');
  return [{ fields: own, comparable: asItIs }, ...[...single, ...together].filter((key) => !isTold(key))];
}

function checkDistinct(
  items: readonly Item[],
  fields: readonly string[],
  comparable: Key['comparable'],
  reading: Reading,
): void {
  const seen = new Map<string, Item>();
  for (const item of items) {
    const values = fields.map((name) => item.members.get(name)?.value ?? null);
    if (fields.length === 0 || values.includes(null)) continue;
    const key = JSON.stringify(values.map(comparable));
    const at = (one: Item) => one.members.get(fields[0] as string)?.node.span ?? one.at;
    const twin = seen.get(key);
    if (twin) reading.report('key-twice', at(item), { key: values.join(', ') }, { related: [at(twin)] });
    else seen.set(key, item);
  }
}
