import type { Operation } from '../../specification/model/operation.ts';
import { isAsked, type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Answer, Outcome } from '../../specification/vocabulary/answer.ts';
import { fieldValues } from '../../specification/vocabulary/answer-field.ts';
import { type Content, contentOf } from '../content/content.ts';
import { absent } from '../value/evaluate.ts';
import { truthOf } from '../value/truth.ts';
import {
  Collection,
  isList,
  isObject,
  NotComputable,
  Stretch,
  Unknown,
  unknown,
  type Value,
} from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { Prediction } from './prediction.ts';

/** The answer to a success: the first that is for this outcome (language §H.3). */
export function answerOf({ response }: Operation, moment: Moment, outcome: Outcome | null): Prediction {
  const answers = stated(response);
  const open = (address: string): never => moment.world.leave(new Unknown(new Set([address])));
  if (answers === undefined) return open(response.address);
  const answer = answers.find((each) => isFor(each, moment, outcome));
  return answer ? sent(answer, moment, open) : open(`${response.address}.*`);
}

function isFor({ when }: Answer, moment: Moment, outcome: Outcome | null): boolean {
  const said = stated(when);
  if (isAsked(when)) return moment.world.decide(new Unknown(new Set([when.address])));
  if (said === undefined) return true;
  if (said.kind === 'outcomes') return outcome !== null && said.outcomes.includes(outcome);
  return moment.world.decide(truthOf(moment.value(said.expression, { outcome })));
}

function sent(answer: Answer, moment: Moment, open: (address: string) => never): Prediction {
  const statuses = stated(answer.status);
  if (statuses === undefined) return open(answer.status.address);
  const content = contentOf(answer, statuses, moment);
  const headers = headersOf(fieldValues(answer.headers), (template) => moment.value(template));
  const body = content.body === absent ? [] : [content.body];
  const unsure = [...Object.values(headers), ...body, content.media ?? null]
    .map(failing)
    .find((value) => value !== undefined);
  if (unsure && moment.world.decide(unsure)) throw new NotComputable();
  return {
    status: statuses,
    headers: { ...headers, ...mediaField(content) },
    names: listedNames(content),
    body: content.body,
    by: answer.status.address.replace(/\.status$/, ''),
  };
}

/** The field that says of which media type the content is. */
export function mediaField({ media }: Content): Record<string, Value> {
  return media === undefined ? {} : { 'content-type': media };
}

/** The names that fields list at least: `Vary`, if `Accept` chose the content (language §H.3, rule 18). */
export function listedNames({ isChosen }: Content): Readonly<Record<string, readonly string[]>> {
  return isChosen ? { vary: ['accept'] } : {};
}

/** What of a value may be such that it cannot be computed. Then the service answers that it failed. Undefined: nothing. */
export function failing(value: Value): Unknown | undefined {
  if (value instanceof Unknown) return value.mayFail ? value : undefined;
  return partsOf(value)
    .map(failing)
    .find((part) => part !== undefined);
}

/** What a value is made of. Of a page, also what it may show. */
function partsOf(value: Value): readonly Value[] {
  if (value instanceof Stretch || value instanceof Collection)
    return value.rest === undefined ? value.items : [...value.items, value.rest];
  return isList(value) ? value : isObject(value) ? Object.values(value) : [];
}

/** The header fields that are stated, by name in lower case (language §H.3, rule 7). */
export function headersOf(
  stating: ReadonlyMap<string, Said<PlacedTemplate>> | undefined,
  value: (template: PlacedTemplate) => Value,
): Record<string, Value> {
  return Object.fromEntries(
    [...(stating ?? [])].flatMap(([name, said]): [string, Value][] => {
      const template = stated(said);
      if (template) return [[name.toLowerCase(), value(template)]];
      // Stated to be none, it is not sent; stated to be any, it may be sent as it likes.
      return said.kind === 'none'
        ? [[name.toLowerCase(), null]]
        : said.kind === 'any'
          ? [[name.toLowerCase(), unknown([])]]
          : [];
    }),
  );
}
