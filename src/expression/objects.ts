import { createHash } from 'node:crypto';
import { Bytes, digestOfBytes } from './bytes.ts';
import type { Syntax } from './expression.ts';
import { take } from './steps.ts';
import { any, described, either, list, object, type Type, textType } from './type.ts';
import { CannotWorkOut, isItem } from './values.ts';

/** The functions of objects, of lists of them, and of what a value is (language §G.4). */

type Members = Readonly<Record<string, unknown>>;

export const objectType: Type = object([], true);

/** The members of all; later ones win, and nulls are skipped. No deeper than one level. */
export function merge(...objects: readonly (Members | null)[]): Members {
  return Object.fromEntries(objects.flatMap((one) => Object.entries(one ?? {})));
}

/** Each member as one of those that may give it; of what is not known every member may come. */
export function mergedType(types: readonly Type[]): Type {
  return types.filter(({ kind }) => kind !== 'null').reduce(together, object([]));
}

function together(before: Type, after: Type): Type {
  if (before.kind !== 'object') return any;
  if (after.kind !== 'object')
    return object(
      [...before.members.keys()].map((name) => [name, any]),
      true,
    );
  const members = new Map<string, Type>();
  for (const [name, type] of before.members) members.set(name, after.more ? any : type);
  for (const [name, type] of after.members) {
    const other = before.members.get(name);
    members.set(name, other ? either(other, type) : before.more ? any : type);
  }
  return { kind: 'object', members, more: before.more || after.more };
}

/** The names of the members, by code point. */
export function keys(of: Members): string[] {
  return Object.keys(of);
}

/** The object of `[[name, value], …]`; of one name twice the later counts. */
export function fromPairs(pairs: readonly unknown[]): Members {
  return Object.fromEntries(
    pairs.map((pair) => {
      if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string')
        throw new CannotWorkOut('object(pairs) takes a list of [name, value]');
      return pair as [string, unknown];
    }),
  );
}

export const kinds = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'] as const;

/** What a value is, in JSON Schema's words; an integer is a number without a fraction. */
export function kindOf(value: unknown): (typeof kinds)[number] {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'string' || typeof value === 'boolean' ? (typeof value as 'string') : 'object';
}

/** SHA-256 of the text in UTF-8 (FIPS 180-4): in small letters, and in base 64 with padding (RFC 4648 §4). */
export function sha256(text: unknown): { readonly hex: string; readonly base64: string } {
  if (text instanceof Bytes) return digestOfBytes(text);
  if (typeof text !== 'string') throw new CannotWorkOut('sha256 wants a text, or bytes');
  const digest = createHash('sha256').update(text, 'utf8').digest();
  return { hex: digest.toString('hex'), base64: digest.toString('base64') };
}

export const digestType = object(['hex', 'base64'].map((name) => [name, textType] as const));

/** With these members alone; a dot leads to a member of a member, through lists. Null for names takes all. */
export function pick(value: unknown, names: readonly unknown[] | null): unknown {
  if (value === null || names === null) return value;
  return picked(value, textsOf(names)) ?? (Array.isArray(value) ? [] : {});
}

/** Without these members. Null for names leaves out none. */
export function omit(value: unknown, names: readonly unknown[] | null): unknown {
  return value === null || names === null ? value : omitted(value, textsOf(names));
}

/** Undefined where there is nothing of these names. A list keeps its length, so that its elements keep their places. */
function picked(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const isOfMembers = value.some((one) => isObject(one) || Array.isArray(one));
    if (value.length > 0 && !isOfMembers) return undefined;
    return value.map((one) => picked(one, names) ?? (isObject(one) ? {} : null));
  }
  if (!isObject(value)) return undefined;
  const { whole, deeper } = steered(value, names);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const found = whole.has(name) ? member : picked(member, deeper.get(name) ?? none);
    return found === undefined ? [] : [[name, found] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function omitted(value: unknown, names: readonly string[]): unknown {
  if (names.length === 0) return value;
  if (Array.isArray(value)) return value.map((one) => omitted(one, names));
  if (!isObject(value)) return value;
  const { whole, deeper } = steered(value, names);
  const left = Object.entries(value).filter(([name]) => !whole.has(name));
  return Object.fromEntries(left.map(([name, member]) => [name, omitted(member, deeper.get(name) ?? none)]));
}

const none: readonly string[] = [];

interface Steered {
  readonly whole: ReadonlySet<string>;
  /** By member: the names of what is meant within it. */
  readonly deeper: ReadonlyMap<string, readonly string[]>;
}

/** Which members names are about: a member of this whole name goes before one of the part before the first dot. */
function steered(value: Members, names: readonly string[]): Steered {
  take(names.length);
  const whole = new Set<string>();
  const deeper = new Map<string, string[]>();
  for (const name of names) {
    const dot = name.indexOf('.');
    const member = name.slice(0, Math.max(0, dot));
    if (Object.hasOwn(value, name)) whole.add(name);
    else if (dot !== -1) deeper.set(member, [...(deeper.get(member) ?? []), name.slice(dot + 1)]);
  }
  return { whole, deeper };
}

function textsOf(names: readonly unknown[]): string[] {
  return names.filter((name) => typeof name === 'string');
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isItem(value);
}

/** The type of what is picked: exact where the names are written out. */
export function pickedType([of = any]: readonly Type[], names: readonly string[] | null): Type {
  if (names === null) return of;
  return ofMembers(of, (members) => {
    const [wholes, tops] = [new Set(names), new Set(names.map(topOf))];
    return [...members].flatMap(([name, type]) => {
      if (wholes.has(name)) return [[name, type] as const];
      return tops.has(name) ? [[name, pickedType([type], below(names, name))] as const] : [];
    });
  });
}

export function omittedType([of = any]: readonly Type[], names: readonly string[] | null): Type {
  if (names === null || names.length === 0) return of;
  return ofMembers(of, (members) =>
    [...members]
      .filter(([name]) => !names.includes(name))
      .map(([name, type]) => [name, omittedType([type], below(names, name))] as const),
  );
}

type TypedMembers = ReadonlyMap<string, Type>;

function ofMembers(of: Type, change: (of: TypedMembers) => (readonly [string, Type])[]): Type {
  if (of.kind === 'list') return list(ofMembers(of.of, change), of.most);
  return of.kind === 'object' ? object(change(of.members), of.more) : of;
}

function topOf(name: string): string {
  return name.split('.', 1)[0] as string;
}

function below(names: readonly string[], member: string): string[] {
  return names.filter((name) => name.startsWith(`${member}.`)).map((name) => name.slice(member.length + 1));
}

/** The names in a list that is written out; null: they are worked out. */
export function writtenNames(node: Syntax | undefined): readonly string[] | null {
  if (node?.op !== 'list') return null;
  const names = node.args.map((one) => (one.op === 'value' ? one.args : null));
  return names.every((name) => typeof name === 'string') ? names : null;
}

/** Why nothing can be picked of a value of this type; undefined: it can. */
export function notPicked(of: Type): string | undefined {
  let inner = of;
  while (inner.kind === 'list') inner = inner.of;
  if (['object', 'any', 'null'].includes(inner.kind)) return undefined;
  const shown = 'resource' in inner ? `; ${inner.resource}(x) shows one` : '';
  return `this is ${described(of)}, and an object or a list of objects is wanted${shown}`;
}
