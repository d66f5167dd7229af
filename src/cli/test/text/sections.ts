import { curl } from '../../../conformance/http.ts';
import type { Report } from '../../../conformance/report.ts';
import { type Verdict, verdicts } from '../../../conformance/result.ts';
import { blocking, byPart, countsOf } from '../../../conformance/summary.ts';
import { questionAt } from '../../../report/status.ts';
import { printable } from '../../../report/text.ts';
import type { Paint } from '../../../source/diagnostic.ts';
import { at } from '../../../source/text.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { count } from '../../command.ts';
import { exampleOf, inventedAlike, inventedWords } from '../invented.ts';
import { playedCounts, playedWords } from '../played.ts';
import { short } from './violations.ts';

const colours: Readonly<Record<Verdict, keyof Paint>> = {
  conforms: 'green',
  violates: 'red',
  'not exercised': 'dim',
  'not stated': 'yellow',
};

/** Every check, with its statement. */
export function everyCheck({ results }: Report, paint: Paint): string {
  return [...byPart(results)]
    .map(([part, group]) => {
      const lines = group.map(({ verdict, says, statement, points, reason, assumed }) => {
        const why = reason ?? points?.join(', ');
        const mark = paint[colours[verdict]](verdict.padEnd(13));
        const place = paint.dim(`${statement.address}  ${statement.at}`);
        return `  ${mark} ${says}${assumed ? ' (assumed)' : ''}\n${' '.repeat(16)}${place}\n${why ? `${' '.repeat(16)}${why}\n` : ''}`;
      });
      return `${paint.bold(part)}\n${lines.join('')}`;
    })
    .join('\n');
}

/** Counts by part and verdict; those that rest on an assumption in a column of their own. */
export function table({ results }: Report, paint: Paint): string {
  const groups = [...byPart(results)].map(([part, group]) => [part, countsOf(group)] as const);
  const rows = [...groups, ['all', countsOf(results)] as const];
  const hasAssumed = results.some(({ assumed }) => assumed);
  const header = ['', ...verdicts, ...(hasAssumed ? ['assumed'] : [])];
  const cell = (value: string, index: number): string =>
    index === 0 ? value.padEnd(15) : value.padStart(15);
  const lines = rows.map(([part, counts]) => {
    const assumed = verdicts.reduce((sum, verdict) => sum + counts[verdict].assumed, 0);
    const numbers = verdicts.map((verdict, index) => {
      const padded = cell(String(counts[verdict].stated), index + 1);
      return counts[verdict].stated > 0 ? paint[colours[verdict]](padded) : padded;
    });
    return [cell(part, 0), ...numbers, ...(hasAssumed ? [cell(String(assumed), 1)] : [])].join('');
  });
  return `${paint.bold(header.map(cell).join(''))}\n${lines.join('\n')}\n`;
}

/** How many lines of a section are shown where not all are. */
const most = 8;

/** The open points for which most checks could not be judged. */
export function blockedBy({ results }: Report, of: Specification, paint: Paint): string {
  const points = blocking(results);
  if (points.length === 0) return '';
  const lines = points.slice(0, most).map(([address, checks]) => {
    const point = of.points.get(address);
    const question = questionAt(of, address);
    const asks = question === null ? '' : `        asks: ${printable(question)}\n`;
    return `  ${String(checks).padStart(4)}  ${printable(address)}${point ? `  ${paint.dim(at(point.at))}` : ''}\n${asks}`;
  });
  const more =
    points.length > most ? paint.dim(`        and ${count(points.length - most, 'other point')}\n`) : '';
  return `${paint.bold('not stated: the open points that checks hang on')}\n${lines.join('')}${more}`;
}

/** Why statements were not exercised, each reason once. */
export function reasons({ results }: Report, paint: Paint, verbose: boolean): string {
  const counts = new Map<string, number>();
  for (const { reason, verdict } of results)
    if (reason !== undefined && verdict === 'not exercised')
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  if (sorted.length === 0 || verbose) return '';
  const lines = sorted
    .slice(0, most)
    .map(([reason, checks]) => `  ${String(checks).padStart(4)}  ${short(reason)}\n`);
  const more =
    sorted.length > most ? paint.dim(`        and ${count(sorted.length - most, 'other reason')}\n`) : '';
  return `${paint.bold('not exercised')}\n${lines.join('')}${more}`;
}

/** The examples that were answered otherwise than they show, or not played; all of them where every check is shown. */
export function examples({ examples: all }: Report, paint: Paint, verbose: boolean): string {
  if (all.length === 0) return '';
  const shown = all.filter(({ outcome }) => verbose || outcome !== 'as expected');
  const lines = shown.map((example) => {
    const { name, at: place, outcome, exchange } = example;
    const mark = outcome === 'otherwise' ? paint.yellow(outcome) : paint.dim(outcome);
    const again = exchange && outcome === 'otherwise' ? [paint.dim(curl(exchange.request))] : [];
    const words = [...playedWords(example).map(short), ...again].map((one) => `        ${one}\n`);
    return `  ${mark}  ${printable(name)}  ${paint.dim(place)}\n${words.join('')}`;
  });
  return `${paint.bold(`examples: ${playedCounts(all)}`)}\n${lines.join('')}`;
}

/** What the implementation shows and nobody stated, with an example each. */
export function inventions(report: Report, paint: Paint, verbose: boolean): string {
  const all = inventedAlike(report.inventions);
  if (all.length === 0) return '';
  const shown = all.slice(0, verbose ? all.length : most);
  const lines = shown.map((one) => {
    const [first, ...others] = one.operations.map((operation) => operation ?? 'where no endpoint is listed');
    const places = others.length === 0 ? first : `${first} and ${count(others.length, 'other')}`;
    return `  ${String(one.times).padStart(4)}  ${printable(inventedWords(one))}  ${paint.dim(printable(places ?? ''))}\n        ${paint.dim(exampleOf(one))}\n`;
  });
  const more = paint.dim(`        and ${count(all.length - shown.length, 'other')} (--verbose shows them)\n`);
  return `${paint.bold('shown, and stated by nobody')}\n${lines.join('')}${shown.length < all.length ? more : ''}`;
}
