import type { Json } from '../../source/node.ts';
import { isExtended } from './extensions.ts';
import { commonHeadersPiece } from './fields.ts';
import type { Answer, Content, Described } from './operations.ts';
import { isJson, securityOf, usualSecurityOf } from './operations.ts';
import { branch, hosted, leaf, type Piece } from './piece.ts';
import { type Place, textIn } from './place.ts';
import { descriptionOf, descriptionWith, firstLine } from './prose.ts';
import type { Shaping } from './shape.ts';

/**
 * What a status of refusal is called in part 7, and the condition for which it usually stands; undefined: what it usually
 * stands for hangs on what no description states, so that nobody can say why it is sent.
 */
const statuses: Readonly<Record<string, readonly [code: string, when: Json | undefined]>> = {
  400: ['bad_request', ['malformed', 'invalid']],
  401: ['not_authenticated', ['not authenticated']],
  403: ['forbidden', undefined],
  404: ['not_found', ['unknown']],
  409: ['conflict', ['not unique']],
  412: ['precondition_failed', undefined],
  413: ['too_large', undefined],
  415: ['unsupported_media', ['unsupported media']],
  422: ['unprocessable', ['malformed', 'invalid']],
  428: ['precondition_required', undefined],
  429: ['too_many', ['rate exceeded']],
};

/** Rows of part 7, with what each usually means. */
export interface Row {
  readonly code: string;
  readonly status: number;
  /** What the status usually means; undefined: nobody can say. */
  readonly when: Json | undefined;
  readonly at: Place;
  readonly content: Content | undefined;
  /** All answers of the status. */
  readonly answers: readonly Answer[];
}

/** The statuses of refusals that answers have, each a row. */
export function rowsIn(operations: readonly Described[]): readonly Row[] {
  const all = operations
    .flatMap(({ failures }) => failures)
    .filter(({ status, place }) => /^[45]\d\d$/.test(status) && !isExtended(place));
  const found = new Map<string, Row>();
  for (const [status, answers] of Map.groupBy(all, (each) => each.status)) {
    const [{ place, content }] = answers as [Answer, ...Answer[]];
    const [code, when] = statuses[status] ?? [`status_${status}`, undefined];
    found.set(status, { code, status: Number(status), when, at: place, content, answers });
  }
  const rows = [...found.values()].toSorted((a, b) => a.status - b.status);
  // Beside 400, some send 422 for what does not fit its shape, and others for what only they know.
  const isBeside = found.has('400') && found.has('422');
  return rows.map((row) => (row.status === 422 && isBeside ? { ...row, when: undefined } : row));
}

/** Part 7: which statuses there are, and the shape that their answers have in common. */
export function errorsPiece(operations: readonly Described[], shaping: Shaping): Piece | undefined {
  const rows = rowsIn(operations);
  const { places } = shaping;
  const { root } = places;
  const components = places.member(root, 'components');
  // A description that tacet wrote has a response for each row, with what the row says.
  const own = places
    .members(components && places.member(components, 'responses'))
    .filter(([, place]) => isExtended(place));
  const shape = commonShape(operations, shaping);
  const others = othersIn(operations);
  const [other] = others;
  const listed = [...own, ...rows, ...(other ? [other] : [])];
  if (listed.length === 0 && shape === undefined) return undefined;
  return branch(root.node.span, {
    payload:
      shape &&
      branch(shape.at, {
        media: shape.media === undefined ? undefined : leaf(shape.media, shape.at),
        shape: leaf(shape.name, shape.at),
        body: leaf('(open) what does it say of each reason?', shape.at),
      }),
    codes:
      listed.length === 0
        ? undefined
        : branch(
            root.node.span,
            Object.fromEntries([
              ...own.map(([code, place]) => [code, ownRow(code, place)] as const),
              ...rows.map((row) => [row.code, rowPiece(row, shaping)] as const),
              ...(other ? [[otherCode, otherPiece(other, others, shaping)] as const] : []),
            ]),
          ),
  });
}

/**
 * A row of a description that tacet wrote. Where nothing is told people of the row, what stands there is the question that it
 * asks, or the names of the row and its status.
 */
function ownRow(code: string, place: Place): Piece {
  const said = descriptionOf(place);
  const isTold =
    said !== undefined && !said.startsWith(`${code}: `) && said !== askedOf(textIn(place, 'x-tacet-when'));
  const { span } = place.node;
  return hosted(branch(span, { description: isTold ? leaf(said, span) : undefined }), place);
}

/** What a question is about that asks for the reason of a refusal; undefined: that is not known. */
export function askedOf(when: string | undefined): string | undefined {
  return /^\(open\) for which reason: (.+)\?$/.exec(when ?? '')?.[1];
}

/** The code of the row for any other refusal, of which an answer `default` tells. */
export const otherCode = 'other';

/** The answers `default`. */
function othersIn(operations: readonly Described[]): readonly Answer[] {
  const all = operations.flatMap(({ failures }) => failures);
  return all.filter(({ status, place }) => status === 'default' && !isExtended(place));
}

function otherPiece({ place, content }: Answer, all: readonly Answer[], shaping: Shaping): Piece {
  const { span } = place.node;
  const said = descriptionWith(place, content?.place, shaping.places);
  return branch(span, {
    when: leaf('(open) for which other reason?', span),
    status: leaf('(open) which?', span),
    headers: commonHeadersPiece(all, shaping),
    description: said === undefined ? undefined : leaf(said, span),
  });
}

function rowPiece({ status, at: place, content, answers }: Row, shaping: Shaping): Piece {
  const { span } = place.node;
  const said = descriptionWith(place, content?.place, shaping.places);
  // The question says it whole, if it is short.
  const isAsked = said === undefined || question(place).includes(said.replace(/[.?]$/, ''));
  return branch(span, {
    when: leaf(`(open) ${question(place)}`, span),
    status: leaf(status, span),
    headers: commonHeadersPiece(answers, shaping),
    description: isAsked ? undefined : leaf(said, span),
  });
}

function question(place: Place): string {
  const said = firstLine(textIn(place, 'description'), 80);
  return said === '' ? 'for which reason?' : `for which reason: ${said}?`;
}

/** The named shape that most answers of refusals have. */
export function commonShape(operations: readonly Described[], { places, names }: Shaping) {
  const all = operations.flatMap(({ failures }) =>
    failures.flatMap(({ content, place }) => {
      if (content?.schema === undefined || !isJson(content.media)) return [];
      const schema = places.followed(content.schema);
      const name = names.get(schema.pointer);
      const media = /^application\/json$/i.test(content.media) ? undefined : content.media;
      return name === undefined ? [] : [{ name, schema, media, at: place.node.span }];
    }),
  );
  const groups = [...Map.groupBy(all, ({ name }) => name).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0];
}

/** Part 5: the schemes, and which operations ask for one. */
export function authenticationPiece(
  operations: readonly Described[],
  names: ReadonlyMap<string, string>,
  shaping: Shaping,
): Piece | undefined {
  const { places, losses } = shaping;
  const schemes = schemesOf(shaping);
  if (schemes.length === 0) return undefined;
  const { span } = places.root.node;
  const usual = usualSecurityOf(places.root);
  const rules = operations.flatMap(({ key, place }): [string, Piece][] => {
    const name = names.get(key);
    const asked = securityOf(place) ?? usual;
    if (name === undefined || asked === undefined) return [];
    const isFree = asked.length === 0 || asked.some((each) => each.length === 0);
    if (asked.length > 1) losses.add('open', 'one of several credentials', place.pointer);
    return [[name, leaf(isFree ? 'anyone' : 'known', place.node.span)]];
  });
  return branch(span, {
    schemes: branch(
      span,
      Object.fromEntries(
        schemes.map(([name, place]) => [schemeName(name), hosted(scheme(place, shaping), place)]),
      ),
    ),
    authorization: rules.length > 0 ? branch(span, Object.fromEntries(rules)) : undefined,
  });
}

/** The names of the schemes, as part 5 has them. */
export function schemesIn(shaping: Shaping): readonly string[] {
  return schemesOf(shaping).map(([name]) => schemeName(name));
}

/** What each scheme is called in a message (RFC 9110 §11.1): one of another type by its own name. */
export function namesSaid(shaping: Shaping): ReadonlyMap<string, string> {
  const said = schemesOf(shaping).map(([name, place]): [string, string] => {
    const type = textIn(place, 'type');
    const registered = type === 'http' ? textIn(place, 'scheme') : type === 'apiKey' ? undefined : 'bearer';
    const own = schemeName(name);
    return [own, registered ? `${registered.charAt(0).toUpperCase()}${registered.slice(1)}` : own];
  });
  return new Map(said);
}

function schemesOf({ places }: Shaping): readonly (readonly [string, Place])[] {
  const components = places.member(places.root, 'components');
  return places.members(components && places.member(components, 'securitySchemes'));
}

function schemeName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replace(/^[^A-Za-z]+/, '');
  return plain === '' ? 'scheme' : plain;
}

function scheme(place: Place, { losses }: Shaping): Piece {
  const [type, says] = [textIn(place, 'type'), (name: string) => textIn(place, name)];
  const { span } = place.node;
  const made = (value: Readonly<Record<string, Json | undefined>>): Piece => {
    const all = { ...value, description: descriptionOf(place, type === 'oauth2' ? ['type', 'flows'] : []) };
    return leaf(
      Object.fromEntries(Object.entries(all).filter(([, each]) => each !== undefined)) as Json,
      span,
    );
  };
  if (type === 'apiKey') return made({ type, in: says('in'), name: says('name') });
  if (type === 'http') return made({ type, scheme: says('scheme'), bearerFormat: says('bearerFormat') });
  if (type === 'openIdConnect') return made({ type, openIdConnectUrl: says('openIdConnectUrl') });
  // How a client comes by a token is no part of a request: it carries a bearer token (RFC 6750).
  losses.add('dropped', `how ${type ?? 'a scheme'} gives out tokens`, place.pointer);
  return made({ type: 'http', scheme: 'bearer' });
}
