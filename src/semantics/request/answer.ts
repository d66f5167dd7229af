import type { Operation } from '../../specification/model/operation.ts';
import { fixedMedia, isJson } from '../../specification/reading/media.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Answer, Outcome } from '../../specification/vocabulary/answer.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { definitionsOf } from '../shape/definitions.ts';
import { absent } from '../value/evaluate.ts';
import { content } from '../value/payload.ts';
import { truthOf } from '../value/truth.ts';
import { isList, isObject, NotComputable, Shaped, Unknown, unknown, type Value } from '../value/value.ts';
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
  if (said === undefined) return true;
  if (said.kind === 'outcomes') return outcome !== null && said.outcomes.includes(outcome);
  return moment.world.decide(truthOf(moment.value(said.expression, { outcome })));
}

function sent(answer: Answer, moment: Moment, open: (address: string) => never): Prediction {
  const statuses = stated(answer.status);
  if (statuses === undefined) return open(answer.status.address);
  const body = stated(answer.body);
  const headers = headersOf(stated(answer.headers), (template) => moment.value(template));
  const sending: Value | typeof absent = !isJsonContent(answer)
    ? shapeOnly(answer, moment)
    : body
      ? content(body.template, stated(answer.under), moment.scope())
      : absent;
  const unsure = [...Object.values(headers), ...(sending === absent ? [] : [sending])]
    .map(failing)
    .find((value) => value !== undefined);
  if (unsure && moment.world.decide(unsure)) throw new NotComputable();
  const type = stated(fixedMedia(answer.media)) ?? 'application/json';
  // Content that is not JSON is not told.
  const told = sending === absent || isJson(type) ? sending : unknown([]);
  return { status: statuses, headers, body: told, by: answer.status.address.replace(/\.status$/, '') };
}

/** Whether content is stated as JSON. Other content, and content that is only a shape, is unknown. */
export function isJsonContent({ media, body, shape }: Pick<Answer, 'media' | 'body' | 'shape'>): boolean {
  const template = stated(media)?.template;
  const isJson =
    template === undefined || (template.kind === 'literal' && /[/+]json$/.test(String(template.value)));
  return isJson && !(shape.kind === 'stated' && stated(body) === undefined);
}

/** Content that is not told by a body: JSON fits the shape that is stated, if one is (language §H.3, `shape`). */
export function shapeOnly(
  { media, shape, under }: Pick<Answer, 'media' | 'shape' | 'under'>,
  { world: { specification } }: Moment,
): Unknown {
  const said = stated(shape);
  const isPlain = said !== undefined && media.kind !== 'stated' && stated(under) === undefined;
  return isPlain ? new Shaped(schemaOf(said), definitionsOf(specification)) : unknown([]);
}

/** What of a value may be such that it cannot be computed. Then the service answers that it failed. Undefined: nothing. */
function failing(value: Value): Unknown | undefined {
  if (value instanceof Unknown) return value.mayFail ? value : undefined;
  const parts = isList(value) ? value : isObject(value) ? Object.values(value) : [];
  return parts.map(failing).find((part) => part !== undefined);
}

/** The header fields that are stated, by name in lower case (language §H.3, rule 7). */
export function headersOf(
  stating: ReadonlyMap<string, Said<PlacedTemplate>> | undefined,
  value: (template: PlacedTemplate) => Value,
): Record<string, Value> {
  return Object.fromEntries(
    [...(stating ?? [])].flatMap(([name, said]): [string, Value][] => {
      const template = stated(said);
      return template ? [[name.toLowerCase(), value(template)]] : [];
    }),
  );
}
