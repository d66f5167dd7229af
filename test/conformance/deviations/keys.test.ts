import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Deviation, operationOf } from '../../../src/conformance/deviations/deviation.ts';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import { stated } from '../../../src/specification/reading/said.ts';
import { type Change, verbs } from '../../../src/specification/vocabulary/change.ts';
import { specificationOf } from '../../service/served.ts';
import { allKeys, type KeyName, keysAlong } from './vocabulary.ts';

/** Why a key has no deviation. A key that has one must not stand here. */
const without: Readonly<Record<string, string>> = {
  'It only holds other statements, which have deviations each.':
    'resources (§2), states (§3), endpoints (§4), authentication (§5), events (§6), errors (§7), limits (§8), versioning (§9), set (§2.2), request (§4.2), request (§H.2), payload (§7.1), sizes (§8.3), times (§8.3), concurrency (§8.2), fields (§2.1), caseless (§2.1)',
  'It is notation: other statements are read in its place (language §E).':
    'let (§E.19), readOnly (§E.9), writeOnly (§E.9), always (§2.2), every METHOD /path (§E.15), every METHOD /path/{name} (§E.15), request (§E.15), defaults (§8.3)',
  'It only names what other statements are about.': 'name (§A.2), operation (§4.1), of (§2.1), of (§E.4)',
  'It says how the document is to be read.': 'tacet (§A.3), complete (§D.2), open (§D.3), scheme (§9.1)',
  'It is for people.':
    'service (§1), purpose (§1.1), scope (§1.1), includes (§1.1), excludes (§1.1), title (§H.1), description (§H.1), deprecated (§H.1), examples (§H.1), $comment (§H.1)',
  'It is an annotation of JSON Schema: no value is held against it.': 'contentSchema (§H.1)',
  'It is an example, which is played as it is written (language §4.6).':
    'examples (§4.6), after (§4.6), by (§4.6), request (§4.6), path (§4.6), query (§4.6), headers (§4.6), body (§4.6), response (§4.6), status (§4.6)',
  'It is about another service, which makes the tokens.':
    'flows (§5.1), implicit (§5.1), password (§5.1), clientCredentials (§5.1), authorizationCode (§5.1), deviceAuthorization (§5.1), refreshUrl (§5.1), openIdConnectUrl (§5.1), oauth2MetadataUrl (§5.1)',
};

const folders: Readonly<Record<string, string>> = {
  examples: '.md',
  'test/semantics': '.yaml',
  'test/conformance/deviations': '.yaml',
};
const files = Object.entries(folders).flatMap(([folder, ending]) =>
  readdirSync(folder).flatMap((name) => (name.endsWith(ending) ? [`${folder}/${name}`] : [])),
);

/** The keys whose statement a deviation gets wrong: the last one of its address, and what is no address of its own. */
function keysOf(
  { said, address = said.address }: Deviation,
  specification: Specification,
): readonly KeyName[] {
  const [key = ''] = keysAlong(address);
  const change = stated(operationOf(said, specification)?.does);
  const isOfChange = /\.does\b/.test(address) && change !== undefined;
  const value = said.kind === 'stated' ? said.value : undefined;
  const further = address.endsWith('.also') ? (value as readonly Change[]).map(verbOf) : [];
  const place = address === 'versioning.place' ? [`${(value as { kind: string }).kind} (§9.1)`] : [];
  return [key, ...(isOfChange ? [verbOf(change)] : []), ...further, ...place];
}

function verbOf({ verb }: Change): KeyName {
  const name = (verbs as readonly string[]).includes(verb) ? verb : 'TRANSITION';
  return `${name} (§${name === 'handled' ? 'I' : 'H.2'})`;
}

describe('the keys of the language', () => {
  const deviating = new Set(
    files.flatMap((file) => {
      const specification = specificationOf(readFileSync(file, 'utf8'));
      return deviationsOf(specification).flatMap((deviation) => keysOf(deviation, specification));
    }),
  );
  const excused = Object.values(without).flatMap((names) => names.split(', '));

  it('each have a deviation, or a reason why they have none', () => {
    expect([...allKeys()].filter((key) => !deviating.has(key) && !excused.includes(key))).toEqual([]);
  });

  it('have no deviation, if there is a reason why', () => {
    expect(excused.filter((key) => deviating.has(key))).toEqual([]);
    expect(excused.filter((key) => !allKeys().has(key))).toEqual([]);
    expect(excused.filter((key, place) => excused.indexOf(key) !== place)).toEqual([]);
  });

  it('are found along each address of a deviation', () => {
    expect([...deviating].filter((key) => !allKeys().has(key))).toEqual([]);
  });
});
