import type { Frame, Sets, Step } from '../../expression/compile.ts';
import type { Syntax } from '../../expression/expression.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import type { Besides, Query } from '../../expression/query.ts';
import type { Model } from '../../expression/query-operand.ts';
import { type SetQuery, type Translator, translator } from '../../expression/query-syntax.ts';
import { isItem, worked } from '../../expression/values.ts';

/** What is kept, as a statement finds it. */
export interface Asked<Statement, Row> {
  value(statement: Statement, parameters: readonly unknown[]): unknown;
  rows(statement: Statement, parameters: readonly unknown[]): readonly Row[];
}

/**
 * Compiles what an expression asks of the items of a resource (language §G.4) to prepared statements, which run
 * through the frame's `reads`. What a store cannot tell is worked out of all items.
 *
 * @param itemOf the item of a row of a resource
 * @param isResource whether a name is a resource's; of one that has no identifier nothing can be kept (§2.1)
 * @param besides what the store tells with each row; null: nothing
 */
export function compileSets<Statement, Row>(
  prepare: (query: Query) => Statement,
  model: Model,
  itemOf: (resource: string, row: Row, frame: Frame) => unknown,
  isResource: (name: string) => boolean = () => false,
  besides: (node: Syntax, query: SetQuery, set: Translator<unknown>['set']) => Besides | null = () => null,
): Sets {
  return (node, bound, compile) => {
    const name = node.op === 'id' && !bound.includes(node.args) ? node.args : '';
    if (isResource(name) && model.table(name) === undefined) return () => [];
    if (node.op !== 'id' && node.op !== 'rcall') return undefined;
    const { parameters, set } = translator(
      model,
      (syntax, mayFail) => (mayFail ? attempt(compile(syntax)) : compile(syntax)),
      bound,
    );
    const query = set(node);
    if (query === undefined || !('table' in query.from)) return undefined;
    const statement = prepare(query);
    const { table } = query.from;
    const given = (frame: Frame, locals: readonly unknown[]): unknown[] =>
      parameters.map((step) => step(frame, locals));
    if (query.gives !== 'rows')
      return (frame, locals) => {
        const told = toldOf(node, frame, locals);
        if (told !== undefined) return told;
        return readsOf<Statement, Row>(frame).value(statement, given(frame, locals));
      };
    const more = besides(node, query, set);
    const telling = more && prepare({ ...query, besides: more });
    const found = (frame: Frame, locals: readonly unknown[]): readonly Row[] => {
      const reads = readsOf<Statement, Row>(frame);
      const values = given(frame, locals);
      return (telling && worked(() => reads.rows(telling, values))) ?? reads.rows(statement, values);
    };
    return (frame, locals) => {
      const told = toldOf(node, frame, locals) as readonly Row[] | undefined;
      const rows = told ?? found(frame, locals);
      return rows.map((row) => itemOf(table.name, row, frame));
    };
  };
}

/** What cannot be worked out beforehand counts only where the store comes to need it. */
export function attempt(step: Step): Step {
  return (frame, locals) => {
    try {
      return step(frame, locals);
    } catch (error) {
      if (error instanceof CannotWorkOut) return error;
      throw error;
    }
  };
}

/** What was told of a set with the row of an item at hand; undefined: it is to be asked. */
function toldOf(node: Syntax, { names }: Frame, locals: readonly unknown[]): unknown {
  for (let index = locals.length - 1; index >= -1; index--) {
    const one = index === -1 ? names['this'] : locals[index];
    const told = isItem(one) ? one.told?.(node) : undefined;
    if (told !== undefined) return told;
  }
  return undefined;
}

function readsOf<Statement, Row>({ reads }: Frame): Asked<Statement, Row> {
  if (reads === undefined) throw new CannotWorkOut('nothing that is kept can be read here');
  return reads as Asked<Statement, Row>;
}
