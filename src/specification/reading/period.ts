import { duration } from './duration.ts';
import { defined, textOf } from './form.ts';
import { type Formed, formed } from './reading.ts';

const form = defined(
  'fixedDuration',
  textOf(
    'a duration',
    /^P(?=[\dT])(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,3})?S)?)?$/,
    'A duration of fixed length is written as in PT0.5S, PT1M, PT1H30M or P30D (language §H.5).',
    {
      title: 'duration',
      $comment: 'A duration of fixed length: no years, no months (language §H.5).',
    },
  ),
);

/** A duration of fixed length, such as `PT1M` or `P30D`, in whole milliseconds (language §H.5). */
export const pause: Formed<number> = formed(form, (node, place, reading) => {
  const found = duration(node, place, reading);
  if (found === undefined) return undefined;
  const ms = Math.round(found.milliseconds ?? Number.NaN);
  if (Number.isSafeInteger(ms)) return ms;
  const hint = 'years and months vary in length: write weeks, days, hours, minutes or seconds';
  return reading.report('bad-duration', node.span, { found: found.text }, { hint });
});

/** A duration that is longer than nothing, in milliseconds. */
export const period: Formed<number> = formed(form, (node, place, reading) => {
  const ms = pause(node, place, reading);
  const hint = 'write one that is longer than nothing';
  return ms === 0 ? reading.report('bad-duration', node.span, { found: 'PT0S' }, { hint }) : ms;
});
