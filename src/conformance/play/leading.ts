import type { Exchange } from '../http.ts';
import type { Judged } from './judged-answer.ts';

/** An exchange, and the items that it read and wrote, each as its resource and handle. */
export type Step = Pick<Judged, 'exchange' | 'reads' | 'writes' | 'isTogether'>;

/** A credential is longer than this. */
const shortest = 8;

/**
 * Of the exchanges of a walk those that the last one depends on, in their order: which wrote the items that it reads, and
 * gave the credentials that it carries, what was sent at once with it, and so on.
 *
 * @param further other items that matter, each as its resource and handle
 */
export function leadingTo(steps: readonly Step[], further: readonly string[] = []): readonly Exchange[] {
  const found: Exchange[] = [];
  const needed = new Set<string>(further);
  const carried = new Set<string>();
  let isRaced = false;
  for (const { exchange, reads, writes, isTogether = false } of steps.toReversed()) {
    const body = exchange.response?.body ?? '';
    const isNeeded: boolean =
      found.length === 0 ||
      isRaced ||
      [...writes].some((each) => needed.has(each)) ||
      [...carried].some((text) => body.includes(text));
    isRaced = isTogether && isNeeded;
    if (!isNeeded) continue;
    const { version: _, ...request } = exchange.request;
    found.push({ ...exchange, request });
    for (const each of [...reads, ...writes]) needed.add(each);
    for (const [, value] of exchange.request.headers) {
      const text = value.split(' ').at(-1) ?? '';
      if (text.length > shortest) carried.add(text);
    }
  }
  return found.toReversed();
}
