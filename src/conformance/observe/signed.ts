import type { EmittedEvent } from '../../semantics/event/event.ts';
import { type Expected, together } from '../../semantics/judge/event.ts';
import type { EventFinding } from '../../semantics/judge/events.ts';
import type { Judgement } from '../../semantics/judge/judgement.ts';
import { payload } from '../../semantics/value/payload.ts';
import { isList, seen, type Value } from '../../semantics/value/value.ts';
import { Moment } from '../../semantics/world/moment.ts';
import type { World } from '../../semantics/world/world.ts';
import { signingKeysIn } from '../../specification/model/signing-keys.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Webhook } from '../../specification/vocabulary/delivery.ts';
import type { Listening } from '../events/listening.ts';
import { type SignedMessage, signatureFault } from '../events/signature.ts';
import type { Observed } from './observer.ts';

/**
 * What events come to, with the signatures of webhooks (language §6.3, rules 15 to 18).
 *
 * @param isOfOne whether at the most one item ever held an address: else it is not known whose key signs
 * @param sinceMs when an event was emitted, in milliseconds since 1970. Time may be let pass while it is under way
 */
export async function signed(
  specification: Specification,
  findings: readonly EventFinding[],
  world: World,
  secrets: Listening['secrets'],
  isOfOne: (url: string) => boolean,
  sinceMs: (event: EmittedEvent) => number,
): Promise<readonly EventFinding[]> {
  const ways = stated(stated(specification.events)?.delivery);
  const { Webhook: Maker } = await import('standardwebhooks');
  return findings.map((finding) => {
    const { expected, came, id } = finding;
    const delivery = came && stated(ways?.get(came.way));
    if (!expected || !came || delivery?.kind !== 'webhook' || stated(delivery.sign) === undefined)
      return finding;
    if (came.url !== null && !isOfOne(came.url)) return finding;
    const keys = keysOf(delivery, expected, world, secrets?.[came.way]);
    // If the key is null, the message is not signed.
    if (keys?.length === 0) return finding;
    const message = keys && messageOf(expected, came as Observed, id, keys, world);
    const fault =
      message && signatureFault(delivery.sign, { ...message, sinceMs: sinceMs(expected.event) }, Maker);
    return { ...finding, ...together([finding, signatureOf(delivery, fault)]) };
  });
}

/** @param fault what is wrong with it; null: nothing. Undefined: it is not known */
function signatureOf({ sign: { address: by } }: Webhook, fault: string | null | undefined): Judgement {
  if (fault === undefined) return { by: [], differences: [], determined: 0, undetermined: 1 };
  const difference = {
    at: 'event.signature',
    expected: 'a signature that can be verified',
    found: fault,
    by,
  };
  return {
    by: [by],
    differences: fault === null ? [] : [{ ...difference, found: fault }],
    determined: 1,
    undetermined: 0,
  };
}

/** What signs the messages to an item; undefined: it is not known. Several keys stand in a list, or with spaces between them. */
function keysOf(
  webhook: Webhook,
  { delivery: { to } }: Expected,
  world: World,
  operators: string | undefined,
): readonly string[] | undefined {
  const held = stated(webhook.secret);
  if (held === undefined) return undefined;
  const keysIn = (text: string): readonly string[] => signingKeysIn(text, webhook);
  if (held.kind === 'operator') return operators === undefined ? undefined : keysIn(operators);
  const value = seen((to && world.stored(to)?.members.get(held.field)) ?? null);
  const all = (isList(value) ? value : value === null ? [] : [value]).map(seen);
  return all.every((key) => typeof key === 'string')
    ? all.flatMap((key) => keysIn(key as string))
    : undefined;
}

function messageOf(
  { event }: Expected,
  { told, atMs }: Observed,
  id: string | null,
  keys: readonly string[],
  world: World,
): Omit<SignedMessage, 'sinceMs'> {
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
