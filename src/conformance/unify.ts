import { equal } from '../expression/functions.ts';
import type { Json } from '../source/node.ts';
import { withArticle } from '../specification/reading/article.ts';
import type { Claim } from './check.ts';
import {
  absent,
  type Hole,
  type Item,
  isAbsent,
  isHole,
  isItem,
  isKnown,
  isListed,
  isMixed,
  isPlain,
  isReference,
  isShown,
  item,
  type Listed,
  type Mixed,
  type Partly,
  toJson,
} from './partly.ts';
import { all, known, type Truth, unknown, unseen, yes } from './verdict.ts';

/** A member of an item that an observed value gave away. */
export interface Learned {
  /** The item whose member it is. */
  readonly of: Item;
  readonly field: string;
  readonly value: Json;
}

/** Whether an observed value can be what was worked out, and what it gives away. */
export interface Unified {
  readonly truth: Truth;
  readonly learned: readonly Learned[];
}

/** Compares what was worked out with what was observed; undefined is what is not there. Holes are filled. */
export function unify(expected: Partly, observed: Json | undefined): Unified {
  if (isHole(expected)) return unifyHole(expected, observed);
  if (isMixed(expected)) return unifyMixed(expected, observed);
  if (isAbsent(expected)) return plain(observed === undefined || (expected.orNull && observed === null));
  if (isShown(expected)) {
    const isOne = (one: Json | undefined) => typeof one === 'object' && one !== null && !Array.isArray(one);
    return plain(expected.many ? Array.isArray(observed) && observed.every(isOne) : isOne(observed));
  }
  if (isReference(expected)) return plain(observed !== undefined && equal(expected.key, observed));
  // An item in a payload is written as the key that refers to it, which nothing else tells (language §G.3).
  if (isItem(expected)) return { truth: unseen('an item is written as its key'), learned: [] };
  if (Array.isArray(expected)) {
    if (!Array.isArray(observed) || observed.length !== expected.length) return plain(false);
    return together(expected.map((one: Partly, index) => unify(one, observed[index] as Json)));
  }
  if (isListed(expected)) return unifyMembers(expected.members, unknown(expected.rest), observed);
  if (typeof expected === 'object' && expected !== null)
    return unifyMembers(expected as Listed['members'], known(false), observed);
  return plain(observed !== undefined && equal(expected, observed));
}

/** Compares members; `further` is whether there may be more than these. */
function unifyMembers(expected: Listed['members'], further: Truth, observed: Json | undefined): Unified {
  if (typeof observed !== 'object' || observed === null || Array.isArray(observed)) return plain(false);
  const found = observed as { readonly [member: string]: Json };
  const isMore = Object.keys(found).some((name) => !Object.hasOwn(expected, name));
  const members = Object.entries(expected).map(([name, one]) =>
    unify(one, Object.hasOwn(found, name) ? found[name] : undefined),
  );
  return together([{ truth: isMore ? further : yes, learned: [] }, ...members]);
}

/** The same as a claim, with both sides written out. */
export function fits(expected: Partly, observed: Json | undefined): Claim {
  return { truth: unify(expected, observed).truth, expected: shownAs(expected), found: shownAs(observed) };
}

/** The same of a header field: its value is written as text, and null sends none (language §H.3). */
export function fitsField(expected: Partly, observed: string | undefined): Claim {
  if (!isKnown(expected)) return fits(expected, observed);
  const value = toJson(expected);
  return fits(value === null ? absent : String(value), observed);
}

/** The item with what was learned of it. */
export function withLearned(of: Item, learned: readonly Learned[]): Item {
  if (learned.length === 0) return of;
  return item(
    of.resource,
    [...of.known, ...learned.map(({ field, value }) => [field, value] as const)],
    of.absent,
    of.foreseen,
  );
}

function plain(value: boolean): Unified {
  return { truth: known(value), learned: [] };
}

function together(fits: readonly Unified[]): Unified {
  return { truth: all(...fits.map((one) => one.truth)), learned: fits.flatMap((one) => one.learned) };
}

function unifyHole({ of, picks, points }: Hole, observed: Json | undefined): Unified {
  if (picks === 'anything') return plain(true);
  if (picks) return plain(observed !== undefined && picks.test(String(observed)));
  if (of && observed !== undefined)
    return { truth: yes, learned: [{ of: of.item, field: of.field, value: observed }] };
  return {
    truth: points.length > 0 ? unknown(...points) : unseen('it cannot be worked out from outside'),
    learned: [],
  };
}

/**
 * A text with unknown stretches: what is known of it must stand where it stands. Where one stretch alone is
 * unknown, it is what lies between, and that is learned.
 */
function unifyMixed({ pieces }: Mixed, observed: Json | undefined): Unified {
  if (typeof observed !== 'string') return plain(false);
  const holes = pieces.filter((piece) => typeof piece !== 'string');
  const source = pieces
    .map((piece) =>
      typeof piece === 'string' ? literal(piece) : piece.picks === 'anything' ? '([^]*)' : '([^]+)',
    )
    .join('');
  const match = new RegExp(`^${source}$`).exec(observed);
  if (match === null) return plain(false);
  const [only] = holes;
  if (holes.length !== 1 || only === undefined)
    return {
      truth: all(...holes.map((one) => unifyHole({ ...one, of: null }, undefined).truth)),
      learned: [],
    };
  const text = match[1] as string;
  if (only.of === null) return unifyHole(only, text);
  return unifyHole(only, typed(text, only.of.item, only.of.field));
}

/** What was written into text, as the value that it was before. */
function typed(text: string, of: Item, field: string): Json {
  const type = of.resource.fields.get(field)?.shape.keywords.get('type');
  const isNumber = type?.kind === 'stated' && (type.value === 'integer' || type.value === 'number');
  return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** A value for people, in one line. */
export function shownAs(value: Partly | Json | undefined): string {
  const line = spell(value as Partly | undefined);
  return line.length > longest ? `${line.slice(0, longest - 3)}...` : line;
}

const longest = 300;

/** As many of them as can be shown. */
function inLine(values: readonly Partly[]): string {
  let line = '';
  for (const [index, one] of values.entries()) {
    if (line.length > longest) break;
    line += `${index === 0 ? '' : ','}${spell(one)}`;
  }
  return line;
}

function spell(value: Partly | undefined): string {
  if (value === undefined) return 'nothing';
  if (isPlain(value)) return JSON.stringify(value);
  if (isAbsent(value)) return 'nothing';
  if (isHole(value)) return value.of ? `(this.${value.of.field})` : '(any value)';
  if (isMixed(value)) return value.pieces.map(spell).join(' + ');
  if (isShown(value)) return value.many ? 'a list of objects' : 'an object';
  if (isReference(value)) return JSON.stringify(value.key);
  if (isItem(value)) return withArticle(value.resource.name);
  if (Array.isArray(value)) return `[${inLine(value)}]`;
  if (isListed(value)) return `{${[...spellMembers(value.members), '...'].join(',')}}`;
  return `{${spellMembers(value as Listed['members']).join(',')}}`;
}

function spellMembers(members: Listed['members']): string[] {
  return Object.entries(members)
    .filter(([, one]) => !isAbsent(one))
    .map(([name, one]) => `${JSON.stringify(name)}:${spell(one)}`);
}
