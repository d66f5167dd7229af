import { staticType } from '../../expression/check.ts';
import { fixedMedia, isJson, isMediaType } from '../../specification/reading/media.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import {
  type AnswerContent,
  type AnswerMedia,
  answerByMedia,
  type ByMedia,
  bodiless,
} from '../../specification/vocabulary/answer.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { definitionsOf } from '../shape/definitions.ts';
import { absent } from '../value/evaluate.ts';
import { content } from '../value/payload.ts';
import { NotComputable, Shaped, seen, type Unknown, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import { preferred } from './accept.ts';

/** What an answer sends: its body, and the media type of the body. */
export interface Content {
  readonly body: Value | typeof absent;
  /** Undefined: no media type is stated, or there is no body. */
  readonly media: Value | undefined;
  /** Whether `Accept` chose it, so that `Vary` names `Accept` (language §H.3, rule 18). */
  readonly isChosen: boolean;
}

type Stating = AnswerContent & ByMedia;

/**
 * The content of an answer or of a row, as `Accept` prefers it (language §H.3, rules 17 and 18).
 *
 * @param names what its expressions may read besides
 * @throws NotComputable if the body or the media type surely cannot be computed
 */
export function contentOf(
  stating: Stating,
  statuses: readonly number[],
  moment: Moment,
  names: Readonly<Record<string, Value>> = {},
): Content {
  const all = answerByMedia(stating);
  const [only] = all;
  const isChosen = all.length > 1;
  if (only === undefined || statuses.every((status) => bodiless.includes(status)))
    return { body: absent, media: undefined, isChosen };
  const chosen = isChosen ? all[preferred(all.map(typeOf), moment)] : only;
  return { ...contentIn(chosen as Stating, moment, names), isChosen };
}

/** The media type of an entry of `content`. */
function typeOf({ media }: Stating): string {
  return stated(fixedMedia(media)) ?? '*/*';
}

function contentIn(
  stating: Stating,
  moment: Moment,
  names: Readonly<Record<string, Value>>,
): Omit<Content, 'isChosen'> {
  const { media: said, under, body, shape } = stating;
  const template = stated(body);
  if (template === undefined)
    return body.kind === 'none' && shape.kind !== 'stated'
      ? { body: absent, media: undefined }
      : { body: shapeOnly(stating, moment), media: mediaOf(said, moment, names) };
  const value = content(template.template, stated(under), moment.scope(names));
  const isNoBytes = value === null && isBytes(template);
  return isNoBytes
    ? { body: absent, media: undefined }
    : { body: value, media: mediaOf(said, moment, names) };
}

/** Content that is not told by a body: JSON fits the shape that is stated, if one is (language §H.3, `shape`). */
function shapeOnly({ media, shape, under }: Stating, { world: { specification } }: Moment): Unknown {
  const said = stated(media)?.among ? undefined : stated(shape);
  const isPlain =
    said !== undefined && isJson(stated(fixedMedia(media)) ?? '') && stated(under) === undefined;
  return isPlain ? new Shaped(schemaOf(said), definitionsOf(specification), said.address) : unknown([]);
}

/** Whether a body is bytes: null bytes are sent as no content (language §H.1, rule 14). */
function isBytes({ template }: PlacedTemplate): boolean {
  return template.kind === 'expression' && staticType(template.expression.syntax).kind === 'bytes';
}

/** A text that is no media type counts as one that cannot be computed (language §H.3). */
function mediaOf(
  said: Said<AnswerMedia>,
  moment: Moment,
  names: Readonly<Record<string, Value>>,
): Value | undefined {
  const template = stated(said);
  if (template === undefined) return undefined;
  if (template.among) return unknown([]);
  const value = seen(moment.value(template, names));
  if (value === null || (typeof value === 'string' && !isMediaType(value)))
    throw new NotComputable('this is no media type');
  return value;
}
