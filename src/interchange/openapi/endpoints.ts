import type { Span } from '../../source/text.ts';
import { responsePiece } from './answers.ts';
import { isExtended } from './extensions.ts';
import { parameterPiece, pathParameterPiece } from './fields.ts';
import { type InPath, isShapedAlike, type PathsMeant } from './guesses/in-path.ts';
import type { Meant } from './guesses/meant.ts';
import { askedOf } from './guesses/query.ts';
import { keyOf, questionOfKey } from './guesses/repeats.ts';
import { contentPieces } from './media.ts';
import type { Described, Parameter } from './operations.ts';
import { asksScopes } from './operations.ts';
import { branch, hosted, leaf, type Piece } from './piece.ts';
import { isSet, type Place, textIn } from './place.ts';
import { descriptionOf, descriptionWith, firstLine, paragraphsOf } from './prose.ts';
import { isObject, requiredOf, type Shaping } from './shape.ts';
import { summaryOfName } from './summary.ts';

/** Part 4: what is sent and received. What an operation does is asked, since no description says it. */
export function endpointsPiece(
  operations: readonly Described[],
  meant: ReadonlyMap<Described, Meant>,
  paths: PathsMeant,
  shaping: Shaping,
): Piece {
  const names = operationNames(operations, shaping);
  const at = shaping.places.root.node.span;
  return branch(at, {
    base: baseOf(shaping),
    ...Object.fromEntries(
      operations.map((each) => {
        const inPath = paths.get(each) ?? new Map<string, InPath>();
        return [each.key, operationPiece(each, names.get(each), meant.get(each), inPath, shaping)];
      }),
    ),
  });
}

/** The path that all servers have. */
function baseOf({ places, losses }: Shaping): Piece | undefined {
  const servers = places.member(places.root, 'servers');
  const urls = places.elements(servers).map((server) => textIn(server, 'url') ?? '');
  const paths = urls.map((url) => url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/+$/, ''));
  if (servers === undefined || paths.length === 0) return undefined;
  const isPlain = paths.every((path) => path === paths[0] && /^(\/[\w.~-]+)*$/.test(path));
  if (!isPlain) losses.add('open', 'addresses with several paths, or with variables', servers.pointer);
  return isPlain && paths[0] ? leaf(paths[0], servers.node.span) : undefined;
}

/** The names of operations: their ids, as far as they are names and no other has the same. */
function operationNames(
  operations: readonly Described[],
  { losses }: Shaping,
): ReadonlyMap<Described, string> {
  const found = new Map<Described, string>();
  const taken = new Set<string>();
  for (const operation of operations) {
    const { id, place } = operation;
    if (id === undefined) continue;
    const name = id
      .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[^A-Za-z]+/, '')
      .replace(/-+$/, '');
    if (name !== id) losses.add('spelling', 'an operationId that is no name', `${place.pointer}/operationId`);
    if (name === '' || taken.has(name)) continue;
    taken.add(name);
    found.set(operation, name);
  }
  return found;
}

function operationPiece(
  operation: Described,
  name: string | undefined,
  meant: Meant | undefined,
  inPath: ReadonlyMap<string, InPath>,
  shaping: Shaping,
): Piece {
  const { place } = operation;
  const { span } = place.node;
  const question = meant ? `${meant.verb} ${meant.kept.name}?` : questionOf(place);
  const key = keyOf(operation);
  const piece = branch(span, {
    operation: name === undefined ? undefined : leaf(name, span),
    does: leaf(`(open) ${question}`, span),
    description: described(operation, shaping),
    request: requestPiece(operation, meant, inPath, shaping),
    idempotency: key && leaf(`(open) ${questionOfKey(key)}`, key.place.node.span),
    response: responsePiece(operation, shaping),
  });
  return hosted(piece, place);
}

/** Members of an operation that the language has no word for. */
const noted = ['tags', 'externalDocs', 'deprecated', 'servers', 'callbacks'];

/** What people read about an operation, with its path. */
function described({ place, item, id, key }: Described, { places }: Shaping): Piece | undefined {
  // In a description that tacet wrote, what is asked for follows from statements.
  const isAsking = asksScopes(place) && !isExtended(places.root);
  const said = paragraphsOf([
    descriptionOf(place, [...noted, ...(isAsking ? ['security'] : [])], summaryOfName(id ?? key)) ?? '',
    (item && descriptionOf(item, ['servers'])) ?? '',
  ]);
  return said === undefined ? undefined : leaf(said, place.node.span);
}

/** What people read about an operation, as a question: what does it do? */
function questionOf(place: Place): string {
  const said = firstLine(textIn(place, 'summary') ?? textIn(place, 'description'), 100);
  return said === '' ? 'what does it do?' : `what does this come to: ${said}?`;
}

function requestPiece(
  operation: Described,
  meant: Meant | undefined,
  inPath: ReadonlyMap<string, InPath>,
  shaping: Shaping,
): Piece | undefined {
  const { parameters, body, bodies, bodyPlace, place } = operation;
  const { losses, places } = shaping;
  const { span } = place.node;
  for (const each of parameters) {
    if (each.in === 'cookie') losses.add('gap', 'a parameter in a cookie', each.place.pointer);
  }
  // What a description that tacet wrote does not say of a parameter, its author did not say.
  const isAsked = meant?.verb === 'list' && !isExtended(places.root);
  const ofPlace = (where: Parameter['in']): Piece | undefined => {
    const those = parameters.filter((each) => each.in === where && each.schema !== undefined);
    const entries = those.map((each) => {
      const asked = isAsked ? askedOf(each, meant.kept.schema, places) : undefined;
      return [each.name, parameterPiece(each, shaping, asked)] as const;
    });
    return those.length > 0 ? branch(span, Object.fromEntries(entries)) : undefined;
  };
  const path = pathPiece(parameters, inPath, span, shaping);
  const query = ofPlace('query');
  const headers = ofPlace('header');
  const schema = body?.schema;
  const said = bodyPlace && descriptionWith(bodyPlace, body?.place, places);
  if ([path, query, headers, body].every((each) => each === undefined)) return undefined;
  return branch(span, {
    path,
    query,
    headers,
    ...(body && contentPieces(bodies, body, span, shaping)),
    required: schema && bodyPlace && mayBeLeftOut(bodyPlace, schema, shaping) ? leaf(false, span) : undefined,
    description: said === undefined ? undefined : leaf(said, span),
  });
}

/** The parameters of a path of which more is known than that they are text. */
function pathPiece(
  parameters: readonly Parameter[],
  inPath: ReadonlyMap<string, InPath>,
  at: Span,
  shaping: Shaping,
): Piece | undefined {
  const { places, losses } = shaping;
  // Where a description that tacet wrote does not say what a parameter is, the operation says it whole.
  const isOurs = isExtended(places.root);
  const entries = parameters.flatMap((each): (readonly [string, Piece])[] => {
    if (each.in !== 'path' || (isOurs && !isExtended(each.place))) return [];
    const isAlike = isShapedAlike(each, inPath.get(each.name), places);
    const piece = pathParameterPiece(each, isAlike, shaping);
    if (!isAlike)
      losses.add(
        'gap',
        'the shape of a parameter of the path, where the member has another type',
        each.place.pointer,
      );
    return piece ? [[each.name, piece]] : [];
  });
  return entries.length > 0 ? branch(at, Object.fromEntries(entries)) : undefined;
}

/** Whether content may be missing, and is as good as an empty object then (language §4.2, rule 18). */
function mayBeLeftOut(body: Place, schema: Place, { places, losses }: Shaping): boolean {
  if (isSet(body, 'required')) return false;
  const followed = places.followed(schema);
  const isEmpty = isObject(followed, places) && requiredOf(followed, places).length === 0;
  if (!isEmpty) losses.add('gap', 'a body that may be left out, and has to have members', body.pointer);
  return isEmpty;
}
