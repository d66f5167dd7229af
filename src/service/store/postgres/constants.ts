import type { Node, Query } from '../../../expression/query.ts';
import { rowFunctions } from '../../../expression/row-functions.ts';
import { CannotWorkOut } from '../../../expression/values.ts';
import { encodedText, jsonOf, plain } from './values.ts';

/** What is known of a value that is handed over: enough to choose a statement by. */
export type Shape = 'text' | 'float' | 'boolean' | 'list' | 'json' | 'null' | 'failed';

export function shapeOf(value: unknown): Shape {
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
export type Bound = 'text' | 'float' | 'boolean' | 'json' | 'integer' | 'message';

export function bind(value: unknown, as: Bound): unknown {
  if (as === 'json') return jsonOf(value);
  if (as === 'message') return encodedText((value as CannotWorkOut).message);
  return as === 'text' ? encodedText(value as string) : value;
}

/** What of a query reads no row, and is worked out before it is asked: each at its number. */
export class Constants {
  readonly #all: { readonly node: Node; readonly run: (values: readonly unknown[]) => unknown }[] = [];
  readonly #numbers = new Map<Node, number>();

  constructor(query: Query) {
    this.#visit(query);
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
  }
}

function isConstant(node: Node): boolean {
  return (
    node.kind === 'parameter' ||
    node.kind === 'literal' ||
    (node.kind === 'call' && Array.isArray(node.args) && node.args.every(isConstant))
  );
}

function runOf(node: Node): (values: readonly unknown[]) => unknown {
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
