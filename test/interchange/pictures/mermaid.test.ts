import { describe, expect, it } from 'vitest';
import { mermaid } from '../../../src/interchange/pictures/mermaid.ts';
import { picturesOf } from '../../../src/interchange/pictures/pictures.ts';
import { documents, hostile, pictureOf, specificationOf } from './documents.ts';

describe('pictures as Mermaid', () => {
  it('is a state diagram, with classes for what is not stated', () => {
    const of = specificationOf(`
name: A
resources: { A: { identifier: id, fields: { id: { type: string }, s: { type: string } } } }
states:
  A.s:
    states: [x, y]
    initial: x
    final: [y]
    transitions: { go: { from: x, to: y, when: "\${this.id != ''}" }, stay: { from: x, to: x }, ask: { from: x, to: (open) y? } }
`);
    expect(mermaid(pictureOf(of, 'A.s'))).toBe(`stateDiagram-v2
  accTitle: The states of A.s: x and y
  state "x" as n1
  state "y" as n2
  state "(open) which state?" as n4
  [*] --> n1
  n1 --> n2 : go<br>if this.id != ''
  n1 --> n4 : (open) ask#58; y?
  n1 --> n1 : stay
  n2 --> [*]
  state "(open) further transitions" as note1
  classDef open stroke:#c4541a,stroke-width:2px,stroke-dasharray:5 3
  classDef assumed stroke:#3b6fb6,stroke-width:2px,stroke-dasharray:1 3
  class n4 open
  class note1 open
`);
  });

  it('draws one edge from a node to itself, since Mermaid drops a second one', () => {
    const of = specificationOf(`
name: A
complete: true
resources: { A: { identifier: id, fields: { id: { type: string }, b: { refers: A }, c: { refers: A } } } }
`);
    expect(mermaid(pictureOf(of, 'map'))).toBe(`flowchart LR
  accTitle: The resources (1) and the references between them (2)
  n1["A<br>by id"]
  n1 -->|"b<br>c"| n1
`);
  });

  it('takes no text of the document for syntax', () => {
    const text = picturesOf(hostile)
      .map((one) => mermaid(one.draw()))
      .join('');
    // Comments and directives, HTML, links, Markdown, statements after a semicolon, words that Mermaid looks for anywhere.
    for (const syntax of [
      '%',
      'script>',
      '<b>',
      '<img',
      '](',
      '**',
      '`',
      'www.',
      '@',
      '_x_',
      'style',
      '"wrap: x',
    ])
      expect([syntax, text.replaceAll(/^.*classDef (open|assumed) .*$/gm, '').includes(syntax)]).toEqual([
        syntax,
        false,
      ]);
    expect(text.replaceAll(/#\d+;/g, '')).not.toContain(';');
    expect(text).toContain('state "1#46; list" as');
  });

  it.each(documents)('of %s has lines that each end what they begin', (_name, of) => {
    for (const picture of picturesOf(of)) {
      const text = mermaid(picture.draw());
      for (const line of text.split('\n')) expect((line.match(/"/g) ?? []).length % 2).toBe(0);
      const blocks = text.match(/^ *(?:break|alt) /gm)?.length ?? 0;
      expect(text.match(/^ *end$/gm)?.length ?? 0).toBe(blocks);
    }
  });
});
