import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { get, json } from '../../source/node.ts';
import { type Address, step } from '../../specification/reading/address.ts';
import { essence } from '../../specification/reading/media.ts';
import type { Losses } from '../losses.ts';
import { isExtended } from './extensions.ts';
import { headersPiece } from './fields.ts';
import { isAlike } from './media.ts';
import { type Answer, type Content, type Described, isJson } from './operations.ts';
import { branch, hosted, leaf, listed, type Piece } from './piece.ts';
import type { Place } from './place.ts';
import { descriptionWith, paragraphsOf } from './prose.ts';
import { type Shaping, shapeOf } from './shape.ts';

/** Answers of success that look alike: one answer of the document, with several statuses. */
export type AnswerGroup = readonly [Answer, ...Answer[]];

/**
 * The answers of success as the document lists them. `201 Created` stands alone and first: the outcome `created` tells it from
 * the others (RFC 9110 §15.3.2).
 */
export function answerGroups({ successes }: Pick<Described, 'successes'>): readonly AnswerGroup[] {
  const groups: [Answer, ...Answer[]][] = successes
    .filter(({ status }) => status === created)
    .map((answer) => [answer]);
  for (const answer of successes.filter(({ status }) => status !== created)) {
    const alike = groups.find(([first]) => first.status !== created && looksAlike(first, answer));
    if (alike) alike.push(answer);
    else groups.push([answer]);
  }
  return groups;
}

export const created = '201';

function looksAlike(one: Answer, other: Answer): boolean {
  if ([one, other].some(({ place }) => isExtended(place))) return false;
  return ['content', 'headers'].every((name) => {
    const [first, second] = [one, other].map(({ place }) => get(place.node, name));
    return first && second ? isDeepStrictEqual(json(first), json(second)) : first === second;
  });
}

/** The address of an answer of an operation. */
export function answerAddress(operation: Described, answer: Answer): Address {
  const groups = answerGroups(operation);
  const response = step(step('endpoints', operation.key), 'response');
  return groups.length === 1
    ? response
    : step(
        response,
        groups.findIndex((group) => group.includes(answer)),
      );
}

export function responsePiece(operation: Described, shaping: Shaping): Piece | undefined {
  const { losses } = shaping;
  const groups = answerGroups(operation);
  const [first, second] = groups;
  if (first === undefined) {
    losses.add('open', 'no status of success', operation.place.pointer);
    return undefined;
  }
  if (second === undefined) return answerPiece(first, undefined, shaping);
  const pieces = groups.map((group, index) => {
    const others = groups.slice(index + 1);
    if (others.length > 0) losses.add('open', 'when one of several answers is sent', group[0].place.pointer);
    return answerPiece(group, others.length > 0 ? whenAsked(group, others) : undefined, shaping);
  });
  return listed(pieces, first[0].place.node.span);
}

/** No description says which of several answers is sent. */
function whenAsked(group: AnswerGroup, others: readonly AnswerGroup[]): string {
  if (group[0].status === created) return '(open) created?';
  return `(open) when is it ${statusesOf(group)}, and not ${statusesOf(others.flat())}?`;
}

function statusesOf(answers: readonly Answer[]): string {
  return answers.map(({ status }) => status).join(' or ');
}

function answerPiece(group: AnswerGroup, when: string | undefined, shaping: Shaping): Piece {
  const [first] = group;
  const { content } = first;
  const { span } = first.place.node;
  const isShaped = content?.schema !== undefined && isJson(content.media);
  if (content?.schema !== undefined && !isShaped)
    shaping.losses.add('gap', 'an answer that is no JSON', first.place.pointer);
  const statuses = group.map(({ status }) => Number(status));
  const status = leaf(statuses.length === 1 ? (statuses[0] as number) : statuses, span);
  const types = isShaped ? mediaOfAnswer(content, first.contents, shaping.losses) : [];
  const media = types.length > 1 ? types : (types[0] ?? '');
  const isPlain = ['', 'application/json'].includes(essence(String(media)));
  const more = {
    headers: headersPiece(first.place, shaping),
    description: answerDescription(group, shaping),
  };
  const isBare = [when, ...Object.values(more)].every((each) => each === undefined);
  const piece =
    !isShaped && isBare && statuses.length === 1
      ? status
      : branch(span, {
          when: when === undefined ? undefined : leaf(when, span),
          status,
          media: isPlain ? undefined : leaf(media, span),
          shape: isShaped ? shapeOf(content.schema as Place, shaping) : undefined,
          ...more,
        });
  // What an extension says of one of several statuses, it does not say of the others.
  return statuses.length === 1 ? hosted(piece, first.place) : piece;
}

/** The media types of an answer, that of which the shape is stated first. Which is sent, a description does not say. */
function mediaOfAnswer(chosen: Content, all: readonly Content[], losses: Losses): readonly string[] {
  const others = all.filter((each) => each !== chosen);
  for (const other of others)
    if (other.schema && !isAlike(other, chosen))
      losses.add('gap', 'the shape of content in another media type', other.place?.pointer ?? '');
  return [chosen, ...others].map(({ media }) => media);
}

/** What people read about answers, if it says more than their statuses. */
function answerDescription(group: AnswerGroup, { places }: Shaping): Piece | undefined {
  const texts = group.map(({ place, status, content }) => {
    const said = descriptionWith(place, content?.place, places);
    return said === undefined || said === STATUS_CODES[status] ? '' : said;
  });
  const isOne = new Set(texts).size === 1;
  const all = isOne
    ? texts
    : texts.map((text, index) => text && `${(group[index] as Answer).status}: ${text}`);
  const said = paragraphsOf(all);
  return said === undefined ? undefined : leaf(said, group[0].place.node.span);
}
