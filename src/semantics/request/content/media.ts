import { essence, mediaParameter, rangesOf } from '../../../specification/reading/media.ts';
import { stated } from '../../../specification/reading/said.ts';
import { requestByMedia } from '../../../specification/vocabulary/request.ts';
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
  if (typeof media !== 'string' || bodies.some((body) => body.media.kind === 'any')) return [];
  const types = bodies.flatMap((body) => stated(body.media) ?? ['application/json']).map(essence);
  const charset = mediaParameter(media, 'charset')?.toLowerCase();
  const isRead = charset === undefined || ['utf-8', 'utf8', 'us-ascii'].includes(charset);
  return isRead && rangesOf(media).some((range) => types.includes(range))
    ? []
    : [refusal('unsupported media')];
}
