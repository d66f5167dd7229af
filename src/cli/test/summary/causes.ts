import type { Cause } from '../../../conformance/verdicts/causes.ts';
import { type Paint, visible } from '../../../source/diagnostic.ts';
import { count } from '../../command.ts';
import { placeOf } from '../place.ts';

/** How many causes are listed where not all are. */
const most = 20;

/** How much of what is expected, and of what is found, is shown, in characters. */
const longest = 80;

/** What is to be mended, a line a cause: the statement, the operations that show it, and what is wrong. */
export function causeList(causes: readonly Cause[], paint: Paint, isWhole: boolean): string {
  if (causes.length === 0) return '';
  const shown = isWhole ? causes : causes.slice(0, most);
  const more = causes.length - shown.length;
  const lines = shown.map((cause, index) => `${String(index + 1).padStart(3)}  ${causeLine(cause, paint)}\n`);
  const rest = more > 0 ? paint.dim(`     and ${count(more, 'other cause')} (--verbose lists them)\n`) : '';
  return `${paint.bold('what to fix')}\n${lines.join('')}${rest}`;
}

/** A cause in one line. */
export function causeLine(cause: Cause, paint: Paint): string {
  const { statement, place, exchanges, assumed } = cause;
  const { file, line } = placeOf(statement.at);
  const [{ expected = '', found = '' }] = cause.results;
  return [
    paint.bold(visible(statement.address)) + (place === undefined ? '' : ` (${visible(place)})`),
    paint.dim(visible(`${file}:${line}`)),
    ...operationsIn(cause),
    `expected ${short(expected)}, found ${short(found)}`,
    ...(exchanges > 1 ? [paint.dim(`${exchanges} exchanges`)] : []),
    ...(assumed ? [paint.yellow('assumed')] : []),
  ].join('  ');
}

/** The operations of a cause, unless its statement names the only one. */
function operationsIn({ operations, statement }: Cause): readonly string[] {
  const [first, ...others] = operations;
  if (first === undefined || (others.length === 0 && statement.address.includes(`"${first}"`))) return [];
  if (others.length <= 1) return [operations.map(visible).join(', ')];
  return [`${visible(first)} and ${count(others.length, 'other operation')}`];
}

/** How far a cause reaches, if further than one exchange: `in 3 exchanges, with GET /a and GET /b`. */
export function extentOf({ exchanges, operations }: Cause): readonly string[] {
  if (exchanges === 1) return [];
  return [`in ${exchanges} exchanges${operations.length > 1 ? `, with ${operations.join(', ')}` : ''}`];
}

function short(text: string): string {
  const line = visible(text.replaceAll(/\s+/g, ' '));
  return line.length > longest ? `${line.slice(0, longest - 3)}...` : line;
}
