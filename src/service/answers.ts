import { compileTemplate, type Frame, type Run } from '../expression/compile.ts';
import { CannotWorkOut } from '../expression/functions.ts';
import { rest } from '../specification/address.ts';
import type { Answer, Outcome } from '../specification/answer.ts';
import type { Operation } from '../specification/operation.ts';
import { stated } from '../specification/said.ts';
import type { Held } from './refusal.ts';
import { compileRender, type Render, type Writers } from './render.ts';
import type { Reply } from './reply.ts';

/** Gives the answer to what a change came to: the first whose `when` holds (language §H.3). */
export type AnswerTo = (outcome: Outcome | null, frame: Frame) => Reply | Held;

interface Compiled {
  readonly holds: (outcome: Outcome | null, frame: Frame) => boolean;
  readonly status: number;
  readonly media: string | undefined;
  readonly headers: readonly (readonly [string, Run])[];
  readonly body: Render | null;
}

export function compileAnswers(operation: Operation, writers: Writers): AnswerTo {
  const answers = (stated(operation.response) ?? []).map((answer) => compileAnswer(answer, writers));
  const none: Held = { held: [rest(operation.response.address)] };
  return (outcome, frame) => {
    const answer = answers.find((one) => one.holds(outcome, frame));
    return answer ? reply(answer, frame) : none;
  };
}

function compileAnswer(answer: Answer, writers: Writers): Compiled {
  const when = stated(answer.when);
  const test = when?.kind === 'expression' ? compileTemplate(when.expression.template, () => undefined) : null;
  const outcomes = when?.kind === 'outcomes' ? when.outcomes : null;
  const headers = [...(stated(answer.headers) ?? [])].flatMap(([name, said]) =>
    said.kind === 'stated' ? [[name, compileTemplate(said.value.template, () => undefined)] as const] : [],
  );
  return {
    holds: (outcome, frame) => {
      if (test) return test(frame) === true;
      return outcomes === null || (outcome !== null && outcomes.includes(outcome));
    },
    status: stated(answer.status) as number,
    media: stated(answer.media),
    headers,
    body: answer.body.kind === 'stated' ? compileRender(answer.body.value.template, writers) : null,
  };
}

/** What cannot be worked out is not sent; the status is (language §H.3). */
function reply(answer: Compiled, frame: Frame): Reply {
  const headers: string[] = [];
  for (const [name, run] of answer.headers) {
    const value = worked(() => run(frame));
    if (value !== null && value !== undefined) headers.push(name, fieldValue(value));
  }
  const { body: render } = answer;
  const body = (render && worked(() => render(frame))) ?? null;
  if (body !== null && answer.media !== undefined) headers.unshift('Content-Type', answer.media);
  return { status: answer.status, headers, body };
}

function worked<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof CannotWorkOut) return undefined;
    throw error;
  }
}

/** A value as it stands in a header field: characters that no field may hold are percent-encoded (RFC 9110 §5.5). */
export function fieldValue(value: unknown): string {
  return String(value).replace(/[^\t\x20-\x7e]/gu, encodeURIComponent);
}
