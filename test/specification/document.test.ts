import { describe, expect, it } from 'vitest';
import { at, type Span } from '../../src/source/text.ts';
import { readerLimits } from '../../src/source/yaml.ts';
import { read, readFolder } from '../../src/specification/read.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { document, faults, place, places, plain, points, specification } from './documents.ts';

const yaml = (text: string): string => `\`\`\`yaml\n${text}\n\`\`\`\n`;

describe('a Markdown document (language §A.1)', () => {
  it('is called what its first heading says', () => {
    expect(specification('# A *service*\n\n# Another\n').name).toBe('A *service*');
    expect(specification('').name).toBe('');
    expect(specification('# A\u001b[2J\tB\0').name).toBe('A\uFFFD[2J B\uFFFD');
    expect(read('x.yaml', 'name: "A\\nB"').specification.name).toBe('A\uFFFDB');
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

  it('has no zero byte in a block, though Markdown would put a sound character in its place', () => {
    expect(places(`## Limits\n${yaml('sizes: { page: "\0" }')}`)).toContain('3:17 yaml-feature');
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
    const { file: _file, ...rest } = found;
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
    ['endpoints: [a]', ['1:12 not-statements']],
    ['endpoints: text', ['1:12 not-statements']],
    ['endpoints:', ['1:11 not-statements']],
    ['tacet: 2', ['1:8 unknown-version']],
  ])('%j is a fault', (content, expected) => {
    expect(places(content, 'x.yaml')).toEqual(expected);
  });
});

describe('a folder of documents (language §A.2)', () => {
  const folder = (documents: Record<string, string>) =>
    readFolder(
      'desk',
      Object.entries(documents).map(([file, content]) => ({ file, content })),
    );
  const faultsOf = (documents: Record<string, string>): string[] =>
    folder(documents).diagnostics.map((one) =>
      [one.code, at(one.span), ...one.related.map((other) => `see ${at(other)}`)].join(' '),
    );
  const resources = 'Todo: { identifier: id, fields: { id: {} } }';
  const split = {
    'c.json': '{"limits": "(none)"}',
    'b.yaml': `name: Desk\nresources:\n  ${resources}\n`,
    'a.md': `# Desk\n\n${yaml('complete: [resources]')}\n## Endpoints\n\n${yaml('GET /: {}')}`,
    'd.md': `## Endpoints\n\n${yaml('PUT /: {}')}`,
  };

  it('is one specification, whatever the order in which its documents are given', () => {
    const whole = document({
      head: 'complete: [resources]',
      resources,
      endpoints: 'GET /: {}\nPUT /: {}',
      limits: '(none)',
    }).replace('# Service', '# Desk');
    const { specification: found, diagnostics } = folder(split);
    expect(diagnostics).toEqual([]);
    expect(points(found)).toEqual(points(specification(whole)));
    expect({ name: found.name, file: found.file }).toEqual({ name: 'Desk', file: 'desk' });
    const reversed = folder(Object.fromEntries(Object.entries(split).reverse())).specification;
    const { tree: _a, ...one } = found;
    const { tree: _b, ...other } = reversed;
    expect(plain(one)).toEqual(plain(other));
  });

  it('says of each point in which document it stands', () => {
    const found = folder({ 'README.md': '# Read this first', ...split }).specification;
    expect(
      ['endpoints["PUT /"].does', 'resources.Todo.identifier', 'limits', 'events.envelope'].map((address) =>
        at(found.points.get(address)?.at as Span),
      ),
    ).toEqual(['d.md:4:8', 'b.yaml:3:23', 'c.json:1:12', 'a.md:1:1']);
  });

  it('of one document is that document', () => {
    const { name, file } = folder({ 'a.md': '# Desk\n' }).specification;
    expect({ name, file }).toEqual({ name: 'Desk', file: 'desk' });
  });

  it('may hold commentary and ledgers, which say nothing, not even a name', () => {
    const readme = '# How to read this\n\n## Why\n\n```sh\nls\n```\n';
    expect(
      faultsOf({ ...split, 'README.md': readme, 'ledger.json': '[{"at": "limits", "value": {}}]' }),
    ).toEqual([]);
  });

  it('must have a document', () => expect(() => readFolder('desk', [])).toThrow(RangeError));

  it.each<[string, Record<string, string>, string[]]>([
    [
      'a key of a part that stands twice',
      { 'a.md': `## Endpoints\n${yaml('GET /: {}')}`, 'b.yaml': 'endpoints: { GET /: {} }' },
      ['key-twice b.yaml:1:14 see a.md:3:1'],
    ],
    [
      'a marker in one and statements in another',
      { 'a.json': '{"limits": "(none)"}', 'b.yaml': 'limits: { sizes: { page: 1 } }' },
      ['marker-and-statements b.yaml:1:9 see a.json:1:12'],
    ],
    [
      'two heads',
      { 'a.md': yaml('tacet: 1'), 'b.yaml': 'complete: true' },
      ['two-heads b.yaml:1:1 see a.md:2:1'],
    ],
    [
      'two names',
      { 'a.md': `# A\n${yaml('tacet: 1')}`, 'b.yaml': 'name: B', 'c.json': '{"name": "A"}' },
      ['two-names b.yaml:1:7 see a.md:1:1'],
    ],
    [
      'a heading that is nearly one of a part',
      { 'a.md': '', 'b.md': `## Endpoint\n${yaml('a: 1')}` },
      ['block-outside-part b.md:2:1'],
    ],
    [
      'a file of something else',
      { 'a.md': '', 'package.json': '{"version": "1.0.0"}' },
      ['unknown-key package.json:1:2'],
    ],
    [
      'faults of several documents, in their order',
      { 'b.yaml': 'limits: { a: 1 }', 'a.yaml': 'resources: { T: { b: 1 } }' },
      ['unknown-key a.yaml:1:19', 'unknown-key b.yaml:1:11'],
    ],
  ])('%s: an error that points', (_what, documents, expected) => {
    expect(faultsOf(documents)).toEqual(expected);
  });

  it('may go on with a map of names in other blocks and files', () => {
    const codes = (name: string): string => `codes: { ${name}: { when: malformed, status: 400 } }`;
    const parts = {
      'a.md': `${yaml('complete: [errors]\nopen: { limits: how many? }')}## Errors\n${yaml(codes('a'))}${yaml('codes: { b: { when: invalid, status: 400 } }')}`,
      'b.yaml': `let: { mine(n): "\${n == 1}" }\nopen: { events: which? }\nerrors: { messages: { type: x }, codes: { c: { when: unknown, status: 404 } } }\n`,
      'c.yaml':
        'authentication: { actors: { d: "${mine(1)}" } }\nservice: { actors: { a: x } }\nversioning: { versions: { "2": {}, "1": {} } }',
      'd.yaml':
        'service: { actors: { d: y } }\nversioning: { versions: { "1": { differs: { errors.codes.a.status: 422 } } } }',
      'e.yaml': 'versioning: { versions: { "1": { differs: { errors.codes.b.status: 422 } } } }',
    };
    const { specification: found, diagnostics } = folder(parts);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect([...(stated(stated(found.errors)?.codes)?.keys() ?? [])]).toEqual(['a', 'b', 'c']);
    expect([...(stated(stated(found.service)?.actors)?.keys() ?? [])]).toEqual(['a', 'd']);
    const versions = stated(stated(found.versioning)?.versions);
    expect([...(stated(stated(versions?.get('1'))?.differs)?.keys() ?? [])]).toEqual([
      'errors.codes.a.status',
      'errors.codes.b.status',
    ]);
    expect(found.points.get('events.*')?.question).toBe('which?');
  });

  it('has each name once, and one head besides', () => {
    const more = (text: string) => ({
      'a.yaml': 'complete: [errors]\nerrors: { codes: { a: {} } }',
      'b.yaml': text,
    });
    expect(faultsOf(more('errors: { codes: { a: {} } }'))).toEqual(['key-twice b.yaml:1:20 see a.yaml:2:20']);
    expect(faultsOf(more('errors: { codes: (none) }'))).toEqual(['key-twice b.yaml:1:11 see a.yaml:2:11']);
    expect(faultsOf(more('open: { errors: x }\ncomplete: true'))).toEqual([
      'two-heads b.yaml:1:1 see a.yaml:1:1',
    ]);
    const version = { 'a.yaml': 'versioning: { versions: { "1": { deprecated: 2026-01-01 } } }' };
    expect(
      faultsOf({ ...version, 'b.yaml': 'versioning: { versions: { "1": { sunset: 2026-02-01 } } }' }),
    ).toEqual(['key-twice b.yaml:1:27 see a.yaml:1:27']);
  });

  it('is no larger in all than one document may be', () => {
    const half = 'x'.repeat(readerLimits.bytes / 2);
    expect(faultsOf({ 'a.md': half, 'b.md': half })).toEqual([]);
    expect(faultsOf({ 'a.md': half, 'b.md': half, 'c.md': 'x', 'd.yaml': 'unread: 1' })).toEqual([
      'too-large c.md:1:1',
    ]);
    const values = `[${'a,'.repeat(0.6 * readerLimits.nodes)}]`;
    expect(faultsOf({ 'a.yaml': `limits: ${values}`, 'b.yaml': `events: ${values}` })).toEqual([
      'not-statements a.yaml:1:9',
      'too-many-values b.yaml:1:159956',
    ]);
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
    ['a delivery', { events: 'delivery: { a.b: { broker: x } }' }, 'a.b'],
    ['a scheme', { authentication: 'schemes: { _a: {} }' }, '_a'],
    ['an actor', { authentication: 'actors: { _a: "${true}" }' }, '_a'],
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

describe('a description at the top (language §E.18)', () => {
  it('of a document in YAML or JSON states nothing', () => {
    expect(read('x.yaml', 'description: about this file\nlimits: (none)').diagnostics).toEqual([]);
    expect(read('x.json', '{ "description": 5 }').diagnostics).toEqual([]);
  });

  it.each([
    ['x.yaml', 'description: (open) why?'],
    ['x.yaml', 'endpoints: { description: (open) why? }'],
  ])('is no place for a question', (name, content) => {
    expect(faults(content, name)).toEqual(['marker-in-literal: (open) why?']);
  });
});

describe('what looks like a statement and is none', () => {
  const codesIn = (content: string): readonly string[] =>
    read('x.md', content).diagnostics.map(({ code, severity, span }) => `${severity} ${code} ${place(span)}`);
  const under = (title: string, ...block: string[]): string =>
    ['# X', '', `## ${title}`, '', ...block, ''].join('\n');

  it('is told of where a block under a part names no language', () => {
    for (const block of [
      ['```', 'GET /a: { response: 204 }', '```'],
      ['~~~', '# ours', 'others: refuse', '~~~'],
      ['```', '(none)', '```'],
    ])
      expect(codesIn(under('Endpoints', ...block))).toEqual(['warning block-unnamed 5:1']);
  });

  it('and not where it is prose, names another language, or stands elsewhere', () => {
    for (const block of [
      ['```', 'curl -i http://127.0.0.1:8080', '```'],
      ['```text', 'others: refuse', '```'],
      ['```', '', '```'],
    ])
      expect(codesIn(under('Endpoints', ...block))).toEqual([]);
    expect(codesIn(under('Our notes', '```', 'others: refuse', '```'))).toEqual([]);
  });

  it('is told of where a segment begins with a colon', () => {
    expect(codesIn(under('Endpoints', '```yaml', 'GET /a/:id/b: { response: 204 }', '```'))).toEqual([
      'warning colon-segment 6:1',
    ]);
    expect(codesIn(under('Endpoints', '```yaml', 'GET /a/b:id: { response: 204 }', '```'))).toEqual([]);
  });

  it('is told of where a text is a call, at any depth', () => {
    const answering = (body: string): string =>
      under(
        'Endpoints',
        '```yaml',
        `GET /a: { does: (none), response: { status: 200, body: ${body} } }`,
        '```',
      );
    for (const body of ['{ a: { b: \'lower("X")\' } }', "'uuid()'", '[random(4)]'])
      expect(codesIn(answering(body))).toEqual([expect.stringMatching(/^warning bare-call 6:/)]);
    for (const body of ["'call(me)'", "'size matters (much)'", '"${uuid()}"'])
      expect(codesIn(answering(body)).filter((one) => one.includes('bare-call'))).toEqual([]);
  });
});
