import { compile, type Environment, type Frame, type Run } from '../../expression/compile.ts';
import { type Expression, isFault, parseExpression } from '../../expression/expression.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import { type Besides, type Node, rowOf } from '../../expression/query.ts';
import { type Model, NotAsked } from '../../expression/query-operand.ts';
import { translator } from '../../expression/query-syntax.ts';
import { member } from '../../specification/reading/templates.ts';
import { type Along, besidesOf } from './along.ts';
import type { KeptResource } from './kept.ts';

/** A condition on the rows of a resource, as a store is asked it (language §G.5). */
export interface Condition {
  readonly node: Node;
  /** Works out what it takes, each into its place among the parameters of the statement. */
  readonly fill: (values: unknown[], frame: Frame) => void;
}

/** Conditions that statements over one resource are made of: they share the numbers of their parameters. */
export interface Conditions {
  readonly row: ReturnType<typeof rowOf>;
  readonly condition: (expression: Expression) => Condition;
  /** A field of the row, worked out where it is derived: what it takes is filled in as for a condition. */
  readonly field: (name: string) => Condition;
  /** Whether rows can be found, and put in order, by a field (language §G.5). */
  readonly isStorable: (name: string) => boolean;
  /** What is told with each row. */
  readonly besides: (along: Along) => { readonly of: Besides; readonly fill: Condition['fill'] };
  /** The number of a parameter for which a value is given by hand. */
  readonly slot: () => number;
}

/** Compiles conditions on the items of a resource, in which `this`, and any of `names`, is the item judged. */
export function compileConditions(
  kept: KeptResource,
  model: Model,
  environment: Environment,
  bound: readonly string[],
  names: readonly string[] = [],
): Conditions {
  const row = rowOf(kept.table);
  const translation = translator<Run>(model, (syntax) => compile({ text: '', syntax }, environment), bound);
  const rows = new Map(['this', ...names].map((name) => [name, { resource: kept.name, from: row }]));
  const filling = (tree: unknown, expression?: Expression): Condition['fill'] => {
    const takes = [...parametersIn(tree)];
    return (values, frame) => {
      const own = expression ? withValue(expression, frame) : frame;
      for (const index of takes) {
        const value = workedOut(translation.parameters[index] as Run, own);
        if (expression && value instanceof CannotWorkOut) value.expression = expression;
        values[index] = value;
      }
    };
  };
  const node = (expression: Expression): Node => translation.node(expression.syntax, rows);
  const field = (name: string): Condition => {
    const parsed = parseExpression(`this${member(name)}`);
    if (isFault(parsed)) throw new TypeError(`no name of a field: ${name}`);
    const of = node(parsed);
    return { node: of, fill: filling(of) };
  };
  return {
    row,
    condition: (expression) => {
      const of = node(expression);
      return { node: of, fill: filling(of, expression) };
    },
    besides: (along) => {
      const of = besidesOf(along, row, model, translation.set);
      return { of, fill: filling(of) };
    },
    field,
    isStorable: (name) => {
      try {
        field(name);
        return true;
      } catch (error) {
        if (error instanceof NotAsked) return false;
        throw error;
      }
    },
    slot: () => translation.add(() => null),
  };
}

/** The frame of an expression that a function gave, in which `value` is what the function gave with it. */
function withValue(expression: Expression, frame: Frame): Frame {
  if (frame.values?.has(expression) !== true) return frame;
  return { ...frame, names: { ...frame.names, value: frame.values.get(expression) } };
}

/** What cannot be worked out is handed over as it is: it fails where a row needs it, and nowhere else. */
export function workedOut(run: Run, frame: Frame): unknown {
  try {
    return run(frame);
  } catch (error) {
    if (error instanceof CannotWorkOut) return error;
    throw error;
  }
}

/** The numbers of the parameters in a tree. */
function parametersIn(tree: unknown, found = new Set<number>()): ReadonlySet<number> {
  if (typeof tree !== 'object' || tree === null) return found;
  const { kind, index } = tree as { readonly kind?: unknown; readonly index?: unknown };
  if (kind === 'parameter') found.add(index as number);
  if (tree instanceof Map) for (const inner of tree.values()) parametersIn(inner, found);
  for (const [name, inner] of Object.entries(tree)) if (name !== 'table') parametersIn(inner, found);
  return found;
}
