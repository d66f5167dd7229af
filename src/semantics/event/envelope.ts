import { stated } from '../../specification/reading/said.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import { absent } from '../value/evaluate.ts';
import { NotComputable, Unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { EmittedEvent, EventDelivery } from './event.ts';

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
