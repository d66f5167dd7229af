import { type Besides, isTruth, type Node, type Table } from '../../../../expression/query.ts';
import type { KeptText, TextMember, TextOfRow, TextPart } from '../../rows.ts';
import type { Over } from '../../told.ts';
import { encodedText } from '../values.ts';
import { quoted, type Sql } from './expressions.ts';

/** What of a statement is printed elsewhere. */
export interface Printing {
  /** What stands before the name of a row's column. */
  readonly prefix: (of: From) => string;
  /** What stands of a row in a text as it is kept, where a column holds it; undefined: none does. */
  readonly column: (of: From, kept: KeptText) => string | undefined;
  /** Joins the row that a query gives, if there is one. */
  readonly join: (query: Over) => string;
  readonly value: (node: Node) => Sql;
  readonly holds: (node: Node) => string;
  /** A parameter that is a text. */
  readonly given: (parameter: number) => string;
}

interface From {
  readonly table: Table;
}

/** A row as the JSON text of an object, and what is joined for that. Null of a row that takes more. */
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

/** The numbers of the parameters that texts are made of. */
export function parametersIn({ others }: TextOfRow): readonly number[] {
  return others.flatMap(({ value }) => {
    if ('row' in value) return parametersIn(value.of);
    return 'joined' in value
      ? value.joined.flatMap((part) =>
          typeof part === 'object' && 'parameter' in part ? [part.parameter] : [],
        )
      : [];
  });
}

/** The members of a row that stand in a text as they are kept, without those of its key: made of the column `members`. */
export function keptOf(members: string, { shows, leaves }: KeptText): string {
  if (shows === null && leaves.length === 0) return `substr(${members}, 2, length(${members}) - 2)`;
  const list = (names: readonly string[]): string => `ARRAY[${names.map(quoted).join(', ')}]::text[]`;
  return `tacet_kept(${members}, ${shows === null ? 'NULL' : list(shows)}, ${list(leaves)})`;
}

function piecesOf(
  of: From,
  besides: Besides,
  { kept, others }: TextOfRow,
  printing: Printing,
): { readonly pieces: readonly Piece[]; readonly joins: readonly string[] } {
  const { prefix, column, join, value, holds, given } = printing;
  const joins: string[] = [];
  const rest = column(of, kept) ?? keptOf(`${prefix(of)}members`, kept);
  const isEmpty = kept.keys.length === 0;
  const keys = kept.keys.flatMap(({ name, key }, index): Piece[] => [
    { text: `${index > 0 ? ',' : ''}${JSON.stringify(name)}:` },
    asJson(`${prefix(of)}key${key}`),
  ]);
  const own = [...keys, isEmpty ? rest : `CASE ${rest} WHEN '' THEN '' ELSE ',' || ${rest} END`];
  const members = others.flatMap((one, index): readonly Piece[] => {
    if (index > 0 || !isEmpty) return member(one, ',');
    return [`CASE ${rest} WHEN '' THEN '' ELSE ',' END`, ...member(one, '')];
  });
  return { pieces: [{ text: '{' }, ...own, ...members, { text: '}' }], joins };

  function member({ name, value: of }: TextMember, comma: string): readonly Piece[] {
    const named = { text: `${comma}${JSON.stringify(name)}:` };
    if ('joined' in of) return [named, asJson(`(${of.joined.map(part).join(' || ')})`)];
    return 'told' in of ? [named, told(besides.get(of.told) as Node)] : [referred(named, of)];
  }

  function part(one: TextPart): string {
    if (typeof one === 'string') return quoted(encodedText(one));
    return 'key' in one ? `${prefix(of)}key${one.key}` : given(one.parameter);
  }

  function told(node: Node): string {
    const isSo = node.kind === 'query' && isTruth(node.query.gives);
    return isSo
      ? `CASE WHEN ${holds(node)} THEN 'true' ELSE 'false' END`
      : `(${value(node).sql})::bigint::text`;
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
      unless === null
        ? ''
        : ` WHEN (${prefix(of)}document -> ${quoted(encodedText(unless))}) IS NULL THEN ''`;
    return `${found}${missing} ELSE ${quoted(`${named.text}null`)} END`;
  }
}

/** A text in JSON; null of one that is kept encoded (`values.ts`). */
function asJson(text: string): string {
  return `CASE WHEN strpos(${text}, chr(1)) = 0 THEN to_json(${text})::text END`;
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
  return merged.map((piece) => (typeof piece === 'object' ? quoted(piece.text) : piece)).join(' || ');
}
