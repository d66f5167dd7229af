import { stated } from '../../specification/reading/said.ts';
import type { Series, Timed, Using } from './using-up.ts';

/** Clocks are read at different moments: by how much a time may be off, in milliseconds. */
const marginMs = 20;
/** More times than these are not told apart. */
const most = 1000;
const anyTime = '\\d+';

/**
 * In how many seconds more may remain, as it may be told in answer to a request (language §8.1, `rate.reset`): the source
 * of a regular expression. It is counted from the first request that was let in, or in a bucket from the last that came back.
 *
 * @param at when the request was under way; any time may be told where that is not known
 */
export function resetOf({ rate, allow, everyMs }: Using, series: Series, at: Timed | undefined): string {
  const [first] = series.times;
  if (!at || !first || !series.isClean || !series.isAlone) return anyTime;
  const window = stated(rate.window);
  const isWhole = window === 'fixed' || window === 'sliding';
  const least = isWhole ? seconds(everyMs - (at.answeredMs - first.sentMs) - marginMs) : 0;
  const longest = isWhole ? everyMs - (at.sentMs - first.answeredMs) : everyMs / (window ? allow : 1);
  const last = seconds(longest + marginMs);
  if (last - least > most) return anyTime;
  return `(?:${Array.from({ length: last - least + 1 }, (_, index) => least + index).join('|')})`;
}

function seconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}
