import { boundary } from '../../semantics/content/parts.ts';
import { formDataBytes } from '../../semantics/request/content/form-data.ts';
import { formText } from '../../semantics/request/content/form-text.ts';
import { listedPartsBytes } from '../../semantics/request/content/listed-parts.ts';
import {
  isForm,
  isFormData,
  isListedParts,
  sentMedia,
  usualMedia,
} from '../../semantics/request/content/media.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { plain } from '../../semantics/value/plain.ts';
import { Bytes, isList, isObject, seen, type Value } from '../../semantics/value/value.ts';
import { queryParameters } from '../../specification/model/operation.ts';
import { spelledPath } from '../../specification/model/path-spelling.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { segmentText } from '../../specification/vocabulary/paths.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import { type Carried, carry, together } from '../access/presenting.ts';
import { told } from '../http.ts';
import { versionNamed } from './version.ts';

/** What can be sent in each place: header fields are trimmed (RFC 9110 §5.5), and dots lead elsewhere (RFC 3986 §5.2.4). */
export const sendable = {
  query: /^/,
  headers: /^[!-~]([ -~]*[!-~])?$/,
  path: /^(?!\.\.?$)/,
};

/** A request as it is sent. */
export interface Message {
  readonly method: string;
  /** The path, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The content, if it is no text. */
  readonly base64?: string;
}

/** Writes a request whose values are all known. The path is the operation's own, with `base`; the content is JSON, a form, a text that is none of them, or bytes. */
export function messageOf(request: Request, specification: Specification): Message {
  const { operation, path, query, content, credentials } = request;
  const segments = (spelledPath(operation, request.spelling) ?? operation.path).map((segment) =>
    segmentText(segment, (name) => encodeURIComponent(textOf(path[name] ?? null))),
  );
  const parameters = queryParameters(operation);
  const given = Object.entries(query).flatMap(([name, value]) =>
    pairsOf(
      name,
      value,
      parameters.find((parameter) => parameter.name === name),
    ),
  );
  const schemes = stated(stated(specification.authentication)?.schemes);
  const carried = together(
    credentials.flatMap(({ scheme: name, value, password, word }) => {
      const scheme = stated(schemes?.get(name));
      const carried = scheme && carry(scheme, credentialText(value, password));
      return (carried && word !== undefined ? afterWord(carried, word) : carried) ?? [];
    }),
  );
  const spoken = versionNamed(request, specification);
  const { 'content-type': named = usualMedia(operation), ...fields } = request.headers;
  const media = content === undefined ? '' : textOf(named);
  const isInParts = isFormData(media) || isListedParts(media);
  const inBytes = bytesOf(request, media);
  const pairs = [...given, ...carried.query, ...spoken.query];
  return {
    method: request.isPreflight === true ? 'OPTIONS' : operation.method,
    path: `${spoken.path}/${segments.join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
    headers: {
      ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)])),
      ...Object.fromEntries(carried.headers),
      ...spoken.headers,
      ...(media !== '' && {
        'content-type': isInParts && inBytes ? `${media}; boundary=${boundary}` : media,
      }),
    },
    ...(inBytes ? told(inBytes) : { body: bodyText(request) }),
  };
}

/** The content as bytes; null: it is a text. */
function bytesOf(request: Request, media: string): Uint8Array | null {
  const { content } = request;
  if (content instanceof Bytes) return content.content;
  if (isFormData(media)) return formDataBytes(request);
  return isListedParts(media) && content !== undefined ? listedPartsBytes(content) : null;
}

function bodyText(request: Request): string | undefined {
  const { content, isBroken = false, leastBytes = 0 } = request;
  if (content === undefined) return undefined;
  if (isForm(sentMedia(request) ?? '')) return formText(request);
  const json = JSON.stringify(plain(content) ?? null);
  const text = isBroken ? json.slice(0, -1) : json;
  return text + ' '.repeat(Math.max(0, leastBytes - Buffer.byteLength(text)));
}

/** What is carried, with another word before it. */
function afterWord({ headers, query }: Carried, word: string): Carried {
  return { query, headers: headers.map(([name, text]) => [name, `${word} ${text.replace(/^\S+ /, '')}`]) };
}

function credentialText(value: Value, password: Value | undefined): string {
  if (password === undefined) return textOf(value);
  return Buffer.from(`${textOf(value)}:${textOf(password)}`, 'utf8').toString('base64');
}

/** The pairs of a query parameter, in its style (language §4.2, rule 1). */
export function pairsOf(name: string, value: Value, parameter: Parameter | undefined): string[] {
  const pair = (key: string, text: string): string =>
    `${encodeURIComponent(key)}=${encodeURIComponent(text)}`;
  const found = plain(value) ?? null;
  const style = parameter && stated(parameter.roles.style);
  const isApart = (parameter && stated(parameter.roles.explode)) ?? (style ?? 'form') === 'form';
  if (style === 'json') return [pair(name, JSON.stringify(found))];
  if (isList(found as Value)) {
    const texts = (found as readonly Value[]).map(textOf);
    if (isApart) return texts.map((text) => pair(name, text));
    return [inPair(name, texts, style)];
  }
  if (!isObject(found as Value)) return [pair(name, textOf(found as Value))];
  if (!isApart && style !== 'deepObject') {
    const parts = Object.entries(found as object).flatMap(([key, member]) => [key, textOf(member as Value)]);
    return [inPair(name, parts, style)];
  }
  return Object.entries(found as object).map(([key, member]) =>
    pair(style === 'deepObject' ? `${name}[${key}]` : key, textOf(member as Value)),
  );
}

/** Texts in one pair (OpenAPI 3.2 §4.12.3). What separates them is not coded, or in its only coding. */
function inPair(name: string, texts: readonly string[], style: string | undefined): string {
  const separator = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';
  return `${encodeURIComponent(name)}=${texts.map(encodeURIComponent).join(separator)}`;
}

function textOf(value: Value): string {
  return String(plain(seen(value)) ?? '');
}
