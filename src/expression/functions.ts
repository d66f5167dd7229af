import { sum } from './arithmetic.ts';
import type { Syntax } from './expression.ts';
import { among, counted, kept, membersInstead } from './instead.ts';
import type { FunctionLine } from './macros.ts';
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
import { formOf, type ordering, plain, timed } from './ordering.ts';
import { int, join, replace, size, slug, split, substring, toNumber, trim } from './texts.ts';
import { duration as durationOf, httpDate, secondsOf, timestamp as timestampOf, timeWith } from './time.ts';
import {
  any,
  bool,
  duration,
  integer,
  list,
  nullType,
  number,
  object as objectOf,
  oneOf,
  type Type,
  textType,
  timestamp,
} from './type.ts';
import { CannotWorkOut, whole, written } from './values.ts';
import { matches } from './words.ts';

export { CannotWorkOut, equal } from './values.ts';

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
  /** The keys of a scheme's tokens, as a JWK Set (RFC 7517 §5). */
  readonly jwks?: (scheme: string, frame: never) => unknown;
}

/** A function of the profile (language §G.4): callable as `f(x)` and as `x.f()` alike. */
export interface ProfileFunction {
  readonly lines: readonly FunctionLine[];
  /** What to write where a store evaluates (language §G.5); null: a store evaluates the function, too. */
  readonly instead: string | null;
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

/** What a function takes, gives and does. */
type Evaluated = Omit<ProfileFunction, 'lines' | 'instead'>;

const texts = list(textType);

function pure(
  parameters: Type[],
  result: Type | ProfileFunction['result'],
  run: (...args: never[]) => unknown,
): Evaluated {
  return {
    parameters,
    optional: 0,
    result: typeof result === 'function' ? result : () => result,
    maker: false,
    run: (args) => run(...(args as never[])),
  };
}

/** A function that leaves members out, by a list of names. */
function ofNames(
  result: (types: readonly Type[], names: readonly string[] | null) => Type,
  run: (value: unknown, names: readonly unknown[] | null) => unknown,
): Evaluated {
  const type: ProfileFunction['result'] = (types, nodes) => result(types, writtenNames(nodes?.[1]));
  return { ...pure([any, texts], type, run), takesNull: true, fault: notPicked };
}

const element = ([of]: readonly Type[]): Type => (of?.kind === 'list' ? of.of : any);
const same = ([of]: readonly Type[]): Type => of ?? any;

/** A row of the table: what the function does, what to write instead where a store evaluates, and its lines. */
function row<Instead extends string | null>(
  evaluated: Evaluated,
  instead: Instead,
  ...lines: readonly (readonly [FunctionLine['table'], string, string])[]
): ProfileFunction & { readonly instead: Instead } {
  return {
    ...evaluated,
    instead,
    lines: lines.map(([table, written, gives]) => ({ table, written, gives })),
  };
}

/** A row for a function that makes a value; no expression that a store evaluates may call it. */
function maker(
  parameters: readonly Type[],
  optional: number,
  result: Type,
  run: ProfileFunction['run'],
  ...lines: readonly (readonly [string, string])[]
): ProfileFunction {
  const evaluated = { parameters, optional, result: () => result, maker: true, run };
  return row(evaluated, kept, ...lines.map((line) => ['made', ...line] as const));
}

const makers = {
  uuid: maker(
    [integer],
    1,
    textType,
    ([version = 4], makers) => {
      if (version !== 4 && version !== 7) throw new CannotWorkOut(`there is no uuid(${version})`);
      return makers.uuid(version);
    },
    ['uuid()', 'A UUID of any version (F.1).'],
    ['uuid(n)', 'A UUID of version n, which is 4 or 7.'],
  ),
  random: maker(
    [integer],
    0,
    textType,
    ([length], makers) => {
      if ((length as number) < 1 || (length as number) > 1000)
        throw new CannotWorkOut('random(n) makes 1 to 1000');
      return makers.random(length as number);
    },
    ['random(n)', 'n random letters and digits, n being 1 to 1000.'],
  ),
  sequence: maker(
    Array.from({ length: 8 }, () => any),
    8,
    integer,
    (values, makers) => makers.sequence?.(values) ?? nowhere(),
    ['sequence()', '1, 2, 3, … Gaps may occur. No number occurs twice.'],
    ['sequence(x, …)', 'The same for each x by itself.'],
  ),
  unique: maker([textType], 0, textType, ([text], makers) => makers.unique?.(text as string) ?? nowhere(), [
    'unique(text)',
    'The text. If another item has the text, then the text, `-` and a suffix.',
  ]),
  issue: maker(
    [textType, any],
    0,
    textType,
    ([scheme, item], makers, frame) => makers.issue?.(scheme as string, item, frame as never) ?? nowhere(),
    ['issue("scheme", item)', 'A new credential of this scheme (§5.2).'],
  ),
  jwks: maker(
    [textType],
    0,
    objectOf([['keys', list(objectOf([], true))]]),
    ([scheme], makers, frame) => makers.jwks?.(scheme as string, frame as never) ?? nowhere(),
    ['jwks("scheme")', 'The keys of the tokens of this scheme, in answers alone (§5.6).'],
  ),
};

/** Every function, by its name: the reader's types, the service and the reference go by this table alone. */
const rows = {
  // A member that comes to it is left out, which its evaluators see to; anywhere else it is null.
  absent: row(
    pure([], nullType, () => null),
    kept,
    [
      'items',
      'absent()',
      'Null. A member of a template or map, or a field by its `shown`, that is this is left out: `"${c ? x : absent()}"`.',
    ],
  ),
  size: row(
    pure([any], integer, size),
    null,
    ['texts', 'size(text)', 'The number of code points. Of bytes (H.1): how many they are.'],
    ['lists', 'size(list)', 'The number of elements, or of members of a map.'],
  ),
  startsWith: row(
    pure([textType, textType], bool, (a: string, b: string) => a.startsWith(b)),
    null,
    ['texts', 'startsWith(text, start)', 'Whether the text begins with `start`.'],
  ),
  endsWith: row(
    pure([textType, textType], bool, (a: string, b: string) => a.endsWith(b)),
    null,
    ['texts', 'endsWith(text, end)', 'Whether the text ends with `end`.'],
  ),
  contains: row(
    pure([textType, textType], bool, (a: string, b: string) => a.includes(b)),
    null,
    ['texts', 'contains(text, part)', 'Whether the text contains `part`.'],
  ),
  matches: row(
    {
      ...pure([textType, any], bool, (wanted: unknown, ...among: unknown[]) => matches(wanted, ...among)),
      repeats: true,
      takesNull: true,
    },
    null,
    [
      'texts',
      'matches(q, text, …)',
      'Whether each word of q begins a word of one of the texts, which may be lists of texts (chapter 12).',
    ],
  ),
  lower: row(
    pure([textType], textType, (a: string) => a.toLowerCase()),
    null,
    ['texts', 'lower(text)', 'The text in lower case.'],
  ),
  upper: row(
    pure([textType], textType, (a: string) => a.toUpperCase()),
    'compare in lower case, by lower(…)',
    ['texts', 'upper(text)', 'The text in upper case.'],
  ),
  trim: row(pure([textType], textType, trim), kept, [
    'texts',
    'trim(text)',
    "The text without Unicode's white space at both ends.",
  ]),
  slug: row(pure([textType], textType, slug), kept, [
    'texts',
    'slug(text)',
    'Lower case. Each run of characters that are neither letters nor digits becomes one `-`, but not at the ends.',
  ]),
  substring: row(
    { ...pure([textType, integer, integer], textType, substring), optional: 1 },
    `say startsWith(…), endsWith(…) or contains(…); or ${kept}`,
    [
      'texts',
      'substring(text, from, to)',
      'The code points from `from` up to `to`, counted from 0. `to` may be left out; rule 1.',
    ],
  ),
  replace: row(pure([textType, textType, textType], textType, replace), kept, [
    'texts',
    'replace(text, what, by)',
    'The text with `by` for every `what`; rule 2.',
  ]),
  split: row(pure([textType, textType], texts, split), `keep the list in a field that is set; ${among}`, [
    'texts',
    'split(text, by)',
    'The list of pieces between each `by`; rule 2.',
  ]),
  int: row(pure([any], integer, int), `numbers and times are compared as they are; or ${kept}`, [
    'numbers',
    'int(x)',
    'A whole number. Of a time: whole seconds since 1970. Of a duration: its whole seconds, as in CEL.',
  ]),
  double: row(
    pure([any], number, (a: unknown) => toNumber(a)),
    'multiply by 1.0 instead, and a division is not whole',
    ['numbers', 'double(x)', 'A number.'],
  ),
  round: row(
    pure([number], integer, (a: number) => whole(Math.sign(a) * Math.round(Math.abs(a)))),
    `numbers are compared as they are; or ${kept}`,
    ['numbers', 'round(x)', 'The nearest whole number.'],
  ),
  string: row(
    {
      ...pure([any, integer], textType, (value: unknown, digits?: number) =>
        digits === undefined ? written(value) : timeWith(value, digits),
      ),
      optional: 1,
      takesNull: true,
    },
    `compare the value as it is; or ${kept}`,
    ['numbers', 'string(x)', 'A text. `string(now)` is in UTC, with `Z`. `string(null)` is the empty text.'],
    [
      'numbers',
      'string(t, n)',
      'The time t in UTC, with exactly n fraction digits (0 to 6). Further digits are cut: `string(now, 3)`.',
    ],
  ),
  timestamp: row(
    pure([textType], timestamp, timestampOf),
    'give the field the format date-time, and it is a time as it is',
    ['numbers', 'timestamp(text)', 'A time, from a text of RFC 3339.'],
  ),
  duration: row(
    pure([textType], duration, durationOf),
    'give the field the format duration, and it is a duration as it is',
    [
      'numbers',
      'duration(text)',
      'A duration of fixed length, as in H.5 or in CEL (`1h30m`), in at most 100 characters.',
    ],
  ),
  sum: row(pure([list(number)], element, sum), `${counted}; of a list, ${kept}`, [
    'lists',
    'sum(list)',
    'The sum. Nulls are left out.',
  ]),
  min: row(pure([list(any)], element, plain.min), `${counted}; of a list, ${kept}`, [
    'lists',
    'min(list)',
    'The least element. Nulls are left out.',
  ]),
  max: row(pure([list(any)], element, plain.max), `${counted}; of a list, ${kept}`, [
    'lists',
    'max(list)',
    'The greatest element. Nulls are left out.',
  ]),
  join: row({ ...pure([texts, textType], textType, join), optional: 1 }, kept, [
    'lists',
    'join(list, by)',
    'One text, with `by` between the elements. `by` may be left out.',
  ]),
  sort: row(pure([list(any)], same, plain.sort), kept, ['lists', 'sort(list)', 'The list in order.']),
  distinct: row(pure([list(any)], same, plain.distinct), kept, [
    'lists',
    'distinct(list)',
    'The list with each value once.',
  ]),
  flatten: row(
    pure([list(list(any))], element, (a: unknown[][]) => a.flat()),
    kept,
    ['lists', 'flatten(list)', 'The lists within the list as one list.'],
  ),
  merge: row({ ...pure([objectType], mergedType, merge), repeats: true, takesNull: true }, membersInstead, [
    'objects',
    'merge(a, …)',
    'The members of all objects, one level deep. Later ones win. Nulls are skipped.',
  ]),
  keys: row(
    pure([objectType], texts, (a: Record<string, unknown>) => plain.sort(keys(a))),
    `whether a map holds a name is told by: name in this.map; or ${kept}`,
    ['objects', 'keys(m)', 'The names of the members, in the order of code points.'],
  ),
  object: row(pure([list(list(any))], objectType, fromPairs), membersInstead, [
    'objects',
    'object(pairs)',
    'An object, from a list of `[[name, value]]`. The later of two equal names counts.',
  ]),
  pick: row(ofNames(pickedType, pick), membersInstead, [
    'objects',
    'pick(x, names)',
    'x with these members alone; rules 5 to 7.',
  ]),
  omit: row(ofNames(omittedType, omit), membersInstead, [
    'objects',
    'omit(x, names)',
    'x without these members; rules 5 to 7.',
  ]),
  type: row({ ...pure([any], oneOf(kinds), kindOf), takesNull: true }, kept, [
    'objects',
    'type(x)',
    '`string`, `integer` (a number without a fraction), `number`, `boolean`, `object`, `array` or `null`.',
  ]),
  sha256: row(
    {
      ...pure([any], digestType, sha256),
      fault: ({ kind }: Type) =>
        ['text', 'bytes', 'any', 'null'].includes(kind) ? undefined : 'sha256 takes a text, or bytes',
    },
    `of bytes, sha256(x).hex is worked out here; of a text, ${kept}`,
    [
      'digests',
      'sha256(text)',
      'The digest of the text in UTF-8, or of bytes: `.hex` in small letters, `.base64` with padding.',
    ],
  ),
  httpDate: row(pure([timestamp], textType, httpDate), 'times are compared as they are', [
    'digests',
    'httpDate(time)',
    'The time as header fields have it (RFC 9110 §5.6.7), rounded down to seconds.',
  ]),
  ...makers,
} as const satisfies Readonly<Record<string, ProfileFunction>>;

export type FunctionName = keyof typeof rows;

/** The functions that a store evaluates in the same way as the service does (language §G.5). */
export type StorableName = {
  [N in FunctionName]: (typeof rows)[N]['instead'] extends null ? N : never;
}[FunctionName];

export const functionNames = Object.keys(rows) as readonly FunctionName[];
export const functions: ReadonlyMap<string, ProfileFunction> = new Map(Object.entries(rows));

export function isStorable(name: FunctionName): name is StorableName {
  return functionNamed(name).instead === null;
}

export function functionNamed(name: FunctionName): ProfileFunction {
  return rows[name];
}

/** Whether a name is that of a function of the profile. */
export function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(rows, name);
}

/** The function of the profile that a node calls; undefined: it calls none, or `R(x)`, or a macro. */
export function functionCalled(node: Syntax): FunctionName | undefined {
  if (node.op !== 'call' && node.op !== 'rcall') return undefined;
  const [name] = node.args;
  return isFunction(name) ? name : undefined;
}

/** How a function of the profile runs on values of these types: of times and durations some run otherwise. */
export function runOf(name: FunctionName, types: readonly Type[]): ProfileFunction['run'] {
  const form = formOf(types);
  const { run } = functionNamed(name);
  if (form === undefined) return run;
  if (name === 'int') return ([value]) => secondsOf(value);
  const own = (timed.get(form) as ReturnType<typeof ordering>)[name as 'sort'];
  return own ? ([list]) => own(list as readonly unknown[]) : run;
}

/** What a function takes at a place. */
export function parameterOf({ parameters }: ProfileFunction, index: number): Type {
  return (parameters[index] ?? parameters.at(-1)) as Type;
}

function nowhere(): never {
  throw new CannotWorkOut('nothing can be kept here');
}
