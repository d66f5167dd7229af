import type { ValueKind } from '../../../expression/query.ts';
import type { Key, Table } from '../store.ts';
import { keyType } from './printing/sql.ts';
import { decoded, encodedKey, jsonOf } from './values.ts';

/** How the keys of a table are sent, and read. */
export interface Keys {
  /** The type of each column, as it is declared. */
  readonly types: readonly string[];
  /** The type of each parameter. */
  readonly casts: readonly string[];
  /** Whether a row may have this key: its values are of the kinds of the columns. */
  readonly fits: (key: Key) => boolean;
  readonly encoded: (key: Key) => readonly unknown[];
  readonly decoded: (columns: readonly unknown[]) => Key;
}

export function kindsOf({
  keyFields,
  keyKinds,
}: Pick<Table, 'keyFields' | 'keyKinds'>): readonly ValueKind[] {
  return keyKinds ?? keyFields.map(() => 'text');
}

export function keysOf(table: Pick<Table, 'keyFields' | 'keyKinds'>): Keys {
  const kinds = kindsOf(table);
  const types = kinds.map(keyType);
  return {
    types,
    casts: types.map((type) => type.split(' COLLATE')[0] as string),
    fits: (key) => key.every((one, index) => isOf(one, kinds[index] as ValueKind)),
    encoded: (key) => key.map((one, index) => (kinds[index] === 'unknown' ? jsonOf(one) : encodedKey(one))),
    decoded: (columns) => columns.map(decoded) as Key,
  };
}

function isOf(value: string | number, kind: ValueKind): boolean {
  if (typeof value === 'string' && !value.isWellFormed()) return false;
  return kind === 'unknown' || (kind === 'number') === (typeof value === 'number');
}
