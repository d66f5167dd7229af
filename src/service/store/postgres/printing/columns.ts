import type { Path, ValueKind } from '../../../../expression/query.ts';
import { encodedText } from '../values.ts';
import { quoted, type Sql, sqlOf } from './expressions.ts';

/** How a column of a key is declared. */
export function keyType(kind: ValueKind): string {
  return kind === 'number' ? 'double precision' : kind === 'unknown' ? 'jsonb' : 'text COLLATE "C"';
}

/** A column of a key. */
export function keyOf(name: string, kind: ValueKind): Sql {
  const type = kind === 'number' ? 'float' : kind === 'unknown' ? 'json' : 'text';
  return sqlOf(name, type, { nullable: false, isColumn: true });
}

/** A member of a document, or of a member of it; JSON's null is SQL's. Without a path: the document itself. */
export function memberOf(document: string, path: Path, kind: ValueKind): Sql {
  const names = path.map((name) => (typeof name === 'number' ? String(name) : quoted(encodedText(name))));
  if (kind === 'unknown')
    return sqlOf(`nullif(${[document, ...names].join(' -> ')}, 'null'::jsonb)`, 'json', { isColumn: true });
  const last = names.pop();
  const text =
    last === undefined ? `(${document} #>> '{}')` : `(${[document, ...names].join(' -> ')} ->> ${last})`;
  if (kind === 'number') return sqlOf(`${text}::float8`, 'float', { isColumn: true });
  if (kind === 'boolean') return sqlOf(`${text}::boolean`, 'boolean', { isColumn: true });
  return sqlOf(`(${text} COLLATE "C")`, 'text', { isColumn: true });
}
