import type { Line } from '../../wording/line.ts';

/** Lengths in pixels. */
export const textSize = { line: 17, font: 13 } as const;

/** What is drawn, its upper left corner at 0, 0, and how large it is, in pixels. */
export interface Drawn {
  readonly marks: string;
  readonly width: number;
  readonly height: number;
}

/** Text within XML 1.0 (§2.2): no markup, and none of the characters that it does not have. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Widths of characters in a wide sans-serif face, in hundredths of the font's size; there is no browser to ask. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[ijlI.,:;'|!]/, 32],
  [/[ftr()[\]{}"/\\ -]/, 42],
  [/[mwMW@%]/, 98],
  [/[A-Z&<>=+~_#?]/, 74],
  [/[\u0020-\u007e]/, 62],
  [/[\u0300-\u036f\u200b-\u200f]/, 0],
  [
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f000}-\u{3fffd}]/u,
    110,
  ],
];

/** How wide a text is at most, whichever usual sans-serif face shows it. */
export function widthOf(text: string, font: number = textSize.font): number {
  const hundredths = [...text].reduce(
    (sum, character) => sum + (widths.find(([of]) => of.test(character))?.[1] ?? 70),
    0,
  );
  return Math.ceil((hundredths * font) / 100);
}

/** Lines that are no wider than `width`, broken between words, or within a long one; the last of `most` is cut. */
export function wrapped({ text, standing }: Line, width: number, most: number): readonly Line[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).flatMap((one) => pieces(one, width))) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const kept = lines.slice(0, most);
  if (lines.length > most) kept[most - 1] = `${kept[most - 1]}…`;
  return kept.map((one) => ({ text: one, standing }));
}

function pieces(word: string, width: number): readonly string[] {
  const found: string[] = [''];
  for (const character of word) {
    const last = `${found.at(-1)}${character}`;
    if (widthOf(last) <= width || found.at(-1) === '') found[found.length - 1] = last;
    else found.push(character);
  }
  return found;
}

/** A block of lines, the first of them as the name of what they are about. */
export interface TextBlock {
  readonly lines: readonly Line[];
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export function blockOf(lines: readonly Line[], width: number, most = 3): TextBlock {
  const all = lines.flatMap((one) => wrapped(one, width, most));
  return {
    lines: all,
    width: Math.max(0, ...all.map(({ text }) => widthOf(text))),
    height: all.length * textSize.line,
  };
}

/** The lines of a block, centred at `x`, or beginning there, with its upper edge at `y`. */
export function drawnText(
  { lines }: TextBlock,
  x: number,
  y: number,
  kind: 'name' | 'label' | 'note',
  anchor: 'middle' | 'start' = 'middle',
): string {
  return lines
    .map(({ text, standing }, index) => {
      const classes = [kind === 'name' && index > 0 ? 'label' : kind, standing, anchor].join(' ');
      const at = round(y + index * textSize.line + 12.5);
      return `<text class="${classes}" x="${round(x)}" y="${at}">${escaped(text)}</text>`;
    })
    .join('');
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
