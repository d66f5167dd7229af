import { path } from '../../expression/expression.ts';
import type { Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { hole, isAbsent, isHole, isItem, leftOut, type Partly } from '../partly.ts';
import { type Names, workOut } from '../solve.ts';
import type { Outlook } from './outlook.ts';

/** What a change sets (language §H.2, `with`). */
export interface Giving {
  readonly members: Outlook;
  /** Whether these are all: a part of it cannot be worked out otherwise. */
  readonly whole: boolean;
}

/**
 * What `with` sets: maps and expressions, later ones winning; the body taken whole brings only what is writable, and
 * what it may hold.
 */
export function giving(
  change: Change,
  resource: Resource,
  names: Names,
  mayHold: (name: string) => boolean,
): Giving {
  const members: Outlook = new Map();
  let whole = true;
  for (const { template } of stated(change.qualifiers.with) ?? []) {
    const isBody = isWholeBody(template);
    const found = entries(template, names);
    for (const [name, value] of found ?? []) {
      if (value === leftOut || (isBody && !(isWritable(resource, name) && mayHold(name)))) continue;
      members.set(name, value);
    }
    whole &&= found !== undefined;
  }
  return { members, whole };
}

/** Whether it is the body of the request, taken whole. */
export function isWholeBody(template: Template): boolean {
  return template.kind === 'expression' && path(template.expression.syntax)?.join('.') === 'request.body';
}

function isWritable({ fields }: Resource, name: string): boolean {
  const field = fields.get(name);
  return field !== undefined && stated(field.writable) !== false;
}

/** The members that a template comes to; undefined where it cannot be told which there are. */
function entries(template: Template, names: Names): (readonly [string, Partly])[] | undefined {
  if (template.kind === 'object')
    return [...template.members].map(([name, one]) => [name, memberOf(one, names)]);
  const value = workOut(template, names);
  if (value === null || isAbsent(value)) return [];
  if (isHole(value) || isItem(value) || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return Object.entries(value as { readonly [name: string]: Partly });
}

/** A member of a map: an item is kept as its key; whether what is not there is set to null is not told. */
function memberOf(template: Template, names: Names): Partly {
  const value = workOut(template, names);
  if (value === leftOut) return value;
  if (isItem(value)) return keyOf(value);
  const isPath = template.kind === 'expression' && path(template.expression.syntax) !== undefined;
  return isPath && (value === null || isAbsent(value)) ? hole() : value;
}

/** The key by which an item is referred to: its identifier, where that is one field (language §E.12). */
export function keyOf({
  resource,
  known,
}: {
  readonly resource: Resource;
  readonly known: ReadonlyMap<string, Json>;
}): Partly {
  const [only, second] = stated(resource.identifier) ?? [];
  const key = only && second === undefined ? known.get(only.text) : undefined;
  return key ?? hole();
}
