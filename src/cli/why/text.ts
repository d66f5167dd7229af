import { STATUS_CODES } from 'node:http';
import { statementNear } from '../../conformance/verdicts/verdicts.ts';
import { printable } from '../../report/text.ts';
import type { Refusal } from '../../semantics/change/refusal.ts';
import { statusTexts } from '../../semantics/request/prediction.ts';
import type { Step } from '../../semantics/request/request.ts';
import { conditionsOf, type JudgedCondition } from '../../semantics/request/trace.ts';
import { absent } from '../../semantics/value/evaluate.ts';
import { Unknown, type Value } from '../../semantics/value/value.ts';
import type { Paint } from '../../source/diagnostic.ts';
import { at } from '../../source/text.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Address } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import { reasonsOf, valueText } from './value.ts';

interface About {
  readonly of: Specification;
  readonly operation: Operation;
  readonly paint: Paint;
}

/** What may come of a request, each outcome once. */
export function outcomesText(steps: readonly Step[], about: About): string {
  const { operation, paint } = about;
  const name = operation.name === operation.key ? '' : ` ${printable(operation.name)}`;
  const place = paint.dim(at(operation.at));
  const outcomes = [...new Set(steps.map((step) => outcomeText(step, about)))];
  const several = outcomes.length > 1 ? `\n${paint.dim(`one of ${outcomes.length} may come of it`)}\n` : '';
  return `${paint.bold(printable(operation.key))}${name}  ${place}\n${several}\n${outcomes.join('\n')}`;
}

/** A request that is refused before it is known what it asks for. */
export function refusalText(
  { condition, subject }: Refusal,
  { of, operation, paint }: Omit<About, 'operation'> & { readonly operation: Operation | null },
): string {
  const rows = [...(stated(stated(of.errors)?.codes) ?? [])].filter(([, said]) =>
    (stated(stated(said)?.when) ?? []).some(({ names }) => names.includes(condition)),
  );
  const title = `${operation ? printable(operation.key) : 'no operation'}: refused\n\n`;
  const places = rows.map(([code, said]) =>
    row('by', `errors.codes.${code}  ${paint.dim(at(said.at))}`, paint),
  );
  return [paint.bold(title), row('refuses', `${condition} ${subject}`.trim(), paint), ...places].join('');
}

function outcomeText({ prediction, trace }: Step, about: About): string {
  const { status, headers, body, by } = prediction;
  const { of, operation, paint } = about;
  const title = status instanceof Unknown ? 'not known' : statusTexts(status, statusText).join(' or ');
  const content: Value | null = body === absent ? null : (body as Value);
  const fields = Object.entries(headers).filter(([, value]) => value !== null);
  const shown = [
    ...fields.map(([name, value]): Row => [name, valueText(value, 12)]),
    ...(status instanceof Unknown
      ? []
      : [['body', content === null ? '(none)' : valueText(content, 12)] as Row]),
  ];
  const unknown = [status, ...fields.map(([, value]) => value), ...(content === null ? [] : [content])];
  const reasons = [
    ...new Set(unknown.flatMap((value) => (Array.isArray(value) ? [] : reasonsOf(value as Value)))),
  ];
  const conditions = conditionsOf(trace, operation, of);
  return [
    `${paint.bold(title)}\n`,
    ...shown.map(([name, text]) => row(name, text, paint)),
    ...(by === '' || by === operation.address ? [] : [row('by', placed(by, about), paint)]),
    ...reasons.map((reason) => row('open', placed(reason, about), paint)),
    ...conditions.flatMap((condition) => conditionRows(condition, about)),
  ].join('');
}

type Row = readonly [name: string, text: string];

function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

function row(name: string, text: string, paint: Paint): string {
  return `  ${paint.dim(name.padEnd(9))} ${text}\n`;
}

function conditionRows(
  { condition, subject, refuses, by }: JudgedCondition,
  about: About,
): readonly string[] {
  const name = `${condition} ${subject}`.trim();
  const [first = '', ...others] = by.map((address) => placed(address, about));
  const title = `${printable(name).padEnd(22)} ${first}`.trimEnd();
  return [
    row(refuses ? 'refuses' : 'passed', title, about.paint),
    ...others.map((text) => row('', `${' '.repeat(22)} ${text}`, about.paint)),
  ];
}

/** An address, and the place of its statement. A reason that is no address stands for itself. */
function placed(address: Address, { of, operation, paint }: About): string {
  const near = statementNear(of, address, operation.does);
  const isKnown = address.startsWith(near.address);
  return isKnown ? `${printable(address)}  ${paint.dim(at(near.at))}` : printable(address);
}
