import type { Query } from '../../../expression/query.ts';
import { keyColumns, tableOf } from './open.ts';

/** A statement of SQLite's, and which parameters it takes, in order. */
interface Printed {
  readonly text: string;
  readonly parameters: readonly number[];
}

/** A query for all rows of a table, in the order in which they were made. */
export function printed({ from, where, order, limit, gives }: Query): Printed {
  const isPlaced = order.length === 0 || order[0]?.by.kind === 'place';
  if (!('table' in from) || where !== null || limit !== null || !isPlaced)
    throw new TypeError('this query cannot be printed');
  const table = `"${tableOf(from.table.name)}"`;
  if (gives === 'rows')
    return {
      text: `SELECT place, ${keyColumns(from.table.keyFields).join(', ')}, members FROM ${table} ORDER BY place`,
      parameters: [],
    };
  if (gives.kind === 'count') return { text: `SELECT count(*) FROM ${table}`, parameters: [] };
  throw new TypeError('this query cannot be printed');
}
