import type { Line, Standing } from '../../wording/line.ts';
import type { Participant, Sequence, SequenceStep } from '../picture.ts';
import { tip } from './graph.ts';
import { blockOf, type Drawn, drawnText, round, type TextBlock } from './text.ts';

/** Lengths in pixels. */
const size = { message: 300, note: 300, name: 150, gap: 28, padding: 10, inset: 12 } as const;

/** Lifelines from above to below, and what goes between them. */
export function drawnSequence({ participants, steps }: Sequence): Drawn {
  const heads = participants.map(({ name }) => blockOf([{ text: name, standing: 'stated' }], size.name, 3));
  const columns = columnsOf(heads, steps);
  const head = Math.max(0, ...heads.map(({ height }) => height)) + 16;
  const sheet = new Sheet(columns, head + 14);
  sheet.steps(steps);
  const lives = participants.map((participant, index) =>
    life(participant, heads[index] as TextBlock, columns[index] as number, { head, end: sheet.y }),
  );
  const right = Math.max(sheet.right, ...columns.map((x, index) => x + halfOf(heads[index] as TextBlock)));
  return { marks: [...lives, ...sheet.marks].join('\n'), width: right, height: sheet.y + 4 };
}

function halfOf({ width }: TextBlock): number {
  return Math.max(64, width + 2 * size.padding) / 2;
}

/** Where each lifeline is: as far from the one before as the names and the texts between them need. */
function columnsOf(heads: readonly TextBlock[], steps: readonly SequenceStep[]): readonly number[] {
  const spans = spansOf(steps);
  const columns: number[] = [];
  for (const [index, head] of heads.entries()) {
    const last = columns[index - 1];
    let x = last === undefined ? 0 : last + halfOf(heads[index - 1] as TextBlock) + halfOf(head) + size.gap;
    if (last === undefined) x = Math.max(halfOf(head), size.inset + 20);
    for (const { from, to, width } of spans)
      if (to === index) x = Math.max(x, (columns[from] as number) + width + size.gap);
    columns.push(Math.round(x));
  }
  return columns;
}

/** How much room texts need between two lifelines. */
function spansOf(steps: readonly SequenceStep[]): readonly { from: number; to: number; width: number }[] {
  return steps.flatMap((step) => {
    if (step.kind === 'block') return step.branches.flatMap((branch) => spansOf(branch.steps));
    const { width } = blockOf(step.lines, step.kind === 'note' ? size.note : size.message);
    const [from, to] = step.kind === 'note' ? step.over : [step.from, step.to].sort((a, b) => a - b);
    if (from === undefined || to === undefined || from === to) return [];
    return [{ from, to, width: step.kind === 'note' ? width - 40 : width }];
  });
}

function life(
  { form }: Participant,
  head: TextBlock,
  x: number,
  { head: height, end }: { readonly head: number; readonly end: number },
): string {
  const half = halfOf(head);
  const radius = form === 'client' || form === 'receiver' ? 14 : 3;
  return (
    `<path class="life" d="M${x} ${height}V${round(end)}"/>` +
    `<rect class="box" x="${round(x - half)}" y="0.8" width="${round(2 * half)}" height="${height}" rx="${radius}"/>` +
    drawnText(head, x, (height - head.height) / 2 + 0.8, 'name').replaceAll('class="label', 'class="name')
  );
}

/** What is drawn so far, and how far down. */
class Sheet {
  readonly marks: string[] = [];
  y: number;
  right = 0;
  readonly #columns: readonly number[];

  constructor(columns: readonly number[], top: number) {
    this.#columns = columns;
    this.y = top;
  }

  steps(steps: readonly SequenceStep[]): void {
    for (const step of steps)
      if (step.kind === 'message') this.#message(step);
      else if (step.kind === 'note') this.#note(step.over, step.lines);
      else this.#block(step);
  }

  #message({ from, to, form, lines, standing }: Extract<SequenceStep, { kind: 'message' }>): void {
    const text = blockOf(lines, size.message);
    const [start, end] = [this.#at(from), this.#at(to)];
    this.marks.push(this.#text(text, (start + end) / 2, this.y));
    this.y += text.height + 5;
    const dashes = form === 'answer' || form === 'delivery' ? ' dashes' : '';
    const line = `<path class="line${dashes} ${standing}" d="M${start} ${round(this.y)}H${end}"/>`;
    this.marks.push(`${line}${tip({ x: start, y: this.y }, { x: end, y: this.y }, standing)}`);
    this.y += 14;
  }

  #note([first, last]: readonly [number, number], lines: readonly Line[]): void {
    const text = blockOf(lines, size.note);
    const middle = (this.#at(first) + this.#at(last)) / 2;
    const [width, height] = [text.width + 2 * size.padding, text.height + 10];
    const standing: Standing = lines.find((one) => one.standing !== 'stated')?.standing ?? 'stated';
    const left = Math.max(1, middle - width / 2);
    const rect = `<rect class="box ${standing}" x="${round(left)}" y="${round(this.y)}" width="${round(width)}" height="${height}" rx="3"/>`;
    this.marks.push(`${rect}${drawnText(text, left + width / 2, this.y + 5, 'note')}`);
    this.right = Math.max(this.right, left + width);
    this.y += height + 14;
  }

  #block({ branches }: Extract<SequenceStep, { kind: 'block' }>): void {
    const [left, right] = [1, this.#reach(branches.flatMap((branch) => branch.steps)) + size.inset];
    const top = this.y;
    const rules: string[] = [];
    for (const [index, { title, steps }] of branches.entries()) {
      if (index > 0) rules.push(`<path class="frame" d="M${left} ${round(this.y)}H${round(right)}"/>`);
      const text = blockOf([{ text: title, standing: 'stated' }], right - left - 2 * size.padding, 2);
      this.marks.push(this.#text(text, left + size.padding, this.y + 5, 'start'));
      this.y += text.height + 10;
      this.steps(steps);
    }
    const frame = `<rect class="frame" x="${left}" y="${round(top)}" width="${round(right - left)}" height="${round(this.y - top)}" rx="3"/>`;
    this.marks.push(frame, ...rules);
    this.right = Math.max(this.right, right + 1);
    this.y += 14;
  }

  /** The furthest lifeline that a step touches. */
  #reach(steps: readonly SequenceStep[]): number {
    const places = steps.flatMap((step) =>
      step.kind === 'message' ? [step.from, step.to] : step.kind === 'note' ? step.over : [],
    );
    return Math.max(...[0, ...places].map((place) => this.#at(place)));
  }

  /** Text over whatever lifelines run behind it. */
  #text(text: TextBlock, x: number, y: number, anchor: 'middle' | 'start' = 'middle'): string {
    const left = anchor === 'start' ? x - 3 : x - text.width / 2 - 3;
    this.right = Math.max(this.right, left + text.width + 6);
    const back = `<rect class="back" x="${round(left)}" y="${round(y)}" width="${round(text.width + 6)}" height="${text.height}"/>`;
    return `${back}${drawnText(text, x, y, 'note', anchor)}`;
  }

  #at(participant: number): number {
    return this.#columns[participant] ?? 0;
  }
}
