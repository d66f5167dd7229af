import { type HostLimitName, type HostLimits, hostLimitTable } from '../../service/message/host-limits.ts';
import { durationOf } from '../../specification/reading/duration.ts';
import { bytesIn } from '../../specification/reading/size.ts';
import { type Given, text, UsageError } from '../command.ts';

const rows = Object.entries(hostLimitTable) as readonly [
  HostLimitName,
  (typeof hostLimitTable)[HostLimitName],
][];

/** The options of the host limits: a row of the table each. */
export const hostLimitOptions: Readonly<Record<string, { readonly type: 'string' }>> = Object.fromEntries(
  rows.map(([, { option }]) => [option, { type: 'string' }]),
);

const forms = { bytes: 'SIZE', ms: 'DURATION' } as const;

/** What is written for a value: `1 MiB`, `PT30S`, `100`. */
export function written(unit: string, value: number): string {
  if (unit === 'ms') return `PT${value / 1000}S`;
  if (unit !== 'bytes') return String(value);
  const [name, size] = [...Object.entries(bytesIn)].reverse().find(([, one]) => value % one === 0) ?? [
    'B',
    1,
  ];
  return `${value / size} ${name}`;
}

/** What the options of the host limits are for, as the help shows it. */
export const hostLimitsHelp = `host limits, which protect the process whatever the document states (docs/host-limits.md):
${rows.map(([, row]) => helpOf(row)).join('')}`;

function helpOf({ option, unit, usual, bounds, answer }: (typeof hostLimitTable)[HostLimitName]): string {
  const form = unit in forms ? forms[unit as keyof typeof forms] : 'N';
  return `  --${option} ${form}\n                    ${bounds} (default ${written(unit, usual)}; beyond: ${answer})\n`;
}

/** The host limits that the options state. Throws {@link UsageError} where a value is none. */
export function hostLimitsOf(given: Given): Partial<HostLimits> {
  return Object.fromEntries(
    rows.flatMap(([name, { option, unit }]) => {
      const value = text(given, option);
      return value === undefined ? [] : [[name, amountOf(option, unit, value)]];
    }),
  );
}

function amountOf(option: string, unit: string, value: string): number {
  const amount = unit === 'ms' ? durationOf(value)?.milliseconds : countOf(value, unit === 'bytes');
  if (typeof amount === 'number' && Number.isSafeInteger(amount) && amount > 0) return amount;
  const wanted =
    unit === 'ms'
      ? 'a duration, as PT30S'
      : unit === 'bytes'
        ? 'a size, as 1MiB'
        : 'a whole number from 1 on';
  throw new UsageError(`--${option} ${value}: ${wanted} is wanted`);
}

/** A whole number; of bytes also one with a unit (language §H.5). */
function countOf(value: string, isBytes: boolean): number {
  const [, count, unit = 'B'] = /^(\d+)(?: ?([A-Za-z]+))?$/.exec(value) ?? [];
  if (count === undefined || (!isBytes && unit !== 'B')) return Number.NaN;
  return Number(count) * (Object.hasOwn(bytesIn, unit) ? (bytesIn[unit] as number) : Number.NaN);
}

/** How long refusals by one limit are counted before they are told of again, in milliseconds. */
const togetherMs = 60_000;

/**
 * Tells of requests that a host limit refused: the first at once, those of the next minute together, with the next one.
 *
 * @param limits how much of each the process bears
 */
export function hostLimitLog(
  limits: HostLimits,
  print: (text: string) => void,
  now: () => number,
): (name: HostLimitName) => void {
  const last = new Map<HostLimitName, { readonly at: number; more: number }>();
  return (name) => {
    const at = now();
    const before = last.get(name);
    if (before !== undefined && at - before.at < togetherMs) {
      before.more += 1;
      return;
    }
    const { option, unit, answer } = hostLimitTable[name];
    const more = before && before.more > 0 ? `, and ${before.more} more since the last line` : '';
    print(`host limit: --${option} (${written(unit, limits[name])}) refused a request: ${answer}${more}\n`);
    last.set(name, { at, more: 0 });
  };
}
