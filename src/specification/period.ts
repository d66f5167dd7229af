import { duration } from './duration.ts';
import type { Read } from './reading.ts';

/** A duration of fixed length, such as `PT1M` or `P30D`, in whole milliseconds (language §H.5). */
export const pause: Read<number> = (node, place, reading) => {
  const found = duration(node, place, reading);
  if (found === undefined) return undefined;
  const ms = Math.round(found.milliseconds ?? Number.NaN);
  if (Number.isSafeInteger(ms)) return ms;
  const hint = 'years and months vary in length: write weeks, days, hours, minutes or seconds';
  return reading.report('bad-duration', node.span, { found: found.text }, { hint });
};

/** A duration that is longer than nothing, in milliseconds. */
export const period: Read<number> = (node, place, reading) => {
  const ms = pause(node, place, reading);
  const hint = 'write one that is longer than nothing';
  return ms === 0 ? reading.report('bad-duration', node.span, { found: 'PT0S' }, { hint }) : ms;
};
