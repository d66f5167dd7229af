import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { essence, fixedMedia, isJson } from '../../specification/reading/media.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { type Answer, answerByMedia } from '../../specification/vocabulary/answer.ts';
import { floorStatus } from '../../specification/vocabulary/condition.ts';
import type { Shape } from '../../specification/vocabulary/shape.ts';

/** An answer that a document states, of a success or of a refusal. */
export interface Stated {
  readonly status: Said<readonly number[]>;
  readonly headers: readonly string[];
  readonly body: Said<PlacedTemplate>;
  readonly shape: Said<Shape>;
  readonly media: Said<string>;
  readonly under: string | undefined;
}

/** All that may be answered; of no operation, what any request may be refused with. */
export const answersStated = once((of: Specification, operation: Operation | null): Stated[] => {
  const answers = (operation && stated(operation.response)) ?? [];
  return [...answers.flatMap(inJson).map(stating), ...refusals(of, operation)];
});

/** An answer as it is by the media types of `content` that are JSON, of which members are told; else as it is first. */
function inJson(answer: Answer): readonly Answer[] {
  const found = answerByMedia(answer).filter(({ media }) => isJson(essence(stated(fixedMedia(media)) ?? '')));
  return found.length === 0 ? [answer] : found;
}

function stating({ status, headers, body, shape, media, under }: Answer): Stated {
  return { status, headers: namesOf(headers), body, shape, media: fixedMedia(media), under: stated(under) };
}

/** The rows of part 7 that may answer it, each with what it has of `errors.payload` (language §E.16). */
function refusals(of: Specification, operation: Operation | null): Stated[] {
  const errors = stated(of.errors);
  const payload = errors && stated(errors.payload);
  return [...((errors && stated(errors.codes)) ?? [])].flatMap(([, said]): Stated[] => {
    const row = stated(said);
    const operations = row && stated(row.operations);
    if (!row || row.as.kind === 'stated') return [];
    if (operations && !operations.some((one) => one.text === operation?.name)) return [];
    const isBare = row.body.kind === 'open' && row.shape.kind === 'open';
    return [
      {
        status: row.status,
        headers: [...namesOf(row.headers), ...(payload ? namesOf(payload.headers) : [])],
        body: isBare && payload ? payload.body : row.body,
        shape: isBare && payload ? payload.shape : row.shape,
        media: fixedMedia(row.media.kind === 'open' && payload ? payload.media : row.media),
        under: stated(row.under) ?? (payload && stated(payload.under)),
      },
    ];
  });
}

export function namesOf(headers: Said<ReadonlyMap<string, unknown>>): string[] {
  return [...(stated(headers)?.keys() ?? [])];
}

/** Whether an answer may have this status: it is stated, or nothing definite is. */
export function mayHave({ status }: Stated, code: number): boolean {
  return stated(status)?.includes(code) ?? true;
}

/** Statuses with which any server refuses by HTTP itself (language §H.4, the floor), or for want of a statement. */
const floor: readonly number[] = [...Object.values(floorStatus), 408, 431, 501, 503];

/** Whether somebody stated that an answer may have this status, or HTTP brings it. */
export function isStatusStated(
  answers: readonly Stated[],
  operation: Operation | null,
  code: number,
): boolean {
  const conditional = operation && stated(operation.endpoint.conditional);
  if (floor.includes(code) || (code === 304 && conditional)) return true;
  if (code === 206 && conditional && stated(conditional.ranges)) return true;
  return answers.some(({ status }) => status.kind === 'any' || stated(status)?.includes(code));
}
