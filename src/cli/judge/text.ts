import type { Result } from '../../conformance/result.ts';
import type { Traffic } from '../../conformance/traffic/traffic.ts';
import type { Violation } from '../../conformance/verdicts/verdicts.ts';
import { printable } from '../../report/text.ts';
import type { Paint } from '../../source/diagnostic.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { count, type ExitCode } from '../command.ts';

/** What came of traffic, for people: violations by their statement, how much is determined, and the sum. */
export function trafficText(traffic: Traffic, of: Specification, url: string, paint: Paint): string {
  const name = paint.bold(printable(of.name || of.file));
  const about = paint.dim(`${of.file}: ${count(traffic.exchanges, 'exchange')} with ${printable(url)}`);
  return [
    `${name}\n${about}\n`,
    violations(traffic.violations, paint),
    shares(traffic, paint),
    `${sum(traffic, paint)}\n`,
  ]
    .filter((section) => section !== '')
    .join('\n');
}

/** What the command ends with: 3, if nothing was determined. Violations of assumptions fail nothing. */
export function exitCodeOf({ violations, determined }: Traffic): ExitCode {
  if (violations.some(({ result }) => !result.assumed)) return 1;
  return determined === 0 ? 3 : 0;
}

/** One violation: the answer, and a command line that sends the request again. */
export function violationText(
  { says, expected, found, response, curl, assumed }: Result,
  paint: Paint,
): string {
  const row = (title: string, value: string): string =>
    `    ${paint.dim(title.padEnd(10))}${printable(value)}\n`;
  return [
    `  ${paint.red(printable(says))}${assumed ? ' (assumed)' : ''}\n`,
    row('expected', expected ?? ''),
    row('found', found ?? ''),
    row('answer', response ? `${response.status} ${short(response.body)}`.trimEnd() : 'none'),
    row('again', curl ?? ''),
  ].join('');
}

/** The statement that shows most violations comes first. */
function violations(all: readonly Violation[], paint: Paint): string {
  if (all.length === 0) return '';
  const groups = [...Map.groupBy(all, ({ result }) => result.statement.address).values()];
  const timesOf = (group: readonly Violation[]): number =>
    group.reduce((total, { times }) => total + times, 0);
  const lines = groups
    .toSorted((a, b) => timesOf(b) - timesOf(a))
    .map((group) => {
      const { address, at } = (group[0] as Violation).result.statement;
      const times = count(timesOf(group), 'time');
      const title = `${printable(address)}  ${paint.dim(at)}  ${times}\n`;
      return `\n${title}${group.map(({ result }) => violationText(result, paint)).join('')}`;
    });
  return `${paint.bold(paint.red('violates'))}\n${lines.join('')}`;
}

function shares({ determined, undetermined, unjudged }: Traffic, paint: Paint): string {
  const places = determined + undetermined;
  const share = places === 0 ? 0 : Math.floor((100 * determined) / places);
  const title = `${paint.bold('determined:')} ${share} % of what the judged answers show\n`;
  if (unjudged.size === 0) return title;
  const reasons = [...unjudged].toSorted(([, a], [, b]) => b - a);
  const total = reasons.reduce((sum, [, times]) => sum + times, 0);
  const lines = reasons.map(([why, times]) => `  ${String(times).padStart(4)}  ${why}\n`);
  return `${title}${paint.bold('not judged:')} ${count(total, 'exchange')}\n${lines.join('')}`;
}

function sum(traffic: Traffic, paint: Paint): string {
  const { violations, determined } = traffic;
  if (violations.length > 0) return paint.red(count(violations.length, 'violation'));
  return determined === 0 ? paint.yellow('nothing was determined') : paint.green('no violation');
}

function short(content: string): string {
  const line = content.replaceAll(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 197)}...` : line;
}
