import { isDeepStrictEqual } from 'node:util';
import { json } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { isMediaRange, mediaKind } from '../../specification/reading/media.ts';
import type { Losses } from '../losses.ts';
import type { Content } from './operations.ts';
import { branch, leaf, type Piece } from './piece.ts';
import { type Shaping, shapeOf } from './shape.ts';

/** What a request says of its content: of one shape in several media types, or by media type. */
export function contentPieces(
  all: readonly Content[],
  chosen: Content,
  at: Span,
  shaping: Shaping,
): Readonly<Record<string, Piece | undefined>> {
  const alike = all.filter((each) => each === chosen || isAlike(each, chosen));
  const apart = all.filter((each) => each === chosen || isReadApart(each, shaping));
  const isByType = alike.length < all.length && apart.length > alike.length;
  const carried = isByType ? apart : alike;
  lose(all, carried, shaping.losses);
  if (isByType)
    return {
      content: branch(
        at,
        Object.fromEntries(
          carried.map((each) => [each.media, branch(at, bodyPieces([each], each, at, shaping))]),
        ),
      ),
    };
  const types = carried.map(({ media }) => media);
  const isUsual = types.length === 1 && /^application\/json$/i.test(types[0] as string);
  const media = types.length === 1 ? leaf(types[0] as string, at) : leaf(types, at);
  return { media: isUsual ? undefined : media, ...bodyPieces(carried, chosen, at, shaping) };
}

function bodyPieces(
  contents: readonly Content[],
  { schema }: Content,
  at: Span,
  shaping: Shaping,
): Readonly<Record<string, Piece | undefined>> {
  return {
    nesting: contents.some(({ hasBrackets }) => hasBrackets) ? leaf('brackets', at) : undefined,
    body: schema && shapeOf(schema, shaping),
  };
}

/** Whether content of another media type has the same schema. What is in parts is a list of them. */
export function isAlike(one: Content, other: Content): boolean {
  if (one.schema === undefined || other.schema === undefined || mediaKind(one.media) === 'parts')
    return false;
  return isDeepStrictEqual(json(one.schema.node), json(other.schema.node));
}

/** Whether content of a media type can be read by a shape of its own (language §4.2). */
function isReadApart({ media, schema }: Content, { places }: Shaping): boolean {
  if (schema === undefined || isMediaRange(media)) return false;
  const kind = mediaKind(media);
  const { type } = json(places.followed(schema).node) as { readonly type?: unknown };
  return kind === 'text' ? type === 'string' : kind !== 'parts';
}

function lose(all: readonly Content[], carried: readonly Content[], losses: Losses): void {
  for (const { media, place } of all.filter((each) => !carried.includes(each)))
    losses.add(
      'gap',
      `another media type: ${mediaKind(media) === 'text' ? 'neither JSON nor a form' : media}`,
      place?.pointer ?? '',
    );
}
