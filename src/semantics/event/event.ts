import type { Address } from '../../specification/reading/address.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import { areAlike, type Pairs } from '../value/alike.ts';
import type { absent } from '../value/evaluate.ts';
import type { Truth } from '../value/truth.ts';
import { type Item, type Made, type Range, Unknown, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';

/** What a transaction tells of its events. */
export interface About {
  /** The world before the transaction. */
  readonly before: World;
  readonly events: Events;
  /** The world after it, as the newest version has it. */
  readonly moment: Moment;
  /** The world after it, in which values are made. */
  readonly world: World;
}

/** An event that a change emits (language §6.1). */
export interface EmittedEvent {
  readonly kind: string;
  /** The operation, or the transition as `R.name`. */
  readonly by: string;
  /** The statement of the kind. */
  readonly address: Address;
  /** Whether it is emitted at all: true, or unknown. */
  readonly isEmitted: Truth;
  readonly id: Made;
  /** The item that changed, as the event shows it; null: it was no item. */
  readonly item: Item | null;
  /** Null: it has none. */
  readonly subject: Value;
  /** `absent`: it has none. */
  readonly body: Value | typeof absent;
  /** What templates of its ways read as `event`. */
  readonly names: { readonly [name: string]: Value };
  /** In the order of the document, and of the items that hold addresses. */
  readonly deliveries: readonly EventDelivery[];
  /** When it was emitted, in milliseconds since 1970 by the tester's clock. */
  readonly at: Range;
  /** Whether a timer emits it. Otherwise a request does. */
  readonly isTimed: boolean;
}

/** That an event leaves by a way of delivery (language §6.3). */
export interface EventDelivery {
  /** The name of the way. */
  readonly way: string;
  /** The statement of the way. */
  readonly address: Address;
  /** True, or unknown. */
  readonly isSent: Truth;
  /** The item that holds the address of a webhook; null: it goes to nobody's address. */
  readonly to: Item | null;
  /** The field of the item that holds the address, and the address; empty and null: it goes to no item. */
  readonly field: string;
  readonly url: Value;
  /** The pauses before further attempts, in milliseconds, if the tester receives it; null: that is not known. */
  readonly pauses: readonly number[] | null;
  /** In its envelope; `absent`: nothing. */
  readonly content: Value | typeof absent;
  /** Whether the content is a CloudEvent, the body alone, or another envelope. */
  readonly envelope: 'cloudevents' | 'body' | 'template';
  /** The media type that is stated, or that follows from the envelope; null: none is. */
  readonly media: string | null;
  /** Header fields of a webhook, by name in lower case. */
  readonly headers: Readonly<Record<string, Value>>;
  /** The subject at a broker; null elsewhere. */
  readonly subject: Value;
}

/** The events of one request, in the order in which they are emitted; unknown: it is not known what it emits. */
export type Emission = readonly EmittedEvent[] | Unknown;

/** The events of several requests, one after the other. */
export function allOf(emissions: readonly Emission[]): Emission {
  return emissions.some(isUnknown)
    ? unknown(emissions.filter(isUnknown))
    : (emissions as readonly (readonly EmittedEvent[])[]).flat();
}

/** The events of several ways that lead to the same world: one that not all of them emit may be emitted, or not. */
export function oneOf(ways: readonly Emission[]): Emission {
  const [first, ...others] = ways.filter((way): way is readonly EmittedEvent[] => !isUnknown(way));
  if (first === undefined || ways.some(isUnknown)) return unknown(ways.filter(isUnknown));
  return others.reduce<readonly EmittedEvent[]>((all, way) => {
    const isIn = (list: readonly EmittedEvent[], event: EmittedEvent): boolean =>
      list.some((other) => isAlike(event, other));
    const known = all.map((event) => (isIn(way, event) ? event : maybe(event)));
    return [...known, ...way.filter((event) => !isIn(all, event)).map(maybe)];
  }, first);
}

/** An event that may be emitted, or not. */
function maybe(event: EmittedEvent): EmittedEvent {
  const deliveries = event.deliveries.map((delivery) => ({ ...delivery, isSent: unknown([]) }));
  return { ...event, isEmitted: unknown([]), deliveries };
}

/**
 * The events of two ways that lead to different worlds: one that is not in both, or tells something else there, may be emitted, or
 * not.
 *
 * @param pairs of values that the two worlds made apart from one another
 */
export function eitherOf(one: Emission, other: Emission, pairs: Pairs): Emission {
  if (isUnknown(one) || isUnknown(other)) return anyOf([one, other]);
  const left = new Set(other);
  const both = one.map((event) => {
    const beside = [...left].find((each) => isAlike(event, each) && areAlike(event.names, each.names, pairs));
    if (beside === undefined) return maybe(event);
    left.delete(beside);
    return { ...event, deliveries: eitherWay(event.deliveries, beside.deliveries) };
  });
  return [...both, ...[...left].map(maybe)];
}

/** A delivery that is not the same in both cases may be made, or not. */
function eitherWay(some: readonly EventDelivery[], others: readonly EventDelivery[]): EventDelivery[] {
  const keyOf = ({ way, to }: EventDelivery): string => `${way} ${to?.resource} ${to?.handle}`;
  const [known, beside] = [some, others].map((all) => new Map(all.map((each) => [keyOf(each), each])));
  return [...new Map([...(beside ?? []), ...(known ?? [])])].map(([key, delivery]) => {
    const isSure = known?.get(key)?.isSent === true && beside?.get(key)?.isSent === true;
    return isSure ? delivery : { ...delivery, isSent: unknown([]) };
  });
}

/** The events of several ways that lead to different worlds: unknown, if any of them emits some. */
export function anyOf(ways: readonly Emission[]): Emission {
  const isNone = ways.length > 0 && ways.every((way) => !isUnknown(way) && way.length === 0);
  return isNone ? [] : unknown(ways.filter(isUnknown));
}

function isAlike(one: EmittedEvent, other: EmittedEvent): boolean {
  return one.kind === other.kind && one.by === other.by && one.item?.handle === other.item?.handle;
}

function isUnknown(way: Emission): way is Unknown {
  return way instanceof Unknown;
}
