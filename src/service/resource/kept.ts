import type { Frame, Item, Run } from '../../expression/compile.ts';
import type { Syntax } from '../../expression/expression.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Checked } from '../message/refusal.ts';
import type { OthersRule } from '../shape/schema.ts';
import type { Told } from '../store/rows.ts';
import type { KeptText, Key, Reads, Row, Table, Transaction } from '../store/store.ts';
import type { KeepingBytes } from './bytes.ts';

/** The members of an item as they are kept: a reference as its key, a secret in the form that is kept of it. */
export type Members = Record<string, unknown>;

/** A resource, compiled: how items are made, kept, read and shown (language §2). */
export interface KeptResource {
  readonly name: string;
  readonly resource: Resource;
  /** The names of the identifier's fields; none while the identifier is open, and so nothing is kept. */
  readonly keyFields: readonly string[];
  /** Where its items are kept. */
  readonly table: Table;
  /** All kept members of an item, its identifier's too. */
  readonly members: (row: Row) => Members;
  readonly row: (members: Members) => Row;
  readonly item: (row: Row, frame: () => Frame) => RowItem;
  /** The row with what is told besides. */
  readonly told: (row: Row, besides: Told) => Row;
  /** A new item; `frame` names what `set` may read but for `this`. */
  readonly create: (brought: Brought, frame: Frame) => Made;
  /** The item that a new one would meet, by what the request gives of it; null: there is none, or it cannot be told. */
  readonly meets: (reads: Reads, brought: Brought, frame: Frame) => Row | null;
  /** What an item becomes; `frame` names what `set` may read but for `this` and `old`. */
  /** @param isAnyway it is a change to leave every value as it was (language §H.2, `same`) */
  readonly change: (before: Members, brought: Brought, frame: Frame, isAnyway?: boolean) => Changed;
  /** What no two items have alike, its identifier first. */
  readonly uniques: readonly Unique[];
  /** A frame in which `unique()` makes a text that no other item has in a field. */
  readonly uniquely: (frame: Frame, field: string, own: AtHand) => Frame;
  /** Notes the values of an item that is written which nobody is to have again (language §2.2, `unique: ever`). */
  readonly claim: (tx: Transaction, members: Members) => void;
  /** The fields that refer to its items, of whatever resource. */
  readonly referrers: readonly Referrer[];
  /** Keeps the content of its fields that are bytes; null: none is. */
  readonly bytes: KeepingBytes | null;
  /** Whether any of its fields is a secret. */
  readonly hasSecrets: boolean;
  /** The item as JSON text: what `R(x)` shows. */
  readonly write: (item: Item, frame: Frame) => string;
}

/** The item at hand: what it has besides, and its key, null while it is being made. */
export interface AtHand {
  readonly member: (name: string) => unknown;
  readonly key: Key | null;
}

/** What a change sets. */
export interface Brought {
  /** What the client gave: bound by `writable`, and taken in as `taken` says (language §2). */
  readonly given: Members;
  /** Whether it was held against another shape as it was read than that of the fields. */
  readonly isShapedApart?: true;
  /** What `with`, a machine or a transition sets, as it stands; an item stands for its key. */
  readonly set?: Members;
  /** Of what is set, what the service made up: a secret among it is told in the answer of this operation. */
  readonly made?: readonly string[];
  /** The fields that go, as of a merge patch (RFC 7396). */
  readonly gone?: readonly string[];
  /** The fields that return to their defaults, or go, as of `replace`. */
  readonly reset?: readonly string[];
  /** What becomes of a member that may not be written, as of one that nobody stated. */
  readonly others?: OthersRule;
  /** Why nothing is brought: a patch that cannot be applied to the item, or another identifier. */
  readonly wrong?: Checked;
}

/** A new item, and what is wrong with it; or the field of its identifier to which nobody gave a value. */
export type Made =
  | {
      readonly members: Members;
      readonly checked: Checked | null;
      /** Whether its identifier was made for it, so that no other item can have it. */
      readonly isFresh: boolean;
      /** Whether the request gives its identifier. */
      readonly isGiven: boolean;
    }
  | { readonly missing: Field };

export interface Changed {
  readonly members: Members;
  /** Whether anything that was brought differs from what was there; where not, nothing is set either. */
  readonly changed: boolean;
  readonly checked: Checked | null;
  /** Why what is set at any change cannot be worked out: that counts where nothing else stands against it (language §H.4). */
  readonly fault: { readonly error: unknown } | null;
}

/** Fields of which no two items have the same values (language §2, `identifier`, `unique`). */
export interface Unique {
  readonly fields: readonly string[];
  /** Whether texts are the same whatever the case of their letters. */
  readonly isCaseless: boolean;
  /** By what a row of part 7 may list it: `Account.email` for `not unique Account.email`. */
  readonly subjects: readonly string[];
  /** The kept item that has the values of these members; null where there is none, or one of them is null. */
  readonly find: (reads: Reads, members: Members) => Row | null;
  /** The same or, of a value that is not to be had again, whose it was: a row of which only the key is known. */
  readonly taken: (reads: Reads, members: Members) => Row | null;
  /** Whether only a deleted item had the value; undefined: such a value may be had again. */
  readonly wasTaken?: (reads: Reads, members: Members) => boolean;
}

/** A field that refers to items of a resource (language §2, `refers`). */
export interface Referrer {
  /** The resource that has the field. */
  readonly resource: string;
  readonly field: Field;
  readonly ifDeleted: 'refuse' | 'delete' | 'clear' | 'keep' | null;
  /** The items that refer to this one. */
  readonly rows: (reads: Reads, row: Row) => readonly Row[];
}

/** An item of a resource (language §G.3). */
export interface KeptItem extends Item {
  /** Null where it is a reference to nothing. */
  readonly row: Row | null;
  /** The field that it is referred to by; null for an identifier of several. */
  readonly by: string | null;
  /** What it is written as in a payload, and kept as: a list where it is known by several fields. */
  readonly key: unknown;
  /** Secrets as the service made them, by field, in the operation that made them. */
  readonly clear: Members | undefined;
  readonly same: (other: Item) => boolean;
  readonly toJSON: () => unknown;
}

/** An item that stands for a kept row. */
export interface RowItem extends KeptItem {
  readonly row: Row;
}

/** How a store can write an item itself: members as they are kept, and then others. */
export interface Together {
  readonly kept: KeptText;
  /** Where no member of the key is shown, the first of them is there always. */
  readonly others: readonly TogetherMember[];
}

export interface TogetherMember {
  readonly name: string;
  readonly value: TogetherValue;
}

export type TogetherValue =
  /** A text that is made of others. */
  | { readonly joined: readonly TogetherPart[] }
  /** What is worked out by a store with the item, by its expression. */
  | { readonly told: Syntax }
  /** The item that a field refers to, by the resource or view that shows it; `isMember`: only where the field is there. */
  | { readonly field: string; readonly shownBy: string; readonly isMember: boolean };

/** A text itself, a value of the key by its place in it, or what is the same for all items and known before they are. */
export type TogetherPart = string | { readonly key: number } | { readonly given: Run };
