import { literal, type Query } from '../../expression/query.ts';
import { type Reads, type Row, statement } from '../store/rows.ts';

/** Asks what is kept for the rows that a query gives. */
export type Ask = (reads: Reads, parameters: readonly unknown[]) => readonly Row[];

export function compileAsk(query: Query): Ask {
  const asked = statement(query);
  return (reads, parameters) => reads.rows(asked, parameters);
}

export const one = literal(1);
