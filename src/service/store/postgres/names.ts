import { createHash } from 'node:crypto';

/** The longest name that PostgreSQL tells apart, in bytes (NAMEDATALEN). */
const longestName = 63;

/** The columns of a key, one for each of its fields. */
export function keyColumns(fields: readonly unknown[]): string[] {
  return fields.map((_, index) => `key${index}`);
}

/** A name that PostgreSQL keeps whole: one that is too long ends with its digest. */
export function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longestName) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.slice(0, 16)}_${digest}`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
