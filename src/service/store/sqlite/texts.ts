import { type Besides, isTruth, type Node, type Query, type Table } from '../../../expression/query.ts';
import type { TextMember, TextOfRow, TextPart } from '../rows.ts';
import { jsonAt, keptAt, textOf } from './members.ts';

/** What of a statement is printed elsewhere. */
export interface Printing {
  /** What stands before the name of a row's column. */
  readonly prefix: (of: From) => string;
  /** The column in which a table keeps what is made so; undefined where it is in none. */
  readonly column: (of: From, made: string) => string | undefined;
  /** Joins the row that a query gives, if there is one. */
  readonly join: (query: Over) => string;
  readonly value: (node: Node) => string;
  readonly holds: (node: Node) => string;
  readonly bound: (value: (values: readonly unknown[]) => unknown) => string;
}

/** A query over a table. */
export type Over = Query & { readonly from: From };

interface From {
  readonly table: Table;
}

/** A row as the JSON text of an object, and what is joined for that. */
interface Written {
  readonly text: string;
  readonly joins: readonly string[];
}

/** Where no member of the key is shown, the first of the others has to be there always. */
export function written(of: From, besides: Besides, text: TextOfRow, printing: Printing): Written {
  const { prefix, column, join, value, holds, bound } = printing;
  const { kept, others } = text;
  const joins: string[] = [];
  const isAll = kept.shows === null && kept.leaves.length === 0;
  const beside = isAll ? undefined : column(of, keptAt('', kept));
  const own = beside === undefined ? keptAt(prefix(of), kept) : `${prefix(of)}${beside}`;
  const [first, ...rest] = others;
  if (kept.keys.length > 0 || first === undefined)
    return { text: object([own, ...others.map((one) => member(one, ','))]), joins };
  const isNone = isAll ? `${prefix(of)}members WHEN '{}'` : `${own} WHEN ''`;
  const before = `CASE ${isNone} THEN '' ELSE ${own} || ',' END`;
  return { text: object([before, member(first, ''), ...rest.map((one) => member(one, ','))]), joins };

  function member({ name, value: of }: TextMember, comma: string): string {
    const named = `${comma}${JSON.stringify(name)}:`;
    if ('joined' in of) return `${textOf(named)} || json_quote(${of.joined.map(part).join(' || ')})`;
    if ('told' in of) return `${textOf(named)} || ${told(besides.get(of.told) as Node)}`;
    return referred(named, of);
  }

  function part(one: TextPart): string {
    if (typeof one === 'string') return bound(() => one);
    return 'key' in one ? `${prefix(of)}key${one.key}` : bound((values) => values[one.parameter]);
  }

  function told(node: Node): string {
    const isSo = node.kind === 'query' && isTruth(node.query.gives);
    return isSo ? `CASE WHEN ${holds(node)} THEN 'true' ELSE 'false' END` : value(node);
  }

  function referred(
    named: string,
    { row, of: inner, unless }: Extract<TextMember['value'], { row: unknown }>,
  ): string {
    const { query } = besides.get(row) as { readonly query: Over };
    joins.push(join(query));
    const to = written(query.from, query.besides, inner, printing);
    joins.push(...to.joins);
    const found = `CASE WHEN ${prefix(query.from)}place IS NOT NULL THEN ${textOf(named)} || ${to.text}`;
    const missing =
      unless === null ? '' : ` WHEN ${jsonAt(`${prefix(of)}members`, [unless])} IS NULL THEN ''`;
    return `${found}${missing} ELSE ${textOf(`${named}null`)} END`;
  }
}

function object(pieces: readonly string[]): string {
  return [`'{'`, ...pieces, `'}'`].join(' || ');
}
