import { describe, expect, it } from 'vitest';
import { whole } from '../../src/source/markdown.ts';
import { json, type Node } from '../../src/source/node.ts';
import { position, type Span, text } from '../../src/source/text.ts';
import { type Effort, readerLimits, readYaml } from '../../src/source/yaml.ts';

const read = (content: string, effort?: Effort) => readYaml(whole(text('x.yaml', content)), effort);
const value = (content: string) => json(read(content).node as Node);

function place({ text: of, start }: Span): string {
  const { line, column } = position(of, start);
  return `${line}:${column}`;
}

/** Each fault: its place, its code, and what its message names. */
function faults(content: string): string[] {
  return read(content).diagnostics.map((one) => `${place(one.span)} ${one.code}`);
}

function features(content: string): string[] {
  return read(content)
    .diagnostics.filter((one) => one.code === 'yaml-feature')
    .map((one) => `${place(one.span)} ${one.message.split(' are not read')[0]}`);
}

describe('YAML is read by the core schema of 1.2', () => {
  it('which has true, false, null and numbers, and neither yes nor dates', () => {
    expect(value('[true, False, ~, null, 1, -2.5, 1e3, 0o17, 0x1F]')).toEqual([
      true,
      false,
      null,
      null,
      1,
      -2.5,
      1000,
      15,
      31,
    ]);
    expect(value('[no, yes, on, 2026-11-01, 1_000, 12:30:45, .5.]')).toEqual([
      'no',
      'yes',
      'on',
      '2026-11-01',
      '1_000',
      '12:30:45',
      '.5.',
    ]);
  });

  it('and keeps what was written, for where text is expected', () => {
    const { node } = read('[1.10, 0o17, no, 2026-11-01, "1.10", ~]');
    const written =
      node?.kind === 'list' ? node.items.map((item) => item.kind === 'scalar' && item.written) : [];
    expect(written).toEqual(['1.10', '0o17', 'no', '2026-11-01', '1.10', '~']);
  });

  it('and keys are text as it was written', () => {
    expect(value('1.10: a\ntrue: b\n"": c\n2026-11-01: d')).toEqual({
      '1.10': 'a',
      true: 'b',
      '': 'c',
      '2026-11-01': 'd',
    });
  });

  it('of which JSON is a part', () => {
    const document = { a: [1, 'x', null, true, { b: {} }], 'c"\\\n': '😀', d: -0.5 };
    expect(value(JSON.stringify(document))).toEqual(document);
    expect(value(JSON.stringify(document, null, '\t'))).toEqual(document);
    expect(value('{"a": "\\ud83d\\ude00"}')).toEqual({ a: '😀' });
  });

  it('has no control character but tabs and line breaks, unless it is escaped', () => {
    expect(faults('a: "b\tc"\r\nd: "\\0\\e"\nf: "\u007f\u0085\u009b"')).toEqual([]);
    expect(faults('a: b\nc: "d\u0000e\u001b"')).toEqual(['2:6 yaml-feature']);
    expect(faults('# \u0007')).toEqual(['1:3 yaml-feature']);
  });

  it('where nothing stands, there is nothing', () => {
    for (const content of ['', '\n', '# a comment', '---', '\uFEFF'])
      expect(read(content).node).toBeUndefined();
  });

  it('a member called __proto__ is a member like any other', () => {
    expect(Object.keys(value('{"__proto__": {"x": 1}, "constructor": 2}') as object)).toEqual([
      '__proto__',
      'constructor',
    ]);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('what YAML has beside JSON is refused, where it stands', () => {
  it('anchors, aliases, tags, merge keys and directives, on values and on keys', () => {
    expect(features('a: &x 1\nb: *x')).toEqual(['1:4 anchors', '2:4 aliases']);
    expect(features('&x a: 1')).toEqual(['1:1 anchors']);
    expect(features('a: !!js/function "x"\nb: !!str 1')).toEqual(['1:4 tags', '2:4 tags']);
    expect(features('!!map\na: 1')).toEqual(['1:1 tags']);
    expect(features('<<: { a: 1 }')).toEqual(['1:1 merge keys']);
    expect(features('%YAML 1.1\n---\na: no')).toEqual(['1:1 directives']);
    expect(features('*x : 1')).toEqual(['1:1 aliases']);
  });

  it('numbers that are none in JSON, or that would be rounded', () => {
    const feature = 'numbers that JSON has not, or past ±(2⁵³−1),';
    for (const number of ['.inf', '-.inf', '.nan', '1e400', '9007199254740992', '-9007199254740992'])
      expect(features(`a: ${number}`)).toEqual([`1:4 ${feature}`]);
    for (const number of ['9007199254740991', '1e300', '0.1', '-0'])
      expect(faults(`a: ${number}`)).toEqual([]);
  });

  it('halves of characters', () => {
    expect(features('a: "\\ud83d"')).toEqual(['1:4 halves of characters (lone surrogates)']);
    expect(features('"\\ude00": 1')).toEqual(['1:1 halves of characters (lone surrogates)']);
  });

  it('a second document', () => {
    expect(faults('a: 1\n---\nb: 2')).toEqual(['2:1 several-documents']);
    expect(faults('---\na: 1\n...\n')).toEqual([]);
  });

  it('a key that stands twice, with the place of the first', () => {
    const [fault] = read('a: 1\nb: { c: 1, "c": 2 }').diagnostics;
    expect([fault?.code, fault && place(fault.span), fault?.related.map(place)]).toEqual([
      'key-twice',
      '2:12',
      ['2:6'],
    ]);
  });

  it('a key that is no text', () => {
    expect(faults('? [a]\n: 1')).toEqual(['1:3 key-not-text']);
    expect(faults(': 1')).toEqual(['1:1 key-not-text']);
  });

  it('what is no YAML, with not more than the first faults of a block', () => {
    expect(faults('a: [1')).toContain('1:6 yaml-syntax');
    expect(faults('a:\n\t- b')).toEqual(['2:1 yaml-syntax']);
    expect(read('}'.repeat(1000)).diagnostics).toHaveLength(20);
  });
});

describe('the reader takes only so much', () => {
  it('levels', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(faults(nested(readerLimits.depth + 1))).toEqual([]);
    expect(faults(nested(readerLimits.depth + 2))).toEqual(['1:66 too-deep']);
    expect(faults(`${'- '.repeat(readerLimits.depth + 1)}x`)).toEqual(['1:131 too-deep']);
  });

  it('keys and values, over all the blocks of a document', () => {
    const items = (count: number) => 'x\n- '.repeat(count - 1);
    const half = readerLimits.nodes / 2;
    expect(read(`- ${items(half - 20)}x`).diagnostics).toHaveLength(0);
    expect(read(`- ${items(half + 1)}x`).diagnostics.map((one) => one.code)).toEqual(['too-many-values']);
    const effort: Effort = { nodes: 0, lexemes: 0 };
    expect(read(`- ${items(half - 20)}x`, effort).diagnostics).toHaveLength(0);
    expect(read('a: 1', effort).diagnostics.map((one) => one.code)).toEqual([]);
    expect(read('- x\n'.repeat(20), effort).diagnostics.map((one) => one.code)).toEqual(['too-many-values']);
    expect(read('a: 1', effort)).toEqual({ node: undefined, diagnostics: [] });
  });
});

it('a key without a value is told within braces, and outside of them as the YAML that it is not', () => {
  expect(faults('a: { b: (open) which, one? }')).toEqual(['1:23 key-alone']);
  expect(faults('a: [b, { c }]')).toEqual(['1:10 key-alone']);
  expect(faults('a: 1\nbad\n')).toEqual(['2:1 yaml-syntax']);
});
