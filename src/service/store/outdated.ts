import { type Key, StoreRefused, type Table } from './store.ts';
import type { RowFault, Upgrade } from './upgrade.ts';

/** A table whose rows were kept under another note. */
export interface Outdated {
  readonly table: Table;
  readonly upgrade: Upgrade;
}

/** What is noted of each table; undefined: it is new. */
interface Notes {
  readonly of: (table: Table) => string | null | undefined;
}

/** Whether another note is to be kept of a table. */
export function isNews(table: Table, notes: Notes): boolean {
  const noted = notes.of(table);
  return noted === undefined || (table.rules !== undefined && table.rules.note !== noted);
}

export function outdated(tables: readonly Table[], notes: Notes): Outdated[] {
  return tables.flatMap((table) => {
    const noted = notes.of(table);
    const { rules } = table;
    return rules === undefined || noted === undefined || noted === rules.note
      ? []
      : [{ table, upgrade: rules.since(noted) }];
  });
}

/** How many rows a refusal lists. */
const mostListed = 20;

/** The rows for which a file is refused. */
export interface Listing {
  readonly add: (table: Table, key: Key, faults: readonly RowFault[]) => void;
  /** Throws `StoreRefused` where there are any. */
  readonly end: () => void;
}

/** What helps where items were stored before they had a field: no request can give it to them (language §9.3, rule 18). */
function remedyFor(resource: string, field: string): string {
  const differs = `differs: { resources.${resource}.fields.${field}: { was: (none), taken: VALUE } }`;
  return `${resource}.${field} is new: to give it to stored items, state an older version without it in part 9, with ${differs}`;
}

/**
 * @param place what keeps the rows, as people call it
 * @param elsewhere how to name another
 */
export function listing(place: string, elsewhere: string): Listing {
  const listed: string[] = [];
  let count = 0;
  const remedies = new Set<string>();
  return {
    add: (table, key, faults) => {
      if (faults.length === 0) return;
      count += 1;
      for (const { field, isNew } of faults) if (isNew) remedies.add(remedyFor(table.name, field));
      if (count > mostListed) return;
      const [only, second] = key;
      const name = JSON.stringify(second === undefined ? only : key);
      listed.push(
        `  ${table.name} ${name}: ${faults.map(({ field, keyword }) => `${field} (${keyword})`).join(', ')}`,
      );
    },
    end: () => {
      if (count === 0) return;
      const more = count - listed.length;
      throw new StoreRefused(
        [
          `${place} keeps ${count === 1 ? 'an item' : `${count} items`} that the specification does not admit; nothing was changed:`,
          ...listed,
          ...(more > 0 ? [`  and ${more} more`] : []),
          ...remedies,
          `change them through the specification that they were kept under, or admit them, or ${elsewhere}`,
        ].join('\n'),
      );
    },
  };
}
