import Database from 'better-sqlite3';
import { type Json, list, type Members, map } from '../document.ts';

/** What is kept, by resource: each item with its identifier among its members. */
export type Kept = Readonly<Record<string, readonly Members[]>>;

/** Looks into a service's database file, beside the service. */
export function lookInto(file: string, document: Members): Kept {
  const database = new Database(file);
  try {
    const has = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    return Object.fromEntries(
      Object.entries(map(document['resources'])).flatMap(([name, resource]) => {
        const table = `_${name.toLowerCase()}`;
        if (!has.includes(table)) return [];
        const identifier = list(map(resource)['identifier']);
        const rows = database.prepare(`SELECT * FROM "${table}" ORDER BY place`).all() as Members[];
        const items = rows.map((row) => ({
          ...Object.fromEntries(identifier.map((field, index) => [field, row[`key${index}`] as Json])),
          ...(JSON.parse(row['members'] as string) as Members),
        }));
        return [[name, items]];
      }),
    );
  } finally {
    database.close();
  }
}

/** The text by which an item of a resource is known. */
export function keyOf(document: Members, name: string, item: Members): string {
  const identifier = list(map(map(document['resources'])[name])['identifier']);
  return JSON.stringify(identifier.map((field) => item[field] ?? null));
}
