import {
  call,
  field,
  type Node,
  orderable,
  type Path,
  type Source,
  type ValueKind,
} from '../../expression/query.ts';
import type { KeptText } from './rows.ts';
import type { Rules } from './upgrade.ts';

/**
 * A table as a store sees it: a resource, or one of the service's own, whose name begins with a small letter.
 * A store knows nothing of the language.
 */
export interface Table {
  readonly name: string;
  /** The fields of its key, in order: for a resource those of its identifier. */
  readonly keyFields: readonly string[];
  /** Whether each row has bytes beside its members; such a row is added and removed, and never changed. Default: false. */
  readonly hasBytes?: boolean;
  /** Of what kind the values of each are. Default: texts. */
  readonly keyKinds?: readonly ValueKind[];
  /** What rows are searched by besides their key. Default: nothing. */
  readonly indexes?: readonly Index[];
  /** Members that queries read of many rows, so that a store may keep them besides in columns of their own. Default: none. */
  readonly columns?: readonly MemberColumn[];
  /** What of many rows is written as it is kept, so that a store may keep that besides as well. Default: nothing. */
  readonly texts?: readonly KeptText[];
  /** What is asked of rows that an earlier specification kept. Default: nothing. */
  readonly rules?: Rules;
}

/** A member of a row, by its name and the names of what is within it, as a query reads it. */
export interface MemberColumn {
  readonly path: Path;
  /** Of what kind its values are, as far as that is known; it is. */
  readonly type: Exclude<ValueKind, 'unknown'>;
}

/** Members by which rows are searched, in order; and of which, where it is unique, no two rows have the same. */
export interface Index {
  readonly fields: readonly IndexField[];
  /** Its first field is a list, by each of whose texts and numbers rows are searched. Default: false. */
  readonly each?: boolean;
  /** Rows are searched by how words begin that are in its fields: texts, and lists of texts (`matches`). Default: false. */
  readonly words?: boolean;
  /** Rows that lack one of the members, or have null there, are the same as none (SQL's NULL). */
  readonly unique: boolean;
}

/** A member of a row, which may be one of its key. */
export interface IndexField {
  /** The member's name, and the names of what is within it; a number is a place in a list. */
  readonly path: Path;
  /** Texts are the same whatever the case of their letters (Unicode simple case folding). */
  readonly caseless?: boolean;
  /** Texts are the instants that they name. */
  readonly time?: boolean;
  /** Of what kind its values are: as in the queries that it is to serve. Default: texts. */
  readonly type?: ValueKind;
}

/** What rows are searched by, as statements ask for it. */
export function searchedBy(of: Source, { path, caseless, time, type = 'text' }: IndexField): Node {
  const read = field(of, path, time ? 'time' : type);
  return caseless ? call('fold', read) : orderable(read);
}

/** The indexes of a table's own rows: not those of the elements of their lists, nor of their words. */
export function ownIndexes({ indexes = [] }: Table): readonly Index[] {
  return indexes.filter(({ each, words }) => !each && !words);
}
