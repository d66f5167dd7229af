import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import { absent } from '../value/evaluate.ts';
import { NotComputable, Unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import { bodyOf } from './body.ts';
import type { About, EmittedEvent, EventDelivery } from './event.ts';

/** An event in its envelope (language §6.2); undefined: it cannot be computed, so that nothing is delivered. */
export function contentOf(
  event: Omit<EmittedEvent, 'deliveries'>,
  { envelope, source }: Events,
  { world, names }: Moment,
): EventDelivery['content'] | undefined {
  if (envelope.kind === 'none') return event.body;
  const said = stated(envelope);
  if (said === undefined) return new Unknown(new Set([envelope.address]), true);
  if (said.kind === 'cloudevents') {
    // Without a source, it is stored and not delivered.
    if (source.kind !== 'stated') return new Unknown(new Set([source.address]), true);
    return cloudEvent(event);
  }
  const { template } = said;
  try {
    return new Moment(world, { service: names['service'] ?? null, event: event.names }).value(template);
  } catch (error) {
    if (error instanceof NotComputable) return undefined;
    throw error;
  }
}

/**
 * The same as a version has it (language §6.3, rule 19), under the same id and at the same time; undefined: nothing is sent of
 * it, since the version has no such kind, or it cannot be computed.
 *
 * @param specification what the version states
 */
export function contentIn(
  specification: Specification,
  event: Omit<EmittedEvent, 'deliveries'>,
  { world, moment: { names } }: About,
): EventDelivery['content'] | undefined {
  const events = stated(specification.events);
  const kind = stated(stated(events?.kinds ?? undefined)?.get(event.kind));
  if (!events || !kind) return undefined;
  const moment = new Moment(world.in(specification), names);
  const body = bodyOf(kind, moment);
  if (body === undefined) return undefined;
  const { body: _, ...others } = event.names;
  return contentOf(
    { ...event, body, names: { ...others, ...(body !== absent && { body }) } },
    events,
    moment,
  );
}

/** CloudEvents 1.0.2 in structured JSON (rule 7). */
function cloudEvent({ names, subject, body }: Omit<EmittedEvent, 'deliveries'>): Value {
  const { id = null, kind = null, at = null, source = null } = names;
  return {
    specversion: '1.0',
    id,
    source,
    type: kind,
    ...(subject !== null && { subject }),
    time: at,
    // The attribute describes `data`. Further attributes may stand in a CloudEvent, so without data nothing is said of it.
    ...(body !== absent && { datacontenttype: 'application/json', data: body as Value }),
  };
}

/** What an envelope is, by name. One that is open is like a template. */
export function envelopeOf(envelope: Events['envelope'] | undefined): EventDelivery['envelope'] {
  if (envelope?.kind === 'none') return 'body';
  return stated(envelope)?.kind === 'cloudevents' ? 'cloudevents' : 'template';
}
