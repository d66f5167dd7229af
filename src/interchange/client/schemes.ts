import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';

/** Where the credential of a scheme is put. */
export interface SchemePlace {
  readonly scheme: string;
  readonly place: 'header' | 'query' | 'cookie';
  readonly name: string;
  /** The word before the credential; null: there is none. */
  readonly word: string | null;
  /** The credential is a name with a password. */
  readonly isBasic: boolean;
}

export interface Schemes {
  readonly places: readonly SchemePlace[];
  /** The addresses of schemes of which it is open where a credential is put. */
  readonly open: readonly string[];
}

/** The schemes of part 5 by which a client of fetch can prove who it is (language §5.1). */
export function schemesOf(of: Specification): Schemes {
  const places: SchemePlace[] = [];
  const open: string[] = [];
  const { authentication } = of;
  if (authentication.kind === 'open') return { places, open: [authentication.address] };
  const schemes = stated(authentication)?.schemes;
  if (schemes?.kind === 'open') open.push(schemes.address);
  for (const [name, said] of stated(schemes) ?? []) {
    const scheme = stated(said);
    if (said.kind === 'none' || (scheme && stated(scheme.type) === 'mutualTLS')) continue;
    const place = scheme && placeOf(name, scheme);
    if (place) places.push(place);
    else open.push(said.address);
  }
  return { places, open };
}

/** Undefined: it is open where. */
function placeOf(scheme: string, said: Scheme): SchemePlace | undefined {
  const word = stated(said.prefix)?.[0] ?? null;
  const header = { scheme, place: 'header', name: 'Authorization', isBasic: false } as const;
  switch (stated(said.type)) {
    case 'http': {
      const registered = stated(said.scheme);
      if (registered === undefined) return undefined;
      const isBasic = registered.toLowerCase() === 'basic';
      const usual = registered.replace(/^(basic|bearer)$/i, isBasic ? 'Basic' : 'Bearer');
      return { ...header, word: word ?? usual, isBasic };
    }
    case 'oauth2':
    case 'openIdConnect':
      return { ...header, word: 'Bearer' };
    case 'apiKey': {
      const [place, name] = [stated(said.in), stated(said.name)];
      return place && name !== undefined ? { scheme, place, name, word, isBasic: false } : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * The credentials that a request of an operation may bring, each alternative a list of schemes (language §5.5). Null:
 * any of the schemes.
 */
export function alternativesOf(
  of: Specification,
  operation: Operation,
): readonly (readonly string[])[] | null {
  const authentication = stated(of.authentication);
  const rule = authentication && stated(ruleOf(authentication, operation));
  const wanted = rule && stated(rule.schemes);
  return wanted?.map((all) => all.map(({ text }) => text)) ?? null;
}
