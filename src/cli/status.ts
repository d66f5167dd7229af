import { mostBlocking, type PartStatus, type PointStatus, type Status, status } from '../report/status.ts';
import type { Paint } from '../source/diagnostic.ts';
import { type Command, count, hasErrors, paintFor, printDiagnostics, readDocument } from './command.ts';

/** `tacet status`: what is stated, assumed and open, and which open point holds up which operation. */
export const command: Command = {
  name: 'status',
  summary: 'show what is stated, assumed and open, and what that holds up',
  help: `usage: tacet status DOCUMENT [--json] [--all] [--assume LEDGER]

Shows the nine parts of a specification: what is stated, what is assumed, what is open,
and which operations an open point holds up.

  --json            as JSON; its form is schemas/status.schema.json
  --all             every point, the stated ones too
  --assume LEDGER   answers to open points, taken for the time being (JSON)

exit code: 0, also where points are open; 1 the document has errors; 2 wrong use
`,
  options: { json: { type: 'boolean' }, all: { type: 'boolean' }, assume: { type: 'string' } },
  run: (given, terminal) => {
    const { specification, diagnostics } = readDocument(given);
    printDiagnostics(diagnostics, terminal);
    const report = status(specification);
    if (given.values['json'] === true) terminal.out(`${JSON.stringify(report, null, 2)}\n`);
    else {
      const paint = paintFor(terminal);
      terminal.out(`${paint.bold(specification.name || specification.file)}\n\n`);
      terminal.out(partTable(report, paint));
      for (const { title, points } of sections(report, given.values['all'] === true))
        if (points.length > 0)
          terminal.out(`\n${paint.bold(title)}\n${points.map((point) => lines(point, paint)).join('')}`);
      terminal.out(`\n${summary(report, specification.operations.length)}\n`);
    }
    return hasErrors(diagnostics) ? 1 : 0;
  },
};

function partTable(report: Status, paint: Paint): string {
  const colour = { open: paint.yellow, partly: paint.yellow, stated: paint.green };
  const counted = (part: PartStatus): string => {
    const of = (state: PointStatus['state']): number =>
      part.points.filter((point) => point.state === state).length;
    const assumed = of('assumed') > 0 ? `, ${of('assumed')} assumed` : '';
    return `${of('stated')} stated${assumed}${of('open') > 0 ? `, ${of('open')} open` : ''}`;
  };
  return report.parts
    .map(
      (part) => `  ${part.part.padEnd(15)} ${colour[part.state](part.state.padEnd(6))}  ${counted(part)}\n`,
    )
    .join('');
}

/** The points in the order in which their author would want to see them: what holds up most comes first. */
function sections(report: Status, all: boolean): { title: string; points: readonly PointStatus[] }[] {
  const points = report.parts.flatMap((part) => part.points);
  const of = (state: PointStatus['state']): PointStatus[] => points.filter((point) => point.state === state);
  return [
    { title: 'open, and holding up operations', points: mostBlocking(report) },
    { title: 'stated, not run by this version', points: points.filter((point) => point.notRun) },
    { title: 'open', points: of('open').filter((point) => point.holds.length === 0) },
    { title: 'assumed', points: of('assumed') },
    { title: 'stated', points: all ? of('stated').filter((point) => !point.notRun) : [] },
  ];
}

function lines(point: PointStatus, paint: Paint): string {
  const details = [
    ...(point.question === undefined ? [] : [`asks: ${point.question}`]),
    ...(point.holds.length > 0 ? [`holds up ${point.holds.join(', ')}`] : []),
    ...(point.holdsSometimes ? [`holds up some requests of ${point.holdsSometimes.join(', ')}`] : []),
    ...(point.notRun ? [`holds up ${point.notRun.join(', ')}`] : []),
  ];
  return `  ${point.address}  ${paint.dim(point.at)}\n${details.map((detail) => `    ${detail}\n`).join('')}`;
}

function summary(report: Status, operations: number): string {
  if (operations === 0) return 'no operation is stated';
  const points = report.parts.flatMap((part) => part.points);
  const held = new Set(points.flatMap((point) => [...point.holds, ...(point.notRun ?? [])]));
  const blocking = mostBlocking(report);
  const notRun = new Set(points.flatMap((point) => point.notRun ?? []));
  const open = new Set(blocking.flatMap((point) => point.holds).filter((name) => !notRun.has(name)));
  const lines = [`${operations - held.size} of ${count(operations, 'operation')} can be carried out`];
  if (open.size > 0) lines.push(`answering ${count(blocking.length, 'point')} lets ${open.size} more run`);
  if (notRun.size > 0) lines.push(`${notRun.size} wait for what this version does not run yet`);
  return lines.join('; ');
}
