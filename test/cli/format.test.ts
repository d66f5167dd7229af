import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { concise } from '../../src/cli/formats/concise.ts';
import { github } from '../../src/cli/formats/github.ts';
import { json } from '../../src/cli/formats/json.ts';
import { sarif } from '../../src/cli/formats/sarif.ts';
import { type Reader, read } from '../../src/specification/read.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const { path, file } = temporaryFolder();

const content =
  '# Wrong\n\n## Endpoints\n\n```yaml\nGET /: { does: lst Todo }\nGET /: {}\n```\n\n## Limitz\n\n```yaml\na: 1\n```\n';

/** What check hands to a format for a document under this name. */
function checked(name: string, text: string) {
  const { specification, diagnostics }: Reader = read(name, text);
  return { file: name, name: specification.name, operations: specification.operations.length, diagnostics };
}

const wrong = checked('docs/wrong.md', content);
const right = checked('right.yaml', 'endpoints: { GET /: {} }');

describe('concise', () => {
  it('is a line each, as compilers print them', () => {
    expect(concise([wrong, right])).toBe(
      [
        'docs/wrong.md:6:16: error unknown-verb: lst is neither a verb nor a transition of this resource',
        'docs/wrong.md:7:1: error key-twice: GET / stands twice',
        'docs/wrong.md:12:1: error block-outside-part: a block of statements stands under "Limitz", which is no part',
        '',
      ].join('\n'),
    );
    expect(concise([right])).toBe('');
  });

  it('lets nothing of a document, or of its name, begin a line or act on a terminal', () => {
    const evil = checked('a\nb\u001b[2J.yaml', '"c\\nd\\e": 1');
    expect(evil.diagnostics[0]?.message).toContain('c\nd\u001b');
    expect(concise([evil])).toBe('a�b�[2J.yaml:1:1: error unknown-key: a specification has no key c�d�\n');
  });
});

describe('github', () => {
  it('is a workflow command each, with columns where it stands on one line', () => {
    expect(github([wrong, right])).toBe(
      [
        '::error file=docs/wrong.md,line=6,endLine=6,col=16,endColumn=19,title=tacet%3A unknown-verb::lst is neither a verb nor a transition of this resource%0Ahelp: did you mean list?',
        '::error file=docs/wrong.md,line=7,endLine=7,col=1,endColumn=6,title=tacet%3A key-twice::GET / stands twice%0Asee also docs/wrong.md:6:1%0Ahelp: keep one of them',
        '::error file=docs/wrong.md,line=12,endLine=15,title=tacet%3A block-outside-part::a block of statements stands under "Limitz", which is no part%0Ahelp: did you mean "limits"?',
        '',
      ].join('\n'),
    );
  });

  it('escapes what would end a command, a property or a list of them', () => {
    const odd = checked('100%,a:b.yaml', '"c%0A\\r\\n::error::d": 1');
    expect(github([odd])).toMatch(
      /^::error file=100%25%2Ca%3Ab\.yaml,line=1,.*::a specification has no key c%250A%0D%0A::error::d%0Ahelp: .*\n$/,
    );
  });
});

describe('json', () => {
  const schema = JSON.parse(readFileSync('schemas/diagnostics.schema.json', 'utf8')) as object;
  const fits = new Ajv2020().compile(schema);

  it.each([
    ['faults', [wrong]],
    ['no fault', [right]],
    ['several documents', [wrong, right]],
  ])('has the published form: %s', (_what, all) => {
    fits(JSON.parse(json(all)));
    expect(fits.errors ?? []).toEqual([]);
  });

  it('says of each fault where it begins and ends, what belongs to it, and where it is explained', () => {
    const report = JSON.parse(json([wrong, right]));
    expect({ ...report, diagnostics: report.diagnostics.length }).toEqual({
      documents: [
        { file: 'docs/wrong.md', name: 'Wrong', operations: 1 },
        { file: 'right.yaml', name: '', operations: 1 },
      ],
      errors: 3,
      warnings: 0,
      diagnostics: 3,
    });
    expect(report.diagnostics[1]).toEqual({
      code: 'key-twice',
      severity: 'error',
      message: 'GET / stands twice',
      hint: 'keep one of them',
      at: { file: 'docs/wrong.md', start: { line: 7, column: 1 }, end: { line: 7, column: 6 } },
      related: [{ file: 'docs/wrong.md', start: { line: 6, column: 1 }, end: { line: 6, column: 6 } }],
      section: 'A.1',
      page: 'docs/diagnostics/key-twice.md',
    });
    expect(readFileSync(report.diagnostics[1].page, 'utf8')).toMatch(/^# key-twice\n/);
  });
});

describe('sarif', () => {
  const [run] = JSON.parse(sarif([wrong, right], '1.2.3')).runs;

  it('is one run of one tool, in UTF-16 columns', () => {
    const { $schema, version, runs } = JSON.parse(sarif([right], '1.2.3'));
    expect({ $schema: typeof $schema, version, runs }).toEqual({
      $schema: 'string',
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'tacet', semanticVersion: '1.2.3', rules: [] } },
          columnKind: 'utf16CodeUnits',
          results: [],
        },
      ],
    });
  });

  it('describes each rule that it uses once, in its own words', () => {
    const { rules } = run.tool.driver;
    expect(rules.map((rule: { id: string }) => rule.id)).toEqual([
      'block-outside-part',
      'key-twice',
      'unknown-verb',
    ]);
    expect(rules[1]).toEqual({
      id: 'key-twice',
      shortDescription: {
        text: 'One map holds the same key twice, or a list names the same thing twice, also over several blocks of one part.',
      },
      help: {
        text: 'language §A.1; tacet explain key-twice',
        markdown: expect.stringMatching(/^# key-twice\n\n[^[\]]*\(language §A\.1\)\n\n\*\*To mend it:\*\*/),
      },
      defaultConfiguration: { level: 'error' },
    });
  });

  it('places each result, and what belongs to it', () => {
    const place = (startLine: number) => ({
      artifactLocation: { uri: 'docs/wrong.md' },
      region: { startLine, startColumn: 1, endLine: startLine, endColumn: 6 },
    });
    expect(run.results).toHaveLength(3);
    expect(run.results[1]).toEqual({
      ruleId: 'key-twice',
      ruleIndex: 1,
      level: 'error',
      message: { text: 'GET / stands twice; keep one of them' },
      locations: [{ physicalLocation: place(7) }],
      relatedLocations: [{ id: 0, message: { text: 'see also' }, physicalLocation: place(6) }],
    });
    expect(run.results[0]).not.toHaveProperty('relatedLocations');
  });

  it.each([
    ['a b/c%d,é#?.yaml', 'a%20b/c%25d%2C%C3%A9%23%3F.yaml'],
    ['http:/x.yaml', 'http%3A/x.yaml'],
    ['../x.yaml', '../x.yaml'],
    [join(path, 'x y.yaml'), pathToFileURL(join(path, 'x y.yaml')).href],
  ])('names a file by a URI: %s', (name, uri) => {
    const log = JSON.parse(sarif([checked(name, 'a: 1')], '1.2.3'));
    expect(log.runs[0].results[0].locations[0].physicalLocation.artifactLocation).toEqual({ uri });
  });
});

describe('tacet check --format', () => {
  const faulty = file('faulty.md', content);
  const faultless = file('faultless.yaml', 'endpoints: { GET /: {} }');
  const [one, other] = [checked(faulty, content), checked(faultless, 'endpoints: { GET /: {} }')];
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const formats = { concise, github, json, sarif: (all: (typeof one)[]) => sarif(all, version) };

  it.each(Object.entries(formats))('%s prints that, and nothing else', async (name, format) => {
    const check = (...documents: string[]) => tacet(['check', ...documents, '--format', name]);
    expect(await check(faulty)).toEqual({ code: 1, out: format([one]), error: '' });
    expect(await check(faultless)).toEqual({ code: 0, out: format([other]), error: '' });
    expect(await check(faulty, faultless)).toEqual({ code: 1, out: format([one, other]), error: '' });
  });

  it('pretty is what is printed without it', async () => {
    expect(await tacet(['check', faulty, '--format', 'pretty'])).toEqual(await tacet(['check', faulty]));
  });

  it('checks several documents as so many specifications', async () => {
    const { code, out, error } = await tacet(['check', faultless, faulty, faultless]);
    expect({ code, out }).toEqual({
      code: 1,
      out: `${faultless}: no error, 1 operation, 0 warnings\n`.repeat(2),
    });
    expect(error).toMatch(/\n\n3 errors; for more about one: tacet explain unknown-verb\n$/);
  });

  it.each([
    [['--format', 'sarf'], 'there is no format sarf; did you mean sarif?'],
    [
      ['--format', 'xml-of-junit'],
      'there is no format xml-of-junit; there are pretty, concise, json, github, sarif',
    ],
    [
      ['--format', 'constructor'],
      'there is no format constructor; there are pretty, concise, json, github, sarif',
    ],
    [
      [faultless, '--assume', file('ledger.json', '[{"at": "limits", "value": "(none)"}]')],
      'a ledger belongs to one specification, and several are named',
    ],
  ])('refuses %j with one message', async (words, message) => {
    expect(await tacet(['check', faulty, ...words])).toEqual({
      code: 2,
      out: '',
      error: `tacet: ${message}\nhelp: tacet check --help\n`,
    });
  });
});
