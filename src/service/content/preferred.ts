import type { Frame } from '../../expression/compile.ts';
import { accepted } from '../http/accept.ts';
import type { RequestView } from '../message/frame.ts';

/**
 * Which of several media types the client prefers, by its place among them: that of the highest weight in `Accept`, and
 * of equal ones the first (RFC 9110 §12.5.1). The first, too, where it accepts none, or its request is not known.
 */
export function preferred(types: readonly string[], { names }: Frame): number {
  const request = names['request'] as RequestView | null | undefined;
  const weights = accepted(request?.accept, types);
  const best = Math.max(...weights);
  return best > 0 ? weights.indexOf(best) : 0;
}
