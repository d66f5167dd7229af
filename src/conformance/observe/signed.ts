import type { Expected } from '../../semantics/judge/event.ts';
import type { EventsJudgement } from '../../semantics/judge/events.ts';
import type { Difference, Judgement } from '../../semantics/judge/judgement.ts';
import { payload } from '../../semantics/value/payload.ts';
import { isList, seen, type Value } from '../../semantics/value/value.ts';
import { Moment } from '../../semantics/world/moment.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import type { Listening } from '../events/listening.ts';
import { type SignedMessage, signatureFault } from '../events/signature.ts';
import type { Observed } from './observer.ts';

type Webhook = Extract<Delivery, { readonly kind: 'webhook' }>;

/** The judgement with that of the signatures of webhooks (language §6.3, rules 15 to 18). */
export async function signaturesOf(
  specification: Specification,
  judgement: EventsJudgement,
  world: World,
  { secrets }: Pick<Listening, 'secrets'>,
): Promise<Judgement> {
  const ways = stated(stated(specification.events)?.delivery);
  const { Webhook: Maker } = await import('standardwebhooks');
  const by: string[] = [];
  const differences: Difference[] = [];
  let [determined, undetermined] = [0, 0];
  for (const { expected, came, id } of judgement.pairs) {
    const delivery = stated(ways?.get(came.way));
    if (delivery?.kind !== 'webhook' || stated(delivery.sign) === undefined) continue;
    const keys = keysOf(delivery, expected, world, secrets?.[came.way]);
    // If the key is null, the message is not signed.
    if (keys?.length === 0) continue;
    const fault =
      keys && signatureFault(delivery.sign, messageOf(expected, came as Observed, id, keys, world), Maker);
    if (fault === undefined) undetermined += 1;
    else {
      const { address } = delivery.sign;
      determined += 1;
      by.push(address);
      if (fault !== null)
        differences.push({
          at: 'event.signature',
          expected: 'a signature that can be verified',
          found: fault,
          by: address,
        });
    }
  }
  return {
    by: [...new Set([...judgement.by, ...by])],
    differences: [...judgement.differences, ...differences],
    determined: judgement.determined + determined,
    undetermined: judgement.undetermined + undetermined,
  };
}

/** What signs the messages to an item; undefined: it is not known. Several keys stand in a list, or with spaces between them. */
function keysOf(
  { secret }: Webhook,
  { delivery: { to } }: Expected,
  world: World,
  operators: string | undefined,
): readonly string[] | undefined {
  const held = stated(secret);
  if (held === undefined) return undefined;
  if (held.kind === 'operator') return operators?.split(' ').filter((key) => key !== '');
  const value = seen((to && world.stored(to)?.members.get(held.field)) ?? null);
  const all = (isList(value) ? value : value === null ? [] : [value]).map(seen);
  return all.every((key) => typeof key === 'string')
    ? all.flatMap((key) => (key as string).split(' ').filter(Boolean))
    : undefined;
}

function messageOf(
  { event }: Expected,
  { told, atMs }: Observed,
  id: string | null,
  keys: readonly string[],
  world: World,
): SignedMessage {
  const text: SignedMessage['text'] = (template, now, members) => {
    const about = {
      ...event.names,
      ...(id !== null && { id }),
      ...(members as { readonly [name: string]: Value }),
    };
    const value = payload(template, new Moment(world, { now, event: about }).scope());
    return typeof seen(value) === 'string' ? (seen(value) as string) : undefined;
  };
  return { ...told, keys, atMs, text };
}
