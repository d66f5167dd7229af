import { Refused } from '../load/refused.ts';
import { type Context, type Given, textOf } from './context.ts';
import { type Reason, reasonsOf } from './reasons.ts';
import type { Recorded } from './requests.ts';
import { type Brought, broughtTo } from './resend.ts';
import { type Stage, stagesOf } from './stages.ts';

/** The requests that the service answered, the latest first. */
export function recordedRequests(_given: unknown, { requests }: Context): readonly Recorded[] {
  return requests.all();
}

/** A request, and why it was answered so. */
export interface RecordedDetail {
  readonly recorded: Recorded;
  readonly reasons: readonly Reason[];
  readonly stages: readonly Stage[];
  /** What it brought; null: that is not known. */
  readonly brought: Brought | null;
  /** Whether it can be sent again as it came. */
  readonly canResend: boolean;
}

/** Tells of one of them. */
export function recordedRequest(given: Given, context: Context): RecordedDetail {
  const { requests, desk } = context;
  const id = Number(textOf(given, 'id'));
  const recorded = requests.all().find((one) => one.id === id);
  if (recorded === undefined)
    throw new Refused(`request ${id} is not kept any more: the console keeps the latest 1000`);
  const { specification } = desk.read();
  const brought = broughtTo(context, recorded);
  return {
    recorded,
    reasons: reasonsOf(specification, recorded),
    stages: stagesOf(specification, recorded),
    brought,
    canResend: brought !== null && !brought.isLeft && !desk.isFixed,
  };
}
