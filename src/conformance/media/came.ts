import { once } from '../../source/once.ts';
import { essence, fixedMedia, isJson } from '../../specification/reading/media.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Answer, answerByMedia } from '../../specification/vocabulary/answer.ts';
import { type Exchange, mediaType } from '../http.ts';

/** An answer as it is by each media type of `content`, the first being the answer itself. */
export const byType = once((answer: Answer): readonly Answer[] => {
  const [, ...others] = answerByMedia(answer);
  return [answer, ...others];
});

/** The media type of an answer, without parameters; empty where no text states it. */
export function typeOf({ media }: Pick<Answer, 'media'>): string {
  return essence(stated(fixedMedia(media)) ?? '');
}

/** An answer as it is by the media type with which it came; the first where that is none of them. */
export function asItCame(answer: Answer, { response }: Exchange): Answer {
  if (answer.content.kind !== 'stated') return answer;
  const type = mediaType(response);
  return byType(answer).find((one) => typeOf(one) === type) ?? answer;
}

/** Whether an answer comes, by its statement, as what is not to be read as JSON. */
export function isOther(answer: Answer | null): boolean {
  return answer?.content.kind === 'stated' && !isJson(typeOf(answer));
}
