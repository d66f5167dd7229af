import { isDeepStrictEqual } from 'node:util';
import { equal } from '../../expression/functions.ts';
import { type Json, setMember } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { Held } from '../message/refusal.ts';
import { concealer } from '../resource/conceal.ts';
import type { Validate, Validation } from '../shape/validate.ts';
import type { Operation } from './json-patch.ts';
import { valueAt } from './pointer.ts';

type Schema = Readonly<Record<string, Json>>;
type Members = Record<string, unknown>;

/** Keywords under which a schema stands, a list of them, or a map of names to them. */
const within = {
  one: ['items', 'additionalProperties'],
  several: ['allOf', 'prefixItems'],
  named: ['properties'],
} as const;

/** Of a schema what tells which members may be there, at any depth: all that can be asked of a patch by itself. */
export function namesOnly(schema: Json | undefined): Schema {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return {};
  const all = schema as Schema;
  const found: Record<string, Json> = {};
  for (const key of ['$ref', 'others']) if (all[key] !== undefined) found[key] = all[key];
  for (const key of within.one) if (all[key] !== undefined) found[key] = namesOnly(all[key]);
  for (const key of within.several)
    if (Array.isArray(all[key])) found[key] = all[key].map((one: Json) => namesOnly(one));
  for (const key of within.named)
    if (all[key] !== undefined) found[key] = namesOnlyOfEach(all[key] as Schema);
  return found;
}

export function namesOnlyOfEach(schemas: Schema): Schema {
  const found: Record<string, Json> = {};
  for (const [name, one] of Object.entries(schemas)) setMember(found, name, namesOnly(one));
  return found;
}

/** What is wrong with the names in what an operation writes, by its path and in the values that it brings. */
export function compileWritten(names: Validate): (operations: readonly Operation[]) => Validation | null {
  return (operations) => {
    const failures = new Map<string, Validation['failures'][number]>();
    const unnamed: Validation['unnamed'][number][] = [];
    for (const { op, path, from, value } of operations) {
      if (op === 'test') continue;
      for (const way of op === 'move' ? [from ?? [], path] : [path])
        for (const one of wholes(way, value ?? null)) {
          // What makes the whole something else is found once it is applied.
          if (typeof one !== 'object' || one === null || Array.isArray(one)) continue;
          const found = names(one);
          for (const failure of found?.failures ?? []) failures.set(failure.field, failure);
          unnamed.push(...(found?.unnamed ?? []));
        }
    }
    return failures.size === 0 && unnamed.length === 0 ? null : { failures: [...failures.values()], unnamed };
  };
}

/** A document with a value at one place of it and nothing else; two of them where a name may be that of an element. */
function wholes(path: readonly string[], value: unknown): readonly unknown[] {
  const isIndex = (token: string): boolean => /^(-|0|[1-9]\d*)$/.test(token);
  const whole = (lists: boolean): unknown =>
    path.reduceRight<unknown>(
      (inner, token) => (lists && isIndex(token) ? [inner] : { [token]: inner }),
      value,
    );
  return path.some(isIndex) ? [whole(false), whole(true)] : [whole(false)];
}

/**
 * Compiles which operations of a JSON Patch cannot be carried out on an item, whatever is there: those that would
 * read what is not `readable: true`, and those that would bring what may not be written, at any depth; of what no
 * statement names it may be open whether it may be. An element that is moved within its list keeps what it holds.
 */
export function compileBarred(
  subject: Resource | null | undefined,
  definitions: Schema,
  names: Validate,
): (operation: Operation, document: unknown) => Held | boolean {
  /** Null where the whole field is not to be read. */
  const concealers = new Map<string, ((value: unknown) => void) | null>();
  for (const { name, readable, shape } of subject?.fields.values() ?? []) {
    const conceal = concealer(schemaOf(shape), definitions);
    if (stated(readable) !== true) concealers.set(name, null);
    else if (conceal) concealers.set(name, conceal);
  }
  const isHidden = (document: unknown, way: readonly string[]): boolean => {
    const [name] = way;
    if (name === undefined)
      return Object.keys((document ?? {}) as Members).some((one) => isHidden(document, [one]));
    const conceal = concealers.get(name);
    if (!conceal) return conceal === null;
    const seen = { [name]: structuredClone(valueAt(document, [name])) };
    conceal(seen[name]);
    return !equal(valueAt(seen, way) ?? null, valueAt(document, way) ?? null);
  };
  return ({ op, path, from }, document) => {
    if (from === null) return op === 'test' && isHidden(document, path);
    if (isHidden(document, from)) return true;
    const parent = path.slice(0, -1);
    const isWithin = op === 'move' && isDeepStrictEqual(from.slice(0, -1), parent);
    if (isWithin && Array.isArray(valueAt(document, parent))) return false;
    const found = wholes(path, valueAt(document, from)).flatMap((one) => names(one) ?? []);
    const held = found.flatMap(({ unnamed }) => unnamed.map(({ address }) => address));
    return held.length > 0 ? { held: [...new Set(held)] } : found.length > 0;
  };
}
