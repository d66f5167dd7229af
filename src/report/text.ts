import type { Paint } from '../source/diagnostic.ts';
import { steps as path, step } from '../specification/reading/address.ts';
import { byPlace, questions } from './questions.ts';
import { counted, type PartStatus, type PointStatus, type Status, summary, tally } from './status.ts';
import type { Step } from './steps.ts';

/** How much of a long list is shown, unless everything is. */
const most = { steps: 10, names: 6, points: 10, places: 12, perPlace: 6, addresses: 6 } as const;

/** The report for people, in the order in which they would want to see it: what to answer first comes first. */
export function text(report: Status, name: string, all: boolean, paint: Paint): string {
  const points = report.parts.flatMap((part) => part.points);
  const of = (state: PointStatus['state']): PointStatus[] => points.filter((point) => point.state === state);
  const open = of('open');
  const sometimes = open.filter((point) => point.holds.length === 0 && point.holdsSometimes);
  const waited = new Set(
    open.flatMap((point) => (point.holds.length > 0 || point.holdsSometimes ? [askedAt(point)] : [])),
  );
  const idle = open.filter(
    (point) =>
      point.holds.length === 0 &&
      !point.holdsSometimes &&
      (all || point.question === undefined || !waited.has(askedAt(point))),
  );
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

/** The questions alone, as they would be sent to whom can answer them; what holds up most comes first. */
export function questionsText(report: Status, name: string, all: boolean, paint: Paint): string {
  const found = questions(report);
  const items = found.map(({ question, asked, holds, holdsSometimes }, index) => {
    const places = asked.map(({ at, addresses }) => {
      const shown = addresses.slice(0, all ? addresses.length : most.addresses);
      const more = addresses.length - shown.length;
      const lines = shown.map((address, place) =>
        place === 0 ? `${printable(address)}  ${paint.dim(at)}` : printable(address),
      );
      return [...lines, ...(more > 0 ? [paint.dim(`and ${more} more; --all shows them`)] : [])];
    });
    const lines = [
      ...places.flat(),
      ...(holds.length > 0 ? [`holds up ${names(holds, all)}`] : []),
      ...(holdsSometimes.length > 0 ? [`holds up some requests of ${names(holdsSometimes, all)}`] : []),
    ];
    const number = `${index + 1}.`.padStart(4);
    return `${number} ${paint.bold(printable(question))}\n${lines.map((line) => `       ${line}\n`).join('')}`;
  });
  const title = `${printable(name)}: ${found.length === 0 ? 'nothing is asked' : counted(found.length, 'question')}`;
  return [`${paint.bold(title)}\n`, ...items].join('\n');
}

function askedAt({ at, question }: PointStatus): string {
  return `${at} ${question}`;
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
    const asked = byPlace(answer.flatMap((address) => points.get(address) ?? [])).map(
      (group) => `       ${title(group, all, paint)}${detailsOf(group, 9)}`,
    );
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
  const groups = all ? points.map((point) => [point]) : byPlace(points);
  const shown = all ? groups : groups.slice(0, most.points);
  const more = groups.slice(shown.length).reduce((sum, group) => sum + group.length, 0);
  return [
    ...shown.map((group) => {
      const together = (of: (point: PointStatus) => readonly string[] | undefined): string | undefined => {
        const found = [...new Set(group.flatMap((point) => of(point) ?? []))];
        return found.length > 0 ? names(found, all) : undefined;
      };
      const sometimes = together((point) => point.holdsSometimes);
      const holds = [
        together((point) => point.holds),
        sometimes && `some requests of ${sometimes}`,
        together((point) => point.notRun),
      ];
      const lines = holds.flatMap((what) => (what ? [`    holds up ${what}\n`] : [])).join('');
      return `  ${title(group, all, paint)}${detailsOf(group, 4)}${lines}`;
    }),
    more > 0 ? paint.dim(`  and ${more} more; --all shows them\n`) : '',
  ].join('');
}

/** The address of a point and its place; of several at one place, the first. */
function title(group: readonly PointStatus[], all: boolean, paint: Paint): string {
  const addresses = group.map(({ address }) => address);
  return `${some(addresses, all ? addresses.length : 1)}  ${paint.dim(group[0]?.at ?? '')}\n`;
}

function names(of: readonly string[], all: boolean): string {
  return some(of, all ? of.length : most.names);
}

function detailsOf(group: readonly PointStatus[], indent: number): string {
  const question = group[0]?.question;
  return question === undefined ? '' : `${' '.repeat(indent)}asks: ${printable(question)}\n`;
}

/** Points by the resource, operation or other thing that they are about: what is asked first. */
function places(points: readonly PointStatus[], paint: Paint): string {
  const asks = (group: readonly PointStatus[]): number =>
    Number(group.some(({ question }) => question !== undefined));
  const groups = [...Map.groupBy(points, ({ address }) => placeOf(address).place)].sort(
    ([, one], [, other]) => asks(other) - asks(one),
  );
  const shown = groups.slice(0, most.places);
  const lines = shown.map(([place, group]) => {
    const [only, second] = group;
    const about =
      only && second === undefined
        ? `${printable(only.address)}`
        : `${printable(place)}: ${some(
            group.map((point) => placeOf(point.address).within || 'itself'),
            most.perPlace,
          )}`;
    return `  ${about}  ${paint.dim(only?.at ?? '')}\n${asked(group)}`;
  });
  const left = groups.slice(most.places);
  const more = left.reduce((sum, [, group]) => sum + group.length, 0);
  const ends = points.some(({ address }) => address.endsWith('.*'));
  const notes = [
    ...(more > 0
      ? [`and ${counted(more, 'more point')} at ${counted(left.length, 'more place')}; --all shows them`]
      : []),
    ...(points.some(({ question }) => question !== undefined)
      ? ['--asked shows the questions alone, each once']
      : []),
    ...(ends ? ['.* is what a list does not name; complete, in the head, closes lists (language §D.2)'] : []),
  ];
  return `${lines.join('')}${notes.map((note) => paint.dim(`  ${note}\n`)).join('')}`;
}

/** What is asked at a place: each question with the point that it is asked of, where the place has several. */
function asked(group: readonly PointStatus[]): string {
  return group
    .flatMap(({ address, question }) => {
      if (question === undefined) return [];
      const { within } = placeOf(address);
      const whose = within === '' || group.length === 1 ? '' : `${within} `;
      return [`    ${printable(`${whose}asks: ${question}`)}\n`];
    })
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
