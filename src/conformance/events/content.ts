import type { Delivery } from '../../specification/delivery.ts';
import type { Events, Kind } from '../../specification/parts/events.ts';
import { type Said, stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import { newestOf } from '../spoken.ts';

/**
 * What part 6 says of the events that come by a way, in the version that is sent by it (language §6.3, `version`). Where
 * that cannot be told, no body is held against anything.
 */
export function eventsAs(of: Specification, events: Events, delivery: Delivery): Events {
  const said = delivery.kind === 'stream' ? undefined : delivery.version;
  if (said === undefined || said.kind === 'open' || said.kind === 'none') return events;
  const template = stated(said)?.template;
  const name = template?.kind === 'literal' ? String(template.value) : undefined;
  if (name !== undefined && name === newestOf(of)) return events;
  const older = name === undefined ? undefined : of.older.get(name)?.specification.events;
  return (older && stated(older)) ?? withoutBodies(events);
}

function withoutBodies(events: Events): Events {
  const { kinds } = events;
  if (kinds.kind !== 'stated') return events;
  const value = [...kinds.value].map(([name, said]): [string, Said<Kind>] => {
    if (said.kind !== 'stated') return [name, said];
    const body = { ...said.value.body, kind: 'any' } as Said<never>;
    return [name, { ...said, value: { ...said.value, body } }];
  });
  return { ...events, kinds: { ...kinds, value: new Map(value) } };
}
