import type { Members } from '../service/document.ts';

/** What the values of a field or a name are, as far as expressions need it. */
export type Kind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'time'
  | 'texts'
  | 'address'
  | { readonly item: string };

/** A field of a resource, as the other parts need it. */
export interface FieldDraft {
  readonly name: string;
  readonly kind: Kind;
  /** A client may give it. */
  readonly isGiven: boolean;
  /** Answers show it. */
  readonly isShown: boolean;
  /** Rows may be found by it: it is kept, or its derivation is storable. */
  readonly isStorable: boolean;
  /** It is there in every item, and not null. */
  readonly isSure: boolean;
  /** A field of `refers`, and `ifDeleted: clear`, may become null. */
  readonly statement: Members;
  readonly isUnique?: boolean;
  /** The values of a field of `enum`. */
  readonly values?: readonly string[];
}

export interface MachineDraft {
  readonly field: string;
  readonly states: readonly string[];
  /** The names of those that an operation may ask for. */
  readonly transitions: readonly string[];
}

export interface ResourceDraft {
  readonly name: string;
  /** The one field that is the identifier. */
  readonly identifier: string;
  readonly fields: FieldDraft[];
  machine?: MachineDraft;
  /** Names of views of it. */
  readonly views: string[];
}

/** What a document is to be about, before its parts are written. */
export interface World {
  readonly resources: ResourceDraft[];
  /** The resource of those who ask; null where part 5 has no accounts. */
  readonly account: ResourceDraft | null;
  /** The resource that keeps the addresses of webhooks. */
  readonly hook: ResourceDraft | null;
  readonly isAuthenticated: boolean;
}

/** What a name stands for within an expression. */
export interface Name {
  readonly path: string;
  readonly kind: Kind;
  readonly isSure: boolean;
  readonly isStorable: boolean;
  /** It reads the row, or it is worked out beforehand. */
  readonly isRow: boolean;
}

export function isItem(kind: Kind): kind is { readonly item: string } {
  return typeof kind === 'object';
}

export function sameKind(a: Kind, b: Kind): boolean {
  return isItem(a) && isItem(b) ? a.item === b.item : a === b;
}
