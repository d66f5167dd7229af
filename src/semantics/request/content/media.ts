import { once } from '../../../source/once.ts';
import type { Operation } from '../../../specification/model/operation.ts';
import {
  essence,
  isJson,
  mediaKind,
  mediaParameter,
  rangesOf,
} from '../../../specification/reading/media.ts';
import { stated } from '../../../specification/reading/said.ts';
import { requestByMedia } from '../../../specification/vocabulary/request.ts';
import { isBinary } from '../../../specification/vocabulary/shape.ts';
import { type Refusal, refusal } from '../../change/refusal.ts';
import { seen } from '../../value/value.ts';
import type { Request } from '../prediction.ts';

/**
 * The refusal of content whose media type the operation does not take, or that names none (condition 6; language §4.2,
 * rule 8). Without a field `content-type` of its own, a request has the type that its operation takes.
 */
export function unsupportedMedia({ operation, headers, content }: Request): readonly Refusal[] {
  const { request } = operation;
  const field = headers['content-type'];
  if (field === undefined || content === undefined || !request || stated(request.body) === undefined)
    return [];
  const media = seen(field);
  const bodies = requestByMedia(request);
  if (typeof media !== 'string') return [];
  if (bodies.some((body) => body.media.kind === 'any'))
    return media === '' ? [refusal('unsupported media')] : [];
  const types = bodies.flatMap((body) => stated(body.media) ?? ['application/json']).map(essence);
  const charset = mediaParameter(media, 'charset')?.toLowerCase();
  const isText = charset === undefined || ['utf-8', 'utf8', 'us-ascii'].includes(charset);
  const isRead = isText || takesBytes(operation);
  return isRead && rangesOf(media).some((range) => types.includes(range))
    ? []
    : [refusal('unsupported media')];
}

/** Whether the stated body is bytes: content of every stated media type is bytes then (language §4.2, rule 11). */
export function takesBytes({ request }: Operation): boolean {
  const body = request && request.content.kind !== 'stated' ? stated(request.body) : undefined;
  return body !== undefined && body.of === null && isBinary(body.shape);
}

/** Whether content of a media type is read as the fields of a form. */
export function isForm(media: string): boolean {
  return mediaKind(media) === 'form';
}

/** Whether content of a media type is read as the parts of a form. */
export function isFormData(media: string): boolean {
  return mediaKind(media) === 'multipart';
}

/** Whether content of a media type is read as a list of parts. */
export function isListedParts(media: string): boolean {
  return mediaKind(media) === 'parts';
}

/** The operation with what it states of content of one media type (language §4.2, rule 13). */
export const takenAs = once((operation: Operation, media: string): Operation => {
  const { request } = operation;
  if (request?.content.kind !== 'stated') return operation;
  const bodies = requestByMedia(request);
  const found = rangesOf(media)
    .map((range) => bodies.find((body) => stated(body.media)?.some((each) => essence(each) === range)))
    .find((body) => body !== undefined);
  return found === undefined ? operation : { ...operation, request: found };
});

/** The media type of usual content of an operation: the first that is JSON, else the first form. Of bytes, the first of all. */
export function usualMedia(operation: Operation): string {
  const { request } = operation;
  const types = (request && stated(request.media)) ?? [];
  if (takesBytes(operation))
    return (types[0] ?? '*/*').replace('*/', 'application/').replace('*', 'octet-stream');
  const kinds = [isJson, isForm, isFormData, isListedParts];
  return kinds.map((isOf) => types.find(isOf)).find((type) => type !== undefined) ?? 'application/json';
}

/** The media type with which the content of a request comes; undefined: that is not known. */
export function sentMedia({ operation, headers }: Request): string | undefined {
  const field = headers['content-type'];
  const media = field === undefined ? usualMedia(operation) : seen(field);
  return typeof media === 'string' ? media : undefined;
}
