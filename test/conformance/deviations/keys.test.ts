import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { keyOf } from '../../../src/conformance/deviations/deviation.ts';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import { vocabularyKeys } from '../../../src/specification/description/keys.ts';
import { specificationOf } from '../../service/served.ts';

/** Keys without deviations, by the reason. */
const without: Readonly<Record<string, string>> = {
  'what stands in it has deviations':
    'resources, fields, transitions, endpoints, authentication, schemes, events, errors, codes, limits, rates, defaults, versioning, versions, place, actors, set, work, list, cors, idempotency, replay, flows, clientCredentials, authorizationCode, deviceAuthorization, claims, authorization, kinds, delivery, payload, messages, sizes, times, concurrency',
  'it is a change, which has deviations as a whole':
    'replace, authenticate, revoke, run, TRANSITION, METHOD /path, always, caseless',
  'without it, nobody can say what happens':
    'protocol, operation, path, header, scheme, issued, actor, window, at, was',
  'it says nothing of a request':
    'tacet, purpose, scope, includes, excludes, title, description, deprecated, examples, $comment, implicit, refreshUrl',
  'other keys stand for it':
    'complete, open, let, readOnly, writeOnly, every METHOD /path, every METHOD /path/{name}',
  'no document here states it; it has those that all keywords have':
    'multipleOf, exclusiveMaximum, maxContains, minContains, prefixItems, contains, unevaluatedItems, contentEncoding, contentMediaType, contentSchema, dependentRequired, allOf, anyOf, not, if, then, else, dependentSchemas, patternProperties, unevaluatedProperties',
};

const files = [
  ...readdirSync('examples').filter((name) => name.endsWith('.md')),
  ...readdirSync('test/semantics').filter((name) => name.endsWith('.yaml')),
].map((name) => `${name.endsWith('.md') ? 'examples' : 'test/semantics'}/${name}`);

describe('the keys of the language', () => {
  it('each have deviations, or a reason why they have none', () => {
    const deviating = new Set(
      files.flatMap((file) =>
        deviationsOf(specificationOf(readFileSync(file, 'utf8'))).map(({ said }) => keyOf(said)),
      ),
    );
    const excused = Object.values(without).flatMap((names) => names.split(', '));
    const all = [...new Set(vocabularyKeys().map(({ name }) => name))].filter((name) => name !== '');
    expect(all.filter((name) => !deviating.has(name) && !excused.includes(name))).toEqual([]);
    expect(excused.filter((name) => !all.includes(name))).toEqual([]);
  });
});
