import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { KeptResource } from '../resource/kept.ts';
import type { Key, Reads, Table, Transaction } from '../store/store.ts';
import { canonical } from '../value/canonical.ts';

/** The keys of items that are gone, by resource (language §H.4, `gone R`). */
export const goneTable: Table = { name: 'gone', keyFields: ['resource', 'key'] };

/** Remembers which items there were, of the resources for which a row of part 7 lists `gone R`. */
export interface Gone {
  readonly note: (tx: Transaction, kept: KeptResource, key: Key) => void;
  /** The item is there again. */
  readonly forget: (tx: Transaction, kept: KeptResource, key: Key) => void;
  /** Whether an item with this key was deleted, and was not created again. */
  readonly is: (reads: Reads, kept: KeptResource, key: Key) => boolean;
}

/** Null if no row lists `gone`: then nothing is remembered. */
export function compileGone({ errors }: Pick<Specification, 'errors'>): Gone | null {
  const codes = [...(stated(stated(errors)?.codes)?.values() ?? [])];
  const subjects = codes
    .flatMap((said) => stated(stated(said)?.when) ?? [])
    .flatMap(({ names, subject }) => (names.includes('gone') ? [subject] : []));
  if (subjects.length === 0) return null;
  const covers = ({ name }: KeptResource): boolean => subjects.includes(name) || subjects.includes('');
  const keyOf = ({ name }: KeptResource, key: Key): Key => [name, canonical(key)];
  return {
    note: (tx, kept, key) => {
      if (covers(kept)) tx.insert(goneTable.name, { key: keyOf(kept, key), text: '{}' });
    },
    forget: (tx, kept, key) => {
      if (covers(kept) && tx.find(goneTable.name, keyOf(kept, key)))
        tx.remove(goneTable.name, keyOf(kept, key));
    },
    is: (reads, kept, key) => covers(kept) && reads.find(goneTable.name, keyOf(kept, key)) !== null,
  };
}
