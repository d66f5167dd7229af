import type { Paint } from '../source/diagnostic.ts';
import { steps as path, step } from '../specification/address.ts';
import { counted, type PartStatus, type PointStatus, type Status, summary, tally } from './status.ts';
import type { Step } from './steps.ts';

/** How much of a long list is shown, unless everything is. */
const most = { steps: 10, names: 6, points: 10, places: 12, perPlace: 6 } as const;

/** The report for people, in the order in which they would want to see it: what to answer first comes first. */
export function text(report: Status, name: string, all: boolean, paint: Paint): string {
  const points = report.parts.flatMap((part) => part.points);
  const of = (state: PointStatus['state']): PointStatus[] => points.filter((point) => point.state === state);
  const open = of('open');
  const sometimes = open.filter((point) => point.holds.length === 0 && point.holdsSometimes);
  const idle = open.filter((point) => point.holds.length === 0 && !point.holdsSometimes);
  const answered = new Set(report.steps.flatMap((step) => step.answer));
  const beside = open.filter((point) => point.holds.length > 0 && !answered.has(point.address));
  const notRun = points.filter((point) => point.notRun);
  const byAddress = new Map(points.map((point) => [point.address, point]));
  const sections: readonly (readonly [title: string, lines: string])[] = [
    ['answer first, so that operations run', stepList(report, byAddress, all, paint)],
    ['open, and holding up some requests', pointList(sometimes, all, paint)],
    ['open, in operations that this version does not run', pointList(beside, all, paint)],
    ['stated, not run by this version', pointList(notRun, all, paint)],
    ['open, and holding up no operation', all ? pointList(idle, all, paint) : places(idle, paint)],
    ['assumed', pointList(of('assumed'), all, paint)],
    [
      'stated',
      all
        ? pointList(
            of('stated').filter((point) => !point.notRun),
            all,
            paint,
          )
        : '',
    ],
  ];
  return [
    `${paint.bold(printable(name))}\n`,
    partTable(report, paint),
    ...sections.flatMap(([title, lines]) => (lines === '' ? [] : [`${paint.bold(title)}\n${lines}`])),
    `${summary(report)}\n`,
  ].join('\n');
}

/** The same without control characters: those of a document would act on the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function partTable({ parts }: Status, paint: Paint): string {
  const colour = { open: paint.yellow, partly: paint.yellow, stated: paint.green };
  const numbers = ({ points }: PartStatus): string => {
    const { stated, assumed, open } = tally(points);
    return `${stated} stated${assumed > 0 ? `, ${assumed} assumed` : ''}${open > 0 ? `, ${open} open` : ''}`;
  };
  return parts
    .map((one) => `  ${one.part.padEnd(15)} ${colour[one.state](one.state.padEnd(6))}  ${numbers(one)}\n`)
    .join('');
}

/** Which points to answer, one step after another, and how many operations run by then. */
function stepList(
  { steps, operations }: Status,
  points: ReadonlyMap<string, PointStatus>,
  all: boolean,
  paint: Paint,
): string {
  const shown = all ? steps : steps.slice(0, most.steps);
  const running = operations.filter((one) => one.state === 'runs').length;
  const lines = shown.map(({ answer, runs, inAll }, index) => {
    const names = some(runs, all ? runs.length : most.names);
    const number = `${index + 1}.`.padStart(4);
    const by = paint.dim(`(${running + inAll} of ${operations.length})`);
    const asked = answer.map((address) => {
      const point = points.get(address);
      const details = point ? detailsOf(point, 9) : '';
      return `       ${printable(address)}${point ? `  ${paint.dim(point.at)}` : ''}\n${details}`;
    });
    return `${number} lets ${names} run ${by}\n${asked.join('')}`;
  });
  return `${lines.join('')}${rest(steps.slice(shown.length), running, operations.length, paint)}`;
}

function rest(left: readonly Step[], running: number, operations: number, paint: Paint): string {
  const last = left.at(-1);
  if (last === undefined) return '';
  const runs = left.reduce((sum, step) => sum + step.runs.length, 0);
  const by = `(${running + last.inAll} of ${operations})`;
  return paint.dim(
    `     and ${counted(left.length, 'more step')}, letting ${counted(runs, 'operation')} run ${by}; --all shows them\n`,
  );
}

function pointList(points: readonly PointStatus[], all: boolean, paint: Paint): string {
  const shown = all ? points : points.slice(0, most.points);
  const more = points.length - shown.length;
  return [
    ...shown.map((point) => {
      const holds = [
        ...(point.holds.length > 0 ? [names(point.holds, all)] : []),
        ...(point.holdsSometimes ? [`some requests of ${names(point.holdsSometimes, all)}`] : []),
        ...(point.notRun ? [names(point.notRun, all)] : []),
      ];
      const lines = holds.map((what) => `    holds up ${what}\n`).join('');
      return `  ${printable(point.address)}  ${paint.dim(point.at)}\n${detailsOf(point, 4)}${lines}`;
    }),
    more > 0 ? paint.dim(`  and ${more} more; --all shows them\n`) : '',
  ].join('');
}

function names(of: readonly string[], all: boolean): string {
  return some(of, all ? of.length : most.names);
}

function detailsOf({ question, checks }: PointStatus, indent: number): string {
  const lines = [
    ...(question === undefined ? [] : [`asks: ${printable(question)}`]),
    ...(checks === undefined ? [] : [`${counted(checks, 'check')} of tacet test cannot tell without it`]),
  ];
  return lines.map((line) => `${' '.repeat(indent)}${line}\n`).join('');
}

/** Points by the resource, operation or other thing that they are about, one line each; most checks first. */
function places(points: readonly PointStatus[], paint: Paint): string {
  const mostChecks = (group: readonly PointStatus[]): number =>
    group.reduce((largest, { checks = 0 }) => Math.max(largest, checks), 0);
  const groups = [...Map.groupBy(points, ({ address }) => placeOf(address).place)].sort(
    ([, one], [, other]) => mostChecks(other) - mostChecks(one),
  );
  const shown = groups.slice(0, most.places);
  const lines = shown.map(([place, group]) => {
    const within = group.map(({ address, checks }) => {
      const hanging = checks === undefined ? '' : ` (${counted(checks, 'check')})`;
      return `${placeOf(address).within}${hanging}`;
    });
    const about = within.join('') === '' ? '' : `: ${some(within, most.perPlace)}`;
    return `  ${printable(place)}${about}  ${paint.dim(group[0]?.at ?? '')}\n${asked(group)}`;
  });
  const left = groups.slice(most.places);
  const more = left.reduce((sum, [, group]) => sum + group.length, 0);
  const ends = points.some(({ address }) => address.endsWith('.*'));
  const notes = [
    ...(more > 0
      ? [`and ${counted(more, 'more point')} at ${counted(left.length, 'more place')}; --all shows them`]
      : []),
    ...(points.some((point) => point.checks)
      ? ['in brackets: how many checks of tacet test cannot tell for it']
      : []),
    ...(ends ? ['.* is what a list does not name; complete, in the head, closes lists (language §D.2)'] : []),
  ];
  return `${lines.join('')}${notes.map((note) => paint.dim(`  ${note}\n`)).join('')}`;
}

function asked(group: readonly PointStatus[]): string {
  return group
    .flatMap(({ address, question }) =>
      question === undefined
        ? []
        : [printable(`    ${placeOf(address).within} asks: ${question}`).concat('\n')],
    )
    .join('');
}

/** `resources.Todo.fields.*` is about `resources.Todo`, and within it `fields.*`. */
function placeOf(address: string): { readonly place: string; readonly within: string } {
  const [part, name] = path(address) ?? [];
  if (part === undefined || name === undefined || name === '*') return { place: address, within: '' };
  const place = step(String(part), name);
  return { place, within: address.slice(place.length).replace(/^\./, '') };
}

/** The first of some names, and how many more there are. */
export function some(names: readonly string[], shown: number = most.names): string {
  const more = names.length - shown;
  const first = printable(names.slice(0, shown).join(', '));
  return more > 0 ? `${first} and ${more} more` : first;
}
