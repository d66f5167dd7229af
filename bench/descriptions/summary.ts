import type { Fate } from './fate.ts';

/** The counts of some descriptions, in lines. */
export function summary(name: string, fates: readonly Fate[]): string {
  const sum = (of: (fate: Fate) => number): number => fates.reduce((all, fate) => all + of(fate), 0);
  const count = (is: (fate: Fate) => boolean): number => fates.filter(is).length;
  const reads = fates.filter(({ outcome }) => outcome === 'read');
  const operations = sum((fate) => fate.operations);
  const dropped = reads.reduce((all, fate) => all + Math.max(0, fate.operations - fate.kept), 0);
  const running = sum((fate) => fate.running);
  const standIns = sum((fate) => fate.standIns);
  const shares = reads.filter(({ kept }) => kept > 0).map((fate) => fate.running / fate.kept);
  const mean = shares.reduce((all, each) => all + each, 0) / Math.max(1, shares.length);
  const slowest = Math.max(...fates.map(({ tookMs }) => tookMs));
  return [
    `${name}: ${fates.length} descriptions, ${operations} operations`,
    `  crashes             ${count(({ outcome }) => outcome === 'crash')}`,
    `  refused             ${count(({ outcome }) => outcome === 'refused')}`,
    `  imports with errors ${count(({ errors }) => errors > 0)}`,
    `  operations dropped  ${dropped} (${percent(dropped, operations)})`,
    `  operations running  ${running} (${percent(running, operations)}), of which ${standIns} by stand-ins`,
    `  mean of shares      ${percent(mean, 1)}`,
    `  slowest             ${(slowest / 1000).toFixed(1)} s`,
  ].join('\n');
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}
