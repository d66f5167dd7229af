import { counted, type PartStatus, type PointStatus, type Status, summary, tally } from './status.ts';

/** What a cell shows; each kind differs in its form too, for those who tell colours apart badly. */
const kinds = ['stated', 'assumed', 'open', 'waited'] as const;
type Kind = (typeof kinds)[number];

const legend: Readonly<Record<Kind, { readonly x: number; readonly says: string }>> = {
  stated: { x: 0, says: 'stated' },
  assumed: { x: 72, says: 'assumed' },
  open: { x: 156, says: 'open' },
  waited: { x: 216, says: 'open, and an operation waits for it' },
};

/** The columns of numbers. */
const states = ['stated', 'assumed', 'open'] as const;

/** Lengths in pixels. The width is that of a README on GitHub, or less. */
const size = {
  width: 840,
  margin: 28,
  label: 126,
  count: 64,
  cell: 8,
  pitch: 11,
  row: 29,
  top: 112,
} as const;
const columns = Math.floor(
  (size.width - 2 * size.margin - size.label - states.length * size.count) / size.pitch,
);

/** A map stays a picture: with more points than this, a cell stands for several. */
const mostCells = 1200;

/**
 * The report as a picture (SVG 1.1), a map of the parts: each point a cell, by its state. It is light or dark as
 * its reader prefers, runs no script, fetches nothing, and is the same bytes for the same report.
 */
export function svg(report: Status, name: string): string {
  const points = report.parts.reduce((sum, part) => sum + part.points.length, 0);
  const each = perCell(points);
  const rows: string[] = [];
  let y: number = size.top;
  for (const part of report.parts) {
    const cells = cellsOf(part, each);
    const lines = Math.max(1, Math.ceil(cells.length / columns));
    rows.push(row(part, cells, y));
    y += size.row + (lines - 1) * size.pitch;
  }
  const height = y + 58;
  const { width, margin } = size;
  const says = summary(report);
  const title = shortened(name, 60);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(`${title}: what is stated, assumed and open`)}</title>
<desc id="desc">${escaped(`${says}. ${report.parts.map(described).join('; ')}.`)}</desc>
<style>${style}</style>
<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
<text class="name" x="${margin}" y="43">${escaped(title)}</text>
<text class="says" x="${margin}" y="66">${escaped(shortened(says, 112))}</text>
${states.map((state, index) => number(state, index, size.top - 16)).join('')}
${rows.join('\n')}
${legendAt(height - 27, each)}
</svg>
`;
}

/** How many points a cell stands for: 1, 2, 5, 10, 20, 50, … */
function perCell(points: number): number {
  for (let ten = 1; ; ten *= 10)
    for (const one of [1, 2, 5]) if (points <= mostCells * one * ten) return one * ten;
}

/** The cells of a part: what is stated first, what an operation waits for last. None that is there is left out. */
function cellsOf({ points }: PartStatus, each: number): Kind[] {
  const of = Map.groupBy(points, kindOf);
  return kinds.flatMap((kind) => Array<Kind>(Math.ceil((of.get(kind)?.length ?? 0) / each)).fill(kind));
}

function kindOf({ state, holds }: PointStatus): Kind {
  return state === 'open' && holds.length > 0 ? 'waited' : state;
}

function row(part: PartStatus, cells: readonly Kind[], y: number): string {
  const { margin } = size;
  const numbers = tally(part.points);
  const counts = states.map((state, index) => number(String(numbers[state] || '–'), index, y + 8)).join('');
  const drawn = kinds.map((kind) => {
    const path = cells
      .flatMap((one, index) => (one === kind ? [cell(kind, index, margin + size.label, y)] : []))
      .join('');
    return path === '' ? '' : `<path class="${kind}" d="${path}"/>`;
  });
  const label = `<text class="${part.state === 'open' ? 'part silent' : 'part'}" x="${margin}" y="${y + 8}">${part.part}</text>`;
  return `${label}${drawn.join('')}${counts}`;
}

/** A number, or what stands above it, at the right of its column. */
function number(text: string, column: number, y: number): string {
  const x = size.width - size.margin - (states.length - 1 - column) * size.count;
  return `<text class="counts" x="${x}" y="${y}">${text}</text>`;
}

/** One cell as a path: full where it is stated, half where it is assumed, hollow where it is open, round where it is waited for. */
function cell(kind: Kind, index: number, left: number, top: number): string {
  const x = left + (index % columns) * size.pitch;
  const y = top + Math.floor(index / columns) * size.pitch;
  const square = (inset: number): string => {
    const side = size.cell - 2 * inset;
    return `M${x + inset} ${y + inset}h${side}v${side}h-${side}z`;
  };
  switch (kind) {
    case 'stated':
      return square(0);
    case 'assumed':
      return `M${x} ${y + size.cell}h${size.cell}v-${size.cell}z`;
    case 'open':
      return square(0.75);
    case 'waited':
      return `M${x} ${y + 4}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z`;
  }
}

function legendAt(y: number, each: number): string {
  const entries = kinds.map((kind) => {
    const x = size.margin + legend[kind].x;
    return `<path class="${kind}" d="${cell(kind, 0, x, y - 8)}"/><text class="counts start" x="${x + 14}" y="${y}">${legend[kind].says}</text>`;
  });
  const scale = each === 1 ? 'a cell is a point' : `a cell is up to ${counted(each, 'point')}`;
  return `${entries.join('')}<text class="counts" x="${size.width - size.margin}" y="${y}">${scale}</text>`;
}

function described({ part, points }: PartStatus): string {
  const { stated, assumed, open } = tally(points);
  return `${part}: ${stated} stated, ${assumed} assumed, ${open} open`;
}

function shortened(text: string, longest: number): string {
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text;
}

/** Text within XML 1.0: no markup, and none of the characters that it does not have. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

const style = `
svg{--card:#fff;--edge:#d8dee4;--ink:#1f2328;--soft:#656d76;--stated:#2f7d5b;--assumed:#3b6fb6;--open:#868e96;--waited:#c4541a}
@media (prefers-color-scheme:dark){svg{--card:#0d1117;--edge:#30363d;--ink:#e6edf3;--soft:#9198a1;--stated:#4caf86;--assumed:#6ea4ea;--open:#6e7681;--waited:#f0883e}}
text{font:13px ui-sans-serif,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;fill:var(--ink)}
.card{fill:var(--card);stroke:var(--edge)}
.name{font-size:20px;font-weight:600}
.says,.counts,.silent{fill:var(--soft)}
.counts{font-size:12px;text-anchor:end}
.start{text-anchor:start}
.stated{fill:var(--stated)}
.assumed{fill:var(--assumed)}
.open{fill:none;stroke:var(--open);stroke-width:1.5}
.waited{fill:var(--waited)}
`;
