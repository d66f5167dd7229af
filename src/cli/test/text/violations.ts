import type { Exchange } from '../../../conformance/http.ts';
import type { Result } from '../../../conformance/result.ts';
import type { Cause } from '../../../conformance/verdicts/causes.ts';
import { type Paint, visible } from '../../../source/diagnostic.ts';
import { commandsFor, type Run } from '../shell/again.ts';

/** What is shown where not all is: causes in full, and of each so many violations more by their sentence. */
const most = { causes: 10, others: 3 } as const;

/** The requests before the one that decides are shown where there are at most so many in all. */
const mostBefore = 8;

/** Commands are shown up to so many characters; longer ones are for the reports. */
const longest = 6000;

/** The violations by their cause, each with its number in the summary: the first in full, and how to come to it again. */
export function violationList(causes: readonly Cause[], run: Run, paint: Paint, isWhole: boolean): string {
  const shown = isWhole ? causes : causes.slice(0, most.causes);
  if (shown.length === 0) return '';
  const blocks = shown.map((cause, index) => {
    const full = isWhole ? cause.results : cause.results.slice(0, 1);
    const violations = full.map((one) => violation(one, `${index + 1}`, run, paint));
    return `\n${violations.join('\n')}${othersOf(cause, full.length, paint)}`;
  });
  const isFirm = causes.some(({ assumed }) => !assumed);
  const title = isFirm ? 'violates' : 'violates what is assumed, and fails nothing without --assumed fails';
  return `${paint.bold(paint.red(title))}\n${blocks.join('')}`;
}

/** The other violations of the cause, by their sentences. */
function othersOf({ results }: Cause, shown: number, paint: Paint): string {
  const others = results.slice(shown, shown + most.others);
  const rest = results.length - shown - others.length;
  const lines = others.map(({ says }) => row('also', visible(says), paint));
  const more = rest > 0 ? row('', paint.dim(`and ${rest} more (--verbose shows them)`), paint) : '';
  return lines.join('') + more;
}

function row(name: string, value: string, paint: Paint): string {
  return `  ${paint.dim(name.padEnd(10))}${value}\n`;
}

function violation(result: Result, number: string, run: Run, paint: Paint): string {
  const { says, statement, assumed, expected, found, sequence = [], request, response } = result;
  const line = (name: string, value: string): string => row(name, visible(value), paint);
  const type = response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const body = request?.body == null ? '' : ` ${short(request.body)}`;
  const answer = response ? `${response.status}${type ? ` ${type}` : ''} ${short(response.body)}` : 'none';
  return [
    `${number.padStart(3)}  ${paint.red(visible(says))}${assumed ? ' (assumed)' : ''}\n`,
    row('statement', `${visible(statement.address)}  ${paint.dim(visible(statement.at))}`, paint),
    line('expected', expected ?? ''),
    line('found', found ?? ''),
    // The shortest way that is known; a longer one is for the reports.
    ...(sequence.length <= mostBefore ? sequence.slice(0, -1).map((one) => line('before', asked(one))) : []),
    request ? line('request', `${request.method} ${request.url}${body}`) : '',
    line('answer', answer),
    again(commandsFor(result, run), paint),
  ].join('');
}

/** One command beside its title; several below it, from the left, to be copied as they are. */
function again(commands: string | undefined, paint: Paint): string {
  if (commands === undefined) return '';
  if (commands.length > longest)
    return row('again', paint.dim('too long to be shown here: --report html=FILE has the commands'), paint);
  const isOne = commands.trimEnd().split('\n').length === 1;
  return isOne
    ? row('again', commands.trimEnd(), paint)
    : `${row('again', paint.dim('paste this into a shell'), paint)}\n${commands}\n`;
}

function asked({ request, response }: Exchange): string {
  const content = request.body === null ? '' : ` ${short(request.body)}`;
  return `${request.method} ${request.url}${content} → ${response?.status ?? 'no answer'}`;
}

/** A text on one line, cut where it is long. */
export function short(content: string): string {
  const line = content.replaceAll(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 197)}...` : line;
}
