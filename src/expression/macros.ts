import { among, counted, kept } from './instead.ts';

/** A line of the reference about a function: its table, how it is written, and what it gives (language §G.4). */
export interface FunctionLine {
  readonly table: 'items' | 'texts' | 'numbers' | 'lists' | 'objects' | 'digests' | 'made';
  readonly written: string;
  readonly gives: string;
}

/** What is written like a function and is none: its line, and what to write where a store evaluates (language §G.5). */
interface Macro {
  readonly line: FunctionLine;
  readonly instead: string;
}

function ofList(written: string, gives: string, instead: string): Macro {
  return { line: { table: 'lists', written, gives }, instead };
}

/** What binds a name for each element of a list. */
const rows = {
  exists: ofList(
    'list.exists(x, …)',
    'Whether the condition is true of one element.',
    `${among}; of R.filter(x, a).exists(x, b), write R.exists(x, a && b)`,
  ),
  all: ofList(
    'list.all(x, …)',
    'Whether the condition is true of all elements.',
    `${kept}; of R.filter(x, a).all(x, b), write R.all(x, !(a) || b)`,
  ),
  filter: ofList('list.filter(x, …)', 'The elements of which the condition is true.', `${counted}; ${among}`),
  map: ofList('list.map(x, …)', 'The value for each element.', `${counted}; ${among}`),
  group: ofList(
    'list.group(x, key)',
    'The elements of each key: a list of `{ key, items }`, by ascending key. Null comes first.',
    `${counted}; ${among}`,
  ),
} as const satisfies Readonly<Record<string, Macro>>;

export type MacroName = keyof typeof rows;
export const macros = Object.keys(rows) as readonly MacroName[];

export function isMacro(name: string): name is MacroName {
  return Object.hasOwn(rows, name);
}

const has: Macro = {
  line: { table: 'items', written: 'has(x.y)', gives: 'Whether the member is there, null or not (G.3).' },
  instead: 'compare with null: this.a != null',
};

const shows: FunctionLine = {
  table: 'items',
  written: 'R(x)',
  gives:
    'x as the resource or view R shows it, at most 100 levels deep. A list: each of its items. Null: null.',
};

/** What to write in place of `has` and of what binds a name. */
export const insteadOfMacro: Readonly<Record<MacroName | 'has', string>> = {
  exists: rows.exists.instead,
  all: rows.all.instead,
  filter: rows.filter.instead,
  map: rows.map.instead,
  group: rows.group.instead,
  has: has.instead,
};

/** Their lines in the reference. */
export const macroLines: readonly FunctionLine[] = [
  shows,
  has.line,
  ...macros.map((name) => rows[name].line),
];
