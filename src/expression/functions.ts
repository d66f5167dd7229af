import {
  any,
  bool,
  duration,
  integer,
  list,
  nullType,
  number,
  type Type,
  textType,
  timestamp,
} from './type.ts';

/** What the service makes itself; handed in, so that a test can foresee it (language §G.4). */
export interface Makers {
  readonly uuid: (version: 4 | 7) => string;
  /** So many letters and digits. */
  readonly random: (length: number) => string;
}

/** An expression that cannot be worked out: a division by zero, a number past its bounds (language §G.6). */
export class CannotWorkOut extends Error {}

/** A function of the profile (language §G.4): callable as `f(x)` and as `x.f()` alike. */
export interface ProfileFunction {
  readonly parameters: readonly Type[];
  /** How many of the parameters may be left out at the end. */
  readonly optional: number;
  readonly result: (args: readonly Type[]) => Type;
  /** It makes something new each time, so only `set`, `with`, answers and a view's fields may call it. */
  readonly maker: boolean;
  readonly run: (args: readonly unknown[], makers: Makers) => unknown;
}

const texts = list(textType);

function pure(
  parameters: Type[],
  result: Type | ((args: readonly Type[]) => Type),
  run: (...args: never[]) => unknown,
) {
  return {
    parameters,
    optional: 0,
    result: typeof result === 'function' ? result : () => result,
    maker: false,
    run: (args: readonly unknown[]) => run(...(args as never[])),
  } satisfies ProfileFunction;
}

const element = ([of]: readonly Type[]): Type => (of?.kind === 'list' ? of.of : any);
const same = ([of]: readonly Type[]): Type => of ?? any;

export const functions: ReadonlyMap<string, ProfileFunction> = new Map<string, ProfileFunction>([
  ['size', pure([any], integer, size)],
  ['startsWith', pure([textType, textType], bool, (a: string, b: string) => a.startsWith(b))],
  ['endsWith', pure([textType, textType], bool, (a: string, b: string) => a.endsWith(b))],
  ['contains', pure([textType, textType], bool, (a: string, b: string) => a.includes(b))],
  ['lower', pure([textType], textType, (a: string) => a.toLowerCase())],
  ['upper', pure([textType], textType, (a: string) => a.toUpperCase())],
  ['trim', pure([textType], textType, (a: string) => a.trim())],
  ['slug', pure([textType], textType, slug)],
  ['substring', { ...pure([textType, integer, integer], textType, substring), optional: 1 }],
  ['replace', pure([textType, textType, textType], textType, replace)],
  ['split', pure([textType, textType], texts, split)],
  ['int', pure([any], integer, (a: unknown) => whole(Math.trunc(toNumber(a))))],
  ['double', pure([any], number, (a: unknown) => toNumber(a))],
  ['round', pure([number], integer, (a: number) => whole(Math.sign(a) * Math.round(Math.abs(a))))],
  ['string', pure([any], textType, written)],
  ['timestamp', pure([textType], timestamp, time)],
  ['duration', pure([textType], duration, (a: string) => a)],
  ['sum', pure([list(number)], element, (a: number[]) => finite(a.reduce((sum, one) => sum + one, 0)))],
  ['min', pure([list(any)], element, (a: unknown[]) => extreme(a, -1))],
  ['max', pure([list(any)], element, (a: unknown[]) => extreme(a, 1))],
  [
    'join',
    { ...pure([texts, textType], textType, (a: unknown[], by = '') => a.map(written).join(by)), optional: 1 },
  ],
  ['sort', pure([list(any)], same, (a: unknown[]) => [...a].sort(order))],
  ['distinct', pure([list(any)], same, distinct)],
  ['flatten', pure([list(list(any))], element, (a: unknown[][]) => a.flat())],
  // A member that comes to it is left out, which its evaluators see to; anywhere else it is null.
  ['absent', pure([], nullType, () => null)],
  [
    'uuid',
    {
      parameters: [integer],
      optional: 1,
      result: () => textType,
      maker: true,
      run: ([version = 4], makers) => {
        if (version !== 4 && version !== 7) throw new CannotWorkOut(`there is no uuid(${version})`);
        return makers.uuid(version);
      },
    },
  ],
  [
    'random',
    {
      parameters: [integer],
      optional: 0,
      result: () => textType,
      maker: true,
      run: ([length], makers) => {
        if ((length as number) < 1 || (length as number) > 1000)
          throw new CannotWorkOut('random(n) makes 1 to 1000');
        return makers.random(length as number);
      },
    },
  ],
  [
    'sequence',
    kept(
      Array.from({ length: 8 }, () => any),
      8,
      integer,
    ),
  ],
  ['unique', kept([textType], 0, textType)],
  ['issue', kept([textType, any], 0, textType)],
]);

/** A function that needs what is kept, which this version does not give it. */
function kept(parameters: readonly Type[], optional: number, of: Type): ProfileFunction {
  const run = (): never => {
    throw new CannotWorkOut('this version does not run it');
  };
  return { parameters, optional, result: () => of, maker: true, run };
}

/** The functions of the profile that this version reads and does not run. */
export const functionsNotRun: readonly string[] = ['sequence', 'unique', 'issue', 'duration'];

/** `null == null` is true, null and a value are unequal, objects and lists compare by what they hold. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((x, i) => equal(x, b[i]));
  const left = Object.entries(a);
  const right = b as Record<string, unknown>;
  return (
    left.length === Object.keys(b).length &&
    left.every(([name, value]) => Object.hasOwn(right, name) && equal(value, right[name]))
  );
}

/** A time as a text that is equal for equal instants, and in their order; anything else as it is (language §G.6). */
export function instant(value: unknown): unknown {
  const parts =
    typeof value === 'string'
      ? /^(\d{4}-\d\d-\d\dT\d\d:\d\d:)(\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/i.exec(value)
      : null;
  if (parts === null) return value;
  const [, minute, second, fraction = '', offset] = parts as unknown as [
    string,
    string,
    string,
    string?,
    string?,
  ];
  const milliseconds = Date.parse(`${minute}00${offset}`) + Number(second) * 1000;
  if (Number.isNaN(milliseconds)) return value;
  return `${new Date(milliseconds).toISOString().slice(0, -5)}.${fraction.replace(/0+$/, '')}`;
}

/** Whether a value is one that a parameter of this type takes; what is not known beforehand is seen here. */
export function accepts(type: Type, value: unknown): boolean {
  switch (type.kind) {
    case 'text':
    case 'timestamp':
    case 'duration':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'list':
      // Null within a list is nothing: it adds nothing to a sum, and is written as nothing.
      return Array.isArray(value) && value.every((one) => one === null || accepts(type.of, one));
    default:
      return value !== null;
  }
}

/** Numbers by value, texts by code point, false before true; anything else is held equal (language §G.6). */
export function order(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b);
  if (typeof a === typeof b && (typeof a === 'number' || typeof a === 'boolean'))
    return Number(a) - Number(b);
  return 0;
}

/** UTF-16 puts the characters past U+FFFF before U+E000 to U+FFFF; code points do not. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const xHigh = x >= 0xd800 && x <= 0xdfff;
    const yHigh = y >= 0xd800 && y <= 0xdfff;
    return xHigh === yHigh ? x - y : xHigh ? 1 : -1;
  }
  return a.length - b.length;
}

/** A result as it is written into text: null as nothing; lists and objects have no such form. */
export function written(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') throw new CannotWorkOut('a list or an object cannot be written into text');
  return String(value);
}

export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new CannotWorkOut('the result is no number');
  return value;
}

export function whole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new CannotWorkOut('the result is past the bounds of integers');
  return value === 0 ? 0 : value;
}

function size(value: unknown): number {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  throw new CannotWorkOut('size wants text, a list or an object');
}

function time(value: string): string {
  if (instant(value) === value) throw new CannotWorkOut(`this is no time: ${JSON.stringify(value)}`);
  return value;
}

function distinct(values: readonly unknown[]): unknown[] {
  if (values.every((one) => typeof one !== 'object' || one === null)) return [...new Set(values)];
  return values.filter((x, i) => values.findIndex((y) => equal(x, y)) === i);
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)) return finite(Number(value));
  throw new CannotWorkOut(`this is no number: ${JSON.stringify(value)}`);
}

function extreme(values: readonly unknown[], sign: number): unknown {
  return values.reduce<unknown>(
    (best, one) => (best === null || order(one, best) * sign > 0 ? one : best),
    null,
  );
}

function slug(value: string): string {
  return value
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** Counts code points, as `size` does; `to` is left out, and past an end is at it. */
function substring(value: string, from: number, to?: number): string {
  return [...value].slice(from, to).join('');
}

function replace(value: string, what: string, by: string): string {
  return split(value, what).join(by);
}

function split(value: string, by: string): string[] {
  if (by === '') throw new CannotWorkOut('an empty text stands everywhere and nowhere');
  return value.split(by);
}
