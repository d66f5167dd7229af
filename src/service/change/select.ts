import type { Environment } from '../../expression/compile.ts';
import { and, compare, parameter, place, query } from '../../expression/query.ts';
import type { Model } from '../../expression/query-operand.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { ItemRule } from '../judge/rule.ts';
import type { KeptResource } from '../resource/kept.ts';
import { compileConditions } from '../resource/where.ts';
import { type Row, type Statement, statement } from '../store/rows.ts';
import type { Doing } from '../transaction/doing.ts';

/**
 * The items that a change is about, as they are at its beginning.
 *
 * @param given the values of the parameters, by name; without them, those of the path
 */
export type Select = (doing: Doing, given?: Readonly<Record<string, unknown>>) => readonly Row[];

/**
 * @param fields the fields to whose values parameters are bound, by the parameter's name
 * @param names names that stand for the item in `where`, besides `this`
 * @param bound names that stand for other items
 * @param rules what lets the one who asks have an item: the others are left out (language §5.5)
 */
export type CompileSelect = (
  kept: KeptResource,
  where: PlacedTemplate | undefined,
  fields: ReadonlyMap<string, string>,
  names?: readonly string[],
  bound?: readonly string[],
  rules?: readonly ItemRule[],
) => Select;

export function compileSelect(model: Model, environment: Environment): CompileSelect {
  return (kept, where, fields, names = [], bound = [], rules = []) => {
    if (kept.keyFields.length === 0) return () => [];
    const conditions = compileConditions(kept, model, environment, bound, names);
    const wheres = where ? expressionsIn(where.template).map(conditions.condition) : [];
    const given = [...fields].map(([name, field]) => {
      const slot = conditions.slot();
      const { node, fill } = conditions.field(field);
      return { name, slot, fill, node: compare('matches', node, parameter(slot)) };
    });
    const nodes = [...wheres, ...given].map(({ node }) => node);
    const ruled = rules.map((rule) => ({ ...rule, ...conditions.condition(rule.expression) }));
    const found = forms((form) => {
      const all = [...nodes, ...ruled.filter((_, index) => form[index] === '1').map(({ node }) => node)];
      return statement(
        query(conditions.row, {
          where: all.length > 0 ? and(...all) : null,
          order: [{ by: place(conditions.row), descending: false }],
        }),
      );
    });
    return ({ tx, frame }, parameters) => {
      const at = frame({});
      const values: unknown[] = [];
      for (const { fill } of [...wheres, ...given]) fill(values, at);
      const { path } = (at.names['request'] ?? { path: {} }) as { readonly path: Record<string, unknown> };
      for (const { name, slot } of given) values[slot] = (parameters ?? path)[name];
      const form = ruled.map(({ always }) => (always(at) ? '0' : '1')).join('');
      for (const [index, { fill }] of ruled.entries()) if (form[index] === '1') fill(values, at);
      return tx.rows(found(form), values);
    };
  };
}

/** One statement for each form in which it is asked for. */
function forms(make: (form: string) => Statement): (form: string) => Statement {
  const made = new Map<string, Statement>();
  return (form) => {
    const found = made.get(form) ?? make(form);
    made.set(form, found);
    return found;
  };
}
