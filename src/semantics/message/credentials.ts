import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { type Credential, isBasic, placeOf } from '../access/credential.ts';
import type { Pair } from '../request/given/parameters.ts';
import { type Unknown, unknown } from '../value/value.ts';

type Headers = Readonly<Record<string, string>>;

/** A scheme that reads a place of a message, and the words that it accepts there. */
interface Reader {
  readonly scheme: string;
  readonly said: Scheme;
  readonly words: readonly string[];
}

/**
 * The credentials that a message carries, one for each place (language §5.1). Unknown: the connection may carry one
 * (`mutualTLS`), or a place has several texts.
 *
 * @param pairs the names and values of the query
 */
export function credentialsIn(
  headers: Headers,
  pairs: readonly Pair[],
  { authentication }: Specification,
): readonly Credential[] | Unknown {
  const found: Credential[] = [];
  const schemes = [...(stated(stated(authentication)?.schemes) ?? [])];
  if (schemes.some(([, said]) => stated(stated(said)?.type) === 'mutualTLS')) return unknown([]);
  const readers = schemes.flatMap(([scheme, each]): [string, Reader][] => {
    const said = stated(each);
    const place = said && placeOf(said);
    return said && place ? [[place.where, { scheme, said, words: place.words }]] : [];
  });
  for (const [where, entries] of Map.groupBy(readers, ([where]) => where)) {
    const texts = textsAt(where, headers, pairs);
    if (texts.length > 1) return unknown([]);
    const [text] = texts;
    if (text !== undefined)
      found.push(
        credentialBy(
          entries.map(([, reader]) => reader),
          text,
        ),
      );
  }
  return found;
}

/** Whether a query parameter is the credential of a scheme: `others` does not apply to it (language §5.1, `name`). */
export function isCredential(name: string, { authentication }: Specification): boolean {
  const schemes = [...(stated(stated(authentication)?.schemes)?.values() ?? [])];
  return schemes.some((said) => {
    const scheme = stated(said);
    return scheme !== undefined && placeOf(scheme)?.where === `query ${name}`;
  });
}

/** What stands in a place. */
function textsAt(where: string, headers: Headers, pairs: Parameters<typeof credentialsIn>[1]): string[] {
  const [, kind, name = ''] = /^(\w+) (.*)$/s.exec(where) ?? [];
  if (kind === 'query') return pairs.filter(([given]) => given === name).map(([, value]) => value);
  if (kind === 'cookie') return cookies(headers['cookie'] ?? '', name);
  return headers[name] === undefined ? [] : [headers[name].trim()];
}

/** The values of the cookies of a name (RFC 6265 §4.2). */
function cookies(field: string, name: string): string[] {
  return field.split(';').flatMap((pair) => {
    const [, given, value = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/s.exec(pair) ?? [];
    return given === name ? [value.replace(/^"(.*)"$/, '$1')] : [];
  });
}

/** A credential as the first scheme reads it that accepts its word. */
function credentialBy(readers: readonly Reader[], text: string): Credential {
  const [, word = text, value = ''] = /^(\S+)[ \t]+(.*)$/s.exec(text) ?? [];
  const isAccepted = ({ words }: Reader): boolean =>
    words.length === 0 || words.some((each) => each.toLowerCase() === word.toLowerCase());
  const reader = readers.find(isAccepted);
  if (reader === undefined) return { scheme: (readers[0] as Reader).scheme, value, word };
  const { scheme, said, words } = reader;
  if (words.length === 0) return { scheme, value: text };
  return isBasic(said) ? { scheme, word, ...pairIn(value) } : { scheme, word, value };
}

/** The user name and the password of `basic` (RFC 7617 §2). What is neither is a credential that nobody has. */
function pairIn(text: string): Pick<Credential, 'value' | 'password' | 'isMadeUp'> {
  const bytes = Buffer.from(text, 'base64');
  const [name = '', password] = bytes.toString('utf8').split(/:(.*)/s);
  const isPair = bytes.toString('base64') === text && password !== undefined;
  return isPair ? { value: name, password } : { value: text, password: '', isMadeUp: true };
}
