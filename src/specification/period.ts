import { kindOf, type Read } from './reading.ts';

const hourMs = 3_600_000;
const unitsMs = [7 * 24 * hourMs, 24 * hourMs, hourMs, 60_000, 1000] as const;
const form = /^P(?=[\dT])(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/;

/** The length of a duration in milliseconds; undefined where it is none, or has no fixed and exact length. */
export function lengthMs(written: string): number | undefined {
  const match = form.exec(written);
  if (match === null) return undefined;
  const ms = unitsMs.reduce((sum, unit, index) => sum + Math.round(Number(match[index + 1] ?? 0) * unit), 0);
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/** A duration of fixed length, such as `PT1M` or `P30D`, in milliseconds (language §H.5). */
export const pause: Read<number> = (node, _place, reading) => {
  const ms = node.kind === 'scalar' ? lengthMs(node.written) : undefined;
  if (ms !== undefined) return ms;
  const found = node.kind === 'scalar' ? `"${node.written}"` : kindOf(node);
  const hint = 'for example PT1M, PT1H30M or P30D; years and months vary in length';
  return reading.report('wrong-kind', node.span, { wanted: 'a duration of fixed length', found }, { hint });
};

/** A duration that is longer than nothing, in milliseconds. */
export const period: Read<number> = (node, place, reading) => {
  const ms = pause(node, place, reading);
  return ms === 0
    ? reading.report('wrong-kind', node.span, { wanted: 'a duration above nothing', found: 'no time at all' })
    : ms;
};
