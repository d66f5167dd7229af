import { describe, expect, it } from 'vitest';
import { readerLimits } from '../../src/source/yaml.ts';
import { read } from '../../src/specification/read.ts';
import { stated } from '../../src/specification/said.ts';
import { document, faults, places, plain, points, specification } from './documents.ts';

const yaml = (text: string): string => `\`\`\`yaml\n${text}\n\`\`\`\n`;

describe('a Markdown document (language §A.1)', () => {
  it('is called what its first heading says', () => {
    expect(specification('# A *service*\n\n# Another\n').name).toBe('A *service*');
    expect(specification('').name).toBe('');
  });

  it('has parts under their keys, or under the founding document’s headings, in any letter case', () => {
    for (const heading of ['Limits', 'limits', 'LIMITS', 'Limits ##', ' limits'])
      expect(points(specification(`## ${heading}\n${yaml('(none)')}`))).toMatchObject({ limits: 'stated' });
    for (const heading of ['What the service does', 'WHAT  THE SERVICE DOES', 'service'])
      expect(points(specification(`## ${heading}\n${yaml('purpose: p')}`))).toMatchObject({
        'service.purpose': 'stated',
      });
  });

  it('may say one part in several blocks, and under several headings', () => {
    const together = specification(
      `## Resources\n${yaml('A: {}')}text\n${yaml('B: {}')}\n## Limits\n\n## resources\n${yaml('C: {}')}`,
    );
    expect([...(stated(together.resources)?.keys() ?? [])]).toEqual(['A', 'B', 'C']);
  });

  it('says nothing in prose, in other fences, and in deeper headings', () => {
    const content = `## Limits\n\nsizes: none\n\n### Resources\n\n\`\`\`json\n{"a": 1}\n\`\`\`\n\n- sizes: 1\n`;
    expect(points(specification(content))).toEqual(points(specification('')));
  });

  it('may have commentary, and blocks of anything but yaml in it', () => {
    expect(faults(`## Why\n\n\`\`\`\nx\n\`\`\`\n\n## Limits\n${yaml('(none)')}`)).toEqual([]);
  });

  it('a part with prose and no block is open, and so is one with a block of comments', () => {
    expect(points(specification(`# A\n\n## Limits\n\nNone.\n\n${yaml('# nothing yet')}`))).toEqual(
      points(specification('')),
    );
  });

  it.each([
    ['one key twice', `## Resources\n${yaml('A: {}')}${yaml('A: {}')}`, ['6:1 key-twice']],
    [
      'a marker beside statements',
      `## Limits\n${yaml('(none)')}${yaml('sizes: {}')}`,
      ['6:1 marker-and-statements'],
    ],
    [
      'statements beside a marker',
      `## Limits\n${yaml('sizes: {}')}${yaml('(none)')}`,
      ['6:1 marker-and-statements'],
    ],
    ['two markers', `## Limits\n${yaml('(none)')}${yaml('(none)')}`, ['6:1 marker-and-statements']],
    ['a list', `## Limits\n${yaml('- sizes')}`, ['3:1 not-statements']],
    ['text', `## Limits\n${yaml('none')}`, ['3:1 not-statements']],
    ['a number', `## Limits\n${yaml('5')}`, ['3:1 not-statements']],
    ['a block under commentary', `## Limits\n\n## Why\n${yaml('a: 1')}`, ['4:1 block-outside-part']],
    [
      'a block under commentary, before the first part',
      `## Why\n${yaml('tacet: 1')}`,
      ['2:1 block-outside-part'],
    ],
    [
      'a block after another first-level heading',
      `## Limits\n\n# More\n${yaml('a: 1')}`,
      ['4:1 block-outside-part'],
    ],
    ['a head that is none', yaml('[1]'), ['2:1 not-statements']],
  ])('%s is a fault', (_what, content, expected) => {
    expect(places(content)).toEqual(expected);
  });

  it('a heading that is nearly one of a part is taken for it in the hint', () => {
    expect(read('x.md', `## Endpoint\n${yaml('a: 1')}`).diagnostics[0]?.hint).toBe(
      'did you mean "endpoints"?',
    );
    expect(read('x.md', `## Holidays\n${yaml('a: 1')}`).diagnostics[0]?.hint).toContain('move it under');
  });

  it('a fault in one block hides none in another, but what may follow from it in its own', () => {
    expect(places(`## Limits\n${yaml('a: [')}\n## Errors\n${yaml('b: 1')}`)).toEqual([
      '4:4 yaml-syntax',
      '8:1 unknown-key',
    ]);
    expect(places('limits: { a: 1 }\nservice: { purpose: *what }\n', 'x.yaml')).toEqual([
      '2:21 yaml-feature',
    ]);
    expect(places('limits: { a: 1 }\nservice: {}\nservice: {}\n', 'x.yaml')).toEqual([
      '1:11 unknown-key',
      '3:1 key-twice',
    ]);
  });
});

describe('YAML and JSON (language §A.2)', () => {
  const parts = { resources: 'Todo: { identifier: id, fields: { id: {} } }', limits: '(none)' };
  const markdown = document({ head: 'tacet: 1\ncomplete: [resources]', ...parts });
  const whole = `name: Service\ntacet: 1\ncomplete: [resources]\nresources:\n  ${parts.resources}\nlimits: ${parts.limits}\n`;
  const json = JSON.stringify({
    name: 'Service',
    tacet: 1,
    complete: ['resources'],
    resources: { Todo: { identifier: 'id', fields: { id: {} } } },
    limits: '(none)',
  });

  const model = (file: string, content: string): unknown => {
    const { specification: found, diagnostics } = read(file, content);
    expect(diagnostics).toEqual([]);
    const { text: _text, ...rest } = found;
    return { model: plain(rest), points: points(found) };
  };

  it('say the same as Markdown, by the ending of the name', () => {
    const expected = model('x.md', markdown);
    expect(model('x.yaml', whole)).toEqual(expected);
    expect(model('x.YML', `\uFEFF${whole}`)).toEqual(expected);
    expect(model('x.json', json)).toEqual(expected);
    expect(model('x.json', JSON.stringify(JSON.parse(json), null, '\t'))).toEqual(expected);
  });

  it.each([
    ['- a', ['1:1 not-a-map']],
    ['text', ['1:1 not-a-map']],
    ['5', ['1:1 not-a-map']],
    ['unknown: 1', ['1:1 unknown-key']],
    ['name: [a]', ['1:7 wrong-kind']],
    ['endpoints: [a]', ['1:12 wrong-kind']],
    ['endpoints: text', ['1:12 wrong-kind']],
    ['endpoints:', ['1:11 wrong-kind']],
    ['tacet: 2', ['1:8 unknown-version']],
  ])('%j is a fault', (content, expected) => {
    expect(places(content, 'x.yaml')).toEqual(expected);
  });
});

describe('names (language §A.5)', () => {
  it.each([
    ['a resource', { resources: 'todo: {}' }, 'todo'],
    ['a resource', { resources: 'To-do: {}' }, 'To-do'],
    ['a resource', { resources: '__proto__: {}' }, '__proto__'],
    ['a resource', { resources: 'constructor: {}' }, 'constructor'],
    ['an operation', { endpoints: 'GET /: { operation: __proto__ }' }, '__proto__'],
    ['an operation', { endpoints: 'GET /: { operation: list todos }' }, 'list todos'],
    ['a code', { errors: 'codes: { 404: { status: 404 } }' }, '404'],
    ['a transition', { states: 'A.b: { transitions: { "1": { from: a, to: b } } }' }, '"1"'],
    ['a machine', { states: 'status: { states: [a] }' }, 'status'],
    ['a kind', { events: 'kinds: { .a: {} }' }, '.a'],
    ['a delivery', { events: 'delivery: { a.b: {} }' }, 'a.b'],
    ['a scheme', { authentication: 'schemes: { _a: {} }' }, '_a'],
    ['an actor', { authentication: 'actors: { _a: x }' }, '_a'],
    ['an actor', { service: 'actors: { "the office": x }' }, '"the office"'],
    ['a rate', { limits: 'rates: { a b: {} }' }, 'a b'],
    ['what as binds', { endpoints: 'GET /{a}: { request: { path: { a: T.id as this } } }' }, 'T.id as this'],
  ])('%s cannot be called so: %j', (_what, parts, words) => {
    expect(faults(document(parts))).toEqual([`bad-name: ${words}`]);
  });

  it('fields, parameters and states may be called anything', () => {
    const names = [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'select',
      'a b',
      '',
      '*',
      'a.b',
      '𝒳',
      'this',
      '1',
    ];
    const fields = names.map((name) => `${JSON.stringify(name)}: { type: string }`).join(', ');
    const found = specification(
      document({
        resources: `Todo: { identifier: __proto__, fields: { ${fields} } }`,
        states: `Todo.constructor: { states: [${names.map((name) => JSON.stringify(name)).join(', ')}] }`,
        endpoints: `POST /: { does: create Todo, request: { body: Todo, query: { ${fields} } } }`,
      }),
    );
    expect([...(found.resourcesByName.get('Todo')?.fields.keys() ?? [])]).toEqual(names);
    const request = found.operations[0]?.request;
    expect([...((request && stated(request.query)?.keys()) ?? [])]).toEqual(names);
    expect(Object.prototype).not.toHaveProperty('type');
  });
});

describe('a document that is too large', () => {
  it('is not read at all', () => {
    const content = `# A\n${'x'.repeat(readerLimits.bytes)}`;
    expect(places(content)).toEqual(['1:1 too-large']);
    expect(places(`# ${'ä'.repeat(readerLimits.bytes / 2)}`)).toEqual(['1:1 too-large']);
    expect(places(`# A\n${'x'.repeat(readerLimits.bytes - 4)}`)).toEqual([]);
  });
});
