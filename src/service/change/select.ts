import type { Environment } from '../../expression/compile.ts';
import { and, compare, parameter, place, query } from '../../expression/query.ts';
import type { Model } from '../../expression/query-operand.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { PlacedTemplate } from '../../specification/templates.ts';
import type { KeptResource } from '../resource/kept.ts';
import { type Row, statement } from '../store/rows.ts';
import { compileConditions } from '../where.ts';
import type { Doing } from './doing.ts';

/** The items that a change is about, as they are at its beginning. */
export type Select = (doing: Doing) => readonly Row[];

/**
 * @param fields the fields to whose values parameters of the path are bound, by the parameter's name
 * @param names names that stand for the item in `where`, besides `this`
 * @param bound names that stand for other items
 */
export type CompileSelect = (
  kept: KeptResource,
  where: PlacedTemplate | undefined,
  fields: ReadonlyMap<string, string>,
  names?: readonly string[],
  bound?: readonly string[],
) => Select;

export function compileSelect(model: Model, environment: Environment): CompileSelect {
  return (kept, where, fields, names = [], bound = []) => {
    if (kept.keyFields.length === 0) return () => [];
    const conditions = compileConditions(kept, model, environment, bound, names);
    const wheres = where ? expressionsIn(where.template).map(conditions.condition) : [];
    const given = [...fields].map(([name, field]) => {
      const slot = conditions.slot();
      return { name, slot, node: compare('matches', conditions.field(field), parameter(slot)) };
    });
    const nodes = [...wheres, ...given].map(({ node }) => node);
    const found = statement(
      query(conditions.row, {
        where: nodes.length > 0 ? and(...nodes) : null,
        order: [{ by: place(conditions.row), descending: false }],
      }),
    );
    return ({ tx, frame }) => {
      const at = frame({});
      const values: unknown[] = [];
      for (const { fill } of wheres) fill(values, at);
      const { path } = (at.names['request'] ?? { path: {} }) as { readonly path: Record<string, unknown> };
      for (const { name, slot } of given) values[slot] = path[name];
      return tx.rows(found, values);
    };
  };
}
