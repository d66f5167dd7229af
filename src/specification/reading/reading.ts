import { markPattern } from '../../source/clarification.ts';
import type { Code, ParametersOf } from '../../source/codes.ts';
import { type Diagnostic, diagnose, visible } from '../../source/diagnostic.ts';
import type { Mapping, Node, Piece, Scalar } from '../../source/node.ts';
import { type Span, span } from '../../source/text.ts';
import { charactersOf } from '../../source/written.ts';
import { type Address, rest, step } from './address.ts';
import type { Completeness, OpenedList } from './completeness.ts';
import {
  type About,
  anyOf,
  defined,
  type Form,
  type NameForm,
  own,
  type RecordForm,
  type Snippet,
  words,
} from './form.ts';
import type { NameKind, NameUse } from './name-use.ts';
import { nearest, shownNames } from './nearest.ts';
import { Patterns } from './pattern.ts';
import { isMarker, isOpenMarker, marker, type Said } from './said.ts';

/** A point of the specification: a place where something can be stated, and whether it is (language §C). */
export interface Point {
  readonly address: Address;
  readonly state: 'open' | 'assumed' | 'stated';
  readonly at: Span;
  /** What is asked, where `(open)` or the head's `open` asks something. */
  readonly question: string | null;
}

const mostSuggestions = 100;

/** One pass over a document: what it finds on the way. */
export class Reading {
  readonly diagnostics: Diagnostic[] = [];
  readonly points = new Map<Address, Point>();
  readonly completeness: Completeness;
  readonly patterns = new Patterns();
  #suggestions = 0;
  readonly #uses: NameUse[] | null;

  /** @param uses takes every place at which a name is used; null: nobody asks */
  constructor(completeness: Completeness, uses: NameUse[] | null = null) {
    this.completeness = completeness;
    this.#uses = uses;
  }

  /** Whether somebody asks where names are used. */
  get notesUses(): boolean {
    return this.#uses !== null;
  }

  /** Notes that a name is used; whether anything has that name is another question. */
  use(kind: NameKind, name: string, at: Span): void {
    this.#uses?.push({ kind, name, at });
  }

  report<C extends Code>(
    code: C,
    where: Span,
    parameters: ParametersOf<C>,
    more?: { readonly related?: readonly Span[]; readonly hint?: string | null },
  ): undefined {
    this.diagnostics.push(diagnose(code, where, parameters, more));
    return undefined;
  }

  /**
   * A reading of the same document whose faults and points are its own, such as that of an older version.
   *
   * @param opened lists that are open in it, besides
   */
  apart(opened: readonly OpenedList[]): Reading {
    return new Reading(this.completeness.opening(opened), this.#uses);
  }

  /** The known word that was most likely meant; only so many are looked for in a document that is all faults. */
  suggest(word: string, known: readonly string[]): string | undefined {
    this.#suggestions += 1;
    return this.#suggestions > mostSuggestions ? undefined : nearest(word, known);
  }

  point(address: Address, state: Point['state'], at: Span, question: string | null = null): void {
    this.points.set(address, { address, state, at, question });
  }

  /** The point "whatever else this list could name": stated where the list is closed, else open (language §D). */
  restOf(list: Address, where: Span): void {
    const closed = this.completeness.closed(list);
    if (closed) this.point(rest(list), 'stated', closed);
    else {
      const opened = this.completeness.opened(list);
      this.point(rest(list), 'open', opened?.at ?? where, opened?.question ?? null);
    }
  }
}

/** Where something is read: its address, and the nearest text that was written around it. */
export interface Place {
  readonly address: Address;
  readonly at: Span;
}

/** Reads a node that is no marker. Undefined: it is faulty, and that was reported. */
export type Read<T> = (node: Node, place: Place, reading: Reading) => T | undefined;

/** A reader that also says, as data, what it takes. */
export interface Formed<T> extends Read<T> {
  readonly form: Form;
}

/** The reader, which says that it takes this form. */
export function formed<T>(form: Form, read: Read<T>): Formed<T> {
  return Object.assign(read, { form });
}

/** A key of the language's vocabulary. */
export interface Key<T> {
  readonly read: Formed<T>;
  /**
   * What its absence is: a point of its own that is open (`value`); one more entry that the surrounding list
   * does not name (`entry`), and which a closed list therefore denies; or a list that names nothing (`list`),
   * closed or open like any other (language §D).
   */
  readonly absence: 'value' | 'entry' | 'list';
  /** Markers are an error here, because a literal could be meant (language §B). */
  readonly literal: boolean;
  /** What it is for; not of the entries of a list, which have names of the author's. */
  readonly about?: About;
}

/** A key of a map of the language's own keys: one that says what it is for. */
export type Told<T> = Key<T> & { readonly about: About };

/** A key whose absence leaves a point open. */
export function value<T>(read: Formed<T>): Key<T>;
export function value<T>(read: Formed<T>, about: About): Told<T>;
export function value<T>(read: Formed<T>, about?: About): Key<T> {
  return { read, absence: 'value', literal: false, ...(about && { about }) };
}

/** A key whose absence adds nothing. */
export function entry<T>(read: Formed<T>, about: About): Told<T> {
  return { read, absence: 'entry', literal: false, about };
}

/** A key that holds a list, whose absence is a list that names nothing. */
export function list<T>(read: Formed<T>, about: About): Told<T> {
  return { read, absence: 'list', literal: false, about };
}

/** A key that holds a literal, in which no marker may stand. */
export function literal<T>(read: Formed<T>, about: About): Told<T> {
  return { read, absence: 'entry', literal: true, about };
}

/** The same key, where its absence is another, by what stands beside it. */
export function absent<T>(key: Told<T>, absence: Key<T>['absence']): Told<T> {
  return { ...key, absence };
}

/** The same key, which reads otherwise by what stands around it, and takes the same. */
export function readBy<T>(key: Told<T>, read: Read<T>): Told<T> {
  return { ...key, read: formed(key.read.form, read) };
}

export type Keys = { readonly [name: string]: Told<unknown> };
export type Values<K extends Keys> = {
  readonly [N in keyof K]: Said<K[N] extends Key<infer T> ? T : never>;
};

/** What is said at one point, and the point noted. */
export function say<T>(
  node: Node | undefined,
  key: Omit<Key<T>, 'read'> & { readonly read: Read<T> },
  place: Place,
  reading: Reading,
): Said<T> {
  const { address } = place;
  if (node === undefined) {
    if (key.absence === 'value') reading.point(address, 'open', place.at);
    if (key.absence === 'list') reading.restOf(address, place.at);
    return { kind: 'open', question: null, address, at: place.at };
  }
  const at = node.span;
  const assumed = node.assumed === true;
  const state = assumed ? 'assumed' : 'stated';
  if (key.literal) {
    const wrong = markerWithin(node);
    if (wrong) reading.report('marker-in-literal', wrong.span, { text: wrong.written.trim() });
  } else if (node.kind === 'scalar') {
    const mark = marker(node.value);
    if (mark?.kind === 'open') {
      reading.point(address, 'open', at, mark.question);
      return { ...mark, address, at };
    }
    if (mark) {
      reading.point(address, state, at);
      return { ...mark, address, at, assumed };
    }
  }
  const before = reading.points.size;
  const read = key.read(node, { address, at }, reading);
  if (read === undefined) return { kind: 'open', question: null, address, at };
  if (reading.points.size === before) reading.point(address, state, at);
  return { kind: 'stated', value: read, address, at, assumed };
}

/** The first marker at any depth. */
export function markerWithin(node: Node): Scalar | undefined {
  switch (node.kind) {
    case 'scalar':
      return marker(node.value) ? node : undefined;
    case 'list':
      return node.items.map(markerWithin).find((found) => found !== undefined);
    case 'map':
      return [...node.entries.values()]
        .map((e) => markerWithin(e.value))
        .find((found) => found !== undefined);
  }
}

/**
 * Reads a map of the language's own keys. One that has entries is a list: what it does not say besides is its rest
 * (language §D.4).
 */
export function record<K extends Keys>(
  keys: K,
  more: Omit<RecordForm, 'kind' | 'keys'> = {},
): Formed<Values<K>> {
  const isList = Object.values(keys).some(({ absence }) => absence === 'entry');
  return formed({ kind: 'record', keys, ...more }, (node, place, reading) => {
    const map = asMap(node, reading);
    if (map === undefined) return undefined;
    unknownKeys(map, Object.keys(keys), place, reading);
    const values = knownKeys(map, keys, place, reading);
    if (isList) reading.restOf(place.address, place.at);
    return values;
  });
}

export function knownKeys<K extends Keys>(map: Mapping, keys: K, place: Place, reading: Reading): Values<K> {
  const values: Record<string, Said<unknown>> = {};
  // A key of the language is a word, which follows a dot.
  for (const [name, key] of entriesOf(keys))
    values[name] = say(
      map.entries.get(name)?.value,
      key,
      { address: `${place.address}.${name}`, at: place.at },
      reading,
    );
  return values as Values<K>;
}

const entriesKnown = new WeakMap<Keys, readonly (readonly [string, Told<unknown>])[]>();

/** The keys with their names. Large documents have the same keys thousands of times. */
function entriesOf(keys: Keys): readonly (readonly [string, Told<unknown>])[] {
  const found = entriesKnown.get(keys) ?? Object.entries(keys);
  entriesKnown.set(keys, found);
  return found;
}

export function unknownKeys(map: Mapping, known: readonly string[], place: Place, reading: Reading): void {
  for (const [name, found] of map.entries) {
    // A `description` beside keys of the language states nothing (language §E.18).
    if (name === 'description') nothingAsked(found.value, reading);
    if (known.includes(name) || name === 'description') continue;
    const close = reading.suggest(name, known);
    const hint = close === undefined ? `known here: ${shownNames(known)}` : `did you mean ${close}?`;
    reading.report('unknown-key', found.key, { key: name, where: place.address }, { hint });
  }
}

/** The one of these keys that a map has: they exclude one another, and one of them has to stand there. */
export function oneKey<const K extends string>(
  map: Mapping,
  keys: readonly K[],
  reading: Reading,
): K | undefined {
  const [key, second] = keys.filter((one) => map.entries.has(one));
  if (key !== undefined && second === undefined) return key;
  const found = key === undefined ? 'none of them' : `${key} and ${second}`;
  return reading.report('wrong-kind', map.span, { wanted: `one of ${keys.join(', ')}`, found });
}

/** A description states nothing, so a question in it would be lost; a mark is told of as one in prose (language §E.18). */
export function nothingAsked(description: Node, reading: Reading): void {
  reading.diagnostics.push(...questionLost(description));
}

export function questionLost(description: Node): Diagnostic[] {
  const { text: of, start, end } = description.span;
  const marks = [...of.content.slice(start, end).matchAll(markPattern)];
  if (marks.length > 0)
    return marks.map(({ index, 0: mark, 1: question = '' }) => {
      const at = span(of, start + index, start + index + mark.length);
      return diagnose('question-in-prose', at, { question: visible(question.trim()) });
    });
  const hint = 'ask at the point that it is about: a description states nothing';
  const asked = isOpenMarker(description);
  return asked ? [diagnose('marker-in-literal', description.span, { text: '(open)' }, { hint })] : [];
}

/** Reports a name that nobody has, with the one that was most likely meant. */
export function unknownName(
  name: string,
  at: Span,
  wanted: string,
  known: readonly string[],
  reading: Reading,
): void {
  const close = reading.suggest(name, known);
  const hint = close ? `did you mean ${close}?` : known.length > 0 ? `known: ${shownNames(known)}` : null;
  reading.report('unknown-name', at, { name, wanted }, { hint });
}

/** Reads a list that is written as a map from names: each entry a point, and the rest of them one more. */
export function named<T>(
  key: Key<T>,
  names?: NameForm,
  snippets?: readonly Snippet[],
): Formed<ReadonlyMap<string, Said<T>>> {
  const form: Form = { kind: 'map', of: key, ...(names && { names }), ...(snippets && { snippets }) };
  return formed(form, (node, place, reading) => {
    const map = asMap(node, reading);
    if (map === undefined) return undefined;
    const values = new Map<string, Said<T>>();
    for (const [written, found] of map.entries) {
      if (names && !names.pattern.test(written)) reading.report('bad-name', found.key, { name: written });
      const where = { address: step(place.address, written), at: found.key };
      values.set(written, say(found.value, key, where, reading));
    }
    reading.restOf(place.address, place.at);
    return values;
  });
}

/** Reads a list, or one value that stands for a list of one. */
export function listOf<T>(read: Formed<T>): Formed<readonly T[]> {
  return formed({ kind: 'list', of: read.form, alone: true }, (node, place, reading) => {
    const items = node.kind === 'list' ? node.items : [node];
    const values: T[] = [];
    for (const [index, item] of items.entries()) {
      if (node.kind === 'list' && isMarker(item)) {
        noMarkerInList(item, place, reading);
        continue;
      }
      const value = read(item, { address: step(place.address, index), at: item.span }, reading);
      if (value !== undefined) values.push(value);
    }
    return values;
  });
}

/** An element of a list cannot be open; the list itself can be asked about (language §B, §D.3). */
export function noMarkerInList(item: Node, { address }: Place, reading: Reading): void {
  const text = item.kind === 'scalar' ? item.written.trim() : '';
  const hint = `to ask about the list, write in the head: open: { ${address}: ${text.replace(/^\(open\)\s*/, '')} }`;
  reading.report('marker-in-literal', item.span, { text }, text.startsWith('(open)') ? { hint } : {});
}

/** A text that was placed: names of other things, so that a message about them can point. */
export interface Placed {
  readonly text: string;
  readonly at: Span;
}

const textForm = defined(
  'text',
  own(
    'text',
    {
      title: 'text',
      $comment: 'A text, kept as written (language §A.4).',
      type: ['string', 'number', 'boolean'],
    },
    true,
  ),
);

/** Text, kept as written: `1.10` and `2026-11-01` stay what they are (language §A.4). */
export const text: Formed<string> = formed(textForm, (node, _place, reading) =>
  node.kind === 'scalar' && node.value !== null
    ? node.written
    : reading.report('wrong-kind', node.span, { wanted: 'text', found: kindOf(node) }),
);

export const placedText: Formed<Placed> = formed(textForm, (node, place, reading) => {
  const found = text(node, place, reading);
  return found === undefined ? undefined : { text: found, at: node.span };
});

export function word<const W extends string>(...some: readonly W[]): Formed<W> {
  return formed(words(...some), (node, place, reading) => {
    const found = text(node, place, reading);
    if (found === undefined || (some as readonly string[]).includes(found)) return found as W | undefined;
    const close = reading.suggest(found, some);
    return reading.report(
      'unknown-word',
      node.span,
      { word: found, words: some },
      { hint: close ? `did you mean ${close}?` : null },
    );
  });
}

/** Reads one form or another: which, `read` decides by what stands there. */
export function either<T>(read: Read<T>, ...of: readonly Formed<unknown>[]): Formed<T> {
  return formed(anyOf(...of.map(({ form }) => form)), read);
}

export const boolean: Formed<boolean> = formed(
  own('true or false', { type: 'boolean' }),
  (node, _place, reading) =>
    node.kind === 'scalar' && typeof node.value === 'boolean'
      ? node.value
      : reading.report('wrong-kind', node.span, { wanted: 'true or false', found: kindOf(node) }),
);

export function asMap(node: Node, reading: Reading): Mapping | undefined {
  if (node.kind === 'map') return node;
  return reading.report('wrong-kind', node.span, { wanted: 'a map', found: kindOf(node) });
}

export function kindOf(node: Node): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a map';
  if (node.value === null) return 'nothing';
  if (typeof node.value === 'string') return 'text';
  return typeof node.value === 'number' ? 'a number' : 'true or false';
}

/** The place of some characters within a scalar; where they are not found in its text, the scalar's. */
export function within(node: Node, start: number, end: number): Span {
  if (node.kind === 'scalar' && node.pieces) return withinPieces(node.pieces, start, end) ?? node.span;
  if (node.kind !== 'scalar') return node.span;
  if (node.from === null) {
    const places = charactersOf(node);
    const [from, to] = [places?.[start], places?.[end]];
    return from === undefined || to === undefined ? node.span : span(node.span.text, from, to);
  }
  return span(node.span.text, node.from + start, node.from + end);
}

/**
 * The same of a text that was put together (language §E.19). What lies over several pieces belongs to the text that
 * these were put into, which is that outside of the parentheses around them.
 */
function withinPieces(pieces: readonly Piece[], start: number, end: number): Span | undefined {
  let [offset, depth] = [0, 0];
  const covered: { readonly span: Span; readonly depth: number }[] = [];
  for (const { text, node, at, used } of pieces) {
    const [from, to] = [Math.max(start, offset), Math.min(end, offset + text.length)];
    if (text.endsWith(')') && text.trim() === ')') depth -= 1;
    if (from < to) {
      const span = within(node, at + from - offset, at + to - offset);
      covered.push({ span: used ? { ...span, used } : span, depth });
    }
    if (text === '(') depth += 1;
    offset += text.length;
  }
  const least = Math.min(...covered.map((one) => one.depth));
  const own = covered.filter((one) => one.depth === least).map((one) => one.span);
  const [first, last] = [own[0], own.at(-1)];
  return first && last && first.text === last.text && first.end <= last.end
    ? { ...first, end: last.end }
    : first;
}
