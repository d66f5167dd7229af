import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Answer, Outcome } from '../../specification/vocabulary/answer.ts';
import { absent } from '../value/evaluate.ts';
import { content } from '../value/payload.ts';
import { Unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { Prediction } from './prediction.ts';

/** The answer to a success (language §H.3). */
export function answerOf(
  { response, address }: Operation,
  moment: Moment,
  outcome: Outcome | null,
): Prediction {
  const answers = stated(response);
  if (answers === undefined) return open(new Unknown(new Set([response.address])), response.address);
  for (const answer of answers) {
    const holds = isFor(answer, moment, outcome);
    if (holds instanceof Unknown) return open(holds, address);
    if (holds) return sent(answer, moment);
  }
  return open(new Unknown(new Set([`${response.address}.*`])), response.address);
}

function open(because: Unknown, by: string): Prediction {
  return { status: because, headers: {}, body: because, by };
}

function isFor({ when }: Answer, moment: Moment, outcome: Outcome | null): boolean | Unknown {
  const said = stated(when);
  if (said === undefined) return true;
  if (said.kind === 'outcomes') return outcome !== null && said.outcomes.includes(outcome);
  const value = moment.value(said.expression, { outcome });
  return value instanceof Unknown ? value : value === true;
}

function sent(answer: Answer, moment: Moment): Prediction {
  const statuses = stated(answer.status);
  if (statuses === undefined)
    return open(new Unknown(new Set([answer.status.address])), answer.status.address);
  const body = stated(answer.body);
  const headers: Record<string, Value> = {};
  for (const [name, said] of stated(answer.headers) ?? []) {
    const template = stated(said);
    if (template) headers[name.toLowerCase()] = moment.value(template);
  }
  return {
    status: statuses,
    headers,
    body: body ? content(body.template, stated(answer.under), moment.scope()) : absent,
    by: answer.status.address,
  };
}
