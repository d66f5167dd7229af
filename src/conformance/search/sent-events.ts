import type { Emission, EmittedEvent, EventDelivery } from '../../semantics/event/event.ts';
import type { ObservedEvent } from '../../semantics/judge/event.ts';
import { judgeEvents } from '../../semantics/judge/events.ts';
import { sentAs } from '../../semantics/judge/permitted.ts';
import { absent } from '../../semantics/value/evaluate.ts';
import { Item, isList, isObject, seen, Unknown, type Value } from '../../semantics/value/value.ts';
import type { World } from '../../semantics/world/world.ts';

/** The events that a right service sends, as they come. Null: something of them is unknown. */
export function sentEvents(emission: Emission): readonly ObservedEvent[] | null {
  if (emission instanceof Unknown) return null;
  const sent = emission.flatMap((event) => event.deliveries.map((delivery) => sentBy(event, delivery)));
  return sent.some((each) => each === null) ? null : (sent as ObservedEvent[]);
}

/** Whether a right service may send these events: nobody who observes all ways sees a difference. */
export function mayEmit(right: Emission, other: Emission, world: World): boolean {
  const observed = sentEvents(other);
  if (right instanceof Unknown || observed === null) return true;
  const about = { world, waitedMs: Number.POSITIVE_INFINITY, unknownBy: new Set<string>() };
  return judgeEvents(right, observed, about).differences.length === 0;
}

function sentBy(event: EmittedEvent, delivery: EventDelivery): ObservedEvent | null {
  const { way, content, media, headers, subject, isSent } = delivery;
  const body = content === absent ? null : (content as Value);
  if (isSent !== true || [body, subject, ...Object.values(headers)].some(isPartly)) return null;
  const fields = Object.entries(headers).filter(([, value]) => seen(value) !== null);
  const url = seen(delivery.url);
  return {
    way,
    url: typeof url === 'string' ? url : null,
    id: String(sentAs(event.id)),
    kind: event.kind,
    pauses: delivery.pauses,
    content: content === absent ? '' : JSON.stringify(sentAs(body)),
    headers: {
      ...(media !== null && { 'content-type': media }),
      ...Object.fromEntries(fields.map(([name, value]) => [name, String(sentAs(value))])),
    },
    subject: subject === null ? null : String(sentAs(subject)),
  };
}

/** Whether something of a value is unknown, at any depth. What the service makes is not. */
function isPartly(value: Value): boolean {
  const found = seen(value);
  if (found instanceof Unknown) return true;
  if (found instanceof Item) return isPartly(found.key);
  if (isList(found)) return found.some(isPartly);
  return isObject(found) && Object.values(found).some(isPartly);
}
