import { markPattern } from '../source/clarification.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { at } from '../source/text.ts';
import { isUnder } from '../specification/reading/address.ts';
import type { PointStatus, Status } from './status.ts';

/** A question that a document asks, once, however many points it is asked of. */
export interface Question {
  readonly question: string;
  /** Where it stands, and the addresses that are asked about there. */
  readonly asked: readonly { readonly at: string; readonly addresses: readonly string[] }[];
  /** The operations that cannot be carried out before it is answered. */
  readonly holds: readonly string[];
  /** The operations of which some requests wait for the answer. */
  readonly holdsSometimes: readonly string[];
}

/** A question that stands in prose, or in a description: it is asked at no point, so no answer can be written for it. */
export interface ProseQuestion {
  readonly question: string;
  /** `file:line:column` of where it stands. */
  readonly at: string;
}

/** The questions in prose among what was found in a document, in the order of the text. */
export function inProse(diagnostics: readonly Diagnostic[]): ProseQuestion[] {
  return diagnostics
    .filter(({ code }) => code === 'question-in-prose')
    .map(({ span }) => {
      const [mark] = span.text.content.slice(span.start, span.end).matchAll(markPattern);
      return { question: (mark?.[1] ?? '').trim().replace(/\s+/g, ' '), at: at(span) };
    });
}

/** The questions of a report: first what holds up most operations, then what holds up some requests of most. */
export function questions({ parts }: Status): Question[] {
  const asked = parts.flatMap(({ points }) => points).filter((point) => point.question !== undefined);
  const found = [...Map.groupBy(asked, ({ question }) => question as string)].map(([question, points]) => {
    const holds = [...new Set(points.flatMap((point) => point.holds))];
    const sometimes = new Set(points.flatMap((point) => point.holdsSometimes ?? []));
    return {
      question,
      asked: byPlace(points).map((group) => ({ at: group[0]?.at ?? '', addresses: outermost(group) })),
      holds,
      holdsSometimes: [...sometimes].filter((name) => !holds.includes(name)),
    };
  });
  return found.sort(
    (one, other) =>
      other.holds.length - one.holds.length || other.holdsSometimes.length - one.holdsSometimes.length,
  );
}

/**
 * The points that one place of the document speaks of, together: a question, or a statement that is not run, at the
 * top of part 4 or in `every METHOD` is about many endpoints. All other points stand alone.
 */
export function byPlace(points: readonly PointStatus[]): PointStatus[][] {
  return [
    ...Map.groupBy(points, ({ address, at, question, notRun }) =>
      question !== undefined || notRun ? at : address,
    ).values(),
  ];
}

/** `response: (open) …?` asks about `response`, and so about the `response.status` that holds up. */
function outermost(points: readonly PointStatus[]): string[] {
  const all = points.map(({ address }) => address);
  return all.filter((address) => !all.some((other) => other !== address && isUnder(address, other)));
}
