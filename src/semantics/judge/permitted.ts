import type { Json } from '../../source/node.ts';
import { isJson, mediaKind } from '../../specification/reading/media.ts';
import { boundary, type Part, partContent, writtenParts } from '../content/parts.ts';
import type { Prediction, Sharing } from '../request/prediction.ts';
import { absent } from '../value/evaluate.ts';
import {
  Bytes,
  Collection,
  Item,
  isList,
  isObject,
  Links,
  Made,
  PageAddress,
  Range,
  Shifted,
  Stretch,
  seen,
  Text,
  Token,
  Unknown,
  type Value,
  type When,
} from '../value/value.ts';
import { type Answer, unseen } from './answer.ts';

/**
 * An answer that a prediction permits: what a right service might send. What is unknown of it is unseen. Null if the
 * status is unknown.
 */
export function answerTo({ status, headers, names, body, sharing }: Prediction): Answer | null {
  const [first] = status instanceof Unknown ? [] : status;
  if (first === undefined) return null;
  const fields = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const sent = sentAs(value);
    return sent === null || sent === unseen ? [] : [[name, String(sent)]];
  });
  const content = body === absent ? undefined : contentAs(body as Value, headers['content-type']);
  const type = sentAs(headers['content-type'] ?? null);
  const isInParts = content instanceof Uint8Array && typeof type === 'string' && mediaKind(type) === 'parts';
  return {
    status: first,
    headers: {
      ...Object.fromEntries(fields),
      ...(isInParts && { 'content-type': `${type}; boundary=${boundary}` }),
      ...Object.fromEntries(Object.entries(names ?? {}).map(([name, listed]) => [name, listed.join(', ')])),
      ...(sharing && sharingFields(sharing)),
    },
    body: content,
  };
}

/** The fields that let pages read an answer, and use what they may (Fetch standard §3.3). */
function sharingFields({ origin, isAllowed, hasCredentials, uses }: Sharing): Answer['headers'] {
  if (!isAllowed) return {};
  const allowed = Map.groupBy(
    uses.filter((use) => use.isAllowed),
    ({ field }) => field,
  );
  return {
    'access-control-allow-origin': origin,
    ...(hasCredentials && { 'access-control-allow-credentials': 'true' }),
    ...Object.fromEntries(
      [...allowed].map(([field, all]) => [field, all.map(({ name }) => name).join(', ')]),
    ),
  };
}

/** Content, as its media type says how it is written. */
function contentAs(body: Value, media: Value | undefined): Answer['body'] {
  const found = seen(body);
  if (found instanceof Bytes) return found.content.byteLength === 0 ? undefined : found.content;
  const type = media === undefined ? undefined : seen(media);
  const isOther = typeof type === 'string' && !isJson(type);
  if (isOther && mediaKind(type) === 'parts') return inParts(found);
  const sent = sentAs(found);
  if (!isOther) return sent;
  if (sent === '') return undefined;
  return typeof sent === 'string' ? new TextEncoder().encode(sent) : unseen;
}

/** A list of `{ headers, body }` as content in parts; unseen: something of it is not known. */
function inParts(list: Value): Uint8Array | Json {
  const parts = isList(list) ? list.map((each) => partOf(seen(each))) : [null];
  return parts.includes(null) ? unseen : writtenParts(parts as readonly Part[]);
}

function partOf(part: Value): Part | null {
  if (!isObject(part)) return null;
  const fields = Object.entries(sentAs(part['headers'] ?? null) ?? {});
  const body = seen(part['body'] ?? null);
  const sent = body instanceof Bytes ? body.content : sentAs(body);
  if (sent === unseen || fields.some(([, value]) => value === unseen)) return null;
  const headers = fields.flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name.toLowerCase(), String(value)]],
  );
  return { headers: Object.fromEntries(headers), content: partContent(sent) };
}

/** A value as it is sent. */
export function sentAs(value: Value): Json {
  const found = seen(value);
  if (found instanceof Item) return sentAs(found.key);
  if (found instanceof Token) return token(found);
  if (found instanceof Shifted) return Number(sentAs(found.base)) + found.by;
  if (found instanceof Made) return made(found);
  if (found instanceof Text) return found.pieces.map((piece) => String(sentAs(piece))).join('');
  if (found instanceof Range) return Number.isFinite(found.least) ? found.least : Math.min(found.most, 0);
  if (found instanceof Unknown) return unseen;
  if (found instanceof Collection) return found.closed ? found.items.map(sentAs) : unseen;
  if (found instanceof Stretch || found instanceof PageAddress || found instanceof Links) return unseen;
  if (isList(found)) return found.map(sentAs);
  if (!isObject(found)) return found as Json;
  return Object.fromEntries(Object.entries(found).map(([name, member]) => [name, sentAs(member)]));
}

/** The least integer that is sent for a made value: a request does not give it by chance. */
export const leastMade = 1_000_000;

/** A value of the form, by its place in the world: two that differ are sent as two values. */
function made({ form, place, when, looks }: Made): Json {
  switch (form) {
    case 'integer':
      return leastMade + place;
    case 'time':
      return new Date(when ? clockShows(when) : place * 1000).toISOString();
    default:
      return textOfMade(place, looks);
  }
}

/** What a clock shows that goes with the tester's, in whole milliseconds. What is made later is not less. */
function clockShows({ received, shown }: When): number {
  const least = Number.isFinite(shown.least) ? shown.least : shown.most;
  const ms = Number.isFinite(received.least) ? Math.max(received.least, least) : least;
  return Number.isFinite(ms) ? Math.ceil(ms) : 0;
}

/** A token that says what it should (RFC 7519). Nobody signed it. */
function token(made: Token): Json {
  const { algorithm, claims, lifeMs, place } = made;
  const said = Object.entries(claims).filter(([, value]) => seen(value) !== null);
  const sent = said.map(([name, value]): [string, Json] => [name, sentAs(value)]);
  const iat = 1_700_000_000 + place;
  const times = { iat, ...(lifeMs !== null && { exp: iat + Math.ceil(lifeMs / 1000) }) };
  const parts = [
    { alg: algorithm, typ: 'JWT' },
    { ...Object.fromEntries(sent), ...times },
  ];
  const [head, content] = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return `${head}.${content}.${textOfMade(place)}`;
}

/** A text by which a made value is known again. */
function textOfMade(place: number, looks = ''): string {
  const [, count] = /^\[A-Za-z0-9\]\{(\d+)\}$/.exec(looks) ?? [];
  if (count !== undefined) return place.toString(36).slice(-Number(count)).padStart(Number(count), '0');
  return `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
}
