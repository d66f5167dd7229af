import { stated } from '../../../specification/reading/said.ts';
import { answerByMedia, mediaAmong } from '../../../specification/vocabulary/answer.ts';
import { type Refusal, refusal } from '../../change/refusal.ts';
import { takesAny } from '../../content/accept.ts';
import { unknown } from '../../value/value.ts';
import type { Moment } from '../../world/moment.ts';
import type { Request } from '../prediction.ts';
import { isListed } from '../rows.ts';

/** A client that takes no media type of the answer is refused, if a row lists that (condition 6; language §H.3, rule 19). */
export function notAcceptable({ operation }: Request, moment: Moment): readonly Refusal[] {
  const { world } = moment;
  if (!isListed('not acceptable', operation, world)) return [];
  const media = (stated(operation.response) ?? [])
    .flatMap(answerByMedia)
    .flatMap((answer) => (answer.media.kind === 'stated' ? [answer.media] : []));
  const types = media.flatMap((said) => mediaAmong(said) ?? ['*/*']);
  if (types.length === 0) return [];
  const isTaken = takesAny(types, moment) ?? unknown([]);
  return world.decide(isTaken) ? [] : [refusal('not acceptable')];
}
