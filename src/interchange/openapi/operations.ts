import type { Losses } from '../losses.ts';
import { isSet, type Place, type Places, raw, rawElements, textIn } from './place.ts';

/** A parameter of a request. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path' | 'cookie';
  readonly isRequired: boolean;
  readonly place: Place;
  /** Undefined: its content is of a media type. */
  readonly schema: Place | undefined;
}

/** Content of one media type. */
export interface Content {
  readonly media: string;
  readonly schema: Place | undefined;
  /** Whether a form spells objects with brackets: `a[b]=c`. */
  readonly hasBrackets: boolean;
  /** What stands under the media type, with its examples. Default: nothing else */
  readonly place?: Place;
}

/** An answer: `404`, `4XX` or `default`. */
export interface Answer {
  readonly status: string;
  readonly place: Place;
  /** The JSON content, else the first. Undefined: it has none. */
  readonly content: Content | undefined;
  /** That of every media type. */
  readonly contents: readonly Content[];
}

/** An operation of a description (OpenAPI 3.1 §4.8.10). */
export interface Described {
  /** `GET /pets/{id}`. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly id: string | undefined;
  readonly place: Place;
  /** That of its path; undefined: another operation of the path stands before it. */
  readonly item: Place | undefined;
  readonly parameters: readonly Parameter[];
  /** The JSON content, else the first. */
  readonly body: Content | undefined;
  /** That of every media type. */
  readonly bodies: readonly Content[];
  readonly bodyPlace: Place | undefined;
  /** The answers of success, in the order of their statuses, 202 last. */
  readonly successes: readonly Answer[];
  readonly failures: readonly Answer[];
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** The operations of a description, in its order. */
export function operationsOf(places: Places, losses: Losses): readonly Described[] {
  return places.members(places.member(places.root, 'paths')).flatMap(([path, item]) =>
    places
      .members(item)
      .filter(([name]) => methods.includes(name))
      .map(([name, place], index) => ({
        ...described(name.toUpperCase(), path, item, place, places, losses),
        item: index === 0 ? item : undefined,
      })),
  );
}

function described(
  method: string,
  path: string,
  item: Place,
  place: Place,
  places: Places,
  losses: Losses,
): Omit<Described, 'item'> {
  const answers = places
    .members(places.member(place, 'responses'))
    .map(([status, answer]) => answerOf(status, answer, places, losses));
  const body = bodyIn(method, places.member(place, 'requestBody'), losses);
  const bodies = contentsOf(body, places);
  return {
    key: `${method} ${path}`,
    method,
    path,
    id: textIn(place, 'operationId'),
    place,
    parameters: parametersOf(item, place, places),
    body: chosenOf(bodies),
    bodies,
    bodyPlace: body,
    successes: answers
      .filter(({ status }) => /^2\d\d$/.test(status))
      .toSorted((a, b) => placeOf(a.status) - placeOf(b.status)),
    failures: answers.filter(({ status }) => /^([45](\d\d|XX)|default)$/i.test(status)),
  };
}

/** Among the answers of success: what is only accepted (RFC 9110 §15.3.3) stands last. */
function placeOf(status: string): number {
  return status === '202' ? 300 : Number(status);
}

/** What a request has to bring, or may; with GET, HEAD and DELETE it says nothing (RFC 9110 §9.3.1) unless it has to be there. */
function bodyIn(method: string, body: Place | undefined, losses: Losses): Place | undefined {
  if (body === undefined || isSet(body, 'required')) return body;
  const isIdle = ['GET', 'HEAD', 'DELETE'].includes(method);
  if (isIdle) losses.add('dropped', `a body of ${method} that may be left out`, body.pointer);
  return isIdle ? undefined : body;
}

/** Those of the operation stand for those of its path with the same name and place. */
function parametersOf(item: Place, place: Place, places: Places): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  for (const holder of [item, place])
    for (const each of places.elements(raw(holder, 'parameters'))) {
      const [name, where] = [textIn(each, 'name'), textIn(each, 'in')];
      if (name === undefined || !['query', 'header', 'path', 'cookie'].includes(where ?? '')) continue;
      found.set(`${where} ${name}`, {
        name,
        in: where as Parameter['in'],
        isRequired: isSet(each, 'required'),
        place: each,
        schema: raw(each, 'schema'),
      });
    }
  return [...found.values()];
}

function answerOf(status: string, place: Place, places: Places, losses: Losses): Answer {
  for (const [name] of places.entries(places.member(place, 'headers')))
    losses.add('open', 'the value of a header field', `${place.pointer}/headers/${name}`);
  const contents = contentsOf(place, places);
  return { status, place, content: chosenOf(contents), contents };
}

/** The JSON content, else the first: one media type is carried. */
export function contentOf(place: Place, places: Places, losses: Losses): Content | undefined {
  const all = contentsOf(place, places);
  const chosen = chosenOf(all);
  for (const { media } of all)
    if (media !== chosen?.media) losses.add('gap', 'another media type', `${place.pointer}/content/${media}`);
  return chosen;
}

function chosenOf(contents: readonly Content[]): Content | undefined {
  return contents.find(({ media }) => isJson(media)) ?? contents[0];
}

/** The content of each media type. */
function contentsOf(place: Place | undefined, places: Places): readonly Content[] {
  return places.members(place && places.member(place, 'content')).map(([media, content]) => {
    const encodings = places.members(places.member(content, 'encoding'));
    const hasBrackets = encodings.some(([, encoding]) => textIn(encoding, 'style') === 'deepObject');
    return { media, schema: raw(content, 'schema'), hasBrackets, place: content };
  });
}

export function isJson(media: string): boolean {
  return /^application\/([\w.-]+\+)?json\b/i.test(media);
}

/** What each alternative asks for: names of schemes, each with scopes; undefined: nothing is said. */
export function securityOf(place: Place): readonly (readonly string[])[] | undefined {
  const said = raw(place, 'security');
  return said && rawElements(said).map(({ node }) => (node.kind === 'map' ? [...node.entries.keys()] : []));
}

/** What the whole description asks for. An empty list says nothing there (OpenAPI 3.1.1 §4.8.1.1), unlike that of an operation. */
export function usualSecurityOf(root: Place): ReturnType<typeof securityOf> {
  const said = securityOf(root);
  return said?.length === 0 ? undefined : said;
}

/** Whether more is asked for than one credential that need not grant anything. */
export function asksScopes(place: Place): boolean {
  const alternatives = rawElements(raw(place, 'security'));
  const scopes = alternatives.flatMap(({ node }) =>
    node.kind === 'map' ? [...node.entries.values()].map(({ value }) => value) : [],
  );
  return alternatives.length > 1 || scopes.some((each) => each.kind === 'list' && each.items.length > 0);
}
