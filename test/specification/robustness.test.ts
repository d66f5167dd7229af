import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { timed } from '../cpu.ts';
import { isLong } from '../long.ts';
import { document } from './documents.ts';

/** Reads a document that no author would write; gives the codes of its faults. */
function codes(content: string, file = 'x.md', mostMs = 20_000): string[] {
  const { value, cpuMs } = timed(() => read(file, content));
  const { diagnostics } = value;
  // No measure of speed: what grows faster than its input takes minutes here.
  expect(cpuMs).toBeLessThan(mostMs);
  for (const one of diagnostics) {
    expect(one.message).not.toMatch(/call stack|undefined|\[object|at .*\.ts:/);
    for (const { text, start, end } of [one.span, ...one.related]) {
      expect(text.content).toBe(content);
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(content.length);
    }
  }
  return [...new Set(diagnostics.map((one) => one.code))];
}

const laughs = [
  'a: &a [x, x, x, x, x, x, x, x, x, x]',
  ...['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name, index) => {
    const before = 'abcdefgh'[index];
    return `${name}: &${name} [${Array(10).fill(`*${before}`).join(', ')}]`;
  }),
].join('\n');

const mebibyte = 1 << 20;
const filled = (piece: string, bytes = mebibyte - 200): string =>
  piece.repeat(Math.floor(bytes / piece.length));

describe('what the reader is given ends in a diagnostic, in time that grows with its length', () => {
  it.each<[string, string, string]>([
    ['aliases that multiply', laughs, 'yaml-feature'],
    ['a flow sequence 5,000 deep', '['.repeat(5000) + ']'.repeat(5000), 'too-deep'],
    ['a flow sequence 5,000 deep that never ends', '['.repeat(5000), 'too-deep'],
    ['a flow map 5,000 deep', '{a: '.repeat(5000) + '}'.repeat(5000), 'too-deep'],
    ['a block sequence 5,000 deep', `${'- '.repeat(5000)}x`, 'too-deep'],
    [
      'a block map 1,000 deep',
      Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
      'too-deep',
    ],
    ['explicit keys 5,000 deep', `${'? '.repeat(5000)}x`, 'too-deep'],
    ['350,000 values', `[${filled('[],')}]`, 'too-many-values'],
    ['220,000 keys', Array.from({ length: 110_000 }, (_, i) => `k${i}: 1`).join('\n'), 'too-many-values'],
    ['a mebibyte of dashes', filled('- '), 'too-many-values'],
    ['a mebibyte of closing braces', filled('}'), 'too-many-values'],
    ['a mebibyte of quotation marks', filled('"'), 'too-many-values'],
    ['a mebibyte of anchors', filled('&a '), 'too-many-values'],
    ['a mebibyte of blank lines', filled(' \n'), 'too-many-values'],
    ['a mebibyte of directives', filled('%\n'), 'too-many-values'],
    ['a mebibyte of documents', filled('---\n'), 'too-many-values'],
    ['more than four mebibytes', filled('# \n', 4 * mebibyte + 10), 'too-large'],
    ['two documents', 'a: 1\n---\nb: 2', 'several-documents'],
    ['a key that stands twice', 'purpose: a\npurpose: b', 'key-twice'],
    ['a tag that makes a function', 'purpose: !!js/function "function () { }"', 'yaml-feature'],
    ['a merge key', '<<: { a: 1 }', 'yaml-feature'],
    ['an unknown key', 'purposes: x', 'unknown-key'],
    ['control characters', 'purpose: "a\u0000b\u0007"\nb\u0000: 1', 'yaml-feature'],
    ['an include', 'purpose: !include ../x.yaml', 'yaml-feature'],
  ])('%s', (_what, yaml, expected) => {
    expect(codes(document({ service: yaml }))).toContain(expected);
    expect(codes(yaml, 'x.yaml').length).toBeGreaterThan(0);
  });

  it('what another reader would take for false, a number or a date stays what was written', () => {
    const { specification, diagnostics } = read(
      'x.md',
      document({ service: 'purpose: no\nactors: { a: 1.10, b: 0o17, c: 2026-11-01, d: yes, e: 1_000 }' }),
    );
    expect(diagnostics).toEqual([]);
    const { service } = specification;
    const said = service.kind === 'stated' ? service.value : undefined;
    expect(said?.purpose).toMatchObject({ value: 'no' });
    const actors = said?.actors.kind === 'stated' ? [...said.actors.value.values()] : [];
    expect(actors.map((one) => one.kind === 'stated' && one.value)).toEqual([
      '1.10',
      '0o17',
      '2026-11-01',
      'yes',
      '1_000',
    ]);
  });

  it.each<[string, Parameters<typeof document>[0], string]>([
    ['a resource called __proto__', { resources: '__proto__: {}' }, 'bad-name'],
    [
      'a pattern that looks back',
      { resources: 'T: { fields: { a: { pattern: "(?<=a)b" } } }' },
      'bad-pattern',
    ],
    [
      'a pattern that refers back',
      { resources: 'T: { fields: { a: { pattern: "(a)\\\\1" } } }' },
      'bad-pattern',
    ],
    [
      'a pattern of nested repeats',
      { resources: `T: { fields: { a: { pattern: "${'('.repeat(900)}a${'{9})'.repeat(900)}" } } }` },
      'bad-pattern',
    ],
    [
      'a pattern of a thousand groups',
      { resources: `T: { fields: { a: { pattern: "${'('.repeat(4000)}" } } }` },
      'bad-pattern',
    ],
    [
      'an unknown field',
      { resources: 'T: { fields: { title: { derived: "${this.titel}" } } }' },
      'expression-type',
    ],
    [
      'a type that does not fit',
      { resources: 'T: { fields: { a: { derived: "${1 + true}" } } }' },
      'expression-type',
    ],
    ['a field that reads itself', { resources: 'T: { fields: { a: { derived: "${this.a}" } } }' }, 'circle'],
    [
      'an expression 5,000 deep',
      { resources: `T: { fields: { a: { derived: "\${${'('.repeat(5000)}" } } }` },
      'expression-syntax',
    ],
    [
      '5,000 negations',
      { resources: `T: { fields: { a: { derived: "\${${'!'.repeat(5000)}true}" } } }` },
      'expression-syntax',
    ],
    [
      'a sum of 5,000',
      { resources: `T: { fields: { a: { derived: "\${1${'+1'.repeat(4900)}}" } } }` },
      'expression-syntax',
    ],
    [
      'an expression that is huge',
      { resources: `T: { fields: { a: { derived: "\${'${'x'.repeat(500_000)}'}" } } }` },
      'expression-syntax',
    ],
    [
      'an expression that never ends',
      { resources: `T: { fields: { a: { derived: "${'${'.repeat(100_000)}" } } }` },
      'expression-syntax',
    ],
    [
      'a huge number',
      { resources: `T: { fields: { a: { derived: "\${${'9'.repeat(5000)}}" } } }` },
      'expression-type',
    ],
    [
      'a name that is huge',
      {
        endpoints: `GET /: { does: list ${'T'.repeat(400_000)} }\nPUT /: { does: list ${'U'.repeat(400_000)} }`,
        resources: 'T: {}',
      },
      'unknown-name',
    ],
    [
      '40,000 references to nobody',
      {
        resources: `T: { fields: {}, required: [${Array.from({ length: 40_000 }, (_, i) => `f${i}`).join(', ')}] }`,
        head: 'complete: true',
      },
      'unknown-name',
    ],
    [
      'as many lists that the head closes as there are, and as many more',
      {
        head: `complete: [${Array.from({ length: 18_000 }, (_, i) => `resources.T${i}`).join(', ')}]`,
        resources: Array.from({ length: 9_000 }, (_, i) => `T${i}: {}`).join('\n'),
      },
      'unknown-name',
    ],
    ['a code that is not listed', { errors: 'codes: {}\norder: [nobody]' }, 'unknown-name'],
    [
      'a target that is no shape',
      { resources: 'T: { fields: { a: { $ref: "file:///etc/passwd" } } }' },
      'unknown-key',
    ],
    [
      'shapes within one another',
      { resources: 'A: { identifier: (none), allOf: [B] }\nB: { identifier: (none), allOf: [A] }' },
      'circle',
    ],
    [
      'a keyword called toString',
      { resources: 'T: { fields: { a: { type: string, toString: 1 } } }' },
      'unknown-key',
    ],
    [
      'an answer for no outcome',
      { endpoints: 'GET /: { does: list T, response: [{ when: [], status: 200 }] }', resources: 'T: {}' },
      'never-sent',
    ],
  ])('%s', (_what, parts, expected) => {
    expect(codes(document(parts))).toContain(expected);
  });

  it('all the faults of a document at once', () => {
    expect(
      codes(
        document({
          resources: 't: { fields: { a: { type: strng }, b: { pattern: "(" } } }',
          endpoints: 'GET /{: {}\nget /: {}',
          errors: 'codes: { a: { when: nothing } }',
        }),
      ),
    ).toEqual(['bad-name', 'unknown-type', 'bad-pattern', 'bad-path', 'bad-endpoint', 'unknown-condition']);
  });
});

describe('what would be called when it is written as text is written as what it is', () => {
  it.each([
    ['a type', document({ resources: 'T: { fields: { a: { type: { toString: x } } } }' }), 'unknown-type'],
    ['a version', document({ head: 'tacet: { toString: x, valueOf: y }' }), 'unknown-version'],
    ['a status', document({ endpoints: 'GET /: { response: { status: { toString: x } } }' }), 'bad-status'],
    ['a purpose', document({ service: 'purpose: { toString: x }' }), 'wrong-kind'],
    [
      'a default',
      document({ resources: 'T: { fields: { a: { type: string, default: { toString: x } } } }' }),
      'bad-keyword',
    ],
    ['a name', document({ resources: 'T: { identifier: { toString: x } }' }), 'wrong-kind'],
    [
      'a parameter',
      document({ endpoints: 'GET /: { request: { query: { q: { filter: { toString: x } } } } }' }),
      'wrong-kind',
    ],
    ['a change', document({ endpoints: 'GET /: { does: { list: { toString: x } } }' }), 'wrong-kind'],
    ['a condition', document({ errors: 'codes: { c: { when: { toString: x } } }' }), 'wrong-kind'],
  ])('%s', (_what, content, expected) => {
    expect(codes(content)).toContain(expected);
  });
});

describe('whatever Markdown there is, it is read in time that grows with its length', () => {
  it.each([
    ['quotations within quotations', '> '],
    ['lists within lists', '- '],
    ['numbered lists', '1. '],
    ['fences', '```yaml\n'],
    ['fences that close', '```yaml\na: 1\n```\n'],
    ['headings', '# a\n'],
    ['parts', '## Limits\n'],
    ['emphasis', '*a_ '],
    ['links', '[a]('],
    ['brackets', '['],
    ['backticks', '`a'],
    ['references', '[a]: b\n'],
    ['HTML', '<a><!-- '],
    ['entities', '&#x41;'],
    ['tabs', '\t'],
    ['carriage returns', '\r'],
    ['a list of blocks', '- ```yaml\n  a: 1\n  ```\n'],
    ['zero bytes', '\u0000'],
    ['halves of characters', '\ud800'],
    ['tildes', '~~~'],
    ['deep indents', '          - a\n'],
  ])('%s', (_what, piece) => {
    // What grows with the square of its input takes a sixteenth of its time for a quarter of it.
    const [bytes, mostMs] = isLong ? [mebibyte - 200, 20_000] : [mebibyte / 4, 4000];
    codes(filled(piece, bytes), 'x.md', mostMs);
    codes(`# A\n\n${filled(`${piece}\n`, bytes)}\n## Limits\n`, 'x.md', mostMs);
  });
});
