import type { Frame } from '../../expression/compile.ts';
import type { RowItem } from '../resource/kept.ts';
import type { Row, Table } from '../store/store.ts';

/** Events, in the order in which they were committed: the order of the rows. */
export const eventTable: Table = { name: 'event', keyFields: ['id'] };

/** What is kept of an event. */
export interface Event {
  readonly id: string;
  readonly kind: string;
  /** The operation or transition that emitted it. */
  readonly by: string;
  /** RFC 3339, as `now` is. */
  readonly at: string;
  readonly source: string | null;
  readonly subject: string | null;
  /** JSON text; null: it has none. */
  readonly body: string | null;
  /** The resource of what changed, and its key; null: it was no item. */
  readonly item: readonly [resource: string, ...key: (string | number)[]] | null;
  /** In its envelope, as it is sent; null: it is not to be delivered. */
  readonly content: string | null;
  /** What older versions are sent in its place, where that is another; null: nothing. */
  readonly versions?: Readonly<Record<string, string | null>>;
  /** What was worked out for the ways that it leaves by, by their names. */
  readonly ways?: Readonly<Record<string, unknown>>;
}

export function rowOf({ id, ...members }: Event): Row {
  return { key: [id], text: JSON.stringify(members) };
}

export function eventOf({ key, text }: Row): Event {
  return { id: String(key[0]), ...(JSON.parse(text) as Omit<Event, 'id'>) };
}

/** What expressions find as `event` (language §6.2). What is not there reads as null, and is left out of payloads. */
export function eventNames(event: Omit<Event, 'content' | 'item'>, item: RowItem | null): Frame['names'] {
  const { id, kind, by, at, source, subject, body } = event;
  return {
    id,
    kind,
    by,
    at,
    ...(source !== null && { source }),
    ...(subject !== null && { subject }),
    ...(body !== null && { body: JSON.parse(body) as unknown }),
    item,
  };
}
