import { Refused } from '../load/refused.ts';
import { type Offer, offers } from '../report/offers.ts';
import { type PointStatus, status } from '../report/status.ts';
import { lineText, position } from '../source/text.ts';
import type { Specification } from '../specification/model/specification.ts';
import { isUnder, type Part, parts } from '../specification/reading/address.ts';
import { type Context, type Given, textOf } from './context.ts';

/** A point, with what it takes to answer it. */
export interface PointDetail extends PointStatus {
  readonly file: string;
  readonly line: number;
  /** What stands there in the document: its line, and some more. */
  readonly excerpt: string;
  readonly offers: readonly Offer[];
}

/** So many points are shown of a list, and so many lines of a statement. */
const mostPoints = 300;
const mostLines = 12;

/** The points at and under an address, in their order; of these, those of a state if one is named. */
export interface PointList {
  readonly address: string;
  readonly points: readonly PointDetail[];
  /** How many there are in all. */
  readonly count: number;
}

/** Tells of the points at and under an address, such as a part; of all, where it is empty. */
export function pointsAt(given: Given, { desk }: Context): PointList {
  const address = textOf(given, 'address');
  const { specification } = desk.read();
  const among = parts.filter((one) => address === '' || isUnder(address, one));
  if (among.length === 0) throw new Refused(`${address} is no address`);
  const { state } = given;
  const found = among
    .flatMap((part) => pointsOf(specification, part))
    .filter((point) => address === '' || isUnder(point.address, address))
    .filter((point) => typeof state !== 'string' || point.state === state);
  return {
    address,
    points: found.slice(0, mostPoints).map((point) => detailOf(specification, point)),
    count: found.length,
  };
}

const known = new WeakMap<Specification, ReadonlyMap<Part, readonly PointStatus[]>>();

function pointsOf(specification: Specification, part: Part): readonly PointStatus[] {
  const all =
    known.get(specification) ?? new Map(status(specification).parts.map((one) => [one.part, one.points]));
  known.set(specification, all);
  return all.get(part) ?? [];
}

function detailOf(specification: Specification, point: PointStatus): PointDetail {
  const place = /^(.*):(\d+):\d+$/.exec(point.at);
  return {
    ...point,
    file: place?.[1] ?? '',
    line: Number(place?.[2] ?? 0),
    excerpt: excerptOf(specification, point.address),
    offers: point.state === 'open' ? offers(specification, point.address) : [],
  };
}

/** The lines in which a statement stands. */
function excerptOf({ points }: Specification, address: string): string {
  const span = points.get(address)?.at;
  if (span === undefined || span.end === 0) return '';
  const first = position(span.text, span.start).line;
  const last = position(span.text, Math.max(span.start, span.end - 1)).line;
  const lines = Array.from({ length: Math.min(mostLines, last - first + 1) }, (_, index) =>
    lineText(span.text, first + index),
  );
  return lines.join('\n').trimEnd();
}
