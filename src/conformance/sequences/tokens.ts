import type { Json } from '../../source/node.ts';
import type { Header, Response } from '../http.ts';
import type { Place } from './sequence.ts';

/** A value in an answer or a request, with the name that it stands under: a member's, or a header field's. */
export interface Token {
  readonly value: string;
  readonly at: Place;
  readonly name: string;
}

/** What no value is made of: header fields that tell of the message alone, or that HTTP lets any server add. */
const ofMessage =
  /^(date|connection|keep-alive|server|vary|allow|accept.*|content-(type|length|encoding)|transfer-encoding|access-control-.*|origin|host|user-agent)$/i;

/** The values in an answer: its header fields and the members of its body, and the parts of those that are addresses. */
export function tokensIn(response: Response): Token[] {
  return [...headerTokens(response.headers), ...bodyTokens(response.body)];
}

/** The values in header fields: each whole, and word by word. */
export function headerTokens(headers: readonly Header[]): Token[] {
  return headers
    .filter(([name]) => !ofMessage.test(name))
    .flatMap(([field, value]) => {
      const name = field.toLowerCase();
      return [{ value, at: { header: name }, name }, ...inParts(value, { header: name }, name)];
    });
}

/** The values in a body of JSON; none in any other. */
export function bodyTokens(body: string): Token[] {
  const json = parsed(body);
  return json === undefined ? [] : leaves(json, '', '');
}

function leaves(value: Json, pointer: string, name: string): Token[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => leaves(one, `${pointer}/${index}`, name));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) =>
      leaves(one, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, key),
    );
  if (typeof value === 'number') return [{ value: String(value), at: { body: pointer }, name }];
  if (typeof value !== 'string' || value === '') return [];
  const whole = { value, at: { body: pointer }, name };
  return value.includes('/') ? [whole, ...inParts(value, { body: pointer }, name)] : [whole];
}

/** The words of a text, such as the segments of an address, counted from the last. */
function inParts(text: string, at: Place, name: string): Token[] {
  const parts = wordsOf(text);
  if (parts.length < 2) return [];
  return parts.map((value, index) => ({ value, at: { ...at, part: parts.length - 1 - index }, name }));
}

function wordsOf(text: string): string[] {
  return text
    .split(/[\s/?&=;,"<>#]+/)
    .filter((one) => one !== '')
    .map(decoded);
}

/** The value at a place of an answer; undefined where there is none. */
export function valueAt(
  { headers, body }: Response,
  { header, body: pointer, part }: Place,
): string | undefined {
  const text =
    header === undefined
      ? leafAt(body, pointer ?? '')
      : headers.find(([name]) => name.toLowerCase() === header)?.[1];
  return part === undefined || text === undefined ? text : wordsOf(text).at(-1 - part);
}

function leafAt(body: string, pointer: string): string | undefined {
  const names = pointer.split('/').slice(1);
  const found = names.reduce<Json | undefined>((value, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return isThere ? (value as { readonly [key: string]: Json })[key] : undefined;
  }, parsed(body));
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

/** Content read as JSON; undefined where it is none. */
export function parsed(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}

/** A part of an address without its percent signs; as it stands where they mean nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a text is so much its own that wherever it stands, it is the same value. */
export function isTelling(text: string): boolean {
  return (
    text.length >= 16 ||
    (text.length >= 8 && /\d/.test(text)) ||
    (text.length >= 8 && /^[a-z]+$/.test(text) === false && /[-_.@]/.test(text))
  );
}
