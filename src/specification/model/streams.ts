import { stated } from '../reading/said.ts';
import type { Events } from '../vocabulary/parts/events.ts';

/** The endpoints by which events go out, each as `METHOD /path` (language §6.3). */
export function streamsIn(events: Events): ReadonlySet<string> {
  const ways = [...(stated(events.delivery)?.values() ?? [])].map(stated);
  return new Set(ways.flatMap((way) => (way?.kind === 'stream' ? [stated(way.stream)?.text ?? ''] : [])));
}
