import { at } from '../source/text.ts';
import { isUnder, type Part, parts } from '../specification/address.ts';
import { holds, sometimesHeld } from '../specification/holds.ts';
import type { Specification } from '../specification/specification.ts';

/** What is stated, assumed and open, and what that holds up: the form of `schemas/status.schema.json`. */
export interface Status {
  readonly parts: readonly PartStatus[];
}

export interface PartStatus {
  readonly part: Part;
  /** `open`: nothing is stated; `stated`: nothing is open. */
  readonly state: 'open' | 'partly' | 'stated';
  readonly points: readonly PointStatus[];
}

export interface PointStatus {
  readonly address: string;
  readonly state: 'open' | 'assumed' | 'stated';
  /** `file:line:column` of where it is stated, or could be. */
  readonly at: string;
  /** The operations that cannot be carried out while the point is open. */
  readonly holds: readonly string[];
  /** The operations that are carried out but for those requests that touch the point. */
  readonly holdsSometimes?: readonly string[];
  /** The operations in which the point is stated, and not run by this version. */
  readonly notRun?: readonly string[];
  /** What is asked, where somebody asks. */
  readonly question?: string;
}

/** Reports every point of a specification, part by part. */
export function status(specification: Specification): Status {
  const held = collect(specification);
  const found = new Map<Part, PointStatus[]>(parts.map((part) => [part, []]));
  const note = (
    address: string,
    state: PointStatus['state'],
    where: string,
    question: string | null,
  ): void => {
    const part = parts.find((one) => isUnder(address, one));
    if (part === undefined) return;
    const { open = [], sometimes = [], notRun = [] } = held.get(address) ?? {};
    found.get(part)?.push({
      address,
      state,
      at: where,
      holds: open,
      ...(sometimes.length > 0 && { holdsSometimes: sometimes }),
      ...(notRun.length > 0 && { notRun }),
      ...(question !== null && { question }),
    });
  };
  for (const point of specification.points.values())
    note(point.address, point.state, at(point.at), point.question);
  for (const [address, { where, notRun }] of held)
    if (!specification.points.has(address)) note(address, notRun.length > 0 ? 'stated' : 'open', where, null);
  return {
    parts: parts.map((part) => {
      const points = found.get(part) ?? [];
      const open = points.filter((point) => point.state === 'open').length;
      const state = open === points.length ? 'open' : open === 0 ? 'stated' : 'partly';
      return { part, state, points };
    }),
  };
}

interface HeldUp {
  readonly where: string;
  readonly open: string[];
  readonly sometimes: string[];
  readonly notRun: string[];
}

/** For each point, the operations that it holds up. */
function collect(specification: Specification): ReadonlyMap<string, HeldUp> {
  const found = new Map<string, HeldUp>();
  for (const operation of specification.operations) {
    const of = (address: string, where: string): HeldUp => {
      const entry = found.get(address) ?? { where, open: [], sometimes: [], notRun: [] };
      found.set(address, entry);
      return entry;
    };
    for (const hold of holds(specification, operation)) {
      const { open, notRun } = of(hold.address, at(hold.at));
      (hold.why === 'open' ? open : notRun).push(operation.name);
    }
    for (const hold of sometimesHeld(operation, specification))
      of(hold.address, at(hold.at)).sometimes.push(operation.name);
  }
  return found;
}

/** The open points that hold up most, first: answering these lets most operations run. */
export function mostBlocking(of: Status): readonly PointStatus[] {
  const points = of.parts.flatMap((part) => part.points).filter((point) => point.state === 'open');
  return points.filter((point) => point.holds.length > 0).sort((a, b) => b.holds.length - a.holds.length);
}
