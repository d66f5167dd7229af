import { describe, expect, it } from 'vitest';
import type { Picture } from '../../../src/interchange/pictures/picture.ts';
import { linesOf } from '../../../src/interchange/pictures/picture.ts';
import { picturesOf } from '../../../src/interchange/pictures/pictures.ts';
import { inlineSvg, svg } from '../../../src/interchange/pictures/svg/svg.ts';
import { documents, hostile, pictureOf } from './documents.ts';

/** The texts of an XML document that is well-formed; its elements are closed in order, and nothing stands loose. */
function textsIn(xml: string): readonly string[] {
  const open: string[] = [];
  const texts: string[] = [];
  let left = xml;
  while (left !== '') {
    const [whole, close, name, attributes, single, text] =
      /^<(\/?)([a-z]+)((?: [\w:-]+="[^"<&]*(?:&(?:amp|lt|gt|quot);[^"<&]*)*")*)(\/?)>|^((?:[^<>&]|&(?:amp|lt|gt|quot);)+)/.exec(
        left,
      ) ?? [];
    if (whole === undefined) throw new Error(`not XML: ${left.slice(0, 80)}`);
    if (text !== undefined) texts.push(text);
    else if (close === '/') expect(open.pop()).toBe(name);
    else if (single !== '/') open.push(name as string);
    expect(attributes ?? '').not.toMatch(/NaN|undefined|Infinity/);
    left = left.slice(whole.length);
  }
  expect(open).toEqual([]);
  return texts;
}

function linesIn({ drawing }: Picture): readonly string[] {
  const lines =
    drawing.kind === 'sequence'
      ? linesOf(drawing.steps)
      : [...[...drawing.nodes, ...drawing.edges].flatMap((part) => part.lines), ...drawing.notes];
  return lines.map(({ text }) => text);
}

const plain = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('pictures as SVG', () => {
  it.each(documents)('of %s are XML, lie within their frame, and hold each text', (_name, of) => {
    for (const one of picturesOf(of)) {
      const picture = one.draw();
      const drawn = svg(picture, of.name);
      const texts = plain(textsIn(drawn).join(''));
      for (const line of linesIn(picture)) {
        const [first = ''] = line.split(/\s+/);
        expect(texts).toContain(first.slice(0, 16));
      }
      const [, width, height] = /viewBox="0 0 (\S+) (\S+)"/.exec(drawn) ?? [];
      for (const [, x, y] of drawn.matchAll(/<text[^>]* x="(-?[\d.]+)" y="(-?[\d.]+)"/g)) {
        expect(Number(x)).toBeGreaterThanOrEqual(0);
        expect(Number(x)).toBeLessThan(Number(width));
        expect(Number(y)).toBeLessThan(Number(height));
      }
    }
  });

  it('is the same bytes for the same picture, light and dark, with no script and nothing from elsewhere', () => {
    const [, of] = documents[0] as (typeof documents)[number];
    const drawn = svg(pictureOf(of, 'map'), of.name);
    expect(svg(pictureOf(of, 'map'), of.name)).toBe(drawn);
    expect(drawn).toContain('@media (prefers-color-scheme:dark)');
    expect(drawn.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/script|href|url\(|https?:|@import/);
  });

  it('says in words what it shows, and what its marks mean', () => {
    const drawn = svg(pictureOf(hostile, 'Doc.status'), hostile.name);
    expect(drawn).toContain(
      'role="img" aria-label="Doc.status. The states of Doc.status: end, a:b;c, &lt;b&gt;x',
    );
    expect(drawn).toContain('open: the document does not say');
    expect(drawn).not.toContain('assumed: no statement');
  });

  it('within a page has neither a frame nor a style sheet of its own', () => {
    const [, of] = documents[0] as (typeof documents)[number];
    const drawn = inlineSvg(pictureOf(of, 'map'));
    expect(textsIn(drawn).length).toBeGreaterThan(0);
    expect(drawn).not.toMatch(/<style|class="card"|xmlns/);
  });
});
