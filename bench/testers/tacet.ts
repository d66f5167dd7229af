import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { completeDesk, listedFaults } from '../../test/desks/faults/list.ts';
import { takesLong, whyUnseen } from '../../test/desks/faults/unseen.ts';
import { type Fared, judge } from '../../test/desks/judged.ts';
import type { Kind } from '../../test/desks/running.ts';

/**
 * Runs the tester, with the complete document, against each listed fault, in one of the two hand-written desks in turn (the one on Fastify in this process), up to the first violation that
 * cites the statement at fault, or its end; a line of JSON for each. Lines that are there already are not run again.
 *
 *   node bench/testers/tacet.ts --out FILE [--only TEXT] [--every N] [--from N] [--desk fastify|python]
 */

// What it has started ends with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'tacet.ndjson' },
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    desk: { type: 'string' },
  },
});
const done = new Set(
  existsSync(values.out)
    ? readFileSync(values.out, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as Fared).id)
    : [],
);
const of = completeDesk();
for (const [index, fault] of listedFaults().entries()) {
  const isMeant = fault.id.includes(values.only) && index % Number(values.every) === Number(values.from);
  if (!isMeant || done.has(fault.id) || whyUnseen.has(fault.id)) continue;
  const desk =
    (values.desk as Kind | undefined) ?? (index % 6 === 5 && !takesLong(fault) ? 'python' : 'fastify');
  if (desk === 'python' && takesLong(fault)) continue;
  const line = await judge(of, fault, desk);
  appendFileSync(values.out, `${JSON.stringify(line)}\n`);
  const mark = line.fits ? 'found ' : line.found ? 'other ' : 'MISSED';
  process.stdout.write(`${mark} ${String(line.tookMs).padStart(6)} ms  ${fault.id}\n`);
}
// What a desk has still under way is not waited for.
process.exit();
