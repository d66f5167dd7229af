import { type Besides, isTruth, type Node, type Table } from '../../../expression/query.ts';
import type { TextMember, TextOfRow, TextPart } from '../rows.ts';
import type { Over } from '../told.ts';
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

interface From {
  readonly table: Table;
}

/** A row as the JSON text of an object, and what is joined for that. */
interface Written {
  readonly text: string;
  readonly joins: readonly string[];
}

/** What texts are made of: a text itself, or what is printed. */
type Piece = { readonly text: string } | string;

/** Where no member of the key is shown, the first of the others has to be there always. */
export function written(of: From, besides: Besides, text: TextOfRow, printing: Printing): Written {
  const { pieces, joins } = piecesOf(of, besides, text, printing);
  return { text: joined(pieces), joins };
}

function piecesOf(
  of: From,
  besides: Besides,
  { kept, others }: TextOfRow,
  printing: Printing,
): { readonly pieces: readonly Piece[]; readonly joins: readonly string[] } {
  const { prefix, column, join, value, holds, bound } = printing;
  const joins: string[] = [];
  const isAll = kept.shows === null && kept.leaves.length === 0;
  const beside = isAll ? undefined : column(of, keptAt('', kept));
  const own = beside === undefined ? keptAt(prefix(of), kept) : `${prefix(of)}${beside}`;
  const isNone = isAll ? `${prefix(of)}members WHEN '{}'` : `${own} WHEN ''`;
  const isEmpty = kept.keys.length === 0;
  const members = others.flatMap((one, index): readonly Piece[] => {
    if (index > 0 || !isEmpty) return member(one, ',');
    return [`CASE ${isNone} THEN '' ELSE ',' END`, ...member(one, '')];
  });
  return { pieces: [{ text: '{' }, own, ...members, { text: '}' }], joins };

  function member({ name, value: of }: TextMember, comma: string): readonly Piece[] {
    const named = { text: `${comma}${JSON.stringify(name)}:` };
    if ('joined' in of) return [named, `json_quote(${of.joined.map(part).join(' || ')})`];
    return 'told' in of ? [named, told(besides.get(of.told) as Node)] : [referred(named, of)];
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
    named: { readonly text: string },
    { row, of: inner, unless }: Extract<TextMember['value'], { row: unknown }>,
  ): string {
    const { query } = besides.get(row) as { readonly query: Over };
    joins.push(join(query));
    const to = piecesOf(query.from, query.besides, inner, printing);
    joins.push(...to.joins);
    const found = `CASE WHEN ${prefix(query.from)}place IS NOT NULL THEN ${joined([named, ...to.pieces])}`;
    const missing =
      unless === null ? '' : ` WHEN ${jsonAt(`${prefix(of)}members`, [unless])} IS NULL THEN ''`;
    return `${found}${missing} ELSE ${textOf(`${named.text}null`)} END`;
  }
}

/** Texts that stand beside each other are one. */
function joined(pieces: readonly Piece[]): string {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (typeof piece === 'object' && typeof last === 'object')
      merged[merged.length - 1] = { text: last.text + piece.text };
    else merged.push(piece);
  }
  return merged.map((piece) => (typeof piece === 'object' ? textOf(piece.text) : piece)).join(' || ');
}
