import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import { type Json, setMember } from '../../source/node.ts';
import { compilePattern } from '../../specification/reading/pattern.ts';
import { addBytes, bytesKeywords, withBytes } from './bytes-keywords.ts';
import { addStatedFormats } from './formats.ts';
import { addOwnKeywords } from './keywords.ts';
import { withoutProto } from './proto.ts';
import { addUnevaluated } from './unevaluated.ts';

/** Ajv is a hundred files: a service that is asked for nothing but what it keeps does without them. */
const require = createRequire(import.meta.url);

/** One way in which a value does not meet its shape (language §7, `error.failures`). */
export interface Failure {
  /** Names dotted, counted from the body; empty for the whole. A parameter's is its name. */
  readonly field: string;
  readonly keyword: string;
  readonly value: unknown;
  /** The keyword's own value, such as the 120 of `maxLength: 120`; null where it has none to show. */
  readonly limit: unknown;
}

/** Members that no statement names, where what becomes of them is open: a 501 that names the point. */
interface Unnamed {
  readonly address: string;
}

export interface Validation {
  readonly failures: readonly Failure[];
  readonly unnamed: readonly Unnamed[];
}

export type Validate = (value: unknown) => Validation | null;

type Schema = Readonly<Record<string, Json>>;

/** A schema's own rule for members that it does not name; `rule` is null while that is open. */
interface OthersRule {
  readonly known: readonly string[];
  readonly rule: 'refuse' | 'ignore' | 'keep' | null;
  readonly address: string;
}

/** Compiles shapes of one specification (language §H.1): strict, and nothing is coerced, removed or added. */
export class Validators {
  #ajv: Ajv2020 | undefined;
  readonly #definitions: Schema;

  /** @param definitions the named shapes, for `$ref: #/$defs/Name` */
  constructor(definitions: Schema) {
    this.#definitions = definitions;
  }

  /** The failures of a value in the order in which fields and keywords are written, or null where it fits. */
  compile(schema: Schema): Validate {
    let compiled: Validate | undefined;
    // A schema is compiled when a value is first held against it: it was checked when it was read, and a service that
    // compiled all of them would take longer to start the more it states.
    return (value) => {
      compiled ??= this.#compiled(schema);
      return compiled(value);
    };
  }

  #compiled(schema: Schema): Validate {
    const rooted = withBytes(withoutProto({ ...schema, $defs: this.#definitions })) as Schema;
    this.#ajv ??= ajvOver(this.#definitions);
    const validate: ValidateFunction = this.#ajv.compile(rooted);
    const inside = alternatives(rooted);
    return (value) => {
      if (validate(value)) return null;
      const errors = validate.errors ?? [];
      const unnamed = errors.flatMap((one) =>
        isOpen(one) ? [{ address: String(one.params['address']) }] : [],
      );
      const place = (path: readonly string[]): number[] =>
        path.map((name, depth) => rank(rooted, path.slice(0, depth), name));
      const ranked = errors
        .filter((one, index) => !isOpen(one) && one.keyword !== 'if' && !inside(one, errors.slice(index + 1)))
        .map((error) => ({ error, at: pathOf(error) }))
        .map((one) => ({ ...one, place: place(one.at) }));
      ranked.sort((a, b) => compare(a.place, b.place) || keywordRank(a.error) - keywordRank(b.error));
      return { unnamed, failures: ranked.map(({ error, at }) => failureOf(error, at)) };
    };
  }
}

function ajvOver(definitions: Schema): Ajv2020 {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  // What a schema may hold was checked when it was read; what is left of Ajv's strictness refuses schemas
  // that say less than they could, such as `then` without `if`.
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    validateFormats: true,
    addUsedSchema: false,
    validateSchema: false,
    code: { regExp: Object.assign(linearPattern, { code: 'linearPattern' }) as never },
  });
  addStatedFormats(ajv);
  addOwnKeywords(ajv);
  addBytes(ajv);
  addUnevaluated(ajv, definitions);
  ajv.addKeyword({
    keyword: 'others',
    type: 'object',
    schemaType: 'object',
    errors: 'full',
    compile: others,
  });
  return ajv;
}

function failureOf(error: ErrorObject, at: readonly string[]): Failure {
  const { keyword, schema } = error;
  const ofBytes = bytesKeywords[keyword];
  if (ofBytes)
    return { field: at.join('.'), keyword: ofBytes, value: null, limit: ofBytes === 'type' ? null : schema };
  return {
    field: at.join('.'),
    keyword: keyword === 'false schema' ? refusing(error.schemaPath) : keyword,
    value: failedValue(error),
    limit: typeof schema === 'object' || schema === false ? null : (schema ?? null),
  };
}

function failedValue({ keyword, params, data }: ErrorObject): unknown {
  if (keyword === 'required') return null;
  if (keyword === 'others') return params['value'];
  return keyword === 'additionalProperties' ? (data as Schema)[String(params['additionalProperty'])] : data;
}

/** The keyword by which a schema is `false`: `then`, or `properties` for one of them. */
function refusing(schemaPath: string): string {
  const [name = '', above = ''] = schemaPath.split('/').slice(0, -1).reverse();
  const maps = ['properties', 'patternProperties', 'dependentSchemas', 'prefixItems', 'allOf'];
  return maps.includes(above) ? above : name;
}

/**
 * Tells errors that stand within alternatives, of which each may fail: that none fits is one failure, that of
 * the keyword which holds them (JSON Schema Core §10.2, §10.3).
 */
function alternatives(root: Schema): (error: ErrorObject, later: readonly ErrorObject[]) => boolean {
  const known = new Map<unknown, Set<unknown>>();
  const within = (schema: unknown): Set<unknown> => {
    const found = known.get(schema) ?? new Set();
    if (known.has(schema)) return found;
    known.set(schema, found);
    const visit = (of: unknown): void => {
      if (typeof of !== 'object' || of === null || found.has(of)) return;
      found.add(of);
      for (const inner of Object.values(of)) visit(inner);
      visit(resolved(root, of as Json));
    };
    visit(schema);
    return found;
  };
  return (error, later) =>
    later.some(
      (one) =>
        ['anyOf', 'oneOf', 'contains', 'propertyNames'].includes(one.keyword) &&
        `${error.instancePath}/`.startsWith(`${one.instancePath}/`) &&
        within(one.schema).has(error.parentSchema),
    );
}

/** Ajv tells patterns apart by what they are as text. */
function linearPattern(pattern: string): { readonly test: (text: string) => boolean } {
  return Object.assign(compilePattern(pattern), { toString: () => pattern });
}

function isOpen(error: ErrorObject): boolean {
  return error.keyword === 'others' && error.params['address'] !== null;
}

function others({ known, rule, address }: OthersRule) {
  const names = new Set(known);
  const check = (value: Readonly<Record<string, unknown>>): boolean => {
    if (rule === 'keep' || rule === 'ignore') return true;
    const errors = Object.keys(value)
      .filter((name) => !names.has(name))
      .map((name) => ({
        keyword: 'others',
        message: 'is not stated',
        params: { name, value: value[name], address: rule === null ? address : null },
      }));
    check.errors = errors;
    return errors.length === 0;
  };
  check.errors = [] as object[];
  return check as unknown as DataValidateFunction;
}

/** The names on the way to what failed; the own name of a member that is missing, or may not be there, is the last. */
function pathOf(error: ErrorObject): string[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required' || error.keyword === 'dependentRequired')
    path.push(String(error.params['missingProperty']));
  if (error.keyword === 'others') path.push(String(error.params['name']));
  if (error.keyword === 'additionalProperties') path.push(String(error.params['additionalProperty']));
  return path;
}

/** The place of a member among those that its schema writes; what it does not write comes last. */
function rank(root: Schema, path: readonly string[], name: string): number {
  let schema: Json | undefined = root;
  for (const one of path) schema = inner(root, schema, one);
  const properties = resolved(root, schema)?.['properties'];
  const index = properties ? Object.keys(properties as object).indexOf(name) : Number(name);
  return index === -1 || Number.isNaN(index) ? Number.MAX_SAFE_INTEGER : index;
}

function inner(root: Schema, schema: Json | undefined, name: string): Json | undefined {
  const of = resolved(root, schema);
  const properties = of?.['properties'] as Schema | undefined;
  return properties && Object.hasOwn(properties, name) ? properties[name] : of?.['items'];
}

function resolved(root: Schema, schema: Json | undefined): Schema | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return undefined;
  const reference = (schema as Schema)['$ref'];
  if (typeof reference !== 'string') return schema as Schema;
  return (root['$defs'] as Schema)[reference.slice('#/$defs/'.length)] as Schema | undefined;
}

function keywordRank(error: ErrorObject): number {
  const parent = error.parentSchema as object | undefined;
  const index = parent ? Object.keys(parent).indexOf(error.keyword) : -1;
  return index === -1 ? Number.MAX_SAFE_INTEGER : index;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/**
 * Leaves members out of a value, in place; what is there `before` at the same place stays as it was. An element of a
 * list is at the place of the one that it was, of those that are known to have been there.
 */
export type Strip = (value: unknown, before?: unknown, origins?: ReadonlyMap<unknown, unknown>) => void;

/**
 * A function that leaves out the members that a schema says to ignore, at any depth; undefined where there are
 * none to ignore. The value is changed in place: it was made for this request.
 */
export function stripper(schema: Json | undefined, definitions: Schema): Strip | undefined {
  const seen = new Map<Schema, { strip: Strip | undefined }>();
  const visit = (of: Json | undefined): Strip | undefined => {
    const found = resolved({ $defs: definitions }, of);
    if (found === undefined) return undefined;
    const known = seen.get(found);
    if (known) return known.strip ?? ((...all) => known.strip?.(...all));
    const entry: { strip: Strip | undefined } = { strip: undefined };
    seen.set(found, entry);
    const properties = Object.entries((found['properties'] ?? {}) as Schema).flatMap(([name, inner]) => {
      const strip = visit(inner);
      return strip ? [[name, strip] as const] : [];
    });
    const items = visit(found['items']);
    const rule = found['others'] as unknown as OthersRule | undefined;
    const names = rule?.rule === 'ignore' ? new Set(rule.known) : undefined;
    if (properties.length === 0 && !items && !names) return undefined;
    entry.strip = (value, before, origins) => {
      if (Array.isArray(value) && items) {
        const were: readonly unknown[] = Array.isArray(before) ? before : [];
        const found = value.map((item) =>
          were.find((one) => one !== undefined && one === origins?.get(item)),
        );
        for (const [index, item] of value.entries())
          items(item, found[index] ?? (found.includes(were[index]) ? undefined : were[index]), origins);
      }
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const object = value as Record<string, unknown>;
      const was = (before ?? {}) as Readonly<Record<string, unknown>>;
      const foreign = names ? Object.keys({ ...was, ...object }).filter((name) => !names.has(name)) : [];
      for (const name of foreign)
        if (Object.hasOwn(was, name)) setMember(object, name, was[name]);
        else delete object[name];
      for (const [name, strip] of properties)
        if (Object.hasOwn(object, name))
          strip(object[name], Object.hasOwn(was, name) ? was[name] : undefined, origins);
    };
    return entry.strip;
  };
  return visit(schema);
}
