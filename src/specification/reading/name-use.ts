import type { Span } from '../../source/text.ts';

/**
 * What authors give names to. An `entry` is a resource, a shape or a view; a `rule` is the sentence of what `holds` of
 * a field, as an `invariant` is that of what holds of a resource.
 */
export const nameKinds = [
  'entry',
  'field',
  'state',
  'transition',
  'operation',
  'actor',
  'scheme',
  'event',
  'code',
  'rate',
  'quota',
  'version',
  'let',
  'parameter',
  'invariant',
  'rule',
] as const;

export type NameKind = (typeof nameKinds)[number];

/** A place at which something is called by its name. */
export interface NameUse {
  readonly kind: NameKind;
  /** With what it belongs to: `Parcel.weight`, `Parcel.status.moving`, `Parcel.cancel`, `listParcels query.limit`; else the name alone. */
  readonly name: string;
  /** The place of the name, or of what it is part of. */
  readonly at: Span;
}
