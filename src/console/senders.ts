import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';
import type { Scheme } from '../specification/vocabulary/scheme.ts';

/** A scheme by which a request may say who sends it. */
export interface Sender {
  readonly scheme: string;
  /** What a person gives: a name with a password, or a token. */
  readonly takes: 'name and password' | 'token';
  /** Those whose credentials the operator gave: the page knows their names alone. */
  readonly names: readonly string[];
}

type Credentials = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Who may send a request, by the schemes that the document states. */
export function sendersOf({ authentication }: Specification, credentials: Credentials): readonly Sender[] {
  return [...(stated(stated(authentication)?.schemes) ?? [])].flatMap(([name, said]) => {
    const scheme = stated(said);
    if (scheme === undefined) return [];
    const names = Object.hasOwn(credentials, name) ? Object.keys(credentials[name] ?? {}) : [];
    return [{ scheme: name, takes: isBasic(scheme) ? 'name and password' : 'token', names }];
  });
}

/** Where a credential goes in a request. */
export interface Presented {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** A credential as the scheme has it sent; null: there is no such scheme, or where it stands is open. */
export function presented(
  { authentication }: Specification,
  name: string,
  credential: { readonly name: string; readonly secret: string },
): Presented | null {
  const scheme = stated(stated(stated(authentication)?.schemes)?.get(name));
  if (scheme === undefined) return null;
  const [word] = stated(scheme.prefix) ?? [];
  if (isBasic(scheme)) {
    const coded = Buffer.from(`${credential.name}:${credential.secret}`).toString('base64');
    return { headers: { Authorization: `${word ?? 'Basic'} ${coded}` }, query: {} };
  }
  if (stated(scheme.type) !== 'apiKey')
    return { headers: { Authorization: `${word ?? schemeWord(scheme)} ${credential.secret}` }, query: {} };
  const [place, field] = [stated(scheme.in), stated(scheme.name)];
  if (field === undefined) return null;
  const value = word === undefined ? credential.secret : `${word} ${credential.secret}`;
  switch (place) {
    case 'header':
      return { headers: { [field]: value }, query: {} };
    case 'cookie':
      return { headers: { Cookie: `${field}=${value}` }, query: {} };
    case 'query':
      return { headers: {}, query: { [field]: value } };
    case undefined:
      return null;
  }
}

function isBasic({ scheme }: Scheme): boolean {
  return stated(scheme)?.toLowerCase() === 'basic';
}

/** `bearer` is written as RFC 6750 writes it; others as the document does. */
function schemeWord({ type, scheme }: Scheme): string {
  const word = stated(type) === 'http' ? (stated(scheme) ?? 'Bearer') : 'Bearer';
  return word.toLowerCase() === 'bearer' ? 'Bearer' : word;
}
