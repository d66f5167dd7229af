import type { Node, Query } from '../../../../expression/query.ts';
import { wordSearchOf } from '../../../../expression/query-words.ts';
import { rowFunctions } from '../../../../expression/row-functions.ts';
import { CannotWorkOut } from '../../../../expression/values.ts';
import { searchedWords, unindexed } from '../../../../expression/words.ts';
import { encodedText, jsonOf, plain } from '../values.ts';

/** What is known of a value that is handed over: enough to choose a statement by. */
export type Shape = 'text' | 'words' | 'float' | 'boolean' | 'list' | 'json' | 'null' | 'failed';

function shapeOf(value: unknown): Shape {
  if (value === null) return 'null';
  if (value instanceof CannotWorkOut) return 'failed';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string'
    ? 'text'
    : typeof value === 'number'
      ? 'float'
      : typeof value === 'boolean'
        ? 'boolean'
        : 'json';
}

/** As what a value is bound. */
export type Bound = 'text' | 'float' | 'boolean' | 'json' | 'integer' | 'message' | 'words';

export function bind(value: unknown, as: Bound): unknown {
  if (as === 'json') return jsonOf(value);
  if (as === 'words') return searchFor(value);
  if (as === 'message') return encodedText((value as CannotWorkOut).message);
  return as === 'text' ? encodedText(value as string) : value;
}

/** What an index of words is asked for the rows that have these, and for those whose words it does not hold (`tsquery`). */
function searchFor(wanted: unknown): string {
  const words = searchedWords(wanted) ?? [];
  const all = words.length === 0 ? `!'${unindexed}'` : words.map((word) => `'${word}':*`).join(' & ');
  return `'${unindexed}' | (${all})`;
}

/** What of a query reads no row, and is worked out before it is asked: each at its number. */
export class Constants {
  readonly #all: { readonly node: Node; readonly run: Run }[] = [];
  readonly #numbers = new Map<Node, number>();
  /** The numbers of those whose words are looked for. */
  readonly #sought = new Set<number>();

  /** @param more what else is handed over. Default: nothing */
  constructor(query: Query, more: readonly Node[] = []) {
    this.#visit([query, more]);
  }

  /** Their shapes: `words` where an index of words finds what is looked for. */
  shapes(given: readonly unknown[]): readonly Shape[] {
    return given.map((value, index) =>
      this.#sought.has(index) && searchedWords(value) !== null ? 'words' : shapeOf(value),
    );
  }

  given(values: readonly unknown[]): readonly unknown[] {
    return this.#all.map(({ run }) => run(values));
  }

  /** The number of a node; undefined where it reads a row. */
  numberOf(node: Node): number | undefined {
    return this.#numbers.get(node);
  }

  #visit(tree: unknown): void {
    if (typeof tree !== 'object' || tree === null) return;
    const node = tree as Node;
    if (isConstant(node)) {
      if (this.#numbers.has(node)) return;
      this.#numbers.set(node, this.#all.push({ node, run: runOf(node) }) - 1);
      return;
    }
    for (const one of tree instanceof Map ? tree.values() : Object.values(tree)) this.#visit(one);
    const search = wordSearchOf(node);
    if (search) this.#sought.add(this.#numbers.get(search.wanted) as number);
  }
}

/** Whether a node reads no row. */
export function isConstant(node: Node): boolean {
  return (
    node.kind === 'parameter' ||
    node.kind === 'literal' ||
    (node.kind === 'call' && Array.isArray(node.args) && node.args.every(isConstant))
  );
}

/** Works out what reads no row, of the values of parameters. */
export type Run = (values: readonly unknown[]) => unknown;

export function runOf(node: Node): Run {
  if (node.kind === 'literal') return () => node.value;
  if (node.kind === 'parameter') {
    const { index, item, mayFail } = node;
    return (values) => {
      const value = plain(values[index], item);
      if (value instanceof CannotWorkOut && !mayFail) throw value;
      return value;
    };
  }
  const { name, args } = node as Extract<Node, { kind: 'call' }>;
  const runs = args.map(runOf);
  return (values) => {
    const given = runs.map((run) => run(values));
    const failed = given.find((one) => one instanceof CannotWorkOut);
    if (failed) return failed;
    try {
      return rowFunctions[name](...given) ?? null;
    } catch (error) {
      if (error instanceof CannotWorkOut) return error;
      throw error;
    }
  };
}
