import { readdirSync } from 'node:fs';
import { registerSchema, validate } from '@hyperjump/json-schema/draft-07';
import {
  registerSchema as register2020,
  validate as validate2020,
} from '@hyperjump/json-schema/draft-2020-12';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/source/node.ts';
import { examples } from '../docs/chapters.ts';
import { file, schema, tree } from './documents.ts';

const newest = schema('specification');
const older = schema('specification.draft-07');

const options = { strict: false, allErrors: true, validateFormats: false };
const ajv = { '2020-12': new Ajv2020(options).compile(newest), 'draft-07': new Ajv(options).compile(older) };
register2020(newest as never, 'https://tacet.invalid/2020-12');
registerSchema(older as never, 'https://tacet.invalid/draft-07');
const hyperjump = {
  '2020-12': await validate2020('https://tacet.invalid/2020-12'),
  'draft-07': await validate('https://tacet.invalid/draft-07'),
};
const drafts = ['2020-12', 'draft-07'] as const;

/** Where a document is refused, as far inside it as anything is found: a JSON Pointer, without its first slash. */
function refused(draft: (typeof drafts)[number], document: Json): string[] {
  const judge = ajv[draft];
  if (judge(document)) return [];
  const places = (judge.errors ?? []).map(({ instancePath, params, propertyName }) => {
    const key = params['additionalProperty'] ?? propertyName;
    const at = instancePath.replaceAll('~1', '/').slice(1);
    return key === undefined ? at : `${at}${at && '/'}${key}`;
  });
  const depth = Math.max(...places.map((place) => place.length));
  return [...new Set(places.filter((place) => place.length === depth))];
}

/** What both drafts say, as two implementations of each see it. */
function verdicts(document: Json): unknown {
  return drafts.map((draft) => [refused(draft, document), hyperjump[draft](document as never).valid]);
}

const taken = [
  [[], true],
  [[], true],
];

const folder = (name: string): [string, string][] =>
  readdirSync(new URL(`../../${name}`, import.meta.url))
    .filter((one) => /\.(md|yaml)$/.test(one))
    .map((one) => [one, file(`${name}/${one}`)]);

/** The wrong or right documents of the pages about diagnostics, where it is one document. */
const pages = (heading: 'Wrong' | 'Right'): [string, string][] =>
  folder('docs/diagnostics').flatMap(([name, page]): [string, string][] => {
    const [before = '', after = ''] = page.split(/^## Right$/m);
    const section = heading === 'Right' ? after : before;
    const [, language = '', content] = /^````(markdown|yaml|json)\n([\s\S]*?)^````$/m.exec(section) ?? [];
    return content === undefined ? [] : [[name.replace(/md$/, language.replace('markdown', 'md')), content]];
  });
const right = pages('Right');

/** What is wrong by form alone, so that a schema can tell. */
const ofForm = [
  ...['bad-base', 'bad-change', 'bad-duration', 'bad-endpoint', 'bad-field-name', 'bad-keyword', 'bad-name'],
  ...[
    'bad-parameter',
    'bad-path',
    'bad-size',
    'bad-status',
    'body-with-status',
    'marker-in-literal',
    'shape-as-body',
  ],
  ...['not-an-expression', 'unknown-condition', 'unknown-format', 'unknown-key', 'unknown-type'],
  ...['unknown-version', 'unknown-word', 'wrong-kind'],
];
const wrong = pages('Wrong').filter(([name]) => ofForm.includes(name.replace(/\.\w+$/, '')));

describe('the schema of a specification takes', () => {
  it.each([
    ...folder('test/documents/valid'),
    ...folder('test/conformance/documents'),
    ...folder('examples'),
    ...right,
    ...examples.map(({ source }): [string, string] => [source.file, source.content]),
  ])('%s', (name, content) => {
    expect(verdicts(tree(name, content))).toEqual(taken);
  });

  it('the reference’s examples, and a page of each diagnostic', () => {
    expect(examples.length).toBeGreaterThan(40);
    expect(right.length).toBeGreaterThan(40);
  });

  it.each([
    ['a document that says nothing', {}],
    [
      'parts that are markers',
      { events: '(none)', limits: '(open)', errors: '(open) which?', states: '(any)' },
    ],
    [
      'markers of any value',
      { endpoints: { 'GET /': { does: '(open)', response: { status: '(open) 200?' } } } },
    ],
    ['a bound that is stated to be none', field({ type: 'string', maxLength: '(none)' })],
    ['texts that YAML reads as numbers', { versioning: { versions: { '2.1': { alias: 2 } } } }],
    ['a name for a shape', field('Address')],
    ['a literal like a marker, written as an expression', field({ default: '${"(none)"}' })],
    ['a literal like an expression', field({ default: ['$${now}', '$ 5', '$$'] })],
    ['a status alone', { endpoints: { 'DELETE /a': { response: 204 } } }],
    [
      'answers by outcome',
      { endpoints: { 'PUT /a': { response: [{ when: ['created'], status: 201 }, 200] } } },
    ],
    ['a transition that an operation asks for', { endpoints: { 'POST /a': { does: 'pickUp Parcel' } } }],
    [
      'a transition with qualifiers',
      { endpoints: { 'POST /a': { does: { hold: 'this', when: '${true}' } } } },
    ],
    [
      'what the operator’s functions do',
      { endpoints: { 'POST /a': { does: { handled: 'pay', may: ['list A'] } } } },
    ],
    ['a function where an expression may stand', field({ shown: { handled: 'expanded' } })],
    [
      'a condition with a subject',
      { errors: { codes: { a: { when: ['unknown  A', 'invalid A.b.maximum'] } } } },
    ],
    ['a description beside any keys', { service: { description: 'x', scope: { description: 'y' } } }],
  ])('%s', (_, document) => {
    expect(verdicts(document)).toEqual(taken);
  });
});

function field(one: Json): Json {
  return { resources: { Thing: { identifier: 'id', fields: { a: one } } } };
}

function endpoint(one: Json): Json {
  return { endpoints: { 'GET /': one } };
}

const inField = 'resources/Thing/fields/a';
const inEndpoint = 'endpoints/GET /';

describe('the schema of a specification refuses', () => {
  it.each<[string, Json, string]>([
    ['a part that nobody knows', { resource: {} }, 'resource'],
    ['another version of the language', { tacet: 2 }, 'tacet'],
    ['a part that is text', { service: 'text' }, 'service'],
    ['a marker that is none', { service: '(maybe)' }, 'service'],
    ['an unknown key', { service: { purpos: 'x' } }, 'service/purpos'],
    ['a small name', { resources: { thing: {} } }, 'resources/thing'],
    [
      'a key that no resource has',
      { resources: { Thing: { identifer: 'id' } } },
      'resources/Thing/identifer',
    ],
    [
      'a type of a resource',
      { resources: { Thing: { identifier: 'id', type: 'object' } } },
      'resources/Thing/type',
    ],
    [
      'an identifier of a view',
      { resources: { View: { of: 'A', identifier: 'id' } } },
      'resources/View/identifier',
    ],
    [
      'a view that shows and omits',
      { resources: { View: { of: 'A', shows: [], omits: [] } } },
      'resources/View/omits',
    ],
    [
      'unique lists of a shape',
      { resources: { A: { identifier: '(none)', unique: [] } } },
      'resources/A/unique',
    ],
    ['an unknown key of a field', field({ typ: 'string' }), `${inField}/typ`],
    ['an unknown type', field({ type: 'text' }), `${inField}/type`],
    ['an unknown format', field({ format: 'phone' }), `${inField}/format`],
    ['a type in place of a name', field('string'), inField],
    ['a bound that is text', field({ maxLength: 'ten' }), `${inField}/maxLength`],
    ['a bound below nothing', field({ minItems: -1 }), `${inField}/minItems`],
    ['an unknown keyword within', field({ items: { typ: 'string' } }), `${inField}/items/typ`],
    ['others without fields', field({ items: { others: 'keep' } }), `${inField}/items`],
    ['a marker where a literal stands', field({ enum: ['a', '(none)'] }), `${inField}/enum/1`],
    ['a marker within a default', field({ default: { a: '(open) x' } }), `${inField}/default/a`],
    ['an expression where a literal stands', field({ default: { a: 'at ${now}' } }), `${inField}/default/a`],
    ['an unknown word', field({ writable: 'twice' }), `${inField}/writable`],
    ['what is deleted otherwise', field({ ifDeleted: 'vanish' }), `${inField}/ifDeleted`],
    ['a machine without a field', { states: { Thing: {} } }, 'states/Thing'],
    [
      'a transition named as a verb',
      { states: { 'A.b': { transitions: { list: {} } } } },
      'states/A.b/transitions/list',
    ],
    [
      'a duration that is none',
      { states: { 'A.b': { transitions: { a: { within: 'P1H' } } } } },
      'states/A.b/transitions/a/within',
    ],
    ['a small method', { endpoints: { 'get /': {} } }, 'endpoints/get /'],
    ['a change without a subject', endpoint({ does: 'list' }), `${inEndpoint}/does`],
    ['a change of two verbs', endpoint({ does: { read: 'A', list: 'A' } }), `${inEndpoint}/does`],
    ['a change of no verb', endpoint({ does: { with: '${request.body}' } }), `${inEndpoint}/does`],
    ['an unknown qualifier', endpoint({ does: { list: 'A', ordr: 'a' } }), `${inEndpoint}/does/ordr`],
    [
      'a second change',
      endpoint({ also: [{ create: 'A', present: 'maybe' }] }),
      `${inEndpoint}/also/0/present`,
    ],
    ['an interim status', endpoint({ response: { status: 100 } }), `${inEndpoint}/response/status`],
    ['no answer', endpoint({ response: [] }), `${inEndpoint}/response`],
    ['a body with 204', endpoint({ response: { status: 204, body: 'A' } }), `${inEndpoint}/response/body`],
    [
      'a marker within a list of a payload',
      endpoint({ response: { body: { a: ['(none)'] } } }),
      `${inEndpoint}/response/body/a/0`,
    ],
    [
      'a parameter that is a type',
      endpoint({ request: { query: { a: 'string' } } }),
      `${inEndpoint}/request/query/a`,
    ],
    [
      'a parameter’s unknown role',
      endpoint({ request: { query: { a: { page: 'all' } } } }),
      `${inEndpoint}/request/query/a/page`,
    ],
    ['a base that ends in a slash', { endpoints: { base: '/v1/' } }, 'endpoints/base'],
    ['another protocol', { endpoints: { protocol: 'RFC 2616' } }, 'endpoints/protocol'],
    [
      'an unknown kind of scheme',
      { authentication: { schemes: { a: { type: 'htp' } } } },
      'authentication/schemes/a/type',
    ],
    [
      'credentials of two holders',
      { authentication: { schemes: { a: { credentials: { kept: 'A.b', issued: 'opaque' } } } } },
      'authentication/schemes/a/credentials/issued',
    ],
    ['a guard that is a text', { events: { kinds: { a: { when: 'now' } } } }, 'events/kinds/a/when'],
    ['an unknown delivery', { events: { delivery: { a: { webhok: 'A.b' } } } }, 'events/delivery/a/webhok'],
    ['an unknown condition', { errors: { codes: { a: { when: 'unkown A' } } } }, 'errors/codes/a/when'],
    [
      'a subject of a condition that has none',
      { errors: { codes: { a: { when: 'internal A' } } } },
      'errors/codes/a/when',
    ],
    ['a code that is no name', { errors: { codes: { '4xx': {} } } }, 'errors/codes/4xx'],
    ['an unknown window', { limits: { rates: { a: { window: 'open' } } } }, 'limits/rates/a/window'],
    ['a size without its unit', { limits: { sizes: { body: '64 K' } } }, 'limits/sizes/body'],
    ['two places of a version', { versioning: { place: { header: 'A', query: 'b' } } }, 'versioning/place'],
  ])('%s', (_, document, at) => {
    expect(verdicts(document)).toEqual([
      [[at], false],
      [[at], false],
    ]);
  });
});

describe('the schema of a specification refuses what is wrong by form', () => {
  it('which is on these pages', () => expect(wrong).toHaveLength(ofForm.length));

  it.each(wrong)('%s', (name, content) => {
    expect(verdicts(tree(name, content))).toEqual([
      [[expect.any(String)], false],
      [[expect.any(String)], false],
    ]);
  });
});

describe('a part alone', () => {
  it('is judged by the definition of its name', () => {
    const judge = new Ajv2020(options).addSchema(newest, 'all').getSchema('all#/$defs/resources');
    expect(judge?.({ Thing: { identifier: 'id' } })).toBe(true);
    expect(judge?.({ Thing: { identifer: 'id' } })).toBe(false);
  });
});
