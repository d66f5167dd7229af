import { stated } from '../reading/said.ts';
import type { Specification } from './specification.ts';

/** Whether a transition is asked for once the attempts to reach an item's address are used up (language §6.3). */
export function isAskedWhenExhausted(of: Specification, resource: string, transition: string): boolean {
  return exhaustedIn(of).includes(`${resource}.${transition}`);
}

/** The transitions that are asked for so, as `R.name`. */
export function exhaustedIn(of: Specification): readonly string[] {
  return [...(stated(stated(of.events)?.delivery)?.values() ?? [])].flatMap((said) => {
    const delivery = stated(said);
    const exhausted = delivery?.kind === 'webhook' ? stated(delivery.exhausted) : undefined;
    return exhausted ? [exhausted.text] : [];
  });
}
