import { further, sum } from './arithmetic.ts';
import type { Syntax } from './expression.ts';
import {
  digestType,
  fromPairs,
  keys,
  kindOf,
  kinds,
  merge,
  mergedType,
  notPicked,
  objectType,
  omit,
  omittedType,
  pick,
  pickedType,
  sha256,
  writtenNames,
} from './objects.ts';
import { stepsToMake, take } from './steps.ts';
import {
  duration as durationOf,
  httpDate,
  instant,
  secondsOf,
  span,
  timestamp as timestampOf,
  timeWith,
} from './time.ts';
import {
  any,
  bool,
  duration,
  integer,
  list,
  nullType,
  number,
  oneOf,
  type Type,
  textType,
  timestamp,
} from './type.ts';
import { CannotWorkOut, equal, finite, isItem, order, whole, written } from './values.ts';

export { accepts, CannotWorkOut, equal, order, written } from './values.ts';

/** What the service makes itself; handed in, so that a test can foresee it (language §G.4). */
export interface Makers {
  readonly uuid: (version: 4 | 7) => string;
  /** So many letters and digits. */
  readonly random: (length: number) => string;
  /** The next number for these values; only where something can be kept. */
  readonly sequence?: (values: readonly unknown[]) => number;
  /** The form in which a secret is kept that was given; left out where it is worked out at once. */
  readonly hashed?: (secret: unknown) => string;
  /** The text, or, if it is taken, the text and a suffix; only where a field is set. */
  readonly unique?: (text: string) => string;
  /** A new credential of a scheme for an item; `frame` is that in which it is asked for. */
  readonly issue?: (scheme: string, item: unknown, frame: never) => string;
}

/** A function of the profile (language §G.4): callable as `f(x)` and as `x.f()` alike. */
export interface ProfileFunction {
  readonly parameters: readonly Type[];
  /** How many of the parameters may be left out at the end. */
  readonly optional: number;
  /** Any number of values more, each of the last parameter's type. */
  readonly repeats?: true;
  /** It takes null, too; of null any other cannot be worked out (language §G.6). */
  readonly takesNull?: true;
  /** Its type; `nodes` are the values that it is given, as they are written. */
  readonly result: (args: readonly Type[], nodes?: readonly Syntax[]) => Type;
  /** What is wrong with the first value, where its type says more than the parameter's does. */
  readonly fault?: (first: Type) => string | undefined;
  /** It makes something new each time, so only `set`, `with`, answers and a view's fields may call it. */
  readonly maker: boolean;
  readonly run: (args: readonly unknown[], makers: Makers, frame?: unknown) => unknown;
}

const texts = list(textType);

function pure(
  parameters: Type[],
  result: Type | ProfileFunction['result'],
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

/** A function that leaves members out, by a list of names. */
function ofNames(
  result: (types: readonly Type[], names: readonly string[] | null) => Type,
  run: (value: unknown, names: readonly unknown[] | null) => unknown,
): ProfileFunction {
  const type: ProfileFunction['result'] = (types, nodes) => result(types, writtenNames(nodes?.[1]));
  return { ...pure([any, texts], type, run), takesNull: true, fault: notPicked };
}

const element = ([of]: readonly Type[]): Type => (of?.kind === 'list' ? of.of : any);
const same = ([of]: readonly Type[]): Type => of ?? any;

export type Form = (value: unknown) => unknown;
type OnList = (list: readonly unknown[]) => unknown;

/** What puts a list in order, or tells its elements apart; `form` gives each the form in which they compare. */
function ordering(form: Form): Readonly<Record<'sort' | 'min' | 'max' | 'distinct', OnList>> {
  const by = (a: unknown, b: unknown): number => order(form(a), form(b));
  const extreme = (list: readonly unknown[], sign: number): unknown =>
    list.reduce((best, one) => further(best, one, (a, b) => by(a, b) * sign > 0), null);
  return {
    sort: (list) => [...list].sort(by),
    min: (list) => extreme(list, -1),
    max: (list) => extreme(list, 1),
    distinct: (list) => {
      const forms = list.map(form);
      if (forms.every((one) => typeof one !== 'object' || one === null)) {
        const seen = new Set();
        return list.filter((_, i) => !seen.has(forms[i]) && seen.add(forms[i]));
      }
      return list.filter((_, i) => forms.findIndex((one) => equal(one, forms[i])) === i);
    },
  };
}

const plain = ordering((value) => value);
const timed: ReadonlyMap<Form, ReturnType<typeof ordering>> = new Map(
  [instant, span].map((form) => [form, ordering(form)]),
);

/** The form in which values of these types compare: times as instants, durations by length; undefined: as they are. */
export function formOf(types: readonly Type[]): Form | undefined {
  const kinds = types.map(elementary).map((type) => type.kind);
  return kinds.includes('timestamp') ? instant : kinds.includes('duration') ? span : undefined;
}

function elementary(type: Type): Type {
  return type.kind === 'list' ? elementary(type.of) : type;
}

/** How a function of the profile runs on values of these types: of times and durations some run otherwise. */
export function runOf(name: string, types: readonly Type[]): ProfileFunction['run'] | undefined {
  const form = formOf(types);
  const run = functions.get(name)?.run;
  if (form === undefined) return run;
  if (name === 'int') return ([value]) => secondsOf(value);
  const own = (timed.get(form) as ReturnType<typeof ordering>)[name as 'sort'];
  return own ? ([list]) => own(list as readonly unknown[]) : run;
}

export const functions: ReadonlyMap<string, ProfileFunction> = new Map<string, ProfileFunction>([
  ['size', pure([any], integer, size)],
  ['startsWith', pure([textType, textType], bool, (a: string, b: string) => a.startsWith(b))],
  ['endsWith', pure([textType, textType], bool, (a: string, b: string) => a.endsWith(b))],
  ['contains', pure([textType, textType], bool, (a: string, b: string) => a.includes(b))],
  ['lower', pure([textType], textType, (a: string) => a.toLowerCase())],
  ['upper', pure([textType], textType, (a: string) => a.toUpperCase())],
  ['trim', pure([textType], textType, trim)],
  ['slug', pure([textType], textType, slug)],
  ['substring', { ...pure([textType, integer, integer], textType, substring), optional: 1 }],
  ['replace', pure([textType, textType, textType], textType, replace)],
  ['split', pure([textType, textType], texts, split)],
  ['int', pure([any], integer, int)],
  ['double', pure([any], number, (a: unknown) => toNumber(a))],
  ['round', pure([number], integer, (a: number) => whole(Math.sign(a) * Math.round(Math.abs(a))))],
  [
    'string',
    {
      ...pure([any, integer], textType, (value: unknown, digits?: number) =>
        digits === undefined ? written(value) : timeWith(value, digits),
      ),
      optional: 1,
      takesNull: true,
    },
  ],
  ['timestamp', pure([textType], timestamp, timestampOf)],
  ['duration', pure([textType], duration, durationOf)],
  ['sum', pure([list(number)], element, sum)],
  ['min', pure([list(any)], element, plain.min)],
  ['max', pure([list(any)], element, plain.max)],
  ['join', { ...pure([texts, textType], textType, join), optional: 1 }],
  ['sort', pure([list(any)], same, plain.sort)],
  ['distinct', pure([list(any)], same, plain.distinct)],
  ['flatten', pure([list(list(any))], element, (a: unknown[][]) => a.flat())],
  ['merge', { ...pure([objectType], mergedType, merge), repeats: true, takesNull: true }],
  ['keys', pure([objectType], texts, (a: Record<string, unknown>) => plain.sort(keys(a)))],
  ['object', pure([list(list(any))], objectType, fromPairs)],
  ['type', { ...pure([any], oneOf(kinds), kindOf), takesNull: true }],
  ['pick', ofNames(pickedType, pick)],
  ['omit', ofNames(omittedType, omit)],
  ['sha256', pure([textType], digestType, sha256)],
  ['httpDate', pure([timestamp], textType, httpDate)],
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
    {
      parameters: Array.from({ length: 8 }, () => any),
      optional: 8,
      result: () => integer,
      maker: true,
      run: (values, makers) => makers.sequence?.(values) ?? nowhere(),
    },
  ],
  [
    'unique',
    {
      parameters: [textType],
      optional: 0,
      result: () => textType,
      maker: true,
      run: ([text], makers) => makers.unique?.(text as string) ?? nowhere(),
    },
  ],
  [
    'issue',
    {
      parameters: [textType, any],
      optional: 0,
      result: () => textType,
      maker: true,
      run: ([scheme, item], makers, frame) =>
        makers.issue?.(scheme as string, item, frame as never) ?? nowhere(),
    },
  ],
]);

/** What a function takes at a place. */
export function parameterOf({ parameters }: ProfileFunction, index: number): Type {
  return (parameters[index] ?? parameters.at(-1)) as Type;
}

function nowhere(): never {
  throw new CannotWorkOut('nothing can be kept here');
}

function size(value: unknown): number {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'object' && value !== null && !isItem(value)) return Object.keys(value).length;
  throw new CannotWorkOut('size wants text, a list or an object');
}

function int(value: unknown): number {
  return whole(Math.trunc(toNumber(value)));
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)) return finite(Number(value));
  throw new CannotWorkOut(`this is no number: ${JSON.stringify(value)}`);
}

const isSpace = /^\p{White_Space}$/u;

/** Without the white space of Unicode at both ends. */
function trim(value: string): string {
  let [from, to] = [0, value.length];
  while (from < to && isSpace.test(value.charAt(from))) from++;
  while (from < to && isSpace.test(value.charAt(to - 1))) to--;
  return value.slice(from, to);
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
  return join(split(value, what), by);
}

function join(values: readonly unknown[], by = ''): string {
  const pieces = values.map(written);
  const between = by.length * Math.max(0, pieces.length - 1);
  take(stepsToMake(pieces.reduce((sum, one) => sum + one.length, between)));
  return pieces.join(by);
}

function split(value: string, by: string): string[] {
  if (by === '') throw new CannotWorkOut('an empty text stands everywhere and nowhere');
  return value.split(by);
}
