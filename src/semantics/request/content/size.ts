import { stated } from '../../../specification/reading/said.ts';
import { type Refusal, refusal } from '../../change/refusal.ts';
import { plain } from '../../value/plain.ts';
import type { Truth } from '../../value/truth.ts';
import { Bytes, unknown } from '../../value/value.ts';
import type { World } from '../../world/world.ts';
import type { Request } from '../prediction.ts';
import { formText } from './form-text.ts';
import { isForm, sentMedia } from './media.ts';

/** The refusal of content that is too large to be read (language §8.3). */
export const tooLargeBody = (request: Request, world: World): readonly Refusal[] =>
  world.decide(isTooLarge(request, world)) ? [refusal('too large', 'body')] : [];

/** The content is measured as JSON without spaces, or as a form. */
function isTooLarge(request: Request, { specification }: World): Truth {
  const { operation, content, leastBytes = 0 } = request;
  const sizes = stated(stated(specification.limits)?.sizes);
  const own = stated(stated(sizes?.operations)?.get(operation.name));
  const most = own ?? (sizes && stated(sizes.body));
  if (most === undefined || content === undefined || stated(operation.request?.body) === undefined)
    return false;
  if (leastBytes > most) return true;
  if (content instanceof Bytes) return content.content.byteLength > most;
  const json = plain(content);
  if (json === undefined) return unknown([]);
  return (
    Buffer.byteLength(isForm(sentMedia(request) ?? '') ? formText(request) : JSON.stringify(json)) > most
  );
}
