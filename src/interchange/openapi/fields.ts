import { isDeepStrictEqual } from 'node:util';
import { type Json, json } from '../../source/node.ts';
import type { Answer, Parameter } from './operations.ts';
import { branch, hosted, jsonOf, leaf, type Piece } from './piece.ts';
import { isSet, type Place, raw, textIn } from './place.ts';
import { descriptionOf, firstLine, paragraphsOf } from './prose.ts';
import { defaultOf, type Shaping, shapeOf } from './shape.ts';

const noted = ['deprecated', 'example', 'examples', 'allowReserved', 'allowEmptyValue'];

/**
 * A parameter of a request: its shape, whether it has to be given, and how it is coded.
 *
 * @param asked what is asked of a parameter of a list: whether it filters, or sorts. Default: nothing
 */
export function parameterPiece(
  { schema, isRequired, place }: Parameter,
  shaping: Shaping,
  asked?: 'filter' | 'sort',
): Piece {
  // What has to be given is never left out: a default beside it means nothing (OpenAPI 2.0, Parameter Object).
  const usualValue = isRequired ? {} : defaultOf(schema as Place, shaping);
  const { description, ...own } = shapeWithin(place, schema as Place, shaping);
  const style = textIn(place, 'style');
  const usual = textIn(place, 'in') === 'query' ? 'form' : 'simple';
  const value = {
    ...own,
    ...(isRequired && { required: true }),
    ...usualValue,
    ...(asked && { [asked]: '(open) what does it do?' }),
    ...(style !== undefined && style !== usual && { style }),
    ...(description !== undefined && { description }),
  };
  return hosted(leaf(value, place.node.span), place);
}

/**
 * A parameter of a path: its shape, and how it is coded. Undefined: nothing is known but that it is text.
 *
 * @param isShaped whether its shape is stated
 */
export function pathParameterPiece(
  { schema, place }: Parameter,
  isShaped: boolean,
  shaping: Shaping,
): Piece | undefined {
  const { description: said, ...own } =
    schema === undefined ? { description: undefined } : shapeWithin(place, schema, shaping);
  const description = said ?? descriptionOf(place, noted);
  const style = textIn(place, 'style');
  const isText = isDeepStrictEqual(own, { type: 'string' }) || isDeepStrictEqual(own, { type: 'object' });
  const value = {
    ...(isShaped && !isText && own),
    ...(style !== undefined && style !== 'simple' && { style }),
    ...(isSet(place, 'explode') && style !== undefined && style !== 'simple' && { explode: true }),
    ...(description !== undefined && { description }),
  };
  return Object.keys(value).length === 0 ? undefined : hosted(leaf(value, place.node.span), place);
}

/** The shape of a parameter or header field, as a map, with what people read about both. */
function shapeWithin(place: Place, schema: Place, shaping: Shaping): Record<string, Json> {
  const shape = jsonOf(shapeOf(schema, shaping));
  const own: Record<string, Json> =
    typeof shape === 'object' && shape !== null ? { ...(shape as object) } : { type: 'object' };
  // The key `required` says there whether the whole has to be there.
  if (Array.isArray(own['required'])) {
    shaping.losses.add('gap', 'members that a parameter must have', place.pointer);
    delete own['required'];
  }
  const said = paragraphsOf([
    descriptionOf(place, noted) ?? '',
    typeof own['description'] === 'string' ? own['description'] : '',
  ]);
  delete own['description'];
  return { ...own, ...(said !== undefined && { description: said }) };
}

/** The header fields of an answer. A description says what they look like, and not which they are: that is asked. */
export function headersPiece(place: Place, shaping: Shaping): Piece | undefined {
  const headers = headersIn(place, shaping);
  if (headers.length === 0) return undefined;
  const entries = headers.map(([name, header]) => [name, headerPiece(header, shaping)] as const);
  return branch(place.node.span, Object.fromEntries(entries));
}

/** The header fields of the answers of one status, of which a row tells: of one that not all have alike, the name alone. */
export function commonHeadersPiece(
  answers: readonly Pick<Answer, 'place'>[],
  shaping: Shaping,
): Piece | undefined {
  const [first] = answers;
  const all = answers.flatMap(({ place }) => headersIn(place, shaping));
  if (first === undefined || all.length === 0) return undefined;
  const entries = [...Map.groupBy(all, ([name]) => name)].map(([name, those]) => {
    const [[, header], ...others] = those as [(typeof those)[0], ...typeof those];
    const isAlike = others.every(([, { node }]) => isDeepStrictEqual(json(node), json(header.node)));
    if (isAlike && those.length === answers.length) return [name, headerPiece(header, shaping)] as const;
    shaping.losses.add('gap', 'a header field that some refusals of a status have', header.pointer);
    return [name, askedPiece(header)] as const;
  });
  return branch(first.place.node.span, Object.fromEntries(entries));
}

function headersIn(place: Place, { places }: Shaping): readonly (readonly [string, Place])[] {
  return places
    .entries(places.member(place, 'headers'))
    .filter(([name]) => name.toLowerCase() !== 'content-type');
}

function headerPiece(header: Place, shaping: Shaping): Piece {
  const schema = raw(header, 'schema');
  if (schema === undefined) {
    shaping.losses.add('gap', 'a header field that has content', header.pointer);
    return askedPiece(header);
  }
  const { description, ...own } = shapeWithin(header, schema, shaping);
  const value = {
    ...own,
    ...(isSet(header, 'required') && { required: true }),
    value: '(open) which value?',
    ...(description !== undefined && { description }),
  };
  return hosted(leaf(value, header.node.span), header);
}

/** A field of which nothing is stated but that there may be one. */
function askedPiece(header: Place): Piece {
  const said = firstLine(textIn(header, 'description'), 200);
  return leaf(`(open) which value${said === '' ? '' : `: ${said}`}?`, header.node.span);
}
