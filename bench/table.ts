import { writesBeforeKill } from './conformance.ts';
import type { Ratio, Results, WorkResult } from './results.ts';
import { coversOne, type Spread, type Target } from './statistics.ts';

/** Those results that there are, as plain text in aligned columns. */
export function table(results: Partial<Results>): string {
  const { conformance, starts, works = [], growth, memory } = results;
  const sections = [
    headSection(results),
    conformance && conformanceSection(conformance),
    starts && startSection(starts),
    ...works.map(workSection),
    growth && growthSection(growth),
    memory && memorySection(memory),
  ];
  return `${sections.filter((one) => one !== undefined).join('\n\n')}\n`;
}

function headSection({ date, extent, machine }: Partial<Results>): string | undefined {
  if (machine === undefined) return undefined;
  return [
    `tacet beside its peers, ${date} (${extent})`,
    '',
    `machine  ${machine.cores} cores, ${machine.processor}`,
    `node     ${machine.node}; ${Object.entries(machine.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}`,
    `load     ${machine.load}`,
    `disk     ${short(machine.syncMs)} ms for 4 KiB and an fdatasync`,
    '',
    'A figure is a median, with its spread in brackets: an interval that holds the true median with 95 %',
    'or more (with fewer than six readings, from the smallest to the largest). A ratio is the median of the',
    'ratios of neighbouring slices. tacet, Fastify and node:http keep to-dos in SQLite (WAL, synchronous=FULL);',
    'json-server writes its file without a sync, and answers before it has; Prism keeps nothing. Every slice of',
    'creates begins with none stored.',
  ].join('\n');
}

function conformanceSection(conformance: Results['conformance']): string {
  return section('Conformance', [
    ['contestant', 'answers as it must', `${writesBeforeKill} writes, after kill -9`],
    ...conformance.map(({ name, fault, lost }) => [
      name,
      fault === null ? 'yes' : `LEFT OUT: ${fault}`,
      fault === null ? kept(lost) : '',
    ]),
  ]);
}

function startSection({ readings, ratios }: Results['starts']): string {
  const read = section('Start to first answer', [
    ['contestant', 'ms', 'CPU ms', 'resident MiB'],
    ...readings.map(({ name, ms, cpuMs, residentMiB }) => [
      name,
      figure(ms),
      figure(cpuMs),
      figure(residentMiB),
    ]),
  ]);
  return `${read}\n\n${ratioSection('tacet over', 'CPU time', ratios)}`;
}

function growthSection(growth: Results['growth']): string {
  return section('Growth: CPU time of a read by id, in µs', [
    ['of', 'few', 'many', 'at few', 'at many', 'many over few', ''],
    ...growth.map(({ of, few, many, cpuOfFew, cpuOfMany, ratio }) => [
      of,
      few.toLocaleString('en'),
      many.toLocaleString('en'),
      figure(cpuOfFew),
      figure(cpuOfMany),
      figure(ratio),
      coversOne(ratio) ? 'no difference shown' : `${((ratio.median - 1) * 100).toFixed(1)} %`,
    ]),
  ]);
}

function memorySection(memory: Results['memory']): string {
  return section('What tacet holds', [
    ['for each of', 'resident', 'on disk'],
    [
      `${memory.connections.toLocaleString('en')} idle connections`,
      `${short(memory.kiBOfConnection)} KiB`,
      '',
    ],
    [
      `${memory.rows.toLocaleString('en')} stored to-dos`,
      `${short(memory.bytesOfRow)} bytes`,
      `${short(memory.fileBytesOfRow)} bytes`,
    ],
  ]);
}

function workSection({ title, readings, ratios, leftOut }: WorkResult): string {
  const parts = [
    section(`${title[0]?.toUpperCase()}${title.slice(1)}`, [
      ['contestant', 'requests/s', 'CPU µs/request', 'CPU s/s', 'p50 ms', 'p99 ms'],
      ...readings.map(({ name, perSecond, cpuMicroseconds, cpuSecondsPerSecond, p50Ms, p99Ms }) => [
        name,
        figure(perSecond),
        figure(cpuMicroseconds),
        short(cpuSecondsPerSecond.median),
        short(p50Ms.median),
        short(p99Ms.median),
      ]),
    ]),
    ratioSection('tacet over', 'per CPU second', ratios),
    ...leftOut.map(({ name, fault }) => `LEFT OUT: ${name}: ${fault}`),
  ];
  return parts.join('\n\n');
}

function kept(lost: number | null): string {
  if (lost === null) return 'keeps nothing';
  return lost === 0 ? 'all there' : `${lost} LOST`;
}

function ratioSection(first: string, cpu: string, ratios: readonly Ratio[]): string {
  return columns([
    [first, 'ratio', cpu, 'target', ''],
    ...ratios.map((ratio) => [
      ratio.against,
      figure(ratio.wall),
      figure(ratio.cpu),
      ratio.target === null ? '' : targetText(ratio.target),
      ratio.verdict ?? (coversOne(ratio.wall) ? 'no difference shown' : ''),
    ]),
  ]);
}

function targetText({ atLeast, atMost }: Target): string {
  return atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  return `── ${title}\n\n${columns(rows)}`;
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function figure({ median, low, high }: Spread): string {
  return `${short(median)} [${short(low)}–${short(high)}]`;
}

/** Three figures, and no more than a reader needs of a large number. */
function short(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(3);
}
