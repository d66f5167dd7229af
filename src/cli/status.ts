import { mostBlocking, type PartStatus, type PointStatus, status } from '../report/status.ts';
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
      const colour = { open: paint.yellow, assumed: paint.cyan, stated: paint.green, partly: paint.yellow };
      const all = given.values['all'] === true;
      terminal.out(`${paint.bold(specification.name || specification.text.file)}\n\n`);
      for (const part of report.parts) {
        terminal.out(
          `  ${part.part.padEnd(15)} ${colour[part.state](part.state.padEnd(7))} ${paint.dim(counted(part))}\n`,
        );
        for (const point of part.points)
          if (all || point.state !== 'stated' || point.notRun)
            terminal.out(
              `    ${colour[point.state](point.state.padEnd(7))} ${point.address}${paint.dim(`  ${point.at}`)}${effects(point)}\n`,
            );
      }
      terminal.out(`\n${summary(report, specification.operations.length)}\n`);
    }
    return hasErrors(diagnostics) ? 1 : 0;
  },
};

function counted(part: PartStatus): string {
  const of = (state: PointStatus['state']): number =>
    part.points.filter((point) => point.state === state).length;
  return [
    `${of('stated')} stated`,
    ...(of('assumed') > 0 ? [`${of('assumed')} assumed`] : []),
    ...(of('open') > 0 ? [`${of('open')} open`] : []),
  ].join(', ');
}

function effects(point: PointStatus): string {
  const lines = [
    ...(point.question === undefined ? [] : [`asks: ${point.question}`]),
    ...(point.holds.length > 0 ? [`holds up ${point.holds.join(', ')}`] : []),
    ...(point.holdsSometimes ? [`holds up some requests of ${point.holdsSometimes.join(', ')}`] : []),
    ...(point.notRun ? [`stated, not run by this version; holds up ${point.notRun.join(', ')}`] : []),
  ];
  return lines.map((line) => `\n              ${line}`).join('');
}

function summary(report: ReturnType<typeof status>, operations: number): string {
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
