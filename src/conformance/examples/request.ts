import { formText } from '../../semantics/request/content/form-text.ts';
import { isForm, usualMedia } from '../../semantics/request/content/media.ts';
import type { Json } from '../../source/node.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { openHolds } from '../../specification/openness/holds.ts';
import { isJson } from '../../specification/reading/media.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Example } from '../../specification/vocabulary/endpoint/examples.ts';
import { segmentText } from '../../specification/vocabulary/paths.ts';
import { asCarried, type GivenCredentials } from '../access/given.ts';
import { type Carried, carry, together } from '../access/presenting.ts';
import type { Header, Request } from '../http.ts';
import { pairsOf } from '../requests/message.ts';
import { Unreached } from '../result.ts';
import { type Names, sentValue } from './values.ts';

/** What requests of examples are made of. */
export interface Sending {
  readonly specification: Specification;
  /** The address of the service, without a slash at the end. */
  readonly url: string;
  /** The operator's credentials. */
  readonly given: GivenCredentials;
}

/**
 * The request that an example sends (language §4.6).
 *
 * @param names the answers to earlier examples, by their names
 * @throws Unreached if it cannot be sent, with the reason or the open points
 */
export function requestOf(sending: Sending, operation: Operation, example: Example, names: Names): Request {
  const { specification, url } = sending;
  const holding = openHolds(specification, operation);
  if (holding.length > 0) throw new Unreached('what it asks for is open', holding);
  const { path, query, headers, body } = stated(example.request) ?? {};
  const values = (said: Said<Templates> | undefined, where: string): readonly (readonly [string, Json])[] =>
    valuesOf(said, where, names, specification);
  const carried = sender(sending, example.by, names);
  const sent = body && stated(body);
  const fields: Header[] = values(headers, 'headers').map(([name, value]) => [name, String(value)]);
  const typed = fields.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const content = sent && sentValue(sent.template, 'body', names, specification);
  const asked = [...queryOf(operation, values(query, 'query')), ...carried.query];
  const target = pathOf(specification, operation, new Map(values(path, 'path')));
  const media = typed ?? usualMedia(operation);
  return {
    method: operation.method,
    url: `${url}${target}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
    headers: [
      ...(content === undefined || typed !== undefined ? [] : [['Content-Type', media] as const]),
      ...fields,
      ...carried.headers,
    ],
    body: content === undefined ? null : written(operation, media, content),
  };
}

/** The credentials of `by`. */
function sender({ specification, given }: Sending, by: Example['by'], names: Names): Carried {
  const schemes = stated(stated(specification.authentication)?.schemes);
  const all = [...(stated(by) ?? [])].flatMap(([name, said]): Carried[] => {
    const template = stated(said)?.template;
    const scheme = stated(schemes?.get(name));
    if (scheme === undefined) throw new Unreached(`the scheme ${name} is open`, ['authentication.schemes']);
    if (template === undefined) return [];
    const value = String(sentValue(template, `by.${name}`, names, specification));
    const secret = template.kind === 'literal' ? given[name]?.[value] : value;
    if (secret === undefined)
      throw new Unreached(`it needs the credential ${value} of ${name} (--credentials), which is not given`);
    const credential = template.kind === 'literal' ? asCarried(scheme, value, secret) : secret;
    const carried = carry(scheme, credential);
    if (carried === null) throw new Unreached(`where a credential of ${name} stands is open`);
    return [carried];
  });
  return together(all);
}

type Templates = ReadonlyMap<string, Said<PlacedTemplate>>;

function valuesOf(
  said: Said<Templates> | undefined,
  where: string,
  names: Names,
  specification: Specification,
): readonly (readonly [string, Json])[] {
  return [...((said && stated(said)) ?? [])].flatMap(([name, each]) => {
    const template = stated(each)?.template;
    return template ? [[name, sentValue(template, `${where}.${name}`, names, specification)] as const] : [];
  });
}

function pathOf(
  { endpoints }: Specification,
  operation: Operation,
  given: ReadonlyMap<string, Json>,
): string {
  const segments = operation.path.map((segment) =>
    segmentText(segment, (name) => encodeURIComponent(String(given.get(name) ?? ''))),
  );
  return `${stated(stated(endpoints)?.base) ?? ''}/${segments.join('/')}`;
}

/** A text is sent as it stands; another value as its parameter writes it (language §4.2). */
function queryOf(operation: Operation, given: readonly (readonly [string, Json])[]): readonly string[] {
  const all = queryParameters(operation);
  return given.flatMap(([name, value]) => {
    if (typeof value === 'string') return [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`];
    return pairsOf(
      name,
      value,
      all.find((parameter) => parameter.name === name),
    );
  });
}

/** The content as it is sent, with the member of `under` in it. */
function written(operation: Operation, media: string, content: Json): string {
  const type = media.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type.startsWith('multipart/')) throw new Unreached('the tester writes no content in parts');
  if (isForm(type)) return formText({ operation, content });
  return isJson(type) || typeof content !== 'string' ? JSON.stringify(content) : content;
}
