/** Gives `now` (language §G.2): RFC 3339 in UTC with six fraction digits, later at each call than before. */
export type Clock = () => string;

/** A clock over one that tells milliseconds since 1970; microseconds tell the calls within one apart. */
export function clock(milliseconds: () => number = Date.now): Clock {
  let last = 0;
  return () => {
    last = Math.max(milliseconds() * 1000, last + 1);
    const whole = Math.floor(last / 1000);
    const fraction = String(last % 1000).padStart(3, '0');
    return `${new Date(whole).toISOString().slice(0, -1)}${fraction}Z`;
  };
}
