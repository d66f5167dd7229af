import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import type { Credential } from '../access/credential.ts';
import { type Unknown, unknown } from '../value/value.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * The credentials that a message carries in header fields (language §5.1). Unknown: a scheme reads them elsewhere, or a field
 * has a word that no scheme has.
 */
export function credentialsIn(
  headers: Headers,
  { authentication }: Specification,
): readonly Credential[] | Unknown {
  const schemes = [...(stated(stated(authentication)?.schemes) ?? [])].map(
    ([name, said]) => [name, stated(said)] as const,
  );
  const found: Credential[] = [];
  const unread = new Set<string>();
  for (const [name, scheme] of schemes) {
    const field = scheme && fieldOf(scheme);
    if (!scheme || field === undefined) return unknown([]);
    const text = headers[field];
    if (text === undefined) continue;
    const credential = credentialOf(name, scheme, text);
    if (credential) found.push(credential);
    else unread.add(field);
  }
  return found.length === 0 && unread.size > 0 ? unknown([]) : found;
}

/** The header field in which a scheme's credential is; undefined: it is elsewhere, or that is open. */
function fieldOf(scheme: Scheme): string | undefined {
  const type = stated(scheme.type);
  if (type === 'apiKey')
    return stated(scheme.in) === 'header' ? stated(scheme.name)?.toLowerCase() : undefined;
  return type === undefined || type === 'mutualTLS' ? undefined : 'authorization';
}

function credentialOf(scheme: string, of: Scheme, text: string): Credential | undefined {
  const registered = stated(of.type) === 'http' ? stated(of.scheme) : 'Bearer';
  const words = stated(of.prefix) ?? (stated(of.type) === 'apiKey' ? [] : [registered ?? '']);
  const [, word = '', value = ''] = /^(\S+) +(.*)$/.exec(text) ?? [];
  if (words.length === 0) return { scheme, value: text };
  if (!words.some((each) => each.toLowerCase() === word.toLowerCase())) return undefined;
  if (registered?.toLowerCase() !== 'basic') return { scheme, value };
  const [name = '', password = ''] = Buffer.from(value, 'base64').toString('utf8').split(/:(.*)/s);
  return { scheme, value: name, password };
}
