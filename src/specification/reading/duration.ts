import { defined, textOf } from './form.ts';
import { type Formed, formed, text } from './reading.ts';

/** A time span as written, and how long that is; null where it counts months or years, whose length varies. */
export interface Duration {
  readonly text: string;
  readonly milliseconds: number | null;
  /** How many months it counts, and how long the rest of it is. */
  readonly months: number;
  readonly rest: number;
}

const form =
  /^P(?!$)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const second = 1000;
const units = [604_800 * second, 86_400 * second, 3600 * second, 60 * second, second];

/** ISO 8601's duration, as `P14D` or `PT0.5S` (RFC 3339, Appendix A); undefined where it is none. */
export function durationOf(written: string): Duration | undefined {
  const match = form.exec(written);
  if (match === null) return undefined;
  const [years, months, ...fixed] = match.slice(1).map((number) => Number(number ?? 0)) as [number, number];
  const rest = (fixed as number[]).reduce((sum, number, i) => sum + number * (units[i] as number), 0);
  const all = years * 12 + months;
  return { text: written, milliseconds: all > 0 ? null : rest, months: all, rest };
}

const duration8601 = defined(
  'duration',
  textOf(
    'a duration',
    /^P(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?!$)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/,
    'A duration is written as in PT10S, PT24H, P14D or P1M (language §H.5).',
    { title: 'duration', $comment: 'A duration of ISO 8601 (language §H.5).' },
  ),
);

export const duration: Formed<Duration> = formed(duration8601, (node, place, reading) => {
  const written = text(node, place, reading);
  if (written === undefined) return undefined;
  return durationOf(written) ?? reading.report('bad-duration', node.span, { found: written });
});
