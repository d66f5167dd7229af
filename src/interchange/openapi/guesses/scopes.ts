import { reserved } from '../../../expression/reserved.ts';
import type { Json } from '../../../source/node.ts';
import { plainName, unnamed } from '../../recognise/collections.ts';
import type { Described } from '../operations.ts';
import type { Places } from '../place.ts';
import { propertiesOf, type Shaping } from '../shape.ts';
import type { Meant } from './meant.ts';
import type { Kept } from './recognised.ts';
import { typesOf } from './taken.ts';

/** What the items of a collection belong to: `/rooms/{roomId}/notes` has the notes of one room. */
export interface Scope {
  /** The parameter of the path; null: the path has none, and there is one item alone. */
  readonly parameter: string | null;
  /** The field of an item that says to what it belongs. */
  readonly field: string;
  /** Whether the description has a member for it, which is the key. */
  readonly isOwn: boolean;
  /** The resource of what it belongs to; null: none is recognised, so the text of the path tells them apart. */
  readonly parent: Kept | null;
  /** The name of what it belongs to in expressions. */
  readonly as: string;
  /** The type of the parameter. */
  readonly type: string;
}

/**
 * The scopes of a collection, as its path has them. Where an item belongs to a recognised one, nothing farther out is looked
 * at: what that one belongs to says it.
 */
export function scopesOf(
  kept: Kept,
  all: readonly Kept[],
  operations: readonly Described[],
  { places }: Shaping,
): readonly Scope[] {
  const segments = kept.collection.path.split('/');
  const members = [...propertiesOf(kept.schema, places).keys()];
  const found: Scope[] = [];
  for (let count = segments.length; count > 0; count--) {
    const [, parameter] = /^\{([^{}]+)\}$/.exec(segments[count - 1] ?? '') ?? [];
    if (parameter === undefined) continue;
    const path = unnamed(segments.slice(0, count).join('/'));
    const parent =
      all.find(({ collection: { itemPath } }) => itemPath !== null && unnamed(itemPath) === path) ?? null;
    if (parent === kept) return [];
    const own = members.find((member) => plainName(member) === plainName(parameter));
    const free = nameOf(parent?.name ?? parameter, [...members, ...found.map(({ field }) => field)]);
    const as = nameOf(parent?.name ?? parameter, []);
    const type = typeBelow(kept.collection.path, parameter, operations, places);
    found.push({ parameter, field: own ?? free, isOwn: own !== undefined, parent, as, type });
    if (parent) break;
  }
  if (found.length > 0 || !kept.isSingle) return found;
  return [{ parameter: null, field: kept.key, isOwn: false, parent: null, as: '', type: 'string' }];
}

/** The type of a parameter of which the paths below a collection have one alone; text, if they differ or say none. */
function typeBelow(
  collection: string,
  parameter: string,
  operations: readonly Described[],
  places: Places,
): string {
  const below = operations.filter(({ path }) => `${path}/`.startsWith(`${collection}/`));
  const types = below.flatMap(({ parameters }) =>
    parameters
      .filter((each) => each.in === 'path' && each.name === parameter)
      .map(({ schema }) => schema && typesOf(places.followed(schema), places)),
  );
  const [first] = types;
  const isOne = first?.length === 1 && types.every((each) => each?.length === 1 && each[0] === first[0]);
  return isOne && ['integer', 'number', 'boolean'].includes(first[0] as string)
    ? (first[0] as string)
    : 'string';
}

/** A name that begins small, and that nothing else has. */
export function nameOf(name: string, taken: readonly string[]): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const joined = words.map((word, at) => (at === 0 ? small(word) : word[0]?.toUpperCase() + word.slice(1)));
  let free = joined.join('').replace(/^(?![a-z])/, 'of');
  while (taken.includes(free) || reserved.includes(free)) free = `${free}Item`;
  return free;
}

function small(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}

/** The field that the description does not have: nobody reads or writes it but by the path. */
export function fieldOf({ parent, type }: Scope): Json {
  const hidden = { readable: false, writable: false };
  return parent ? { refers: parent.name, ifDeleted: 'delete', ...hidden } : { type, ...hidden };
}

/** What an operation does with the items of its scopes alone: `{ list: Note, where: "${this.room == room}" }`. */
export function doesIn(meant: Meant, scopes: readonly Scope[]): Json {
  const { verb, kept, takes } = meant;
  const { name } = kept;
  const present = presentIn(meant);
  const isMaking = verb === 'create' || present !== undefined;
  const set = isMaking ? scopes.map((scope) => [scope.field, `\${${ownerOf(scope)}}`] as const) : [];
  const given = (takes?.spelled ?? []).map(([from, to]) => [to, givenAs(from)] as const);
  const body = takes?.alike ? `\${pick(request.body, ${JSON.stringify(takes.alike)})}` : '${request.body}';
  const all = [...given, ...set];
  const brought = all.length > 0 ? [body, Object.fromEntries(all)] : takes?.alike ? body : undefined;
  const tests = isMaking ? undefined : testsOf(scopes);
  if (brought === undefined && tests === undefined && present === undefined) return `${verb} ${name}`;
  return {
    [isMaking ? 'create' : verb]: name,
    ...(present && { present }),
    ...(brought !== undefined && { with: brought }),
    ...(tests !== undefined && { where: tests }),
  };
}

/** Whether an item belongs to what the path names; undefined: it belongs to nothing. */
export function testsOf(scopes: readonly Scope[]): string | undefined {
  const tests = scopes.map((scope) => `${read('this', scope.field)} == ${ownerOf(scope)}`);
  return tests.length > 0 ? `\${${tests.join(' && ')}}` : undefined;
}

/** A member of the body, if it is given. */
function givenAs(name: string): string {
  const member = read('request.body', name);
  return `\${has(${member}) ? ${member} : absent()}`;
}

/** What becomes of an item that is there; undefined: there is none. */
function presentIn({ verb, kept, isUpsert }: Meant): 'update' | 'replace' | undefined {
  if (isUpsert) return 'replace';
  return kept.isSingle && (verb === 'update' || verb === 'replace') ? verb : undefined;
}

/** What the field of a scope has to be, in an expression. */
function ownerOf({ parameter, parent, isOwn, as }: Scope): string {
  if (parameter === null) return "'it'";
  if (parent === null) return read('request.path', parameter);
  return isOwn ? read(as, parent.key) : as;
}

function read(over: string, name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `${over}.${name}` : `${over}[${JSON.stringify(name)}]`;
}
