import { describe, expect, it } from 'vitest';
import { stated } from '../../src/specification/reading/said.ts';
import { document, plain, points, specification } from './documents.ts';
import { findings } from './findings.ts';

const service = (conditional: string, does = 'read Todo', key = 'GET /{id}') =>
  document({
    resources:
      'Todo: { identifier: id, fields: { id: { type: string }, done: { type: boolean }, at: { type: string, format: date-time } } }',
    endpoints: `${key}: { operation: one, does: ${does}, conditional: { ${conditional} }, response: 204 }`,
  });

const address = 'endpoints["GET /{id}"].conditional';

describe('conditional requests (language §4.3)', () => {
  it('are by tag, by time, or both', () => {
    const found = specification(
      service(
        'etag: weak, ifNoneMatch: allowed, lastModified: "${this.at}", ifModifiedSince: allowed, ifUnmodifiedSince: required',
      ),
    );
    expect(plain(stated(found.operations[0]?.endpoint.conditional))).toMatchObject({
      etag: { value: 'weak' },
      ifNoneMatch: { value: 'allowed' },
      lastModified: { value: { template: { kind: 'expression' } } },
      ifModifiedSince: { value: 'allowed' },
      ifUnmodifiedSince: { value: 'required' },
    });
  });

  it.each<[string, Record<string, string>]>([
    ['ifMatch: allowed', { etag: 'open', ifMatch: 'stated' }],
    ['lastModified: "${this.at}"', { lastModified: 'stated' }],
    ['ifModifiedSince: allowed', { lastModified: 'open', ifModifiedSince: 'stated' }],
    [
      'ifUnmodifiedSince: allowed, ifMatch: allowed',
      { etag: 'open', ifMatch: 'stated', lastModified: 'open', ifUnmodifiedSince: 'stated' },
    ],
    ['etag: strong', { etag: 'stated' }],
  ])('%s', (conditional, expected) => {
    const all = Object.entries(points(specification(service(conditional)), `${address}.`));
    const found = all.filter(([at]) => !at.endsWith('.*'));
    expect(Object.fromEntries(found.map(([at, state]) => [at.slice(address.length + 1), state]))).toEqual(
      expected,
    );
  });

  it.each([
    [
      'lastModified: now',
      'not-an-expression now: an expression is wanted here, and nothing else → write ${ … }',
    ],
    [
      'lastModified: "${this.done}"',
      'expression-type this.done: this is true or false, and a time is wanted → null',
    ],
    [
      'lastModified: "${this.note}"',
      'undescribed-field this.note: note is named here, and no field of Todo is described by that name → describe it in part 2, if only by its name; or was another one meant?',
    ],
    [
      'lastModified: "${this.at}", ifModifiedSince: required',
      'unknown-word required: required cannot stand here: only allowed can → null',
    ],
    ['etag: "${this.done}"', 'expression-type this.done: this is true or false, and text is wanted → null'],
    [
      'etag: "${etag(this)}"',
      'expression-type etag(this): there is no function etag, and no resource or view of this name → null',
    ],
    ['etag: shown', 'unknown-word shown: shown is none of: strong, weak → null'],
    [
      'etag: strong, ifMatch: allowed, compare: strong',
      'unknown-word strong: strong cannot stand here: only weak can → null',
    ],
    [
      'ifModifedSince: allowed',
      'unknown-key ifModifedSince: endpoints["GET /{id}"].conditional has no key ifModifedSince → did you mean ifModifiedSince?',
    ],
  ])('%s is refused', (conditional, expected) => {
    expect(findings(service(conditional)).slice(0, 1)).toEqual([expected]);
  });

  it.each(['required', 'allowed'])('ifMatch: %s matches nothing where the tag is weak', (word) => {
    const update = (etag: string): string =>
      service(`etag: ${etag}, ifMatch: ${word}`, 'update Todo', 'PATCH /{id}');
    expect(findings(update('weak'))).toEqual([
      `never-matched ${word}: no tag that a client sends is ever matched: ifMatch compares strongly, and the tag is weak → state etag: strong, or compare: weak, or take ifMatch out (RFC 9110 §13.1.1)`,
    ]);
    for (const one of ['strong', '(open)', 'weak, compare: weak', '"${this.id}"'])
      expect(findings(update(one))).toEqual([]);
  });

  it('is told once of a rule for several endpoints', () => {
    const endpoints = `every PATCH: { conditional: { etag: weak, ifMatch: required } }
PATCH /a/{id}: { operation: a, does: update Todo }
PATCH /b/{id}: { operation: b, does: update Todo }`;
    const resources = 'Todo: { identifier: id, fields: { id: { type: string } } }';
    expect(findings(document({ resources, endpoints }))).toHaveLength(1);
  });

  it('no item is there for a list', () => {
    expect(findings(service('lastModified: "${now}"', 'list Todo', 'GET /'))).toEqual([]);
    expect(findings(service('lastModified: "${this.at}"', 'list Todo', 'GET /'))[0]).toMatch(
      /^expression-type this: nothing is called this here/,
    );
  });
});
