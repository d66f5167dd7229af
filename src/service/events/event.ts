import type { Frame } from '../../expression/compile.ts';
import type { RowItem } from '../resource/kept.ts';
import { memberText } from '../resource/text.ts';
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
  readonly versions?: Readonly<Record<string, string | null>> | undefined;
  /** What was worked out for the ways that it leaves by, by their names. */
  readonly ways?: Readonly<Record<string, unknown>> | undefined;
}

/** The members of a row whose event is kept as the CloudEvent that it is sent in: the rest stands there. */
interface KeptAsSent extends Pick<Event, 'by' | 'item' | 'versions' | 'ways'> {
  readonly content: {
    readonly source: string | null;
    readonly type: string;
    readonly subject?: string;
    readonly time: string;
  };
}

/**
 * How an event is kept. `isCloudEvent`: its content says all that there is to say but by whom, of what, and what is
 * told to whom, and stands in the row as it is.
 */
export function rowOf(event: Event, isCloudEvent: boolean): Row {
  const { id, by, item, content, subject, versions, ways } = event;
  // A CloudEvent has no subject that is empty.
  if (!isCloudEvent || content === null || subject === '')
    return { key: [id], text: JSON.stringify({ ...event, id: undefined }) };
  const more = versions || ways ? `${JSON.stringify({ versions, ways }).slice(1, -1)},` : '';
  const text = `{"by":${JSON.stringify(by)},"item":${JSON.stringify(item)},${more}"content":${content}}`;
  return { key: [id], text };
}

export function eventOf({ key, text }: Row): Event {
  const id = String(key[0]);
  const members = JSON.parse(text) as Omit<Event, 'id'> | KeptAsSent;
  if (typeof members.content === 'string' || members.content === null)
    return { id, ...(members as Omit<Event, 'id'>) };
  const { content: told, item, ...others } = members as KeptAsSent;
  const content = memberText(text, 'content') as string;
  const { type: kind, time: at, source, subject = null } = told;
  const body = memberText(content, 'data') ?? null;
  return { id, kind, at, source, subject, body, item, content, ...others };
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
