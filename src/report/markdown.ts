import { byPlace, questions } from './questions.ts';
import { counted, type PointStatus, type Status, summary, tally } from './status.ts';
import type { Step } from './steps.ts';

/** How many steps are shown before the rest is folded away; a comment has to be short. */
const most = 5;

/** GitHub takes comments of 65536 characters: longer lists say how much they leave out. */
const mostLines = 200;
const mostQuestions = 100;

/**
 * The report for a pull request: a summary, the nine parts, and what to answer first; the rest is folded away.
 * GitHub Flavored Markdown. What a document says stands in code spans alone, so that none of it is markup.
 */
export function markdown(report: Status, name: string): string {
  const points = report.parts.flatMap((part) => part.points);
  const of = (state: PointStatus['state']): PointStatus[] => points.filter((point) => point.state === state);
  const byAddress = new Map(points.map((point) => [point.address, point]));
  const first = report.steps.slice(0, most);
  const later = report.steps.slice(most);
  const stepLines = (steps: readonly Step[], begin: number): string[] =>
    steps.map((step, index) => stepItem(step, begin + index, byAddress));
  const open = of('open');
  const assumed = of('assumed');
  const notRun = points.filter((point) => point.notRun);
  return [
    `### ${code(name)}`,
    `**${summary(report)}.**`,
    partTable(report),
    ...(first.length > 0
      ? ['**Answer first, so that operations run:**', stepLines(first, 1).join('\n')]
      : []),
    ...folded(counted(later.length, 'more step'), stepLines(later, most + 1)),
    ...folded(counted(open.length, 'open point'), byPlace(open).map(pointItem)),
    ...folded(counted(assumed.length, 'assumed point'), byPlace(assumed).map(pointItem)),
    ...folded(
      `${counted(notRun.length, 'point')} stated, and not run by this version`,
      byPlace(notRun).map(pointItem),
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

/** The questions alone, as a checklist for whom can answer them; what holds up most comes first. */
export function checklist(report: Status, name: string): string {
  const found = questions(report);
  const items = found.map(({ question, asked, holds, holdsSometimes }) => {
    const lines = [
      ...asked.map(({ at, addresses }) => `${listed(addresses)} at ${code(at)}`),
      ...(holds.length > 0 ? [`holds up ${listed(holds)}`] : []),
      ...(holdsSometimes.length > 0 ? [`holds up some requests of ${listed(holdsSometimes)}`] : []),
    ];
    return [`- [ ] ${code(question)}`, ...lines.map((line) => `  - ${line}`)].join('\n');
  });
  const more = items.length - mostQuestions;
  const shown = more > 0 ? [...items.slice(0, mostQuestions), `- and ${more} more`] : items;
  const title = found.length === 0 ? 'nothing is asked' : counted(found.length, 'question');
  return [`### ${code(name)}: ${title}`, ...(shown.length > 0 ? [shown.join('\n')] : [])]
    .join('\n\n')
    .concat('\n');
}

function partTable({ parts }: Status): string {
  const rows = parts.map(({ part, state, points }) => {
    const { stated, assumed, open } = tally(points);
    return `| ${part} | ${state} | ${stated} | ${assumed} | ${open} |`;
  });
  return ['| part | | stated | assumed | open |', '|---|---|--:|--:|--:|', ...rows].join('\n');
}

function stepItem({ answer, runs }: Step, number: number, points: ReadonlyMap<string, PointStatus>): string {
  const lets = `lets ${counted(runs.length, 'operation')} run: ${listed(runs)}`;
  return [
    `${number}. ${lets}`,
    ...byPlace(answer.flatMap((address) => points.get(address) ?? [])).map(
      (group) => `   ${pointItem(group)}`,
    ),
  ].join('\n');
}

function pointItem(group: readonly PointStatus[]): string {
  const [first] = group;
  const more = group.length > 1 ? ` and ${group.length - 1} more` : '';
  const asks = first?.question === undefined ? '' : `: ${code(first.question)}`;
  return `- ${code(first?.address ?? '')}${more} at ${code(first?.at ?? '')}${asks}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - 6;
  return `${names.slice(0, 6).map(code).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function folded(summary: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - mostLines;
  const shown = more > 0 ? [...lines.slice(0, mostLines), `- and ${more} more`] : lines;
  return [`<details><summary>${summary}</summary>`, shown.join('\n'), '</details>'];
}

/** Any text as code: a fence longer than what it holds, on one line, so that nothing in it is markup. */
function code(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim() || ' ';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}
