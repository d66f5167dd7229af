import { staticType } from '../../expression/check.ts';
import { fixedMedia, isJson, isMediaRange, mediaKind, mediaParameter } from '../reading/media.ts';
import type { Reading } from '../reading/reading.ts';
import { type Said, stated } from '../reading/said.ts';
import type { PlacedTemplate } from '../reading/templates.ts';
import { type AnswerContent, answerByMedia, type ByMedia } from '../vocabulary/answer.ts';
import { mayLackContent, type Request, requestByMedia } from '../vocabulary/request.ts';
import type { Shape } from '../vocabulary/shape.ts';

/** The content that each entry of `content` takes, or that is in parts, is of its media type (language §4.2). */
export function checkRequestContent(request: Request, reading: Reading): void {
  const isOfSeveral = request.content.kind === 'stated';
  for (const { media, body, under } of requestByMedia(request)) {
    const looks = stated(body)?.shape;
    if (mayLackContent(request) && looks && !mayBeObject(looks))
      reading.report('content-shape', request.required.at, {
        problem: 'content that may be missing is an empty object then, and this body is none',
      });
    const [type = ''] = stated(media) ?? [];
    const kind = mediaKind(type);
    if (isMediaRange(type) || (!isOfSeveral && kind !== 'parts')) continue;
    const shape = stated(body)?.shape;
    if (kind === 'text' && shape && !isText(shape)) notOf(type, 'a text or bytes', body, reading);
    if (kind === 'parts' && shape && !isOfType(shape, 'array')) notOf(type, 'a list of parts', body, reading);
    if (kind === 'text' || kind === 'parts') underNothing(under, type, reading);
  }
}

/** The same of what is sent (language §H.3). Its expressions have been typed. */
export function checkAnswerContent(answer: AnswerContent & ByMedia, reading: Reading): void {
  const isOfSeveral = answer.content.kind === 'stated';
  for (const { media, body, shape, under } of answerByMedia(answer)) {
    const type = stated(fixedMedia(media)) ?? '*/*';
    const kind = mediaKind(type);
    if (isJson(type) || isMediaRange(type) || (!isOfSeveral && kind !== 'parts')) continue;
    const found = kindOf(body);
    const isList = found === 'list' || found === 'items';
    if (kind === 'parts') {
      if (mediaParameter(type, 'boundary') !== undefined)
        reading.report('content-shape', media.at, { problem: 'the service chooses the boundary of parts' });
      if (found !== 'any' && !isList) notOf(type, 'a list of parts', body, reading);
    } else if (isList || found === 'object' || found === 'item')
      notOf(type, 'a text or bytes', body, reading);
    const looks = stated(shape);
    if (looks && kind !== 'parts' && !isText(looks)) notOf(type, 'a text', shape, reading);
    underNothing(under, type, reading);
  }
}

function notOf(type: string, wanted: string, { at }: Said<unknown>, reading: Reading): void {
  reading.report('content-shape', at, { problem: `${type} holds ${wanted}, and this is none` });
}

/** Only an object has a member to be put under. */
function underNothing(under: Said<string>, type: string, reading: Reading): void {
  if (under.kind !== 'stated') return;
  reading.report('content-shape', under.at, {
    problem: `${type} holds no object, so nothing is under a name`,
  });
}

function isText(shape: Shape): boolean {
  return isOfType(shape, 'string');
}

function mayBeObject(shape: Shape): boolean {
  return shape.object !== null || !shape.keywords.has('type') || isOfType(shape, 'object');
}

function isOfType({ keywords }: Shape, type: string): boolean {
  return [stated(keywords.get('type'))].flat().includes(type);
}

/** What a body is, as far as its template tells. */
function kindOf(body: Said<PlacedTemplate>): string {
  const template = stated(body)?.template;
  if (template === undefined) return 'any';
  if (template.kind !== 'expression') return template.kind === 'literal' ? 'text' : template.kind;
  return staticType(template.expression.syntax).kind;
}
