import { stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import { compileEmitting, type Emitting } from '../events/emitting.ts';
import { eventTable } from '../events/event.ts';
import type { Writers } from '../render.ts';
import type { Table } from '../store/store.ts';

/** Part 6 (language §6), compiled: what a change tells others, and what that is kept in. */
export interface CompiledEvents {
  readonly emitting: Emitting;
  readonly tables: readonly Table[];
}

/** Null where nothing is emitted, as while part 6 is open. */
export function compileEvents({ events }: Specification, writers: Writers): CompiledEvents | null {
  const part = stated(events);
  const emits = [...((part && stated(part.kinds)) ?? [])].some(([, kind]) => stated(stated(kind)?.by));
  if (part === undefined || !emits) return null;
  return { emitting: compileEmitting(part, writers, () => {}), tables: [eventTable] };
}
