import { createHash } from 'node:crypto';
import type { Reader } from '../../../specification/read.ts';

/** Another one where a document, or what is assumed of it, is another: all workers serve the same. */
export function digestOf({ specification, assumptions = [] }: Reader): string {
  const texts = new Set([...specification.points.values()].map(({ at }) => at.text));
  const hash = createHash('sha256').update(JSON.stringify(assumptions));
  for (const { file, content } of texts) hash.update(JSON.stringify([file, content]));
  return hash.digest('hex');
}
