import type { Standing } from '../../wording/line.ts';
import { marksIn, type Picture } from '../picture.ts';
import { drawnGraph } from './graph.ts';
import { drawnSequence } from './sequence.ts';
import { pictureStyle } from './style.ts';
import { blockOf, type Drawn, drawnText, escaped, round, widthOf } from './text.ts';

const margin = 24;

/**
 * A picture as a file (SVG 1.1). It is light or dark as its reader prefers, runs no script, fetches nothing, and is the
 * same bytes for the same picture.
 *
 * @param document the name of the document, to show beneath the name of the picture
 */
export function svg(picture: Picture, document: string): string {
  const drawn = drawnOf(picture);
  const legend = legendOf(picture);
  const title = blockOf([{ text: picture.name, standing: 'stated' }], 560, 2);
  const says = blockOf([{ text: document, standing: 'stated' }], 720, 1);
  const top = margin + 8 + title.height * 1.3 + says.height + 16;
  const wide = Math.max(drawn.width, widthOf(picture.name, 17), says.width, legend.width);
  const [width, height] = [wide + 2 * margin, top + drawn.height + legend.height + margin];
  return `${head(picture, width, height, ' xmlns="http://www.w3.org/2000/svg"')}<style>${pictureStyle}</style>
<rect class="card" x="0.5" y="0.5" width="${round(width - 1)}" height="${round(height - 1)}" rx="10"/>
${drawnText(title, margin, margin, 'name', 'start').replace('class="name', 'class="title')}
${drawnText(says, margin, margin + 8 + title.height, 'label', 'start')}
<g transform="translate(${round(margin + (wide - drawn.width) / 2)} ${round(top)})">${drawn.marks}</g>
<g transform="translate(${margin} ${round(top + drawn.height)})">${legend.marks}</g>
</svg>
`;
}

/** A picture within a page that has {@link pictureStyle} and a heading for it. */
export function inlineSvg(picture: Picture): string {
  const drawn = drawnOf(picture);
  const [width, height] = [drawn.width + 4, drawn.height + 4];
  return `${head(picture, width, height, '')}<g transform="translate(2 2)">${drawn.marks}</g></svg>`;
}

function head({ says, name }: Picture, width: number, height: number, more: string): string {
  const [wide, high] = [round(width), round(height)];
  return `<svg class="picture"${more} width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" role="img" aria-label="${escaped(`${name}. ${says}`)}">`;
}

function drawnOf({ drawing }: Picture): Drawn {
  return drawing.kind === 'sequence' ? drawnSequence(drawing) : drawnGraph(drawing);
}

const explained: Readonly<Record<Exclude<Standing, 'stated'>, string>> = {
  open: 'open: the document does not say',
  assumed: 'assumed: no statement of the document',
};

/** What the marks mean, where there are any. */
function legendOf(picture: Picture): Drawn {
  const marks = marksIn(picture);
  const used = (['open', 'assumed'] as const).filter((standing) => marks.has(standing));
  let x = 0;
  const entries = used.map((standing) => {
    const text = explained[standing];
    const entry = `<path class="line ${standing}" d="M${x} 24h24"/><text class="label start" x="${x + 32}" y="28">${text}</text>`;
    x += 32 + widthOf(text) + 28;
    return entry;
  });
  return { marks: entries.join(''), width: Math.max(0, x - 28), height: used.length > 0 ? 32 : 0 };
}
