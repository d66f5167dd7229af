import type { Operation } from '../../specification/model/operation.ts';
import type { Address } from '../../specification/reading/address.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { conditionNames, covers, floorStatus, precision } from '../../specification/vocabulary/condition.ts';
import type { Row } from '../../specification/vocabulary/parts/errors.ts';
import type { FieldFailure, Refusal } from '../change/refusal.ts';
import { absent } from '../value/evaluate.ts';
import { content } from '../value/payload.ts';
import { NotComputable, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { Prediction } from './prediction.ts';

interface Fitting {
  readonly code: string;
  readonly row: Row;
  readonly refusal: Refusal;
  readonly failures: readonly FieldFailure[];
}

/** The answer to a refusal. Of several conditions that hold, `errors.order` chooses, else the service (language §F.1). */
export function refusedAs(
  refusals: readonly Refusal[],
  operation: Operation,
  moment: Moment,
  by: Address,
): Prediction {
  const { errors } = moment.world.specification;
  const rows = [...(stated(stated(errors)?.codes) ?? [])];
  const fitting = refusals.flatMap((refusal) => rowFor(refusal, rows, operation) ?? []);
  const order = (stated(stated(errors)?.order) ?? []).map(({ text }) => text);
  const rank = ({ code }: Fitting): number => (order.includes(code) ? order.indexOf(code) : order.length);
  const least = Math.min(...fitting.map(rank), order.length);
  const first = fitting.filter((fit) => rank(fit) === least).toSorted((a, b) => place(a) - place(b));
  const unlisted = refusals.filter((refusal) => !fitting.some((fit) => fit.refusal === refusal));
  const choices = least === order.length ? [...first, ...unlisted] : first;
  const chosen = choices[moment.world.ways.choose(choices.length)];
  if (chosen === undefined) throw new TypeError('nothing refuses');
  return 'row' in chosen ? answered(chosen, operation, moment) : floor(chosen, by);
}

function place({ refusal }: Fitting): number {
  return conditionNames.indexOf(refusal.condition);
}

/** Without a row: the status of the protocol floor, without content. */
function floor({ condition }: Refusal, by: Address): Prediction {
  return { status: [floorStatus[condition]], headers: {}, body: absent, by };
}

/** The row of a refusal: one that names the operation first, then the longest subject (language §H.4, rule 4). */
function rowFor(
  refusal: Refusal,
  rows: readonly (readonly [string, Said<Row>])[],
  { name }: Operation,
): Fitting | undefined {
  const found = rows.flatMap(([code, said]) => {
    const row = stated(said);
    const operations = row && stated(row.operations);
    if (!row || (operations && !operations.some(({ text }) => text === name))) return [];
    return (stated(row.when) ?? []).flatMap((condition) => {
      if (!condition.names.includes(refusal.condition)) return [];
      const failures = refusal.failures.filter((failure) =>
        covers(condition.subject, subjectOf(refusal, failure)),
      );
      const fits =
        refusal.failures.length > 0 ? failures.length > 0 : covers(condition.subject, refusal.subject);
      return fits
        ? [{ code, row, refusal, failures, precise: precision(condition.subject) + (operations ? 1000 : 0) }]
        : [];
    });
  });
  return found.toSorted((a, b) => b.precise - a.precise)[0];
}

function subjectOf({ subject }: Refusal, { field, keyword }: FieldFailure): string {
  return `${subject}.${field}.${keyword}`;
}

function answered(
  { code, row, refusal, failures }: Fitting,
  operation: Operation,
  moment: Moment,
): Prediction {
  if (stated(row.as)) return { status: unknown([]), headers: {}, body: unknown([]), by: row.as.address };
  const status = stated(row.status) ?? [floorStatus[refusal.condition]];
  const listed = failures.map((failure) => messageOf(failure, refusal, moment));
  const partial: Record<string, Value> = {
    code: stated(row.code) ?? code,
    status: status[0] as number,
    operation: operation.name,
    failures: listed,
    ...optional('field', stated(row.field)),
    ...(row.extra.kind === 'stated' && { extra: unknown([]) }),
  };
  const message = stated(row.message);
  if (message) partial['message'] = moment.value(message, { error: partial });
  const error = { ...partial, fields: grouped(listed, partial) };
  const own = stated(row.body);
  const body = own
    ? sentIfComputed(() => content(own.template, stated(row.under), moment.scope({ error })))
    : absent;
  return { status, headers: {}, body, by: `errors.codes.${code}` };
}

/** A body that cannot be computed is not sent, and the status stays (language §H.3). */
function sentIfComputed(body: () => Value): Prediction['body'] {
  try {
    return body();
  } catch (error) {
    if (error instanceof NotComputable) return absent;
    throw error;
  }
}

function optional(name: string, value: Value | undefined): Record<string, Value> {
  return value === undefined ? {} : { [name]: value };
}

/** A failure as `error.failures` lists it, with the text of `messages` (language §7.1, rule 15). */
function messageOf(failure: FieldFailure, { subject }: Refusal, moment: Moment): Value {
  const { field, keyword, value, limit } = failure;
  const messages = stated(stated(moment.world.specification.errors)?.messages);
  const keys = [`${subject}.${field}.${keyword}`, `${subject}.${field}`, keyword];
  const said = keys.map((key) => stated(messages?.get(key))).find((text) => text !== undefined) as
    | PlacedTemplate
    | undefined;
  return { field, keyword, message: said ? moment.value(said, { value, error: { limit } }) : null };
}

/** The messages by field; if the row states a field and a message, these (language §7.2). */
function grouped(failures: readonly Value[], error: Readonly<Record<string, Value>>): Value {
  const { field, message } = error;
  if (typeof field === 'string' && message !== undefined) return { [field]: [message] };
  const found: Record<string, Value[]> = {};
  for (const failure of failures as readonly Readonly<Record<string, Value>>[]) {
    const { field: at, message: text } = failure;
    if (text !== null && text !== undefined) found[String(at)] = [...(found[String(at)] ?? []), text];
  }
  return found;
}
