import type { Judge } from '../judge/judge.ts';
import { type Failing, type Refusal, refuse } from '../message/refusal.ts';
import type { Request } from './request.ts';

const plain = { condition: 'invalid', code: null, byChange: false } as const;

/**
 * Whether values fit their shapes (language §H.4, 9).
 *
 * @param checksList whether what is asked of the list of the operation is held against what is kept
 */
export function shapeJudges(checksList: boolean): Judge<Request>[] {
  const ofRequest: Judge<Request> = {
    ...plain,
    kept: false,
    refuses: ({ parameters, body }) => {
      if (parameters === null && body === null) return [];
      const held = parameters?.held ?? body?.held;
      return held ?? invalid([...(parameters?.failures ?? []), ...(body?.failures ?? [])]);
    },
  };
  const ofList: Judge<Request> = {
    ...plain,
    kept: true,
    refuses: ({ within }) => invalid(within?.list() ?? []),
  };
  return checksList ? [ofRequest, ofList] : [ofRequest];
}

function invalid(failures: readonly Failing[]): readonly Refusal[] {
  return failures.length > 0 ? [{ ...refuse('invalid'), failures }] : [];
}
