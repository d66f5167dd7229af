import { NotComputable } from './value.ts';

/** Times of RFC 3339, and durations (language §G.4, §H.5). Both are texts; results are exact to the microsecond. */

/** A time: whole seconds since 1970, and the digits of its fraction without zeros at the end. */
export interface Instant {
  readonly seconds: number;
  readonly fraction: string;
}

/** Its groups: the date, the day, the hour, the minute, the second, the fraction and the offset. */
const rfc3339 = /^(\d{4}-\d\d-(\d\d))T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/i;

/** What texts were read as. The same times are compared again and again. */
const instants = new Map<string, Instant | undefined>();
const mostInstants = 20_000;

/** Undefined if the text is no time. A leap second is the second after it. */
export function instantOf(text: string): Instant | undefined {
  // Most texts are no times: the fifth character of a time is a hyphen.
  if (text[4] !== '-') return undefined;
  const known = instants.get(text);
  if (known !== undefined || instants.has(text)) return known;
  if (instants.size >= mostInstants) instants.clear();
  const read = readInstant(text);
  instants.set(text, read);
  return read;
}

function readInstant(text: string): Instant | undefined {
  const parts = rfc3339.exec(text);
  if (parts === null) return undefined;
  const [, date, day, ...clock] = parts;
  const [hour, minute, second] = [Number(clock[0]), Number(clock[1]), Number(clock[2])];
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // The 30th of February is read as a day of March.
  const isDate = new Date(midnight).getUTCDate() === Number(day);
  const offset = offsetOf(clock[4] ?? 'Z');
  if (!isDate || hour > 23 || minute > 59 || second > 60 || offset === undefined) return undefined;
  const seconds = midnight / 1000 + hour * 3600 + minute * 60 + second - offset;
  return { seconds, fraction: (clock[3] ?? '').replace(/0+$/, '') };
}

/** Seconds ahead of UTC. */
function offsetOf(text: string): number | undefined {
  if (text.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(4))];
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -60 : 60) * (hours * 60 + minutes);
}

/** Milliseconds since 1970 of a time, or of an HTTP date; undefined if the text is none. */
export function millisecondsOf(text: string): number | undefined {
  const date = secondsOfDate(text);
  if (date !== undefined) return date * 1000;
  const time = instantOf(text);
  return time && time.seconds * 1000 + Number(`0.${time.fraction || '0'}`) * 1000;
}

export function compareInstants(a: Instant, b: Instant): number {
  if (a.seconds !== b.seconds) return a.seconds - b.seconds;
  return a.fraction < b.fraction ? -1 : a.fraction > b.fraction ? 1 : 0;
}

const million = 1_000_000n;

function microsecondsOf({ seconds, fraction }: Instant): bigint {
  return BigInt(seconds) * million + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

const isoDuration =
  /^(?<sign>-?)P(?=[\dT])(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?=\d)(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+)(?:\.(?<fraction>\d+))?S)?)?$/;
const celDuration = /^-?(?:\d+(?:\.\d*)?(?:h|ms|m|us|µs|ns|s))+$|^-?0$/;
const nanoseconds: Readonly<Record<string, bigint>> = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: million,
  us: 1000n,
  µs: 1000n,
  ns: 1n,
};

/** No text of a duration is longer (language §G.4). */
const longestDuration = 100;

/** How long a duration is, in microseconds; undefined if the text is no duration of fixed length. */
export function lengthOf(text: string): bigint | undefined {
  if (text.length > longestDuration) return undefined;
  const iso = isoDuration.exec(text)?.groups;
  const sign = text.startsWith('-') ? -1n : 1n;
  if (iso) {
    const of = (name: string): bigint => BigInt(iso[name] ?? 0);
    const days = of('weeks') * 7n + of('days');
    const seconds = ((days * 24n + of('hours')) * 60n + of('minutes')) * 60n + of('seconds');
    return sign * (seconds * million + BigInt((iso['fraction'] ?? '').slice(0, 6).padEnd(6, '0')));
  }
  if (!celDuration.test(text)) return undefined;
  let total = 0n;
  for (const [, whole = '0', fraction = '', unit = 's'] of text.matchAll(/(\d+)(?:\.(\d*))?([a-zµ]+)/g))
    total += (BigInt(whole + fraction) * (nanoseconds[unit] ?? 0n)) / 10n ** BigInt(fraction.length);
  return (sign * total) / 1000n;
}

/** A time of RFC 3339, itself. */
export function timestamp(text: string): string {
  if (instantOf(text) === undefined) throw new NotComputable(`this is no time: ${text}`);
  return text;
}

/** A duration of ISO 8601 itself; one of CEL (`1h30m`) as ISO 8601 writes it. */
export function duration(text: string): string {
  const length = lengthOf(text);
  if (length === undefined) throw new NotComputable(`this is no duration of fixed length: ${text}`);
  return isoDuration.test(text) ? text : durationText(length);
}

interface Moment {
  readonly kind: 'time' | 'duration';
  readonly microseconds: bigint;
}

function momentOf(text: string): Moment {
  const time = instantOf(text);
  if (time) return { kind: 'time', microseconds: microsecondsOf(time) };
  const length = lengthOf(text);
  if (length === undefined) throw new NotComputable(`this is no time and no duration: ${text}`);
  return { kind: 'duration', microseconds: length };
}

/** A time and a duration, in either order, or two durations. */
export function addTimes(a: string, b: string): string {
  const [left, right] = [momentOf(a), momentOf(b)];
  if (left.kind === 'time' && right.kind === 'time') throw new NotComputable('two times have no sum');
  const sum = left.microseconds + right.microseconds;
  return left.kind === right.kind ? durationText(sum) : timeText(sum);
}

/** What lies between two times, or a time or duration less a duration. */
export function subtractTimes(a: string, b: string): string {
  const [left, right] = [momentOf(a), momentOf(b)];
  if (left.kind === 'duration' && right.kind === 'time')
    throw new NotComputable('a duration has no time in it');
  const difference = left.microseconds - right.microseconds;
  return left.kind === right.kind ? durationText(difference) : timeText(difference);
}

/** Of a time: the whole seconds since 1970, rounded down. Of a duration: its whole seconds, rounded towards zero. */
export function wholeSeconds(text: string): number {
  const { kind, microseconds } = momentOf(text);
  const seconds = microseconds / million;
  return Number(kind === 'time' && microseconds < seconds * million ? seconds - 1n : seconds);
}

/** The time in UTC with exactly so many fraction digits, cut (language §G.4). */
export function timeWithDigits(text: string, digits: number): string {
  const time = instantOf(text);
  if (time === undefined) throw new NotComputable(`this is no time: ${text}`);
  if (!Number.isInteger(digits) || digits < 0 || digits > 6)
    throw new NotComputable('a time has 0 to 6 fraction digits');
  const whole = dateOf(time.seconds * 1000).slice(0, -5);
  return digits === 0 ? `${whole}Z` : `${whole}.${time.fraction.padEnd(digits, '0').slice(0, digits)}Z`;
}

/** IMF-fixdate (RFC 9110 §5.6.7), rounded down to seconds. */
export function httpDate(text: string): string {
  if (instantOf(text) === undefined) throw new NotComputable(`this is no time: ${text}`);
  return new Date(wholeSeconds(text) * 1000).toUTCString();
}

const fixdate = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Seconds since 1970 of an IMF-fixdate (RFC 9110 §5.6.7); undefined if the text is none. */
export function secondsOfDate(text: string): number | undefined {
  const ms = fixdate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

function timeText(microseconds: bigint): string {
  const below = ((microseconds % 1000n) + 1000n) % 1000n;
  const text = dateOf(Number((microseconds - below) / 1000n));
  return `${text.slice(0, -1)}${String(below).padStart(3, '0')}Z`;
}

/** Results lie within the years 0 to 9999. */
function dateOf(milliseconds: number): string {
  const date = new Date(milliseconds);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) throw new NotComputable('the result is past the years 0 to 9999');
  return date.toISOString();
}

function durationText(microseconds: bigint): string {
  const length = microseconds < 0n ? -microseconds : microseconds;
  const [seconds, below] = [length / million, length % million];
  const fraction = below === 0n ? '' : `.${String(below).padStart(6, '0').replace(/0+$/, '')}`;
  const parts = [
    [(seconds / 3600n) % 24n, 'H'],
    [(seconds / 60n) % 60n, 'M'],
  ] as const;
  const last = `${seconds % 60n}${fraction}`;
  const clock =
    parts.map(([count, unit]) => (count > 0n ? `${count}${unit}` : '')).join('') +
    (last === '0' ? '' : `${last}S`);
  const days = seconds / 86_400n;
  const text = `${days > 0n ? `${days}D` : ''}${clock === '' ? '' : `T${clock}`}`;
  return `${microseconds < 0n ? '-' : ''}P${text === '' ? 'T0S' : text}`;
}
