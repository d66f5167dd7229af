import { stated } from '../../../specification/reading/said.ts';
import { plain } from '../../value/plain.ts';
import type { Truth } from '../../value/truth.ts';
import { unknown } from '../../value/value.ts';
import type { World } from '../../world/world.ts';
import type { Request } from '../prediction.ts';

/** Whether the content is larger than part 8 allows (language §8.3), as JSON without spaces. */
export function isTooLarge({ operation, content }: Request, { specification }: World): Truth {
  const sizes = stated(stated(specification.limits)?.sizes);
  const own = stated(stated(sizes?.operations)?.get(operation.name));
  const most = own ?? (sizes && stated(sizes.body));
  if (most === undefined || content === undefined || stated(operation.request?.body) === undefined)
    return false;
  const json = plain(content);
  return json === undefined ? unknown([]) : Buffer.byteLength(JSON.stringify(json)) > most;
}
