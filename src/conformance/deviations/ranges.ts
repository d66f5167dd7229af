import { servesRanges } from '../../semantics/request/conditional/ranges.ts';
import type { Prediction, Request } from '../../semantics/request/prediction.ts';
import type { Step } from '../../semantics/request/request.ts';
import { absent } from '../../semantics/value/evaluate.ts';
import { Bytes, seen } from '../../semantics/value/value.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Implementation, isSuccess, type Kind, keyOf, operationOf, wrapping } from './deviation.ts';

/** How parts of an answer are sent otherwise, and what has to be stated for that. */
type Wrong = readonly [
  says: string,
  wrong: (right: Implementation) => Implementation,
  isMeant?: (operation: Operation) => boolean,
];

/** Ranges of bytes that are read, sent or refused otherwise (language §4.3; RFC 9110 §14). */
export const ranges: Kind = (said, specification) => {
  const operation = operationOf(said, specification);
  if (!operation || keyOf(said) !== 'ranges' || !servesRanges(operation)) return [];
  return [...read, ...ofIfRange, ...sent, ...refused].flatMap(([says, wrong, isMeant = () => true]) =>
    isMeant(operation) ? [wrapping(said, specification, says, wrong, operation.address)] : [],
  );
};

function hasTag({ endpoint }: Operation): boolean {
  return stated(stated(endpoint.conditional)?.etag) !== undefined;
}

/** Only a strong tag can hold. */
function hasStrongTag({ endpoint }: Operation): boolean {
  const etag = stated(stated(endpoint.conditional)?.etag);
  return etag !== undefined && etag !== 'weak';
}

function hasConditions({ endpoint }: Operation): boolean {
  const { ifMatch, ifNoneMatch } = stated(endpoint.conditional) ?? {};
  return [ifMatch, ifNoneMatch].some((said) => said !== undefined && stated(said) !== undefined);
}

/** Whether content may be empty: a template with other text in it never is. */
function mayBeEmpty({ response }: Operation): boolean {
  return (stated(response) ?? []).some(({ body }) => stated(body)?.template.kind === 'expression');
}

/** Past the end of what is sent. */
const pastEnd = 'bytes=999999999999-';

/** The range itself is read otherwise. */
const read: readonly Wrong[] = [
  ['a range is not looked at', asking(() => undefined)],
  ['the last byte that a range names is left out', asking(ofBounds((first, last) => [first, last - 1]))],
  ['bytes are counted from 1', asking(ofBounds((first, last) => [Math.max(0, first - 1), last - 1]))],
  ['a range without an end has one byte', asking((field) => field.replace(/^(bytes=(\d+)-)$/i, '$1$2'))],
  ['the last bytes are read as the first', asking((field) => field.replace(/^bytes=-(\d+)$/i, 'bytes=0-$1'))],
  ['of several ranges, the first is sent', asking((field) => field.split(',')[0])],
  ['another unit is read as bytes', asking((field) => field.replace(/^\w+=/, 'bytes='))],
];

const ofIfRange: readonly Wrong[] = [
  ['If-Range is not looked at', withIfRange(() => undefined)],
  [
    'a weak tag in If-Range holds',
    withIfRange((field) => (field.startsWith('W/') ? undefined : field)),
    hasTag,
  ],
  ['a time in If-Range holds', withIfRange((field) => (field.endsWith(' GMT') ? undefined : field))],
  ['If-Range always wants the whole', withIfRange(() => '"another"'), hasStrongTag],
  [
    'other conditions are not looked at beside a range',
    (right) => (world, request) => {
      const { 'if-match': _, 'if-none-match': __, ...headers } = request.headers;
      return right(world, hasRange(request) ? { ...request, headers } : request);
    },
    hasConditions,
  ],
];

/** A part is sent otherwise, or the whole. */
const sent: readonly Wrong[] = [
  ['a part has status 200', answering(206, (part) => ({ ...part, status: [200] }))],
  ['a part has no Content-Range', answering(206, (part) => withField(part, 'content-range', null))],
  [
    'Content-Range gives the size of the part as that of the whole',
    answering(206, (part) => withField(part, 'content-range', ofSize(part))),
  ],
  ['a part lacks its last byte', answering(206, (part) => ({ ...part, body: withoutLast(part.body) }))],
  ['a part has no tag', answering(206, (part) => withField(part, 'etag', null)), hasTag],
  ['the whole has no Accept-Ranges', answering(200, (whole) => withField(whole, 'accept-ranges', null))],
];

/** What is satisfiable is refused, and what is not is sent. */
const refused: readonly Wrong[] = [
  [
    'past the end, the whole is sent',
    past((right) => (world, request) => right(world, withRange(request, undefined))),
  ],
  [
    'past the end, 416 has no Content-Range',
    past(answering(null, (none) => withField(none, 'content-range', null))),
  ],
  ['a range that goes on past the end is refused', refusing((field, told) => endOf(field) > endOf(told))],
  ['more last bytes than there are are refused', refusing((field, told) => suffixOf(field) > sizeOf(told))],
  ['a range that is ignored is refused', refusing((_, told) => told === '')],
  ['a range of empty content is refused', refusingEmpty, mayBeEmpty],
];

function hasRange({ headers }: Request): boolean {
  return headers['range'] !== undefined;
}

function fieldOf({ headers }: Request, name: string): string | undefined {
  const field = headers[name] === undefined ? undefined : seen(headers[name]);
  return typeof field === 'string' ? field : undefined;
}

function withRange(request: Request, field: string | undefined, name = 'range'): Request {
  const { [name]: _, ...headers } = request.headers;
  return { ...request, headers: field === undefined ? headers : { ...headers, [name]: field } };
}

/** Another range is asked for; undefined: none. */
function asking(change: (field: string) => string | undefined): (right: Implementation) => Implementation {
  return (right) => (world, request) => {
    const field = fieldOf(request, 'range');
    return right(world, field === undefined ? request : withRange(request, change(field)));
  };
}

function ofBounds(
  change: (first: number, last: number) => readonly [number, number],
): (field: string) => string {
  return (field) =>
    field.replace(/^bytes=(\d+)-(\d+)$/i, (_, first: string, last: string) => {
      const [from, to] = change(Number(first), Number(last));
      return `bytes=${from}-${Math.max(from, to)}`;
    });
}

function withIfRange(
  change: (field: string) => string | undefined,
): (right: Implementation) => Implementation {
  return (right) => (world, request) => {
    const field = fieldOf(request, 'if-range');
    return right(world, field === undefined ? request : withRange(request, change(field), 'if-range'));
  };
}

/** Answers of a status are others; null: of any. */
function answering(
  status: number | null,
  change: (prediction: Prediction) => Prediction,
): (right: Implementation) => Implementation {
  return (right) => (world, request) =>
    right(world, request).map((step) =>
      status === null || hasStatus(step, status) ? { ...step, prediction: change(step.prediction) } : step,
    );
}

function hasStatus({ prediction: { status } }: Step, wanted: number): boolean {
  return Array.isArray(status) && status.length === 1 && status[0] === wanted;
}

function withField(prediction: Prediction, name: string, value: string | null): Prediction {
  return { ...prediction, headers: { ...prediction.headers, [name]: value } };
}

/** `Content-Range` of a part, as if the part were the whole. */
function ofSize({ headers, body }: Prediction): string {
  const size = body instanceof Bytes ? body.content.byteLength : 0;
  return toldIn(headers).replace(/\/\d+$/, `/${size}`);
}

function withoutLast(body: Prediction['body']): Prediction['body'] {
  return body instanceof Bytes ? new Bytes(body.content.subarray(0, -1)) : body;
}

/** Requests for a range past the end come to something else. */
function past(wrong: (right: Implementation) => Implementation): (right: Implementation) => Implementation {
  return (right) => (world, request) => {
    const steps = right(world, request);
    const isPast = steps.every(({ prediction }) => prediction.condition === 'range not satisfiable');
    return isPast ? wrong(right)(world, request) : steps;
  };
}

/**
 * Ranges are refused as those past the end are.
 *
 * @param isRefused by the field, and the `Content-Range` of the right answer; empty: it has none
 */
function refusing(
  isRefused: (field: string, told: string) => boolean,
): (right: Implementation) => Implementation {
  return (right) => (world, request) => {
    const steps = right(world, request);
    const field = fieldOf(request, 'range');
    const isMeant = (step: Step): boolean =>
      field !== undefined && isSuccess(step) && isRefused(field, toldIn(step.prediction.headers));
    return steps.every(isMeant) && fieldOf(request, 'if-range') === undefined
      ? right(world, withRange(request, pastEnd))
      : steps;
  };
}

function refusingEmpty(right: Implementation): Implementation {
  return (world, request) =>
    right(world, request).map((step) => {
      const { body, by } = step.prediction;
      const isEmpty =
        hasRange(request) && hasStatus(step, 200) && body instanceof Bytes && body.content.byteLength === 0;
      return isEmpty ? { ...step, prediction: { status: [416], headers: {}, body: absent, by } } : step;
    });
}

function toldIn(headers: Prediction['headers']): string {
  return String(headers['content-range'] ?? '');
}

/** The place of the last byte that a field names; -1: it names none. */
function endOf(field: string): number {
  return Number(/[= ]\d+-(\d+)/.exec(field)?.[1] ?? -1);
}

/** How many bytes a field asks for at the end. */
function suffixOf(field: string): number {
  return Number(/=-(\d+)$/.exec(field)?.[1] ?? -1);
}

/** The size of the whole that `Content-Range` tells. */
function sizeOf(told: string): number {
  return Number(/\/(\d+)$/.exec(told)?.[1] ?? Number.POSITIVE_INFINITY);
}
