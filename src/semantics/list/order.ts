import { staticType } from '../../expression/check.ts';
import { pathsIn } from '../../expression/template.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import type { FieldFailure } from '../change/refusal.ts';
import { equal, type Form, ordered } from '../value/compare.ts';
import { attempt } from '../value/truth.ts';
import { type Item, isList, type Members, NotComputable, seen, Unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';

/** A field by which a list is in order. */
export interface Key {
  readonly field: string;
  readonly isDescending: boolean;
  readonly form: Form;
}

/** What puts a list in order; `failures`: an expression for the order names something else than fields. */
export interface Order {
  /** Null: it is not known what the order is. */
  readonly keys: readonly Key[] | null;
  readonly failures: readonly FieldFailure[];
}

/** The order of a list: `sort`, of which `order` breaks the ties (language §4.5, rules 1 to 4). */
export function orderOf(operation: Operation, query: Members, moment: Moment): Order {
  const { does, subject } = operation;
  const parameters = queryParameters(operation);
  const sorted = parameters.flatMap(({ name, roles }) =>
    stated(roles.sort) ? namesIn(query[name] ?? null) : [],
  );
  const change = stated(does);
  const order = change && stated(change.qualifiers.order);
  if (subject === null) return { keys: null, failures: [] };
  if (order === undefined || !('template' in order)) {
    const names = [...sorted, ...(order ?? []).map(({ text }) => text)];
    return { keys: keysOf(names, subject), failures: [] };
  }
  const text = moment.value(order);
  if (seen(text) instanceof Unknown) return { keys: null, failures: [] };
  const names = namesIn(text);
  const failures = names.every((name) => mayOrder(fieldOf(name, subject), moment))
    ? []
    : failuresOf(order, parameters, query);
  return { keys: keysOf([...sorted, ...names], subject), failures };
}

/** Whether a value names only fields by which the client may sort. */
export function isSort(value: Value, fields: readonly string[]): boolean {
  return namesIn(value).every((name) => fields.includes(name.replace(/^-/, '')));
}

/** The names of a comma list, or of a list of texts. */
function namesIn(value: Value): readonly string[] {
  const found = seen(value);
  if (isList(found)) return found.map(String);
  return typeof found === 'string' && found !== '' ? found.split(',') : [];
}

function fieldOf(name: string, { fields }: Resource): Field | undefined {
  return fields.get(name.replace(/^-/, ''));
}

/** A name that stands twice says nothing more. */
function keysOf(names: readonly string[], subject: Resource): readonly Key[] {
  return names.flatMap((name) => {
    const field = fieldOf(name, subject);
    return field ? [{ field: field.name, isDescending: name.startsWith('-'), form: formOf(field) }] : [];
  });
}

/** How values of a field compare: by their types (language §G.6). */
function formOf({ shape, derived }: Field): Form {
  const template = stated(derived)?.template;
  const type = template?.kind === 'expression' ? staticType(template.expression.syntax).kind : undefined;
  if (type === 'timestamp' || type === 'duration') return type === 'duration' ? type : 'time';
  const format: Said<unknown> | undefined = shape.keywords.get('format');
  return format && stated(format) === 'date-time' ? 'time' : 'plain';
}

/** Whether an expression may name a field: one that is stored. Which derived ones are storable is not carried out. */
function mayOrder(field: Field | undefined, { world }: Moment): boolean {
  if (field && stated(field.derived)) return world.leave(new Unknown(new Set()));
  return field !== undefined;
}

/** Each parameter that the expression reads fails (language §H.4, rule 13). If it reads none, it cannot be computed. */
function failuresOf(
  order: PlacedTemplate,
  parameters: readonly Parameter[],
  query: Members,
): readonly FieldFailure[] {
  const reads = pathsIn(order.template);
  const read = parameters.filter(({ name }) =>
    reads.some(([root, place, member]) => root === 'request' && place === 'query' && member === name),
  );
  if (read.length === 0) throw new NotComputable('the order names no field');
  return read.map(({ name }) => ({ field: name, keyword: 'order', value: query[name] ?? null, limit: null }));
}

/** The values by which an item is in order. */
export function marksOf(item: Item, keys: readonly Key[], moment: Moment): readonly Value[] {
  return keys.map(({ field }) => attempt(() => moment.member(item, field)));
}

/** The field that decides which of two items comes first, with the order it puts them in: `-title <`. */
export function decidingKey(one: readonly Value[], other: readonly Value[], keys: readonly Key[]): string {
  const place = keys.findIndex((_, at) => equal(one[at] ?? null, other[at] ?? null) !== true);
  const key = keys[place];
  if (key === undefined) return 'none';
  return `${place} ${key.isDescending ? '-' : ''}${key.field} ${Math.sign(compared(one, other, keys))}`;
}

/**
 * Less than 0 if the first surely comes first, more than 0 if the second does. 0: the order holds them equal, or it is not
 * known. Where null stands, and values of different kinds, nobody states.
 */
export function compared(one: readonly Value[], other: readonly Value[], keys: readonly Key[]): number {
  for (const [place, { isDescending, form }] of keys.entries()) {
    const [a, b] = [one[place] ?? null, other[place] ?? null];
    if (equal(a, b, form) === true) continue;
    const isLess = ordered(a, '<', b, form) === true;
    if (!isLess && ordered(a, '>', b, form) !== true) return 0;
    return isLess === isDescending ? 1 : -1;
  }
  return 0;
}
