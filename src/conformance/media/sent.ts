import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Answer } from '../../specification/vocabulary/answer.ts';
import { bodyOf } from '../body.ts';
import type { Check, Scenario } from '../check.ts';
import { scenario } from '../check.ts';
import { closed, succeeded } from '../guards.ts';
import { headerList, mediaType } from '../http.ts';
import { outcomeOf } from '../look.ts';
import { sample } from '../sample.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { type Done, restsOf, type Trial } from '../trial.ts';
import { all, known } from '../verdict.ts';
import { byType, typeOf } from './came.ts';

/** What is asked for by `Accept`, and which of the media types it prefers. */
interface Wish {
  readonly accept: string;
  readonly preferred: Answer;
}

/** Of several media types, an answer comes as the one that `Accept` prefers (language §H.3, `content`). */
export function sent(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const answers = (stated(operation.response) ?? []).filter(({ content }) => content.kind === 'stated');
  return answers.flatMap((answer) => {
    const list = closed(of, answer.content.address);
    return wishes(byType(answer)).map(({ accept, preferred }) => {
      const says = `${operation.key} with Accept: ${accept}`;
      const guard: Check<Done>['guard'] = (done) =>
        all(
          succeeded(done.exchange, operation),
          known(done.answer?.content === answer.content, 'another answer applies'),
        );
      const type = typeOf(preferred);
      const cites = { address: preferred.media.address, at: preferred.media.at };
      // Of a request with a body it would have to be known, too, that nothing in it is refused.
      const isPlain = bodyOf(of, operation) === null;
      const checks: Check<Done>[] = [
        ...(isPlain ? [succeeds(trial, operation, says, [], cites)] : []),
        {
          name: 'answer.content',
          says: `${says} is answered with ${type}`,
          cites,
          // What nobody stated may be preferred to it, unless the client wants nothing else.
          guard: (done) => all(guard(done), accept.includes('*') ? list : known(true)),
          claim: ({ exchange: { response } }) => ({
            truth: known(mediaType(response) === type),
            expected: type,
            found: mediaType(response) ?? 'no Content-Type',
          }),
        },
        {
          name: 'answer.vary',
          says: `${says} is answered with Vary: Accept`,
          cites: { address: answer.content.address, at: answer.status.at },
          guard,
          claim: ({ exchange: { response } }) => {
            const names = headerList(response, 'vary');
            const isThere = names.some((name) => ['accept', '*'].includes(name.toLowerCase()));
            return { truth: known(isThere), expected: 'Accept', found: names.join(', ') || 'no Vary' };
          },
        },
        ...looksAsStated(trial, operation, outcomeOf(operation), preferred).filter(
          ({ name }) => name !== 'answer.status',
        ),
      ];
      const ask = (): Promise<Done> => sample(trial, operation, { headers: [['Accept', accept]] });
      return scenario(of, restsOf(operation), ask, checks);
    });
  });
}

/** Each type by itself, the last by its weight, and any. */
function wishes(answers: readonly Answer[]): readonly Wish[] {
  const [first, last] = [answers[0], answers.at(-1)] as [Answer, Answer];
  return [
    ...answers.map((preferred) => ({ accept: typeOf(preferred), preferred })),
    { accept: `${typeOf(first)};q=0.2, ${typeOf(last)};q=0.7`, preferred: last },
    { accept: '*/*', preferred: first },
  ];
}
