import { Buffer } from 'node:buffer';

/** A refusal, by the code of its row. */
export class Refused extends Error {
  readonly code: Code;
  readonly text: string;

  constructor(code: Code, text: string = refusals[code][1]) {
    super(code);
    this.code = code;
    this.text = text;
  }
}

type Code = keyof typeof refusals;

export const refusals = {
  no_token: [401, 'Send your token'],
  bad_token: [401, 'Nobody has this token'],
  too_large: [413, 'The body is too large'],
  not_json: [415, 'Send JSON'],
  unreadable: [400, 'The request cannot be read'],
  no_folder: [404, 'There is no such folder'],
  no_file: [404, 'There is no such file'],
  not_yours: [403, 'Only the owner may do this'],
  invalid: [422, 'Some of it does not fit'],
  changed: [412, 'The file was changed since you read it'],
  not_empty: [409, 'The folder is not empty'],
  home: [409, 'A home folder stays'],
  lock_state: [409, 'The lock is already so'],
  taken: [409, 'The name is taken'],
  locked: [423, 'A file is locked'],
  circle: [409, 'A folder cannot be inside itself'],
  too_deep: [409, 'Folders go four levels deep'],
  full: [507, ''],
} as const;

type Rule = (value: unknown) => boolean;
export type Body = Readonly<Record<string, unknown>>;

export const isText =
  (least: number, most: number): Rule =>
  (value) => {
    if (typeof value !== 'string') return false;
    const length = [...value].length;
    return length >= least && length <= most;
  };

export const isName =
  (most: number): Rule =>
  (value) =>
    isText(1, most)(value) && !(value as string).includes('/');

export const isBoolean: Rule = (value) => typeof value === 'boolean';

export const isKey: Rule = (value) => typeof value === 'string';

export const isInteger =
  (least: number, most: number): Rule =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

/** The members of a body: each by its rule, those that are required, and no others. */
export function check(body: Body, rules: Readonly<Record<string, Rule>>, required: readonly string[]): void {
  const fits = Object.entries(body).every(
    ([name, value]) => Object.hasOwn(rules, name) && rules[name]?.(value),
  );
  if (!fits || required.some((name) => body[name] === undefined)) throw new Refused('invalid');
}

type Reader = (text: string) => unknown;

export const number =
  (least: number, most = Number.MAX_SAFE_INTEGER): Reader =>
  (text) => {
    const value = /^-?(0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) throw new Refused('invalid');
    return value;
  };

export const flag: Reader = (text) => {
  if (text !== 'true' && text !== 'false') throw new Refused('invalid');
  return text === 'true';
};

export const word: Reader = (text) => text;

export const choice =
  (...words: readonly string[]): Reader =>
  (text) => {
    if (!words.includes(text)) throw new Refused('invalid');
    return text;
  };

/** A comma list of fields, `-` before those in descending order. */
export const sorting =
  (...fields: readonly string[]): Reader =>
  (text) => {
    const parts = text
      .split(',')
      .map((part) => ({ field: part.replace(/^-/, ''), down: part.startsWith('-') }));
    if (parts.some(({ field }) => !fields.includes(field))) throw new Refused('invalid');
    return parts;
  };

export type Sorting = readonly { readonly field: string; readonly down: boolean }[];

/** The parameters of a query: each once, by its reader, and no others. */
export function query<T>(search: string, readers: Readonly<Record<string, Reader>>): Partial<T> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (reader === undefined || name in found) throw new Refused('invalid');
    found[name] = reader(value);
  }
  return found as Partial<T>;
}

/** Whether a path and its query are coded as UTF-8. */
export function isReadable(url: string): boolean {
  try {
    decodeURIComponent(url.replaceAll('+', ' '));
    return true;
  } catch {
    return false;
  }
}

export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

/** Sorts by several fields, one after the other. */
export function sorted<T extends object>(items: readonly T[], by: Sorting): T[] {
  return [...items].sort((a, b) => {
    for (const { field, down } of by) {
      const order = compare(Reflect.get(a, field), Reflect.get(b, field));
      if (order !== 0) return down ? -order : order;
    }
    return 0;
  });
}
