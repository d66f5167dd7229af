import { inSaid, readsActor } from '../../specification/model/workings.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Kind } from '../../specification/vocabulary/parts/events.ts';
import { absent } from '../value/evaluate.ts';
import { NotComputable, Unknown, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';

/** The body of an event (language §6.2); undefined: it cannot be computed. */
export function bodyOf({ body }: Kind, moment: Moment): Value | typeof absent | undefined {
  if (body.kind === 'none') return absent;
  const template = read(body, moment.world);
  if (template === undefined) return new Unknown(new Set([body.address]), true);
  if (template instanceof Unknown) return unknown([template], true);
  return computed<Value | undefined>(() => moment.value(template), undefined);
}

/** A template that is stated. While part 5 is open, it is unknown what reads `actor` (language §6.1, rule 6). */
export function read(
  said: Said<PlacedTemplate>,
  { specification }: World,
): PlacedTemplate | Unknown | undefined {
  const { authentication } = specification;
  const isOpen = authentication.kind === 'open' && inSaid(said).some(readsActor);
  return isOpen ? new Unknown(new Set([authentication.address])) : stated(said);
}

export function computed<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotComputable) return otherwise;
    throw error;
  }
}
