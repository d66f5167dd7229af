import { once } from '../../source/once.ts';
import { stated } from '../reading/said.ts';
import type { Specification } from './specification.ts';

/** A transition that is asked for once all attempts to reach an address have failed (language §6.3, rule 20). */
export interface Exhausted {
  /** The resource whose items hold the addresses. */
  readonly resource: string;
  /** The field that holds the address. */
  readonly field: string;
  readonly transition: string;
}

/** The transitions that deliveries to the addresses of items ask for once all attempts have failed. */
export const exhaustedIn = once(({ events }: Specification): readonly Exhausted[] =>
  [...(stated(stated(events)?.delivery)?.values() ?? [])].flatMap((said) => {
    const delivery = stated(said);
    if (delivery?.kind !== 'webhook') return [];
    const [exhausted, to] = [stated(delivery.exhausted), stated(delivery.webhook)];
    const [resource, transition] = exhausted?.text.split('.') ?? [];
    if (resource === undefined || transition === undefined || to?.kind !== 'field') return [];
    return [{ resource, field: to.field, transition }];
  }),
);
