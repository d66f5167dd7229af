import { invariantsBroken } from '../change/held.ts';
import { quotasExceeded } from '../change/quota.ts';
import type { Refusal } from '../change/refusal.ts';
import type { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';

/** Invariants and quotas, at the end of a transaction (condition 14 of language §H.4). */
export function judgedLate(before: World, moment: Moment): readonly Refusal[] {
  const broken = invariantsBroken(before, moment);
  const exceeded = quotasExceeded(before, moment);
  return [...broken, ...exceeded];
}
