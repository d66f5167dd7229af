import { describe, expect, it } from 'vitest';
import { vocabularyKeys } from '../../src/specification/description/keys.ts';
import { keywords } from '../../src/specification/vocabulary/keywords.ts';

/** Keys by section. What stands under no heading here fails this test: a new key has to have a meaning. */
type Keys = Readonly<Record<string, string>>;

/** What the semantics carries out. */
const carriedOut: Keys = {
  '2.1': 'caseless, create, delete, fields, guards, identifier, invariants, of, omits, shows, unique, update',
  '2.2':
    'always, create, default, derived, holds, ifDeleted, readable, refers, secret, set, shown, taken, unique, update, writable',
  '3': 'states',
  '3.1': 'also, from, initial, set, states, to, transitions, when, work',
  '3.3': 'after, at, within',
  '4': 'endpoints',
  '4.1':
    'METHOD /path, also, base, cors, credentials, does, exposes, headers, matching, maxAge, methods, operation, origins, paths, when',
  '4.2': 'body, default, explode, headers, is, others, path, query, request, required, style, taken',
  '4.3': 'compare, conditional, etag, ifMatch, ifModifiedSince, ifNoneMatch, ifUnmodifiedSince, lastModified',
  '4.4': 'header, headers, idempotency, life, per, remembers, replay, required',
  '4.5': 'filter, page, sort',
  '5': 'authentication',
  '5.1': 'challenge, foreign, in, name, prefix, scheme, schemes, scopes, several, wrong',
  '5.2': 'algorithms, audience, credentials, issued, issuer, kept, life',
  '5.3': 'actor',
  '5.4': 'actors',
  '5.5': 'authorization, otherwise, rule, schemes',
  '5.6': 'algorithm, claims, rotate',
  '6': 'events',
  '6.1': 'body, by, kinds, subject, when',
  '6.2': 'envelope, source, subject',
  // Signatures are judged where events are observed.
  '6.3':
    'as, broker, delivery, header, headers, hmac, media, order, over, secret, sign, stream, version, webhook, where, within',
  '7': 'errors',
  '7.1':
    'as, body, code, codes, extra, field, media, message, messages, operations, order, payload, shape, status, when',
  '8': 'limits',
  '8.1': 'allow, every, headers, operations, per, rates, when, window',
  '8.2': 'concurrency',
  '8.3': 'defaults, page, sizes',
  '8.4': 'allow, of, per, quotas, sum, when',
  '9': 'versioning',
  '9.1': 'default, header, media, path, place, query',
  '9.2': 'alias, headers, retired, sunset, versions',
  '9.3': 'differs, was',
  'E.4': 'of, omits, shows',
  'H.1': 'fields, others, readable, required, writable',
  'H.2':
    'TRANSITION, absent, as, authenticate, body, by, create, delete, for, headers, list, order, path, present, query, read, replace, request, revoke, run, same, update, when, where, with',
  'E.15': 'headers',
  'H.3': 'body, content, headers, media, required, response, shape, status, under, value, when',
  I: 'gives, handled, may',
};

/** What leaves the answer unknown, or the part of it that hangs on the key. */
const unknownKeys: Keys = {
  '4.2': 'content, media, nesting',
  '4.3': 'ranges',
  '6.3': 'exhausted, retries',
};

/** What a prediction has no place for yet: header fields that are sent besides, times, events, older versions. */
const withoutPlace: Keys = {
  '4.1': 'protocol',
  // They hang on how a receiver answers, and the tester's accept everything.
  '6.3': 'success, timeout',
  '8.3': 'body, operations, request, times',
};

/** What says nothing of a request, or stands for other keys, which are carried out. */
const silent: Keys = {
  '1': 'service',
  '1.1': 'actors, excludes, includes, purpose, scope',
  '2': 'resources',
  '3.1': 'final',
  '4.6': 'after, body, by, headers, path, query, request, response, status',
  '5.1':
    'authorizationCode, authorizationUrl, bearerFormat, clientCredentials, deviceAuthorization, deviceAuthorizationUrl, flows, implicit, oauth2MetadataUrl, openIdConnectUrl, password, refreshUrl, tokenUrl',
  '9.1': 'scheme',
  'A.2': 'name',
  'A.3': 'tacet',
  'D.2': 'complete',
  'D.3': 'open',
  'E.15': 'every METHOD /path, every METHOD /path/{name}, request',
  'E.19': 'let',
  'E.9': 'readOnly, writeOnly',
};

/** A key is told by its section and name. */
function listed(...all: readonly Keys[]): string[] {
  return all.flatMap((keys) =>
    Object.entries(keys).flatMap(([section, text]) =>
      text.split(', ').map((name) => `${name} (§${section})`),
    ),
  );
}

describe('the keys of the language', () => {
  it('are each carried out by the semantics, or said to be unknown', () => {
    const own = vocabularyKeys().filter(
      ({ name }) => name !== '' && (!Object.hasOwn(keywords, name) || name === 'required'),
    );
    const all = [...new Set(own.map(({ name, about }) => `${name} (§${about.section})`))];
    expect(listed(carriedOut, unknownKeys, withoutPlace, silent).toSorted()).toEqual(all.toSorted());
  });
});
