import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Delivery, Held } from '../../specification/vocabulary/delivery.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import { outsideBut } from './outside.ts';

/** What is the operator's to say of deliveries, by their names. */
export interface Operators {
  /** Where events go. */
  readonly addresses: Readonly<Record<string, string>>;
  /** What signs them. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Addresses of the operator's own network that events may be sent to. */
  readonly allowPrivate: readonly string[];
}

/** The ways by which events leave, by name. */
export function deliveriesIn({ delivery }: Events): readonly (readonly [string, Delivery])[] {
  return [...(stated(delivery) ?? [])].flatMap(([name, said]) => {
    const one = stated(said);
    return one ? [[name, one] as const] : [];
  });
}

/** What the operator leaves unsaid, or says for nothing, and what to do about it; null: nothing. */
export function operatorsProblem({ events }: Specification, said: Operators): string | null {
  const part = stated(events);
  const ways = part ? deliveriesIn(part) : [];
  const wanted = ways.flatMap(([name, one]) =>
    one.kind === 'broker' || (one.kind === 'webhook' && isOperators(one.webhook)) ? [name] : [],
  );
  const signed = ways.flatMap(([name, one]) =>
    one.kind === 'webhook' && isOperators(one.secret) ? [name] : [],
  );
  const { addresses, secrets, allowPrivate } = said;
  const lacking = wanted.find((name) => addresses[name] === undefined);
  if (lacking !== undefined)
    return `where ${lacking} delivers to is the operator's to say: --deliver ${lacking}=${formOf(ways, lacking)}`;
  const unsigned = signed.find((name) => secrets[name] === undefined);
  if (unsigned !== undefined)
    return `what signs the deliveries of ${unsigned} is the operator's to say: set TACET_SECRET_${unsigned} in the environment`;
  const idle = Object.keys(addresses).find((name) => !wanted.includes(name));
  if (idle !== undefined)
    return `${idle} is no delivery that waits for an address; leave --deliver ${idle} out`;
  const odd = Object.entries(addresses).find(([name, address]) => !isAddress(formOf(ways, name), address));
  if (odd !== undefined) return `${odd[1]} is no address to deliver to; ${formOf(ways, odd[0])} is wanted`;
  try {
    outsideBut(allowPrivate);
    return null;
  } catch (error) {
    return `${(error as Error).message}; see --allow-private`;
  }
}

function isOperators(said: Said<Held>): boolean {
  return stated(said)?.kind === 'operator';
}

/** What an address of a delivery looks like. */
function formOf(ways: readonly (readonly [string, Delivery])[], name: string): string {
  const isBroker = ways.some(([one, { kind }]) => one === name && kind === 'broker');
  return isBroker ? 'nats://HOST' : 'https://HOST/PATH';
}

function isAddress(form: string, address: string): boolean {
  const protocols = form.startsWith('nats:') ? ['nats:', 'tls:'] : ['https:', 'http:'];
  return URL.canParse(address) && protocols.includes(new URL(address).protocol);
}
