import { describe, expect, it } from 'vitest';
import { identifies } from '../../src/specification/model/operation.ts';
import { stated } from '../../src/specification/reading/said.ts';
import type { Resource } from '../../src/specification/vocabulary/parts/resources.ts';
import { document, specification } from './documents.ts';
import { findings } from './findings.ts';

const repo = (unique: string, more: Parameters<typeof document>[0] = {}) =>
  document({
    resources: `Repo: { identifier: id, fields: { id: { type: integer }, owner: { type: string }, name: { type: string } }, unique: ${unique} }`,
    ...more,
  });

describe('fields that are unique together (language §2)', () => {
  it('are a list of them, compared as they are or caselessly', () => {
    const found = specification(
      repo('[[id, owner], { fields: [owner, name], caseless: true }, { fields: [id, name] }]'),
    );
    const { unique } = found.resourcesByName.get('Repo') as Resource;
    expect(stated(unique)?.map((one) => [one.fields.map(({ text }) => text), one.caseless])).toEqual([
      [['id', 'owner'], false],
      [['owner', 'name'], true],
      [['id', 'name'], false],
    ]);
  });

  it('single out one item, however they are compared', () => {
    const found = specification(repo('[{ fields: [owner, name], caseless: true }]'));
    const resource = found.resourcesByName.get('Repo') as Resource;
    expect(identifies(resource, ['name', 'owner'])).toBe(true);
    expect(identifies(resource, ['name'])).toBe(false);
  });

  it.each([
    ['[owner]', 'wrong-kind [owner]: a list of lists of fields is wanted here, and this is a list → null'],
    [
      '[{ caseless: true }]',
      'wrong-kind { caseless: true }: a list of fields is wanted here, and this is nothing → null',
    ],
    ['[{ fields: owner }]', 'wrong-kind owner: a list of fields is wanted here, and this is text → null'],
    [
      '[{ fields: [owner, name], caseless: yes }]',
      'wrong-kind yes: true or false is wanted here, and this is text → null',
    ],
    [
      '[{ fields: [owner, name], caselss: true }]',
      'unknown-key caselss: resources.Repo.unique has no key caselss → did you mean caseless?',
    ],
    [
      '[[owner]]',
      'removed-word [owner]: unique: [[owner]] is no word of this language any more → write unique: true at the field owner; tacet check --fix does it',
    ],
    ['[[]]', 'wrong-kind []: a list of fields is wanted here, and this is an empty list → null'],
    ['[[owner, name, owner]]', 'key-twice owner: owner stands twice → keep one of them'],
    ['[{ fields: [owner, nam] }]', 'unknown-name nam: nam is not the name of a field → did you mean name?'],
  ])('%s is refused', (unique, expected) => {
    expect(findings(repo(unique, { head: 'complete: true' })).slice(0, 1)).toEqual([expected]);
  });
});
