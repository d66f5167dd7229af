import { stated } from '../reading/said.ts';
import type { Specification } from './specification.ts';

/** The transitions that are asked for once the attempts to reach an item's address are used up (language §6.3), as `R.name`. */
export function exhaustedIn(of: Specification): readonly string[] {
  return [...(stated(stated(of.events)?.delivery)?.values() ?? [])].flatMap((said) => {
    const delivery = stated(said);
    const exhausted = delivery?.kind === 'webhook' ? stated(delivery.exhausted) : undefined;
    return exhausted ? [exhausted.text] : [];
  });
}
