import type { Result } from '../../conformance/check.ts';
import { curl, type Exchange } from '../../conformance/http.ts';
import type { Report } from '../../conformance/report.ts';
import { blocking, byPart, countsOf, outcomeOf } from '../../conformance/summary.ts';
import { type Verdict, verdicts } from '../../conformance/verdict.ts';
import { questionAt } from '../../report/status.ts';
import { printable } from '../../report/text.ts';
import type { Paint } from '../../source/diagnostic.ts';
import { at } from '../../source/text.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { count } from '../command.ts';
import { exampleOf, inventedAlike, inventedWords } from './invented.ts';
import { playedCounts, playedWords } from './played.ts';
import { sentence } from './sentence.ts';

/** The report for people: what violates in full, the rest in numbers, and what is open and blocked most. */
export function text(report: Report, of: Specification, paint: Paint, verbose: boolean): string {
  const violations = report.results.filter(({ verdict }) => verdict === 'violates');
  const [assumed, firm] = [violations.filter((one) => one.assumed), violations.filter((one) => !one.assumed)];
  const sections = [
    head(report, paint),
    verbose ? everyCheck(report, paint) : '',
    firm.length > 0 ? violationList('violates', firm, paint, verbose) : '',
    assumed.length > 0
      ? violationList('violates what is assumed, and fails nothing', assumed, paint, verbose)
      : '',
    table(report, paint),
    blockedBy(report, of, paint),
    reasons(report, 'not stated', 'not stated: words that the tester does not know', paint, verbose),
    reasons(report, 'not exercised', 'not exercised', paint, verbose),
    apart(report, paint),
    examples(report, paint, verbose),
    inventions(report, paint, verbose),
    `${summary(report, paint)}\n`,
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function head({ specification, url, seed, requests, tookMs }: Report, paint: Paint): string {
  const name = paint.bold(specification.name || specification.file);
  const took = `${count(requests, 'request')} in ${(tookMs / 1000).toFixed(1)} s, seed ${seed}`;
  return `${name}\n${paint.dim(`${specification.file} against ${url}: ${took}`)}\n`;
}

const colours: Readonly<Record<Verdict, keyof Paint>> = {
  conforms: 'green',
  violates: 'red',
  'not exercised': 'dim',
  'not stated': 'yellow',
};

function everyCheck({ results }: Report, paint: Paint): string {
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

/** How many violations of one kind against one statement are shown in full. */
const alike = 3;

function violationList(title: string, violations: readonly Result[], paint: Paint, verbose: boolean): string {
  const kinds = Map.groupBy(violations, ({ check, statement }) => `${check} ${statement.address}`);
  const lines = [...kinds.values()].flatMap((group) => {
    const full = verbose ? group : group.slice(0, alike);
    const rest = group.length - full.length;
    const more = paint.dim(
      `  and ${rest} more of this kind, against the same statement (--verbose shows them)\n`,
    );
    return [...full.map((one) => `\n${violation(one, paint)}`), ...(rest > 0 ? [`\n${more}`] : [])];
  });
  return `${paint.bold(paint.red(title))}\n${lines.join('')}`;
}

/** The requests before the one that decides are shown where there are at most so many in all. */
const mostBefore = 8;

function asked({ request, response }: Exchange): string {
  const content = request.body === null ? '' : ` ${short(request.body)}`;
  return `${request.method} ${request.url}${content} → ${response?.status ?? 'no answer'}`;
}

function violation(
  { says, statement, expected, found, sequence = [], request, response, curl }: Result,
  paint: Paint,
): string {
  const row = (name: string, value: string): string => `  ${paint.dim(name.padEnd(10))}${value}\n`;
  const type = response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return [
    `  ${paint.red(says)}\n`,
    row('statement', `${statement.address}  ${paint.dim(statement.at)}`),
    row('expected', expected ?? ''),
    row('found', found ?? ''),
    // The shortest way that is known; a longer one is for the reports.
    ...(sequence.length <= mostBefore ? sequence.slice(0, -1).map((one) => row('before', asked(one))) : []),
    request
      ? row(
          'request',
          `${request.method} ${request.url}${request.body === null ? '' : ` ${short(request.body)}`}`,
        )
      : '',
    response
      ? row('answer', `${response.status}${type ? ` ${type}` : ''} ${short(response.body)}`)
      : row('answer', 'none'),
    row('again', curl ?? ''),
  ].join('');
}

function short(content: string): string {
  const line = content.replaceAll(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 197)}...` : line;
}

/** Counts by part and verdict; those that rest on an assumption in a column of their own. */
function table({ results }: Report, paint: Paint): string {
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

const most = 8;

/** The open points for which most checks could not be judged. */
function blockedBy({ results }: Report, of: Specification, paint: Paint): string {
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

/** Why checks ended so, each reason once. */
function reasons({ results }: Report, ended: Verdict, title: string, paint: Paint, verbose: boolean): string {
  const counts = new Map<string, number>();
  for (const { reason, verdict } of results)
    if (reason !== undefined && verdict === ended) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  if (sorted.length === 0 || verbose) return '';
  const lines = sorted
    .slice(0, most)
    .map(([reason, checks]) => `  ${String(checks).padStart(4)}  ${short(reason)}\n`);
  const more =
    sorted.length > most ? paint.dim(`        and ${count(sorted.length - most, 'other reason')}\n`) : '';
  return `${paint.bold(title)}\n${lines.join('')}${more}`;
}

/** What is stated and has no check of its own, in numbers. */
function apart({ unchecked }: Report, paint: Paint): string {
  if (unchecked.length === 0) return '';
  const reasons = Map.groupBy(unchecked, ({ why }) => why);
  const lines = [...reasons].map(([why, all]) => `  ${String(all.length).padStart(4)}  ${short(why)}\n`);
  return `${paint.bold('stated, without a check of its own')}\n${lines.join('')}`;
}

/** The examples that were answered otherwise than they show, or not played; all of them where every check is shown. */
function examples({ examples: all }: Report, paint: Paint, verbose: boolean): string {
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
function inventions(report: Report, paint: Paint, verbose: boolean): string {
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

function summary(report: Report, paint: Paint): string {
  const colour = {
    violated: paint.red,
    'in order': paint.green,
    'cut short': paint.yellow,
    'nothing exercised': paint.yellow,
  } as const;
  return colour[outcomeOf(report)](sentence(report));
}
