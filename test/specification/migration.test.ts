import { describe, expect, it } from 'vitest';
import { at } from '../../src/source/text.ts';
import { migrate } from '../../src/specification/migration/migration.ts';
import { read } from '../../src/specification/read.ts';

const migrated = (content: string, file = 'x.yaml'): string | undefined =>
  migrate([{ file, content }]).texts[0]?.content;

const refused = (content: string, file = 'x.yaml'): string[] =>
  migrate([{ file, content }]).refused.map(({ at: where, word }) => `${at(where)} ${word}`);

const fields = '    fields:\n      id: { type: string }\n      name: { type: string } # shown\n';

/** A document in the words of before, and the same in the words of today. */
const pairs: readonly (readonly [what: string, before: string, after: string])[] = [
  [
    'the title of a row, where no row has a message',
    'errors:\n  payload: { body: { title: "${error.title}" } }\n  codes:\n    gone: { when: unknown path, status: 404, title: Gone } # at once\n',
    'errors:\n  payload: { body: { title: "${error.message}" } }\n  codes:\n    gone: { when: unknown path, status: 404, message: Gone } # at once\n',
  ],
  [
    'the title of a row beside a message',
    'let: { t: "${error.title}" }\nerrors:\n  codes:\n    gone:\n      when: unknown path\n      # for people\n      title: "Gone, for good"\n      message: It is gone\n    lost: { when: malformed, title: Lost, extra: { help: /lost } }\n',
    'let: { t: "${error.extra.title}" }\nerrors:\n  codes:\n    gone:\n      when: unknown path\n      # for people\n      extra: { title: "Gone, for good" }\n      message: It is gone\n    lost: { when: malformed, extra: { help: /lost, title: Lost } }\n',
  ],
  [
    'signed credentials',
    'authentication:\n  schemes:\n    token: { credentials: { issued: signed, life: P7D } }\n    other:\n      credentials:\n        issued: "signed"   # by us\n',
    'authentication:\n  schemes:\n    token: { credentials: { issued: opaque, life: P7D } }\n    other:\n      credentials:\n        issued: "opaque"   # by us\n',
  ],
  [
    'a field that is unique by itself, among lists of two',
    `resources:\n  Note:\n${fields}    unique: [[name], [id, name]]\n`,
    `resources:\n  Note:\n${fields.replace('string } # shown', 'string, unique: true } # shown')}    unique: [[id, name]]\n`,
  ],
  [
    'fields that are unique by themselves, and no others',
    `resources:\n  Note:\n${fields}    unique: [[id], { fields: [name], caseless: true }] # both\n    required: [name]\n`,
    `resources:\n  Note:\n    fields:\n      id: { type: string, unique: true }\n      name: { type: string, unique: caseless } # shown\n    # both\n    required: [name]\n`,
  ],
  [
    'a field that is unique by itself, in lines',
    'resources:\n  Note:\n    unique:\n      - [name]\n    fields:\n      name:\n        type: string\n        maxLength: 5\n',
    'resources:\n  Note:\n    fields:\n      name:\n        type: string\n        maxLength: 5\n        unique: true\n',
  ],
  [
    'rules that let nobody in',
    'authentication:\n  authorization:\n    shut: nobody\n    some: [known, nobody]\n    none: [nobody]\n    both: { rule: known, items: nobody }\n  otherwise: nobody\n',
    'authentication:\n  authorization:\n    shut: "${false}"\n    some: [known]\n    none: ["${false}"]\n    both: { rule: known, items: "${false}" }\n  otherwise: "${false}"\n',
  ],
  [
    'the header fields of a version',
    'versioning:\n  versions:\n    "1": { deprecated: 2026-01-01, fields: (none) }\n',
    'versioning:\n  versions:\n    "1": { deprecated: 2026-01-01, headers: (none) }\n',
  ],
  [
    'how many items there may be, beside other sizes',
    'errors: { codes: { full: { when: [too large body, too large Hook], status: 409 } } }\nlimits:\n  sizes: { body: 64 KiB, Hook: 1000 }\n',
    'errors: { codes: { full: { when: [too large body, quota exceeded hooks], status: 409 } } }\nlimits:\n  sizes: { body: 64 KiB }\n  quotas: { hooks: { of: Hook, allow: 1000 } }\n',
  ],
  [
    'how many items there may be of two resources, and nothing else',
    'limits:\n  sizes:\n    Hook: 1000\n    Note: 5\n',
    'limits:\n  quotas: { hooks: { of: Hook, allow: 1000 }, notes: { of: Note, allow: 5 } }\n',
  ],
];

describe('a document in words of before', () => {
  it.each(pairs)('is written in those of today: %s', (_, before, after) => {
    expect(migrated(before)).toBe(after);
    expect(refused(before)).toEqual([]);
    expect(migrated(after)).toBe(after);
  });

  it.each(pairs)('is refused by the reader, which says what to write: %s', (_, before, after) => {
    const found = read('x.yaml', before).diagnostics.filter(({ code }) => code === 'removed-word');
    expect(found.length).toBeGreaterThan(0);
    for (const { hint } of found) expect(hint).toMatch(/; tacet check --fix does it$/);
    expect(read('x.yaml', after).diagnostics.map(({ code }) => code)).not.toContain('removed-word');
  });

  it('is told once, and not also as a word that nobody knows', () => {
    const content = 'authentication:\n  schemes: { a: { credentials: { issued: signed } } }\n';
    expect(read('x.yaml', content).diagnostics.map((one) => [one.code, at(one.span), one.hint])).toEqual([
      ['removed-word', 'x.yaml:2:42', 'write opaque; tacet check --fix does it'],
    ]);
  });

  it('may be Markdown, whose other text stays', () => {
    const of = (word: string): string =>
      `# Notes\n\nA text with title: it stays.\n\n## Authentication\n\n> \`\`\`yaml\n> schemes: { a: { credentials: { issued: ${word} } } }\n> \`\`\`\n`;
    expect(migrated(of('signed'), 'x.md')).toBe(of('opaque'));
  });

  it('may be JSON', () => {
    const before =
      '{"limits":{"sizes":{"Hook":10}},"errors":{"codes":{"a":{"when":"too large Hook","title":"Full"}}}}';
    const after =
      '{"limits":{"quotas": {"hooks":{"of":"Hook","allow":10}}},"errors":{"codes":{"a":{"when":"quota exceeded hooks","message":"Full"}}}}';
    expect(migrated(before, 'x.json')).toBe(after);
  });

  it('keeps the ends of its lines', () => {
    const before =
      'resources:\r\n  A:\r\n    fields:\r\n      b:\r\n        type: string\r\n    unique: [[b]]\r\n';
    expect(migrated(before)).toBe(
      'resources:\r\n  A:\r\n    fields:\r\n      b:\r\n        type: string\r\n        unique: true\r\n',
    );
  });

  it.each([
    ['a field that is not described', 'resources:\n  A:\n    unique: [[b]]\n', ['x.yaml:3:14 unique: [[b]]']],
    [
      'an address of an older version',
      'versioning:\n  versions:\n    "1": { differs: { errors.codes.a.title: Gone } }\n',
      ['x.yaml:3:23 title'],
    ],
    [
      'a comment that would go with it',
      'resources:\n  A:\n    fields: { b: {} }\n    unique:\n      # only one\n      - [b]\n',
      ['x.yaml:6:9 unique: [[b]]'],
    ],
  ])('is left as it is, and that is told: %s', (_, content, expected) => {
    expect(migrated(content)).toBe(content);
    expect(refused(content)).toEqual(expected);
    const [found] = read('x.yaml', content).diagnostics.filter(({ code }) => code === 'removed-word');
    expect(found?.hint).toMatch(/; tacet check --fix cannot do it here$/);
  });

  it('is left as it is where its YAML is at fault', () => {
    const content = 'authentication:\n  schemes: { a: { credentials: { issued: signed } }\nx: [\n';
    expect(migrated(content)).toBe(content);
  });
});
