import { stated } from '../../specification/reading/said.ts';
import type { Idempotency } from '../../specification/vocabulary/endpoint/idempotency.ts';
import { durationWords } from './duration.ts';

/** What the fields of preconditions say (language §4.3). */
export const preconditionWords = {
  'If-Match': 'The tag of the state that the client has seen.',
  'If-None-Match': 'The tag of what the client has already.',
} as const;

/** What a key for repeats does (language §4.4). */
export function keyWords({ life: said }: Idempotency): string {
  const life = stated(said);
  // A month is no number of hours.
  const time = life && life.months === 0 ? `, for ${durationWords(life.rest)}` : '';
  return `A repeated request with this key gets the first answer again${time}.`;
}
