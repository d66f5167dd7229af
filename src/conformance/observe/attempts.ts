import { envelopeOf } from '../../semantics/event/envelope.ts';
import { isRefused, pausesOf } from '../../semantics/event/receivers.ts';
import { idOf } from '../../semantics/judge/event.ts';
import type { EventFinding } from '../../semantics/judge/events.ts';
import { seen } from '../../semantics/value/value.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Webhook } from '../../specification/vocabulary/delivery.ts';
import { fieldIn } from '../events/told.ts';
import type { Observed } from './observer.ts';
import type { WebhookObserver } from './webhook.ts';

/** The attempts to deliver an event: what came at one address under one id, by when it came. */
export interface Attempts {
  readonly delivery: Webhook;
  readonly id: string;
  readonly url: string;
  readonly came: readonly Observed[];
}

/** The attempts to reach addresses that were each given once, as far as they show an id. */
export function attemptsAt(observer: WebhookObserver, { events }: Specification): readonly Attempts[] {
  const part = stated(events);
  const delivery = stated(stated(part?.delivery)?.get(observer.way));
  if (delivery?.kind !== 'webhook') return [];
  const shown = { envelope: envelopeOf(part?.envelope) };
  const groups = Map.groupBy(observer.came(), (each) => `${each.url} ${idOf(shown, each)}`);
  return [...groups.values()].flatMap((came) => {
    const [first] = came as [Observed];
    const [url, id] = [first.url, idOf(shown, first)];
    return url === null || id === null || observer.isRepeated(url) ? [] : [{ delivery, id, url, came }];
  });
}

/** An attempt comes so much before its time at the most, as a share of the pause, or so many milliseconds. */
const early = { share: 0.1, ms: 1000 } as const;

/** An attempt that comes later than this does not come, in milliseconds. */
const lateMs = 5000;

/**
 * Holds the attempts to deliver an event against `retries` and `success` (language §6.4, rule 27). What is refused is sent
 * again after each pause, and what is accepted is not.
 *
 * @param nowMs until when nothing more came, in milliseconds since 1970
 * @returns null: nothing can be said as yet
 */
export function judgedAttempts(attempts: Attempts, world: World, nowMs: number): EventFinding | null {
  const { delivery, id, url, came } = attempts;
  const latest = came.at(-1) as Observed;
  const gaps = gapsOf(came);
  const found = `${came.length} attempts, after ${written(gaps)}`;
  const made = (by: string, expected?: string): EventFinding => ({
    ...{ expected: null, came: latest, id, by: [by], determined: 1, undetermined: 0 },
    differences: expected === undefined ? [] : [{ at: 'event.attempts', expected, found, by }],
  });
  const pauses = pausesOf(delivery);
  if (!isRefused(url, delivery)) {
    // Once, an event may come twice; but not as often as if it were refused (language §6.3, `order`).
    const isAgain = came.length > Math.max(1, pauses?.length ?? 1) && delivery.success.kind === 'stated';
    return isAgain ? made(delivery.success.address, 'no further attempts after a success') : null;
  }
  if (pauses === undefined || !isHeld(url, delivery, world)) return null;
  const isEarly = gaps.some((ms, place) => {
    const pause = pauses[place];
    return pause === undefined || ms < pause - Math.max(early.ms, pause * early.share);
  });
  const next = pauses[gaps.length];
  const isMissing = next !== undefined && nowMs - latest.atMs > next + lateMs;
  if (isEarly || isMissing)
    return made(delivery.retries.address, `${pauses.length + 1} attempts, after ${written(pauses)}`);
  if (isStale(attempts)) return made(delivery.sign.address, 'a signature with the time of the attempt');
  return next === undefined && gaps.length > 0 ? made(delivery.retries.address) : null;
}

/** Whether a further attempt is signed with the time of an earlier one (language §6.3, rule 16; Standard Webhooks 1.0). */
function isStale({ delivery, came }: Attempts): boolean {
  if (stated(delivery.sign)?.kind !== 'standard-webhooks') return false;
  const [first, ...others] = came.map(({ atMs, told: { headers } }) => ({
    atMs,
    signedMs: 1000 * Number(fieldIn(headers, 'webhook-timestamp')),
  }));
  return others.some(
    ({ atMs, signedMs }) => first !== undefined && signedMs - first.signedMs < (atMs - first.atMs) / 2 - 1000,
  );
}

/** When the last attempt was made, in milliseconds since 1970; null: no more will come. */
export function attemptsEnd({ delivery, url, came }: Attempts, world: World): number | null {
  if (!isRefused(url, delivery) || !isHeld(url, delivery, world)) return null;
  const left = (pausesOf(delivery) ?? []).slice(came.length - 1);
  const sum = left.reduce((all, ms) => all + ms, 0);
  return left.length === 0 ? null : (came.at(-1) as Observed).atMs + sum + lateMs + 1;
}

/** Whether an item still holds an address, and held no other one: else attempts go elsewhere (language §6.3, rule 22). */
function isHeld(url: string, { webhook }: Webhook, world: World): boolean {
  const to = stated(webhook);
  if (to?.kind !== 'field') return false;
  const addressOf = ({ members }: Stored): unknown => seen(members.get(to.field) ?? null);
  const holder = world.items(to.resource).find((item) => addressOf(item) === url);
  const earlier = world.earlier(to.resource).filter(({ handle }) => handle === holder?.handle);
  return holder !== undefined && earlier.every((item) => addressOf(item) === url);
}

function gapsOf(came: readonly Observed[]): number[] {
  return came.slice(1).map(({ atMs }, place) => atMs - (came[place]?.atMs ?? 0));
}

function written(pauses: readonly number[]): string {
  return pauses.length === 0 ? 'no pause' : pauses.map((ms) => `${Math.round(ms / 100) / 10} s`).join(', ');
}
