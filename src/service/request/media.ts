import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { answerByMedia, mediaAmong } from '../../specification/vocabulary/answer.ts';
import { accepts } from '../http/accept.ts';
import type { Judge } from '../judge/judge.ts';
import type { Refusals } from '../judge/refusals.ts';
import { refuse } from '../message/refusal.ts';
import type { Request } from './request.ts';

const plain = { code: null, kept: false, byChange: false } as const;

/** Whether the content of a request, and that of its answer, have a media type that fits (language §H.4, 6). */
export function mediaJudges(operation: Operation, takesBody: boolean, refusals: Refusals): Judge<Request>[] {
  const judges: Judge<Request>[] = [];
  if (takesBody)
    judges.push({
      ...plain,
      condition: 'unsupported media',
      refuses: ({ foreign }) => (foreign ? [refuse('unsupported media')] : []),
    });
  // What an expression gives is not known before there is an answer.
  const media = (stated(operation.response) ?? [])
    .flatMap(answerByMedia)
    .flatMap(({ media: said }) => (said.kind === 'stated' ? (mediaAmong(said) ?? ['*/*']) : []));
  // Only where a row lists it, and where there is content to take.
  if (refusals.lists('not acceptable') && media.length > 0)
    judges.push({
      ...plain,
      condition: 'not acceptable',
      refuses: ({ accept }) => (accepts(accept, media) ? [] : [refuse('not acceptable')]),
    });
  return judges;
}
