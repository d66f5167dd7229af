import type { Specification } from '../specification/model/specification.ts';
import { steps } from '../specification/reading/address.ts';
import { type Offer, offers } from './offers.ts';
import { byPlace } from './questions.ts';
import { type PointStatus, status } from './status.ts';

/** What is told of an open point to whoever may answer it. */
export type AskedPoint = Pick<PointStatus, 'address' | 'at' | 'holds' | 'holdsSometimes' | 'question'>;

/** An open point that may be answered, and what the field usually states there. */
export interface Queued {
  readonly point: AskedPoint;
  /** The addresses that one answer is for: the document asks about them at one place. */
  readonly addresses: readonly string[];
  readonly offers: readonly Offer[];
}

/**
 * The open points to answer: first, step by step, those that operations wait for; then those that some
 * requests wait for; then those that the document asks about; then those for which there is an offer. A rest (`.*`) cannot be assumed (language §A.6).
 */
export function queue(specification: Specification): Queued[] {
  const report = status(specification);
  const open = report.parts
    .flatMap((part) => part.points)
    .filter((point) => point.state === 'open' && !point.address.endsWith('.*'));
  const first = report.steps.flatMap((step) => step.answer);
  const rank = ({ address, holds, holdsSometimes = [], question }: PointStatus): number => {
    const step = first.indexOf(address);
    if (step >= 0) return step;
    const reasons = [holds.length > 0, holdsSometimes.length > 0, question !== undefined, true];
    return first.length + reasons.indexOf(true);
  };
  return byPlace(open)
    .map((group) => {
      const point = group.find(({ holds }) => holds.length > 0) ?? (group[0] as PointStatus);
      const alike = group.filter(({ address }) => lastOf(address) === lastOf(point.address));
      return {
        point: { ...point, ...heldBy(alike) },
        addresses: alike.map(({ address }) => address),
        offers: offers(specification, point.address),
        rank: rank(point),
      };
    })
    .filter(({ offers: found, rank: place }) => place < first.length + 3 || found.length > 0)
    .sort((one, other) => one.rank - other.rank);
}

/** `response: (open) …?` leaves `response` open, and `response.status`: one answer is for what is called alike. */
function lastOf(address: string): string | number | undefined {
  return steps(address)?.at(-1);
}

function heldBy(points: readonly PointStatus[]): Pick<PointStatus, 'holds' | 'holdsSometimes'> {
  const sometimes = new Set(points.flatMap(({ holdsSometimes = [] }) => holdsSometimes));
  return {
    holds: [...new Set(points.flatMap(({ holds }) => holds))],
    ...(sometimes.size > 0 && { holdsSometimes: [...sometimes] }),
  };
}
