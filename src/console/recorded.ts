import { Refused } from '../load/refused.ts';
import { type Context, type Given, textOf } from './context.ts';
import { type Reason, reasonsOf } from './reasons.ts';
import type { Recorded } from './requests.ts';

/** The requests that the service answered, the latest first. */
export function recordedRequests(_given: unknown, { requests }: Context): readonly Recorded[] {
  return requests.all();
}

/** One of them, and why it was answered so. */
export function recordedRequest(
  given: Given,
  { requests, desk }: Context,
): { readonly recorded: Recorded; readonly reasons: readonly Reason[] } {
  const id = Number(textOf(given, 'id'));
  const recorded = requests.all().find((one) => one.id === id);
  if (recorded === undefined)
    throw new Refused(`request ${id} is not kept any more: the console keeps the latest 1000`);
  return { recorded, reasons: reasonsOf(desk.read().specification, recorded) };
}
