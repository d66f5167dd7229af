import { stated } from '../../../specification/reading/said.ts';
import { type Refusal, refusal } from '../../change/refusal.ts';
import { plain } from '../../value/plain.ts';
import type { Truth } from '../../value/truth.ts';
import { unknown } from '../../value/value.ts';
import type { World } from '../../world/world.ts';
import type { Request } from '../prediction.ts';
import { hasKey } from '../repeats.ts';
import { formText } from './form-text.ts';
import { isForm, sentMedia } from './media.ts';

/**
 * The refusal of content that is too large to be read.
 *
 * @param isRefused whether the request is refused besides: which of several answers comes, this does not carry out
 */
export function tooLargeBody(request: Request, isRefused: boolean, world: World): readonly Refusal[] {
  if (!world.decide(isTooLarge(request, world))) return [];
  return isRefused || hasKey(request) ? world.leave(unknown([])) : [refusal('too large', 'body')];
}

/** Whether the content is larger than part 8 allows (language §8.3), as JSON without spaces or as a form. */
export function isTooLarge(request: Request, { specification }: World): Truth {
  const { operation, content, leastBytes = 0 } = request;
  const sizes = stated(stated(specification.limits)?.sizes);
  const own = stated(stated(sizes?.operations)?.get(operation.name));
  const most = own ?? (sizes && stated(sizes.body));
  if (most === undefined || content === undefined || stated(operation.request?.body) === undefined)
    return false;
  if (leastBytes > most) return true;
  const json = plain(content);
  if (json === undefined) return unknown([]);
  return (
    Buffer.byteLength(isForm(sentMedia(request) ?? '') ? formText(request) : JSON.stringify(json)) > most
  );
}
