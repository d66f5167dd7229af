import { readFileSync } from 'node:fs';
import { parts } from '../../src/specification/reading/address.ts';
import { listedFaults } from '../../test/desks/faults/list.ts';
import type { Fared } from '../../test/desks/judged.ts';

/**
 * Prints what `tacet.ts` wrote, as a table: of each part, how many faults were run and found, and how long the first
 * violation took: in time, in processor time, and in requests. Of a fault that was run again the last line counts.
 *
 *   node bench/testers/figures.ts FILE…
 */

const lines = process.argv.slice(2).flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean));
const fared = new Map(
  lines.map((line) => JSON.parse(line) as Fared).map((one) => [`${one.desk} ${one.id}`, one]),
);
const faults = listedFaults();
const partOf = new Map(faults.map(({ id, address }) => [id, /^\w+/.exec(address)?.[0] ?? '']));

function row(title: string, all: readonly Fared[]): string {
  const found = all.flatMap((one) => one.found ?? []);
  const medianOf = (one: readonly number[]): number =>
    one.toSorted((a, b) => a - b)[Math.floor(one.length / 2)] ?? Number.NaN;
  const percent = (count: number): string => `${((100 * count) / all.length).toFixed(1)} %`;
  const about = all.filter(({ fits }) => fits).length;
  const within = (times: readonly number[]): readonly string[] => [
    `${(medianOf(times) / 1000).toFixed(1)} s`,
    percent(times.filter((one) => one <= 2000).length),
  ];
  const cells = [
    ...[title, all.length, found.length, percent(found.length), about],
    ...within(found.map(({ afterMs }) => afterMs)),
    ...within(found.map(({ afterCpuMs }) => afterCpuMs)),
    medianOf(found.map(({ afterRequests }) => afterRequests)),
  ];
  return `| ${cells.join(' | ')} |`;
}

for (const desk of ['fastify', 'python']) {
  const all = [...fared.values()].filter((one) => one.desk === desk);
  if (all.length === 0) continue;
  const rows = parts.map((part) => ({ part, all: all.filter(({ id }) => partOf.get(id) === part) }));
  process.stdout.write(
    [
      `| ${desk} | run | found | share | citing what is at fault | median | within 2 s | CPU, median | within 2 s | requests, median |`,
      '|---|---|---|---|---|---|---|---|---|---|',
      ...rows.flatMap((one) => (one.all.length > 0 ? [row(one.part, one.all)] : [])),
      row('all', all),
      '',
      ...all.filter(({ found }) => !found).map(({ id }) => `missed: ${id}`),
      '',
    ].join('\n'),
  );
}
