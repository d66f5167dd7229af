import { compileTemplate, type Frame } from '../../expression/compile.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { rest } from '../../specification/reading/address.ts';
import { isAsked, stated } from '../../specification/reading/said.ts';
import { type Answer, answerByMedia, bodiless, type Outcome } from '../../specification/vocabulary/answer.ts';
import { fieldValues } from '../../specification/vocabulary/answer-field.ts';
import type { Shape } from '../../specification/vocabulary/shape.ts';
import type { Held } from '../message/refusal.ts';
import type { Because, Reply } from '../message/reply.ts';
import { compileHeldTo } from '../shape/shown-shape.ts';
import { type Content, compileContent } from './content.ts';
import { compileHeldFields } from './held-fields.ts';
import { environmentOf, type Writers } from './render.ts';

/** Gives the answer to what a change came to: the first whose `when` holds (language §H.3). */
export type AnswerTo = (outcome: Outcome | null, frame: Frame) => Reply | Held;

interface Compiled {
  /** It is asked when this answer is sent (language §H.3); null: it is not. */
  readonly asked: Held | null;
  readonly holds: (outcome: Outcome | null, frame: Frame) => boolean;
  readonly status: number;
  readonly content: Content;
  readonly because: Because;
}

export function compileAnswers(
  specification: Specification,
  operation: Operation,
  writers: Writers,
): AnswerTo {
  const answers = (stated(operation.response) ?? []).map((answer) =>
    compileAnswer(specification, answer, writers),
  );
  const none: Held = { held: [rest(operation.response.address)] };
  return (outcome, frame) => {
    const answer = answers.find((one) => one.asked !== null || one.holds(outcome, frame));
    if (answer === undefined) return none;
    if (answer.asked !== null) return answer.asked;
    return { status: answer.status, ...answer.content(frame), because: answer.because };
  };
}

function compileAnswer(specification: Specification, answer: Answer, writers: Writers): Compiled {
  const when = stated(answer.when);
  const test =
    when?.kind === 'expression' ? compileTemplate(when.expression.template, environmentOf(writers)) : null;
  const outcomes = when?.kind === 'outcomes' ? when.outcomes : null;
  // Held up while open; where any will do, this is one, and of several the first (language §F.1).
  const [status = 200] = stated(answer.status) ?? [];
  const contents = answerByMedia(answer).map(({ media, under, body, shape }) => ({
    media,
    under,
    body: bodiless.includes(status) ? ({ ...body, kind: 'open', question: null } as const) : body,
    hold: stated(media) === undefined ? undefined : compileHold(specification, stated(shape)),
  }));
  return {
    asked: isAsked(answer.when) ? { held: [answer.when.address] } : null,
    holds: (outcome, frame) => {
      if (test) return test(frame) === true;
      return outcomes === null || (outcome !== null && outcomes.includes(outcome));
    },
    status,
    because: { statements: [answer.status.address] },
    content: compileContent(
      fieldValues(answer.headers),
      contents,
      writers,
      compileHeldFields(specification, answer.headers),
    ),
  };
}

/** Holds content that is JSON against the shape that is stated beside it. */
function compileHold(specification: Specification, shape: Shape | undefined) {
  return shape && compileHeldTo(specification, shape);
}
