import type { Json } from '../../source/node.ts';
import type { EmittedEvent, EventDelivery } from '../event/event.ts';
import { absent } from '../value/evaluate.ts';
import { isObject, type Value } from '../value/value.ts';
import type { Judgement } from './judgement.ts';
import { Judging } from './judging.ts';

/** An event as it came by a way of delivery (language §6.3). */
export interface ObservedEvent {
  /** The name of the way. */
  readonly way: string;
  /** The address at which it came; null: its way has none. */
  readonly url: string | null;
  /** What the way itself tells of the event; null: nothing. */
  readonly id: string | null;
  readonly kind: string | null;
  readonly content: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The subject at a broker; null elsewhere. */
  readonly subject: string | null;
  /** The pauses between attempts, in milliseconds. Default: nobody counts them here */
  readonly pauses?: readonly number[] | null;
}

/** An event that is expected by a way. */
export interface Expected {
  readonly event: EmittedEvent;
  readonly delivery: EventDelivery;
}

/** What one event comes to. */
export interface JudgedEvent extends Judgement {
  /** Its id, as the way, a header field or the envelope shows it; null: nothing does. */
  readonly id: string | null;
}

/** Holds one event against one that is expected: its kind, header fields, subject, envelope and body (language §6.2, §6.3). */
export function judgedEvent(expected: Expected, came: ObservedEvent): JudgedEvent {
  const { event, delivery } = expected;
  const ofKind = new Judging(event.address, false);
  const ofWay = new Judging(delivery.address, false);
  const ofEnvelope = new Judging('events', false);
  const kind = kindOf(delivery, came);
  if (kind !== null) ofKind.place(kind === event.kind, 'kind', event.kind, kind);
  if (came.id !== null) ofEnvelope.value(event.id, came.id, 'id');
  if (delivery.media !== null && 'content-type' in came.headers) {
    const found = came.headers['content-type'];
    ofWay.place(bare(found) === bare(delivery.media), 'media', delivery.media, found);
  }
  for (const [name, value] of Object.entries(delivery.headers))
    ofWay.header(value, came.headers[name], `headers.${name}`);
  if (delivery.pauses && came.pauses)
    ofWay.place(String(delivery.pauses) === String(came.pauses), 'attempts', 'pauses', came.pauses);
  if (came.subject !== null) ofWay.value(delivery.subject, came.subject, 'broker');
  judgeContent(expected, came, ofKind, ofEnvelope);
  const all = [ofKind, ofWay, ofEnvelope];
  const [id = null] = all.flatMap((judging) => judging.shown(event.id) ?? []);
  return { ...together(all.map((judging) => judging.judgement())), id: id === null ? null : String(id) };
}

function judgeContent(
  { delivery }: Expected,
  came: ObservedEvent,
  ofKind: Judging,
  ofEnvelope: Judging,
): void {
  const { content, envelope } = delivery;
  const found = jsonIn(came.content);
  if (content === absent) ofKind.place(came.content === '', 'body', 'no content', came.content);
  else if (envelope === 'body') ofKind.value(content as Value, found, 'body');
  else if (envelope === 'template' || !isObject(content as Value))
    ofEnvelope.value(content as Value, found, 'envelope');
  else {
    const { data, ...attributes } = content as { readonly [name: string]: Value };
    const { data: body, ...others } = membersOf(found) ?? {};
    // A CloudEvent may have further attributes (CloudEvents 1.0.2 §3.1).
    const own = Object.fromEntries(
      Object.entries(others).filter(([name]) => Object.hasOwn(attributes, name)),
    );
    ofEnvelope.value(attributes, membersOf(found) ? own : found, 'envelope');
    if (data === undefined) ofKind.place(body === undefined, 'body', 'no data', body);
    else ofKind.value(data, body, 'body');
  }
}

/** The kind that an event says it is of; null: it does not say. */
export function kindOf({ envelope }: Pick<EventDelivery, 'envelope'>, came: ObservedEvent): string | null {
  return came.kind ?? (envelope === 'cloudevents' ? textIn(came.content, 'type') : null);
}

/** The id of an event, whatever it is; null: neither its way nor a CloudEvent shows it. */
export function idOf({ envelope }: Pick<EventDelivery, 'envelope'>, came: ObservedEvent): string | null {
  return came.id ?? (envelope === 'cloudevents' ? textIn(came.content, 'id') : null);
}

/** Judgements as one. */
export function together(all: readonly Judgement[]): Judgement {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  return {
    by: [...new Set(all.flatMap(({ by }) => by))],
    differences: all.flatMap(({ differences }) => differences),
    determined: sum(all.map(({ determined }) => determined)),
    undetermined: sum(all.map(({ undetermined }) => undetermined)),
  };
}

/** A member of JSON content that is a text; null: there is none. */
function textIn(content: string, name: string): string | null {
  const member = membersOf(jsonIn(content))?.[name];
  return typeof member === 'string' ? member : null;
}

function membersOf(json: Json | undefined): { readonly [name: string]: Json } | undefined {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as { readonly [name: string]: Json })
    : undefined;
}

/** Undefined: it is not JSON. */
function jsonIn(content: string): Json | undefined {
  try {
    return JSON.parse(content) as Json;
  } catch {
    return undefined;
  }
}

/** A media type without its parameters. */
function bare(media: string | undefined): string | undefined {
  return media?.split(';')[0]?.trim().toLowerCase();
}
