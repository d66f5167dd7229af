import {
  and,
  compare,
  field,
  matchesCaseless,
  parameter,
  query,
  rowOf,
  type ValueKind,
} from '../../expression/query.ts';
import { ownMember } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Index, Key, Reads, Row, Table, Transaction } from '../store/store.ts';
import { compileAsk, one } from './ask.ts';
import type { KeptResource, Members, Unique } from './kept.ts';

/** Values that no item may have but the one that had them, by the field that is `unique: ever` (language §2.2). */
export const takenTable: Table = { name: 'taken', keyFields: ['field', 'value'] };

/** Of what kind the value of a field is, as a store sees it. */
export type KindOf = (field: Field) => ValueKind;

export interface Uniques {
  readonly uniques: readonly Unique[];
  readonly indexes: readonly Index[];
  /** Notes the values that are not to be had again. */
  readonly claim: (tx: Transaction, members: Members) => void;
}

interface Alike {
  readonly fields: readonly string[];
  readonly caseless: boolean;
}

/** What no two items of a resource have alike: its identifier first (language §2.1, §2.2). */
export function compileUniques(resource: Resource, keyFields: readonly string[], kindOf: KindOf): Uniques {
  const { name } = resource;
  const subjects = (fields: readonly string[]): string[] => fields.map((one) => `${name}.${one}`);
  const alike: Alike[] = [];
  const ever: string[] = [];
  for (const { name: of, unique } of resource.fields.values()) {
    const word = stated(unique);
    if (word) alike.push({ fields: [of], caseless: word === 'caseless' });
    if (word === 'ever') ever.push(of);
  }
  for (const { fields, caseless } of stated(resource.unique) ?? [])
    alike.push({ fields: fields.map(({ text }) => text), caseless });
  const isIdentifier = ({ fields, caseless }: Alike): boolean =>
    !caseless && fields.length === keyFields.length && fields.every((one, index) => one === keyFields[index]);
  const searched = alike.filter((one) => !isIdentifier(one));
  const findByKey: Unique['find'] = (reads, members) => {
    const key = keyFields.map((one) => ownMember(members, one));
    return isKey(key) ? reads.find(name, key) : null;
  };
  const identifier: Unique = {
    fields: keyFields,
    isCaseless: false,
    subjects: subjects(keyFields),
    find: findByKey,
    taken: findByKey,
  };
  const uniques = searched.map(({ fields, caseless }): Unique => {
    const kept = rowOf({ name, keyFields });
    const rows = compileAsk(
      query(kept, {
        where: and(
          ...fields.map((of, index) => {
            const kind = kindNamed(of);
            const [left, right] = [field(kept, of, kind), parameter(index, kind)];
            return caseless ? matchesCaseless(left, right) : compare('matches', left, right);
          }),
        ),
        limit: one,
      }),
    );
    const [only] = fields;
    const isEver = fields.length === 1 && ever.includes(only as string);
    const find: Unique['find'] = (reads, members) => {
      const values = fields.map((of) => ownMember(members, of));
      return values.includes(null) ? null : (rows(reads, values)[0] ?? null);
    };
    const taken: Unique['taken'] = (reads, members) => {
      const value = ownMember(members, only as string);
      return find(reads, members) ?? (value === null ? null : formerly(reads, `${name}.${only}`, value));
    };
    const wasTaken: Unique['wasTaken'] = (reads, members) => {
      const value = ownMember(members, only as string);
      if (value === null || find(reads, members) !== null) return false;
      const by = formerly(reads, `${name}.${only}`, value);
      return by !== null && reads.find(name, by.key) === null;
    };
    const ofEver = isEver ? { taken, wasTaken } : { taken: find };
    return { fields, isCaseless: caseless, subjects: subjects(fields), find, ...ofEver };
  });
  function kindNamed(of: string): ValueKind {
    const found = resource.fields.get(of);
    return found ? kindOf(found) : 'unknown';
  }
  return {
    uniques: keyFields.length === 0 ? [] : [identifier, ...uniques],
    indexes: searched.map(({ fields, caseless }) => ({
      fields: fields.map((of) => ({ path: [of], caseless, type: kindNamed(of) })),
      unique: true,
    })),
    claim: (tx, members) => {
      for (const of of ever)
        claim(
          tx,
          `${name}.${of}`,
          ownMember(members, of),
          keyFields.map((one) => ownMember(members, one)) as Key,
        );
    },
  };
}

/** By what a creation meets an item that is there: by the identifier that the request gives, or else by all (language §H.2). */
export function uniquesMet(
  { keyFields, uniques }: Pick<KeptResource, 'keyFields' | 'uniques'>,
  isGiven: boolean,
): readonly Unique[] {
  return isGiven ? uniques.filter(({ fields }) => fields.every((one) => keyFields.includes(one))) : uniques;
}

function isKey(key: readonly unknown[]): key is Key {
  return key.every((one) => typeof one === 'string' || typeof one === 'number');
}

function claim(tx: Transaction, of: string, value: unknown, key: Key): void {
  const row = claimOf(of, value, key);
  if (row && tx.find(takenTable.name, row.key) === null) tx.insert(takenTable.name, row);
}

/** The row of `takenTable` by which a value of a field is had by an item; null has nobody. */
export function claimOf(of: string, value: unknown, by: Key): Row | null {
  return value === null ? null : { key: [of, JSON.stringify(value)], text: JSON.stringify({ by }) };
}

/** Who had the value, as a row of which only the key is known: that item may have it again. */
function formerly(reads: Reads, of: string, value: unknown): Row | null {
  const found = reads.find(takenTable.name, [of, JSON.stringify(value)]);
  return found && { key: (JSON.parse(found.text) as { readonly by: Key }).by, text: '{}' };
}
