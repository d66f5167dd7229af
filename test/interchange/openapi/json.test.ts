import { describe, expect, it } from 'vitest';
import { readDescription } from '../../../src/interchange/openapi/description.ts';
import { jsonNode } from '../../../src/interchange/openapi/json.ts';
import { json, type Node } from '../../../src/source/node.ts';
import { text } from '../../../src/source/text.ts';

const read = (content: string): Node | null => jsonNode(text('x.json', content));

describe('JSON', () => {
  it.each([
    '{}',
    ' [ ] ',
    '{"a": [1, -2.5e3, true, false, null, "x"], "b": {"c": {}}}',
    String.raw`{"a\n\"b": "\\", "é\u00e9": "\\\"", "d": "\ud83d\ude00 \/"}`,
    '{"__proto__": 1, "constructor": 2}',
  ])('is the value that it says: %s', (content) => {
    expect(json(read(content) as Node)).toEqual(JSON.parse(content));
  });

  it.each([
    '',
    '{',
    '{"a"}',
    '{"a": 1,}',
    '[1 2]',
    '{a: 1}',
    '{"a": 01}',
    '"a',
    '{"a": 1} x',
    '[tru]',
    '["\n"]',
  ])('is not %s', (content) => {
    expect(read(content)).toBe(null);
  });

  it('has the same places as YAML', () => {
    const written = '{\n  "openapi": "3.1.0",\n  "info": {"title": "A\\"b", "n": [1, {"m": null}]}\n}';
    const asYaml = `${written}\n# a comment, which JSON does not have\n`;
    const places = (node: Node): unknown => {
      const { start, end } = node.span;
      if (node.kind === 'list') return [start, end, node.items.map(places)];
      if (node.kind === 'scalar') return [start, end, node.value, node.written];
      return [
        ...[start, end],
        [...node.entries].map(([name, { key, value }]) => [name, key.start, key.end, places(value)]),
      ];
    };
    expect(read(asYaml)).toBe(null);
    expect(places(readDescription('x.json', written).root)).toEqual(
      places(readDescription('x.json', asYaml).root),
    );
  });

  it('of several members with one name has the last', () => {
    expect(json(read('{"a": 1, "b": 2, "a": 3}') as Node)).toEqual({ a: 3, b: 2 });
  });
});
