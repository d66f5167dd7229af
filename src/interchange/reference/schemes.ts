import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { durationWords } from '../wording/duration.ts';
import { further, type Line, line, listed, openLine, standingOf, written } from '../wording/line.ts';

/** A way in which a request says who sends it (language §5.1). */
export interface SchemeEntry {
  readonly name: string;
  readonly says: readonly Line[];
}

export interface SchemesEntry {
  readonly schemes: readonly SchemeEntry[];
  /** Who is which actor. */
  readonly actors: readonly SchemeEntry[];
  readonly open: readonly Line[];
}

export function schemesEntry(of: Specification): SchemesEntry {
  const part = stated(of.authentication);
  if (part === undefined) {
    const open = of.authentication.kind === 'open' ? [openLine(of.authentication, 'authentication')] : [];
    return { schemes: [], actors: [], open };
  }
  return {
    schemes: [...(stated(part.schemes) ?? [])].map(([name, said]) => {
      const scheme = stated(said);
      return { name, says: scheme ? schemeLines(scheme) : [openLine(said, 'how')] };
    }),
    actors: [...(stated(part.actors) ?? [])].map(([name, said]) => {
      const rule = stated(said);
      return {
        name,
        says: [rule ? line(`who has ${written(rule)}`, standingOf(said)) : openLine(said, 'who')],
      };
    }),
    open: further(of, 'authentication.schemes', 'further schemes'),
  };
}

function schemeLines(scheme: Scheme): readonly Line[] {
  return [...placeLines(scheme), ...holderLines(scheme)];
}

/** Where the credential stands. */
function placeLines({ type, scheme, in: place, name, prefix }: Scheme): readonly Line[] {
  const kind = stated(type);
  const words = stated(prefix);
  const before = words ? [line(`after the word ${listed(words, 'or')}`, standingOf(prefix))] : [];
  switch (kind) {
    case undefined:
      return [openLine(type, 'type')];
    case 'http': {
      const word = stated(scheme);
      return [
        word
          ? line(`${word}, in the header field Authorization`, standingOf(scheme))
          : openLine(scheme, 'scheme'),
        ...before,
      ];
    }
    case 'apiKey': {
      const [where, what] = [stated(place), stated(name)];
      const noun = { header: 'header field', query: 'query parameter', cookie: 'cookie' } as const;
      return [
        where && what
          ? line(`in the ${noun[where]} ${what}`, standingOf(place, name))
          : openLine(name, 'where it stands'),
        ...before,
      ];
    }
    case 'mutualTLS':
      return [line('a certificate of the client (mutual TLS)', standingOf(type))];
    case 'oauth2':
      return [line('OAuth 2, in the header field Authorization', standingOf(type))];
    case 'openIdConnect':
      return [line('OpenID Connect, in the header field Authorization', standingOf(type))];
  }
}

/** Who has such credentials. */
function holderLines({ credentials }: Scheme): readonly Line[] {
  const holder = stated(credentials);
  const standing = standingOf(credentials);
  switch (holder?.kind) {
    case undefined:
      return credentials.kind === 'open'
        ? [openLine(credentials, 'credentials')]
        : [line('any credential', standing)];
    case 'operator':
      return [line('the operator gives it', standing)];
    case 'kept': {
      const fields = stated(holder.kept)?.map(({ resource, field }) => `${resource}.${field}`) ?? [];
      return [line(`the value of ${listed(fields)}`, standing)];
    }
    case 'issued': {
      const life = stated(holder.life);
      return [
        line('the service issues it', standing),
        ...(life === undefined ? [] : [line(`valid for ${durationWords(life)}`, standingOf(holder.life))]),
      ];
    }
    case 'foreign':
      return [line('somebody else issues it', standing)];
  }
}
