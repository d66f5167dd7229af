import { describe, expect, it } from 'vitest';
import { markdownBlocks } from '../../src/source/markdown.ts';
import type { Node } from '../../src/source/node.ts';
import { position, type Span, text } from '../../src/source/text.ts';
import { readYaml } from '../../src/source/yaml.ts';

const lines = (...all: string[]): string => all.join('\n');

function place({ text: of, start }: Span): string {
  const { line, column } = position(of, start);
  return `${line}:${column}`;
}

/** Every scalar in the YAML blocks of a document: where it stands, and the characters that stand there. */
function scalars(document: string): string[] {
  const found: string[] = [];
  const visit = (node: Node | undefined): void => {
    if (node?.kind === 'scalar')
      found.push(`${place(node.span)} ${document.slice(node.span.start, node.span.end)}`);
    if (node?.kind === 'list') node.items.forEach(visit);
    if (node?.kind === 'map')
      for (const { key, value } of node.entries.values()) {
        found.push(`${place(key)} ${document.slice(key.start, key.end)}`);
        visit(value);
      }
  };
  for (const block of markdownBlocks(text('x.md', document)))
    if (block.kind === 'yaml') visit(readYaml(block.source).node);
  return found;
}

/** The headings of a document, and where its blocks of YAML begin. */
function outline(document: string): string[] {
  return markdownBlocks(text('x.md', document)).map((block) =>
    block.kind === 'heading'
      ? `${place(block.span)} ${'#'.repeat(block.level)} ${block.title}`
      : `${place(block.span)} ${block.kind}`,
  );
}

describe('a place in a block of YAML is its place in the document', () => {
  it('in a plain fence', () => {
    expect(scalars(lines('text', '', '```yaml', 'a: 1', 'b:', '  - c', '```'))).toEqual([
      '4:1 a',
      '4:4 1',
      '5:1 b',
      '6:5 c',
    ]);
  });

  it('in an indented fence, from which each line loses what it has of the indent', () => {
    expect(scalars(lines('  ```yaml', '  a: 1', ' b: 2', 'c: 3', '  ```'))).toEqual([
      '2:3 a',
      '2:6 1',
      '3:2 b',
      '3:5 2',
      '4:1 c',
      '4:4 3',
    ]);
  });

  it('in lists, in quotations and in lists within these', () => {
    expect(scalars(lines('- item', '', '  1. ```yaml', '     a: 1', '     ```'))).toEqual(['4:6 a', '4:9 1']);
    expect(scalars(lines('> ```yaml', '> a:', '>   b: 2', '> ```'))).toEqual(['2:3 a', '3:5 b', '3:8 2']);
    expect(scalars(lines('> - ```yaml', '>   a: 1', '> \tb: 2', '>   ```'))).toEqual([
      '2:5 a',
      '2:8 1',
      '3:4 b',
      '3:7 2',
    ]);
  });

  it('behind tabs', () => {
    expect(scalars(lines('-\t```yaml', '\ta:\t1', '\t```'))).toEqual(['2:2 a', '2:5 1']);
    expect(scalars(lines('```yaml', 'a:\t1', '```'))).toEqual(['2:1 a', '2:4 1']);
  });

  it('in lines that end as on Windows, or as they did on the Macintosh', () => {
    const document = lines('1. x', '', '   ```yaml', '   a: 1', '   b: "two"', '   ```');
    const expected = ['4:4 a', '4:7 1', '5:4 b', '5:7 "two"'];
    expect(scalars(document.replaceAll('\n', '\r\n'))).toEqual(expected);
    expect(scalars(document.replaceAll('\n', '\r'))).toEqual(expected);
  });

  it('behind characters outside the Basic Multilingual Plane', () => {
    expect(scalars(lines('𝒳', '```yaml', '𝒳: "𝒳" # 𝒳', '"𝒳𝒳": y', '```'))).toEqual([
      '3:1 𝒳',
      '3:5 "𝒳"',
      '4:1 "𝒳𝒳"',
      '4:9 y',
    ]);
  });

  it('in a document that begins with a byte order mark', () => {
    const document = lines('\uFEFF# Name', '```yaml', 'a: 1', '```');
    expect(outline(document)).toEqual(['1:1 # Name', '2:1 yaml']);
    expect(scalars(document)).toEqual(['3:1 a', '3:4 1']);
  });

  it('in a fence that is never closed', () => {
    expect(scalars(lines('```yaml', 'a: 1'))).toEqual(['2:1 a', '2:4 1']);
  });
});

describe('a document is taken apart as CommonMark says', () => {
  it('into headings of either form, outside lists and quotations', () => {
    expect(
      outline(lines('# One', 'Two', '---', '### Three ###', '- # item', '> ## quoted', '', '    # code')),
    ).toEqual(['1:1 # One', '2:1 ## Two', '4:1 ### Three']);
  });

  it('and blocks whose info string begins with the word yaml, or yml', () => {
    const fences = ['```yaml', '~~~ yml', '```YAML title', '``` yaml', '`````yaml'];
    for (const fence of fences)
      expect(outline(lines(fence, 'a: 1', fence.replace(/[^`~]/g, '')))).toEqual(['1:1 yaml']);
    expect(outline(lines('```', 'a: 1', '```'))).toEqual(['1:1 unnamed']);
    const others = ['```json', '```yaml-example', '```yamlish', '```text yaml', '    ```yaml'];
    for (const fence of others) {
      const found = outline(lines(fence, 'a: 1', fence.replace(/[^`~]/g, '')));
      expect(found.filter((one) => !one.endsWith('unnamed'))).toEqual([]);
    }
  });

  it('and not into what stands in comments or in other fences', () => {
    expect(outline(lines('<!--', '```yaml', 'a: 1', '```', '# No', '-->'))).toEqual([]);
    expect(outline(lines('````markdown', '```yaml', 'a: 1', '```', '# No', '````'))).toEqual([]);
  });
});
