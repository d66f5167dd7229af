import { stated } from '../../specification/reading/said.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
import type { Row } from '../store/store.ts';
import { httpUrl, type IsOutside, isInside } from './outside.ts';

/** Why an item gives an address to which no webhook is sent (language §6.3): for the log. Null: it gives none. */
export type Barred = (kept: KeptResource, before: Row | null, members: Members) => string | null;

export function compileBarred(events: Events, isOutside: IsOutside): Barred {
  const addresses = addressFields(events);
  return (kept, before, members) => {
    for (const field of addresses.get(kept.name) ?? []) {
      const given = members[field];
      if (before && kept.members(before)[field] === given) continue;
      const why = problemOf(given, isOutside);
      if (why !== null) return `${kept.name}.${field}: ${why}`;
    }
    return null;
  };
}

function problemOf(given: unknown, isOutside: IsOutside): string | null {
  if (typeof given !== 'string') return null;
  if (httpUrl(given) === null) return 'an address of http or https is wanted';
  return isInside(given, isOutside)
    ? "it is of the operator's own network, and --allow-private does not name it"
    : null;
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
