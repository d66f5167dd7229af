import type { Events } from '../../specification/parts/events.ts';
import { stated } from '../../specification/said.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
import type { Row } from '../store/store.ts';
import { type IsOutside, isInside } from './outside.ts';

/** Whether an item gives an address of the operator's own network, to which no webhook is sent. */
export type IsBarred = (kept: KeptResource, before: Row | null, members: Members) => boolean;

export function compileBarred(events: Events, isOutside: IsOutside): IsBarred {
  const addresses = addressFields(events);
  return (kept, before, members) =>
    (addresses.get(kept.name) ?? []).some(
      (field) =>
        isInside(members[field], isOutside) && !(before && kept.members(before)[field] === members[field]),
    );
}

/** The fields that hold the addresses of webhooks, by resource. */
function addressFields(events: Events): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const said of stated(events.delivery)?.values() ?? []) {
    const way = stated(said);
    const to = way?.kind === 'webhook' ? stated(way.webhook) : undefined;
    if (to?.kind === 'field') found.set(to.resource, [...(found.get(to.resource) ?? []), to.field]);
  }
  return found;
}
