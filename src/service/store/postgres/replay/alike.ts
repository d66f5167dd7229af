import type { Asked, Gave, Sent } from './needs.ts';

/** Queries that are alike but for what is bound, as one statement. */
export interface Alike {
  readonly statement: Sent;
  readonly bound: readonly unknown[];
  /** What each of them gives, of the rows of the statement. */
  readonly gave: (rows: readonly (readonly unknown[])[]) => readonly Gave[];
}

const parameter = /\$(\d+)(::\w+)?/g;

/**
 * Puts queries of one text together, each of which gives rows or a value: what is bound to them is a list for each parameter. Null
 * where a parameter's type is not told, or it says how many rows there are.
 */
export function alike(asks: readonly Asked[], named: (text: string) => Sent): Alike | null {
  const [first] = asks;
  if (first === undefined || first.gives === 'texts') return null;
  const { text } = first.statement;
  const types = new Map<number, string>();
  for (const [, number, type] of text.matchAll(parameter)) {
    if (type === undefined) return null;
    types.set(Number(number), type);
  }
  if (types.size !== first.bound.length || /(?:LIMIT|OFFSET) (?:\(SELECT )?\$/.test(text)) return null;
  const numbers = first.bound.map((_, index) => index + 1);
  const lists = numbers.map((number) => `$${number}${types.get(number)}[]`).join(', ');
  const names = numbers.map((number) => `v${number}`).join(', ');
  const own = text.replace(parameter, (_, number: string, type: string) =>
    type === '::text' ? `(g.v${number} COLLATE "C")` : `g.v${number}`,
  );
  return {
    statement: named(
      `SELECT g.n::int, q.* FROM unnest(${lists}) WITH ORDINALITY AS g (${names}, n) CROSS JOIN LATERAL (${own}) AS q ORDER BY g.n`,
    ),
    bound: numbers.map((number) => asks.map(({ bound }) => bound[number - 1])),
    gave: (rows) => {
      const each: (readonly unknown[])[][] = asks.map(() => []);
      for (const [place, ...columns] of rows) each[(place as number) - 1]?.push(columns);
      return asks.map((one, index) => one.gave(each[index] ?? []));
    },
  };
}
