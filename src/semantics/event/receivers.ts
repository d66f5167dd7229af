import { stated } from '../../specification/reading/said.ts';
import type { Delivery, Webhook } from '../../specification/vocabulary/delivery.ts';
import { seen, type Value } from '../value/value.ts';
import type { World } from '../world/world.ts';

/** The status that a receiver of the tester's answers with, if its address says so. */
const answering = /\/answers-(\d{3})\//;

/** How an address goes on at which the tester answers with a status. Something follows that no other address has. */
export const answeringPath = (status: number): string => `/answers-${status}/`;

/** The status with which the tester answers what comes to an address; null: with one that the document states as success. */
export function statusAt(url: string): number | null {
  const [, status] = answering.exec(url) ?? [];
  return status === undefined ? null : Number(status);
}

/** Whether it is known that events that are sent to an address come to the tester. */
export function isReached(url: Value, world: World): boolean {
  const address = seen(url);
  return typeof address === 'string' && world.reached.some((each) => address.startsWith(each));
}

/**
 * Whether an attempt fails, as what the tester answers is not listed in `success` (language §6.3); nor does one succeed that
 * does not reach the tester.
 */
export function isRefused(url: Value, delivery: Delivery): boolean {
  const address = seen(url);
  if (typeof address !== 'string' || delivery.kind !== 'webhook') return false;
  const status = statusAt(address);
  return status !== null && !isSuccess(status, delivery);
}

/** Whether a status ends the attempts: one of those that are stated, or any 2xx. */
export function isSuccess(status: number, { success }: Webhook): boolean {
  return stated(success)?.includes(status) ?? (status >= 200 && status < 300);
}

/**
 * The pauses before further attempts to reach an address, in milliseconds: none after a success that is stated. Null: it is not
 * known what is answered, or not stated what follows.
 */
export function pausesAt(url: Value, delivery: Delivery, world: World): readonly number[] | null {
  if (!isReached(url, world) || delivery.kind !== 'webhook') return null;
  if (!isRefused(url, delivery)) return delivery.success.kind === 'stated' ? [] : null;
  return pausesOf(delivery) ?? null;
}

/** The pauses before further attempts, in milliseconds; undefined: how many there are is not stated. */
export function pausesOf({ retries }: Webhook): readonly number[] | undefined {
  return retries.kind === 'none' ? [] : stated(retries);
}
