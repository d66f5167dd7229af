import { isObject } from './json.ts';
import type { Field, Shape, Statements } from './kinds.ts';

export interface Failure {
  readonly field: string;
  readonly keyword: string;
  readonly message?: string;
}

/** What does not fit, in the order in which fields and keywords are written. */
export class Shapes {
  readonly #table: Statements;
  constructor(table: Statements) {
    this.#table = table;
  }

  /** Of the members of an object; `under` is the name of what holds it, with a dot. */
  ofObject(value: Record<string, unknown>, shape: Shape, under = ''): Failure[] {
    const failures = Object.entries(shape.fields).flatMap(([name, field]) => {
      if (Object.hasOwn(value, name)) return this.ofValue(value[name], field, under + name);
      return shape.required?.includes(name) ? [this.#failure(under + name, 'required')] : [];
    });
    if (shape.others !== 'refuse') return failures;
    return [...failures, ...strays(value, shape.fields).map((name) => this.#failure(under + name, 'others'))];
  }

  ofValue(value: unknown, field: Field, name: string): Failure[] {
    if (field.of !== undefined) {
      const shape = this.#table.resources[field.of];
      if (!isObject(value)) return [this.#failure(name, 'type')];
      return shape ? this.ofObject(value, shape, `${name}.`) : [];
    }
    const failures = Object.keys(field)
      .filter((keyword) => keywords[keyword]?.(value, field) === false)
      .map((keyword) => this.#failure(name, keyword));
    const { items } = field;
    if (!items || !Array.isArray(value)) return failures;
    return [...failures, ...value.flatMap((one, index) => this.ofValue(one, items, `${name}.${index}`))];
  }

  /** Of one parameter of a query, and its value where it has one. */
  ofParameter(
    texts: readonly string[],
    field: Field,
    name: string,
  ): { failures: Failure[]; value?: unknown } {
    const [text = '', second] = texts;
    if (second !== undefined) return { failures: [this.#failure(name, 'twice')] };
    if (field.type === 'integer' && !/^-?(0|[1-9]\d*)$/.test(text))
      return { failures: [this.#failure(name, 'type')] };
    const value = field.type === 'integer' ? Number(text) : text;
    return { failures: this.ofValue(value, field, name), value };
  }

  #failure(field: string, keyword: string): Failure {
    const message = this.#table.errors.messages[keyword];
    return { field, keyword, ...(message !== undefined && { message }) };
  }

  stray(name: string): Failure {
    return this.#failure(name, 'others');
  }

  notCursor(name: string): Failure {
    return this.#failure(name, 'cursor');
  }
}

export function strays(value: object, fields: object): string[] {
  return Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
}

/** Whether a value is as a keyword says; a keyword says nothing of values of another type than its own. */
const keywords: Record<string, (value: unknown, field: Field) => boolean> = {
  type: (value, { type }) => [type].flat().some((one) => isOfType(value, one ?? '')),
  format: (value, { format }) => typeof value !== 'string' || (formats[format ?? '']?.(value) ?? true),
  minLength: (value, { minLength = 0 }) => typeof value !== 'string' || [...value].length >= minLength,
  maxLength: (value, { maxLength = 0 }) => typeof value !== 'string' || [...value].length <= maxLength,
  minimum: (value, { minimum = 0 }) => typeof value !== 'number' || value >= minimum,
  maximum: (value, { maximum = 0 }) => typeof value !== 'number' || value <= maximum,
  pattern: (value, { pattern = '' }) => typeof value !== 'string' || new RegExp(pattern, 'u').test(value),
  enum: (value, field) => typeof value === 'string' && field.enum?.includes(value) === true,
  minItems: (value, { minItems = 0 }) => !Array.isArray(value) || value.length >= minItems,
  uniqueItems: (value, { uniqueItems }) =>
    !uniqueItems ||
    !Array.isArray(value) ||
    new Set(value.map((one) => JSON.stringify(one))).size === value.length,
};

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  return typeof value === type;
}

const label = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** RFC 5321 §4.1.2: a dot-string, at a domain. */
const email = new RegExp(`^[\\w!#$%&'*+/=?^\`{|}~-]+(\\.[\\w!#$%&'*+/=?^\`{|}~-]+)*@${label}(\\.${label})*$`);
/** RFC 3986, Appendix A. */
const unit = "[\\w.~!$&'()*+,;=-]|%[\\dA-Fa-f]{2}";
const authority = `//((${unit}|:)*@)?(\\[[\\dA-Fa-fv:.]+\\]|(${unit})*)(:\\d*)?(/(${unit}|[:@])*)*`;
const rootless = `/?(${unit}|[:@])+(/(${unit}|[:@])*)*|/|`;
const more = `(${unit}|[:@/?])*`;
const uri = new RegExp(`^[A-Za-z][A-Za-z0-9+.-]*:(${authority}|${rootless})(\\?${more})?(#${more})?$`);

const formats: Record<string, (value: string) => boolean> = {
  uuid: (value) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value),
  email: (value) => email.test(value),
  uri: (value) => uri.test(value),
};
