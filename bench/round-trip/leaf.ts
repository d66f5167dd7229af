import { isDeepStrictEqual } from 'node:util';
import { notesFor } from '../../src/interchange/openapi/prose.ts';
import type { Json } from '../../src/source/node.ts';
import { isUsual } from './kinds.ts';

/** What became of a leaf: see the rules in `bench/round-trip.ts`. */
export type Way = 'same' | 'spelling' | 'prose' | 'lost';

export type Members = { readonly [name: string]: Json };

/** What stands around a leaf. */
export interface Parents {
  /** The object of the description. */
  readonly beside: Members;
  /** The nearest object there that has a counterpart. */
  readonly near: Members;
  /** What people read there, and of the objects around it, up to the operation or the component. */
  readonly told: string;
  /** Whether a note there has all of the member, or of one in which it stands. */
  readonly isNoted: boolean;
}

/** What is told people of an object. */
export function toldOf(object: Members): string {
  return [object['description'], object['$comment']].filter((each) => typeof each === 'string').join('\n');
}

/** What became of a leaf whose counterpart is known. */
export function wayOf(one: Json, other: Json | undefined, name: string, parents: Parents): Way {
  if (isDeepStrictEqual(one, other)) return 'same';
  if (isTextAlike(one, other) || isSpelt(one, other, name, parents)) return 'spelling';
  return isProse(one, name, parents) ? 'prose' : 'lost';
}

/** White space of a text, and a full stop at its end, make no difference to those who read it. */
function isTextAlike(one: Json, other: Json | undefined): boolean {
  return typeof one === 'string' && typeof other === 'string' && plain(one) === plain(other);
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
}

/** The same meaning in other words. */
function isSpelt(one: Json, other: Json | undefined, name: string, { beside, near }: Parents): boolean {
  const types = [near['type'] ?? []].flat();
  switch (name) {
    case 'nullable':
      return one === takesNull(near);
    case 'type':
      return types.includes(one as string) || isTold(near, one);
    case 'format':
      return one === 'int32' && near['maximum'] !== undefined && near['minimum'] !== undefined;
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return one === true && typeof other === 'number';
    case 'minimum':
    case 'maximum': {
      const exclusive = `exclusive${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      return beside[exclusive] === true && near[exclusive] === one;
    }
    case 'operationId':
      return typeof other === 'string' && letters(other) === letters(one as string);
    default:
      return other === undefined && isUsual(name, one, beside);
  }
}

/** Examples of a schema, or of the schema of a parameter. */
export function examplesIn(object: Members): readonly Json[] {
  const schema = object['schema'];
  const said = object['examples'] ?? (isMap(schema) ? schema['examples'] : undefined);
  return Array.isArray(said) ? said : [];
}

function letters(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
}

/** Whether the values that are listed have a type. */
function isTold(schema: Members, type: Json): boolean {
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as readonly Json[]) : [];
  return values.length > 0 && values.every((value) => value === null || typeof value === type);
}

function takesNull(schema: Members): boolean {
  const alternatives = [schema['anyOf'] ?? [], schema['oneOf'] ?? []].flat() as readonly Json[];
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as readonly Json[]) : [];
  return (
    [schema['type'] ?? []].flat().includes('null') ||
    values.includes(null) ||
    alternatives.some((each) => isMap(each) && takesNull(each))
  );
}

/** Whether people read the text itself, or a note. */
function isProse(one: Json, name: string, { told, isNoted }: Parents): boolean {
  const isForPeople = ['summary', 'description', 'title'].includes(name);
  return isNoted || (isForPeople && typeof one === 'string' && plain(told).includes(plain(one)));
}

/** Whether a note has all of a member. */
export function hasNote(told: string, name: string, value: Json): boolean {
  if (!told.includes(`${name}: `)) return false;
  const lines = new Set(told.split('\n'));
  return notesFor(name, value).every((line) => lines.has(line));
}

/** A value within which nothing stands. */
export function isLeaf(value: Json): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

export function isMap(value: Json | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
