import { CannotWorkOut } from './values.ts';

/** Times and durations are texts; what is worked out of them is exact to the microsecond (language §G.4, §H.5). */

const time = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/i;
const iso = /^(-?)P(?!$)(?:(\d+)W)?(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?$/;
const cel = /^(-?)((?:\d+(?:\.\d*)?(?:h|ms|m|us|µs|ns|s))+|0)$/;

const second = 1_000_000n;
const isoUnits = [604_800n * second, 86_400n * second, 3600n * second, 60n * second, second];
const celUnits = new Map([
  ['h', 3_600_000_000_000n],
  ['m', 60_000_000_000n],
  ['s', 1_000_000_000n],
  ['ms', 1_000_000n],
  ['us', 1000n],
  ['µs', 1000n],
  ['ns', 1n],
]);

interface Instant {
  /** Whole seconds since 1970. */
  readonly seconds: number;
  /** The digits after them. */
  readonly fraction: string;
}

/** Reads RFC 3339's date-time; a leap second is the one after it. */
function readTime(text: string): Instant | undefined {
  const match = time.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, seconds] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [fraction = '', sign, hours = '0', minutes = '0'] = match.slice(7) as (string | undefined)[];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDay || hour > 23 || minute > 59 || seconds > 60 || Number(hours) > 23 || Number(minutes) > 59)
    return undefined;
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
  return {
    seconds: date.getTime() / 1000 + hour * 3600 + minute * 60 + seconds - ahead,
    fraction: withoutZeros(fraction),
  };
}

/** Without the zeros at its end. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** Most times: in UTC, on a day that every month has. Group 2 holds the fraction. */
const common =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d*))?Z$/;

/** A time as a text that is equal for equal instants, and in their order; anything else as it is (language §G.6). */
export function instant(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const quick = common.exec(value);
  if (quick) return `${quick[1]}.${withoutZeros(quick[2] ?? '')}`;
  const read = readTime(value);
  if (read === undefined) return value;
  const written = new Date(read.seconds * 1000).toISOString().slice(0, -5);
  // The year 10000, which an offset reaches, is written with a sign, and comes last.
  return `${written.startsWith('+') ? `:${written.slice(1)}` : written}.${read.fraction}`;
}

/** A time in UTC with exactly so many fraction digits (0 to 6), cut (language §G.4). Throws `CannotWorkOut`. */
export function timeWith(value: unknown, digits: number): string {
  const read = typeof value === 'string' ? readTime(value) : undefined;
  if (read === undefined) throw notOne('time', String(value));
  if (!Number.isInteger(digits) || digits < 0 || digits > 6)
    throw new CannotWorkOut('a time has 0 to 6 fraction digits');
  const written = new Date(read.seconds * 1000).toISOString();
  if (written.startsWith('+')) throw notOne('time', String(value));
  const fraction = digits === 0 ? '' : `.${read.fraction.padEnd(digits, '0').slice(0, digits)}`;
  return `${written.slice(0, -5)}${fraction}Z`;
}

/** How long a duration is, in microseconds; anything else as it is. */
export function span(value: unknown): unknown {
  const length = typeof value === 'string' ? lengthOf(value) : undefined;
  return length === undefined ? value : Number(length);
}

/** Gives the text itself. Throws `CannotWorkOut` where it is no time of RFC 3339. */
export function timestamp(text: string): string {
  if (readTime(text) === undefined) throw notOne('time', text);
  return text;
}

/** Takes ISO 8601's, of fixed length, as it is, and CEL's, as `1h30m`. Throws `CannotWorkOut`. */
export function duration(text: string): string {
  const length = lengthOf(text);
  if (length === undefined) throw notOne('duration of fixed length', text);
  return iso.test(text) ? text : durationText(length);
}

/** `time + duration`, either first, or the sum of two durations. */
export function addTimes(a: unknown, b: unknown): string {
  const [left, right] = [momentOf(a), momentOf(b)];
  if (left.isTime && right.isTime) throw new CannotWorkOut('two times have no sum');
  const sum = left.length + right.length;
  return left.isTime || right.isTime ? timeText(sum) : durationText(sum);
}

/** `time - duration` is a time; `time - time` and `duration - duration` are durations. */
export function subtractTimes(a: unknown, b: unknown): string {
  const [left, right] = [momentOf(a), momentOf(b)];
  if (right.isTime && !left.isTime) throw new CannotWorkOut('no time is taken from a duration');
  const difference = left.length - right.length;
  return left.isTime && !right.isTime ? timeText(difference) : durationText(difference);
}

/** Whole seconds: of a time since 1970, of a duration towards zero, both as in CEL. */
export function secondsOf(value: unknown): number {
  const { isTime, length } = momentOf(value);
  const seconds = length / second;
  return Number(isTime && length % second < 0n ? seconds - 1n : seconds);
}

/** A time as header fields have it (RFC 9110 §5.6.7, IMF-fixdate): in whole seconds, rounded down. */
export function httpDate(time: unknown): string {
  if (!momentOf(time).isTime) throw notOne('time', time);
  return new Date(secondsOf(time) * 1000).toUTCString();
}

interface Moment {
  readonly isTime: boolean;
  /** Microseconds: since 1970, or how long it is. */
  readonly length: bigint;
}

function momentOf(value: unknown): Moment {
  if (typeof value === 'string') {
    const read = readTime(value);
    if (read)
      return {
        isTime: true,
        length: BigInt(read.seconds) * second + BigInt(read.fraction.slice(0, 6).padEnd(6, '0')),
      };
    const length = lengthOf(value);
    if (length !== undefined) return { isTime: false, length };
  }
  throw notOne('time and no duration', value);
}

/** No duration is longer as a text. */
const longest = 100;

function lengthOf(text: string): bigint | undefined {
  if (text.length > longest) return undefined;
  const match = iso.exec(text);
  if (match) {
    const [sign, ...numbers] = match.slice(1) as (string | undefined)[];
    const fraction = BigInt((numbers[5] ?? '').slice(0, 6).padEnd(6, '0'));
    const length = isoUnits.reduce((sum, unit, index) => sum + BigInt(numbers[index] ?? 0) * unit, fraction);
    return sign === '-' ? -length : length;
  }
  const [, sign, parts] = cel.exec(text) ?? [];
  if (parts === undefined) return undefined;
  const length = [...parts.matchAll(/(\d+)(?:\.(\d*))?([a-zµ]+)/g)].reduce((sum, one) => {
    const [, number = '0', fraction = '', unit = 's'] = one;
    return sum + (BigInt(number + fraction) * (celUnits.get(unit) ?? 0n)) / 10n ** BigInt(fraction.length);
  }, 0n);
  return (sign === '-' ? -length : length) / 1000n;
}

/** As `now` is written: UTC, with six fraction digits. */
function timeText(microseconds: bigint): string {
  const rest = ((microseconds % 1000n) + 1000n) % 1000n;
  const date = new Date(Number((microseconds - rest) / 1000n));
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) throw new CannotWorkOut('the result is past the years 0 to 9999');
  return `${date.toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/** In days, hours, minutes and seconds, none that is nothing; one that goes back begins with `-`. */
function durationText(microseconds: bigint): string {
  const length = microseconds < 0n ? -microseconds : microseconds;
  const [days, seconds] = [length / (86_400n * second), length % (86_400n * second)];
  const parts = [
    [seconds / (3600n * second), 'H'],
    [(seconds / (60n * second)) % 60n, 'M'],
  ] as const;
  const fraction = withoutZeros(String(seconds % second).padStart(6, '0'));
  const last = `${(seconds / second) % 60n}${fraction && `.${fraction}`}`;
  const clock = [
    ...parts.flatMap(([n, unit]) => (n > 0n ? [`${n}${unit}`] : [])),
    ...(last === '0' ? [] : [`${last}S`]),
  ];
  const written = `${days > 0n ? `${days}D` : ''}${clock.length > 0 ? `T${clock.join('')}` : ''}`;
  return `${microseconds < 0n ? '-' : ''}P${written || 'T0S'}`;
}

function notOne(what: string, value: unknown): CannotWorkOut {
  return new CannotWorkOut(`this is no ${what}: ${JSON.stringify(value) ?? 'nothing'}`);
}
