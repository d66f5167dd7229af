import { once } from '../source/once.ts';
import { at } from '../source/text.ts';
import type { Steps } from '../source/turns.ts';
import type { Specification } from '../specification/model/specification.ts';
import { holds } from '../specification/openness/holds.ts';
import { sometimesHeld } from '../specification/openness/sometimes-held.ts';
import { isUnder, type Part, parts } from '../specification/reading/address.ts';
import { upwards } from '../specification/reading/completeness.ts';
import { type Step, steps } from './steps.ts';

/** What is stated, assumed and open, and what that holds up: the form of `schemas/status.schema.json`. */
export interface Status {
  /** The nine, in their order; or those that were asked for. */
  readonly parts: readonly PartStatus[];
  readonly operations: readonly OperationStatus[];
  /** What to answer first, so that operations run. */
  readonly steps: readonly Step[];
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

export interface OperationStatus {
  readonly name: string;
  /** `runs`: it can be carried out; `waits`: for open points; `not run`: for what this version does not run. */
  readonly state: 'runs' | 'waits' | 'not run';
  /** The open points that it waits for. */
  readonly waitsFor: readonly string[];
}

/** {@link status} in steps. */
export function* statusInSteps(specification: Specification): Steps<Status> {
  for (const operation of specification.operations) {
    holds(specification, operation);
    sometimesHeld(operation, specification);
    yield;
  }
  return status(specification);
}

/** Reports every point of a specification, part by part, and what waits for the open ones. */
export const status = once((specification: Specification): Status => {
  const { held, operations } = collect(specification);
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
    if (!specification.points.has(address))
      note(address, notRun.length > 0 ? 'stated' : 'open', where, questionAt(specification, address));
  return {
    parts: parts.map((part) => {
      const points = found.get(part) ?? [];
      const open = points.filter((point) => point.state === 'open').length;
      const state = open === points.length ? 'open' : open === 0 ? 'stated' : 'partly';
      return { part, state, points };
    }),
    operations,
    steps: steps(operations.filter((one) => one.state === 'waits')),
  };
});

/**
 * What is asked about a point: there, or at the place above it that the document leaves open whole, such as
 * `response: (open) 200 or 204?`. Null where nobody asks.
 */
export function questionAt({ points }: Specification, address: string): string | null {
  for (const one of upwards(address)) {
    const point = points.get(one);
    if (point) return point.state === 'open' ? point.question : null;
  }
  return null;
}

interface HeldUp {
  readonly where: string;
  readonly open: string[];
  readonly sometimes: string[];
  readonly notRun: string[];
}

/** For each point the operations that it holds up, and for each operation the points. */
function collect(specification: Specification): {
  readonly held: ReadonlyMap<string, HeldUp>;
  readonly operations: readonly OperationStatus[];
} {
  const held = new Map<string, HeldUp>();
  const operations = specification.operations.map((operation): OperationStatus => {
    const of = (address: string, where: string): HeldUp => {
      const entry = held.get(address) ?? { where, open: [], sometimes: [], notRun: [] };
      held.set(address, entry);
      return entry;
    };
    const found = holds(specification, operation);
    for (const hold of found) {
      const { open, notRun } = of(hold.address, at(hold.at));
      (hold.why === 'open' ? open : notRun).push(operation.name);
    }
    for (const hold of sometimesHeld(operation, specification))
      of(hold.address, at(hold.at)).sometimes.push(operation.name);
    const waitsFor = found.filter((hold) => hold.why === 'open').map((hold) => hold.address);
    const state = found.length === 0 ? 'runs' : waitsFor.length < found.length ? 'not run' : 'waits';
    return { name: operation.name, state, waitsFor };
  });
  return { held, operations };
}

/** The same report, of one part alone: its points, and the steps that answer one of them. */
export function ofPart(report: Status, part: Part): Status {
  return {
    parts: report.parts.filter((one) => one.part === part),
    operations: report.operations,
    steps: report.steps.filter(({ answer }) => answer.some((address) => isUnder(address, part))),
  };
}

export interface Tally {
  readonly stated: number;
  readonly assumed: number;
  readonly open: number;
}

/** How many points are in which state. */
export function tally(points: readonly PointStatus[]): Tally {
  const of = (state: PointStatus['state']): number => points.filter((point) => point.state === state).length;
  return { stated: of('stated'), assumed: of('assumed'), open: of('open') };
}

/** Of each point that is not simply stated, or holds something up: its state, and what waits for it. By address. */
export function notStated(
  specification: Specification,
): ReadonlyMap<string, Pick<PointStatus, 'state' | 'holds' | 'holdsSometimes' | 'question'>> {
  const all = status(specification).parts.flatMap(({ points }) => points);
  return new Map(
    all
      .filter(({ state, holds }) => state !== 'stated' || holds.length > 0)
      .map(({ address, state, holds, holdsSometimes, question }) => [
        address,
        {
          state,
          holds,
          ...(holdsSometimes && { holdsSometimes }),
          ...(question !== undefined && { question }),
        },
      ]),
  );
}

/** The names of the operations that can be carried out, also but for some requests. */
export function running({ operations }: Status): readonly string[] {
  return operations.flatMap(({ name, state }) => (state === 'runs' ? [name] : []));
}

/** What the report comes to, in one line. */
export function summary({ operations }: Status): string {
  if (operations.length === 0) return 'no operation is stated';
  const of = (state: OperationStatus['state']): number =>
    operations.filter((one) => one.state === state).length;
  const waiting = operations.filter((one) => one.state === 'waits');
  const answers = new Set(waiting.flatMap((one) => one.waitsFor)).size;
  const both = operations.filter((one) => one.state === 'not run' && one.waitsFor.length > 0).length;
  return [
    `${of('runs')} of ${counted(operations.length, 'operation')} can be carried out`,
    ...(answers > 0 ? [`answering ${counted(answers, 'point')} lets ${waiting.length} more run`] : []),
    ...(of('not run') > 0
      ? [
          `${of('not run')} wait for what this version does not run yet${both > 0 ? `, ${both} of them for answers too` : ''}`,
        ]
      : []),
  ].join('; ');
}

export function counted(of: number, one: string, many = `${one}s`): string {
  return `${of} ${of === 1 ? one : many}`;
}
