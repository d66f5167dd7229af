import { Bytes, isKeptBytes, type KeptBytes } from '../../expression/bytes.ts';
import { CannotWorkOut } from '../../expression/values.ts';
import { ownMember } from '../../source/node.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { isBinary } from '../../specification/vocabulary/shape.ts';
import type { Key, Reads, Row, Table, Transaction } from '../store/store.ts';
import type { Added } from '../store/upgrade.ts';
import { memberIn } from './text.ts';

/**
 * Where the content of bytes is kept, beside the rows of all resources: by the item, the field, and the digest. A row
 * itself holds the digest and the size. So content is written once, and no row of this table ever changes.
 */
export const bytesTable: Table = { name: 'bytes', keyFields: ['item', 'field', 'sha256'], hasBytes: true };

/** The fields of a resource that are bytes. */
export function binaryFields({ fields }: Pick<Resource, 'fields'>): readonly string[] {
  return [...fields.values()].flatMap((field) => (isBinary(field.shape) ? [field.name] : []));
}

/** Content that was loaded for a row, by field: judges of a request and its answer read one row. */
const loaded = new WeakMap<Row, Map<string, Uint8Array>>();

/**
 * How a value of a field that is bytes is read: those that a row holds are loaded, once, when their content is asked for.
 *
 * @param row the row that holds the value; null: none
 */
export function readBytes(
  resource: string,
  field: string,
  value: unknown,
  key: () => unknown,
  row: Row | null,
): unknown {
  if (value instanceof Bytes || !isKeptBytes(value)) return value;
  return Bytes.kept(value, (reads) => {
    const known = row && loaded.get(row)?.get(field);
    if (known) return known;
    const found = (reads as Reads).find(
      bytesTable.name,
      keyOf(resource, [key()].flat() as Key, field, value),
    );
    if (found?.bytes === undefined) throw new CannotWorkOut(`${resource}.${field}: these bytes are deleted`);
    if (row) loaded.set(row, (loaded.get(row) ?? new Map()).set(field, found.bytes));
    return found.bytes;
  });
}

function keyOf(resource: string, key: Key, field: string, { sha256 }: KeptBytes): Key {
  return [`${resource} ${JSON.stringify(key)}`, field, sha256];
}

/** Keeps the content of bytes with the items that have them. */
export interface KeepingBytes {
  /** `members`: those of the item as it is to be, with the new bytes. */
  readonly written: (
    tx: Transaction,
    before: Row | null,
    row: Row,
    members: Readonly<Record<string, unknown>>,
  ) => void;
  readonly removed: (tx: Transaction, row: Row) => void;
}

/** Null where no field is bytes. */
export function compileKeepingBytes(resource: Resource): KeepingBytes | null {
  const fields = binaryFields(resource);
  if (fields.length === 0) return null;
  const heldIn = (row: Row | null, field: string): KeptBytes | null => {
    const value = row && memberIn(row.text, field);
    return isKeptBytes(value) ? value : null;
  };
  return {
    written: (tx, before, row, members) => {
      for (const field of fields) {
        const [was, is] = [heldIn(before, field), ownMember(members, field)];
        if (is !== null && !isKeptBytes(is)) throw new TypeError(`${resource.name}.${field} is no bytes`);
        if (was?.sha256 === is?.sha256) continue;
        const content = is && readContent(tx, is);
        if (was) tx.remove(bytesTable.name, keyOf(resource.name, row.key, field, was));
        if (is && content)
          tx.insert(bytesTable.name, {
            key: keyOf(resource.name, row.key, field, is),
            text: '{}',
            bytes: content,
          });
      }
    },
    removed: (tx, row) => {
      for (const field of fields) {
        const was = heldIn(row, field);
        if (was) tx.remove(bytesTable.name, keyOf(resource.name, row.key, field, was));
      }
    },
  };
}

/**
 * The content of an item's bytes whose field had another name, under the name that the field has now. What has the same
 * digest is the same content, whatever the name.
 *
 * @param names the names that fields of the resource had before
 */
export function renamedBytes(
  resource: Resource,
  names: readonly string[],
): ((row: Row, reads: Reads) => readonly Added[]) | null {
  const fields = binaryFields(resource).filter((field) => !names.includes(field));
  const former = names.filter((name) => !resource.fields.has(name));
  if (fields.length === 0 || former.length === 0) return null;
  return (row, reads) =>
    fields.flatMap((field) => {
      const value = memberIn(row.text, field);
      if (!isKeptBytes(value)) return [];
      const found = former.flatMap(
        (name) => reads.find(bytesTable.name, keyOf(resource.name, row.key, name, value)) ?? [],
      )[0];
      if (found === undefined) return [];
      const key = keyOf(resource.name, row.key, field, value);
      return [{ table: bytesTable.name, row: { ...found, key }, replaces: found.key }];
    });
}

function readContent(tx: Transaction, bytes: KeptBytes): Uint8Array {
  if (bytes instanceof Bytes) return bytes.content(tx);
  throw new TypeError('the content of these bytes is not at hand');
}
