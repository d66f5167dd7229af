import { compileTemplate, type Environment, type Frame, type Run } from '../../expression/compile.ts';
import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { step } from '../../specification/reading/address.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { answerByMedia } from '../../specification/vocabulary/answer.ts';
import { fieldValues } from '../../specification/vocabulary/answer-field.ts';
import {
  type ConditionName,
  covers,
  floorStatus,
  precision,
} from '../../specification/vocabulary/condition.ts';
import type { Errors, Payload, Row } from '../../specification/vocabulary/parts/errors.ts';
import { followsIn } from '../content/bringing.ts';
import { type Content, compileContent, compileRuns } from '../content/content.ts';
import { environmentOf, type Writers } from '../content/render.ts';
import { type Failing, type Judged, type Refusal, refuse } from '../message/refusal.ts';
import type { Because, Reply, Unsent } from '../message/reply.ts';
import { type Challenge, challengesOf } from './challenge.ts';

/** The rows of part 7, compiled for one operation, or for requests that reach none (language §7). */
export interface Refusals {
  /** The answer to a refusal: that of the row that fits, or the floor's. */
  readonly reply: (refusal: Refusal, frame: FrameOf) => Reply;
  /** The resource of the condition as which it is answered, where a row conceals it; null: none does. */
  readonly conceals: (refusal: Refusal) => string | null;
  /** Whether a row lists a condition. */
  readonly lists: (condition: ConditionName) => boolean;
  /** The place of a condition, or of `replay`, in `errors.order`; undefined where no row of it is listed there. */
  readonly place: (condition: Judged, code: string | null) => number | undefined;
  /** The rows that list a condition. */
  readonly rows: (condition: ConditionName) => readonly string[];
  /** The row that answers a refusal; null: none does. */
  readonly rowOf: (refusal: Refusal) => string | null;
  /** Of several refusals of one condition, that whose row stands first in `errors.order`, or else the first. */
  readonly choose: (found: readonly Refusal[]) => Refusal;
  /** What of these a row answers, or, for null, what no row does. */
  readonly fitting: (found: readonly Refusal[], code: string | null) => Refusal | null;
  /** Whether what a row sends follows a reference of the body, and so reads what is stored. */
  readonly follows: boolean;
  /** The rows whose condition is an expression of their own, judged for this operation. */
  readonly own: readonly ({ readonly code: string } & Own)[];
}

/** A condition of a row's own: an expression. */
interface Own {
  readonly run: Run;
  /** The names that it reads: what an item at hand, or one that the path binds, has to be there for; null: any. */
  readonly reads: ReadonlySet<string> | null;
  /** Whether it follows a reference of the body. */
  readonly follows: boolean;
}

type FrameOf = (names: Readonly<Record<string, unknown>>) => Frame;

interface CompiledRow {
  readonly code: string;
  readonly named: boolean;
  readonly conditions: readonly { readonly name: ConditionName; readonly subject: string }[];
  readonly own: Own | null;
  /** The condition as which it is answered. */
  readonly as: { readonly name: ConditionName; readonly subject: string } | null;
  readonly status: number | undefined;
  readonly content: Content;
  readonly message: Run | null;
  readonly constants: Readonly<Record<string, unknown>>;
  readonly extra: readonly (readonly [string, Run])[] | null;
}

export function compileRefusals(
  specification: Specification,
  of: Operation | null,
  writers: Writers,
): Refusals {
  const operation = of?.name ?? null;
  const subject = of?.subject?.name;
  const errors = stated(specification.errors);
  const codes = (errors && stated(errors.codes)) ?? new Map<string, Said<Row>>();
  const order = ((errors && stated(errors.order)) ?? []).map((one) => one.text);
  const rows: CompiledRow[] = [];
  for (const [code, said] of codes) {
    const row = stated(said);
    const operations = row && stated(row.operations)?.map((one) => one.text);
    if (!row || (operations && (operation === null || !operations.includes(operation)))) continue;
    rows.push(compileRow(code, row, errors as Errors, operations !== undefined, writers));
  }
  const messages = compileMessages(errors, environmentOf(writers));
  const rowsOf = (condition: ConditionName): CompiledRow[] =>
    rows.filter((row) => row.conditions.some((one) => one.name === condition));
  const challenge = challengesOf(specification, of);
  /** As what a row answers a refusal that it conceals (language §7.1). */
  const standIn = (refusal: Refusal, row: CompiledRow | undefined): Refusal | null => {
    if (!row?.as) return null;
    const { name, subject: own } = row.as;
    // What cannot be read is at a place, and about no resource.
    const subjects = refusal.condition === 'malformed' ? [] : refusal.subjects;
    const [about = subject ?? ''] = own === '' ? subjects : [own];
    return refuse(name, about.split('.')[0] as string);
  };
  const reply = (refusal: Refusal, frame: FrameOf): Reply => {
    const found = fitting(rows, refusal, order);
    if (found === null)
      return challenged(
        withFields(
          { ...floorReply(refusal.condition, challenge.isStated), because: because(refusal, null) },
          refusal,
        ),
        challenge,
      );
    const other = standIn(refusal, found.row);
    if (other) return reply(other, frame);
    const { row, failures } = found;
    return challenged(
      withFields(rowReply(row, failures, refusal, operation, messages, frame), refusal),
      challenge,
    );
  };
  const sentBy =
    errors === undefined
      ? []
      : sent(
          errors,
          [...codes.values()].flatMap((one) => stated(one) ?? []),
        );
  return {
    reply,
    follows: sentBy.some(({ template }) => followsIn(template, writers)),
    conceals: (refusal) => standIn(refusal, fitting(rows, refusal, order)?.row)?.subjects[0] ?? null,
    rows: (condition) => rowsOf(condition).map(({ code }) => code),
    rowOf: ({ condition, subjects }) => rowFor(rows, condition, subjects)?.code ?? null,
    choose: (found) => {
      const [first, ...others] = found as [Refusal, ...Refusal[]];
      if (others.length === 0) return first;
      const place = (one: Refusal): number => {
        const index = order.indexOf(fitting(rows, one, order)?.row.code ?? '');
        return index === -1 ? order.length : index;
      };
      return others.reduce((best, one) => (place(one) < place(best) ? one : best), first);
    },
    fitting: (found, code) => {
      for (const one of found) {
        const of = (subjects: readonly string[]): string | null =>
          rowFor(rows, one.condition, subjects)?.code ?? null;
        if (one.failures.length === 0) {
          if (of(one.subjects) === code) return one;
          continue;
        }
        const failures = one.failures.filter(({ subjects }) => of(subjects) === code);
        if (failures.length > 0) return { ...one, failures };
      }
      return null;
    },
    lists: (condition) => rows.some((row) => row.conditions.some((one) => one.name === condition)),
    place: (condition, code) => {
      const codes = rows
        .filter((row) =>
          code === null ? row.conditions.some((one) => one.name === condition) : row.code === code,
        )
        .map((row) => row.code);
      const listed = (condition === 'replay' ? [condition] : codes)
        .map((one) => order.indexOf(one))
        .filter((index) => index !== -1);
      return listed.length === 0 ? undefined : Math.min(...listed);
    },
    own: rows.flatMap(({ code, own }) => (own ? [{ code, ...own }] : [])),
  };
}

/** All that rows may send. */
function sent(errors: Errors, rows: readonly Row[]): readonly PlacedTemplate[] {
  const payload = stated(errors.payload);
  const fields = [payload ?? [], rows].flat().map(({ headers }) => fieldValues(headers));
  const maps = [errors.messages, ...rows.map((row) => row.extra)].map(stated);
  const contents = [payload ?? [], rows].flat().flatMap(answerByMedia<Payload>);
  const each = [...contents.flatMap(({ body, media }) => [body, media]), ...rows.map((row) => row.message)];
  const named = [...fields, ...maps].flatMap((map) => [...(map?.values() ?? [])]);
  return [...each, ...named].flatMap((said) => (said && stated(said)) ?? []);
}

function compileRow(code: string, row: Row, errors: Errors, named: boolean, writers: Writers): CompiledRow {
  const payload = stated(errors.payload);
  const conditions = stated(row.when) ?? [];
  const [own] = conditions.flatMap((one) => (one.expression ? [one.expression] : []));
  const headers = inherit(row.headers, payload?.headers);
  const single = {
    media: inherit(row.media, payload?.media),
    under: inherit(row.under, payload?.under),
    body: inherit(row.body, payload?.body),
  };
  const extra = stated(row.extra);
  const as = stated(row.as);
  // Of several the first (language §F.1).
  const status = stated(row.status)?.[0];
  return {
    code,
    named,
    conditions: conditions.flatMap((one) => one.names.map((name) => ({ name, subject: one.subject }))),
    own: own
      ? {
          run: compileTemplate(own.template, environmentOf(writers)),
          follows: followsIn(own.template, writers),
          reads:
            own.template.kind === 'handled'
              ? null
              : new Set(
                  expressionsIn(own.template).flatMap(({ syntax }) =>
                    pathsRead(syntax).map(([first]) => first as string),
                  ),
                ),
        }
      : null,
    as: as ? { name: as.names[0] as ConditionName, subject: as.subject } : null,
    status,
    content: compileContent(fieldValues(headers), stated(row.content) ?? [single], writers),
    message: compileMessage(row.message, conditions[0]?.names[0] ?? code, writers),
    constants: { code: stated(row.code) ?? code, ...optional('field', stated(row.field)) },
    extra: extra ? compileRuns(extra, environmentOf(writers)) : null,
  };
}

/** Where any text will do, the condition's own name is the message (language §F.1). */
function compileMessage(said: Row['message'], condition: string, writers: Writers): Run | null {
  if (said.kind === 'any') return () => condition;
  return said.kind === 'stated' ? compileTemplate(said.value.template, environmentOf(writers)) : null;
}

/** A row without a body, media or headers has those of `errors.payload` (language §E.16). */
function inherit<T>(own: Said<T>, shared: Said<T> | undefined): Said<T> {
  return own.kind === 'open' && shared ? shared : own;
}

/**
 * Of the rows that fit, those that name the operation come first, then the longest subject (language §H.4).
 * Where several failures lead to several rows, `errors.order` chooses, then the first failure.
 */
function fitting(
  rows: readonly CompiledRow[],
  refusal: Refusal,
  order: readonly string[],
): { row: CompiledRow; failures: readonly Failing[] } | null {
  if (refusal.code !== null) {
    const row = rows.find((one) => one.code === refusal.code);
    return row ? { row, failures: [] } : null;
  }
  if (refusal.failures.length === 0) {
    const row = rowFor(rows, refusal.condition, refusal.subjects);
    return row ? { row, failures: [] } : null;
  }
  const byRow = new Map<CompiledRow, Failing[]>();
  for (const failure of refusal.failures) {
    const row = rowFor(rows, refusal.condition, failure.subjects);
    if (row) byRow.set(row, [...(byRow.get(row) ?? []), failure]);
  }
  const place = (row: CompiledRow): number =>
    order.includes(row.code) ? order.indexOf(row.code) : order.length;
  const [first] = [...byRow].sort(([a], [b]) => place(a) - place(b));
  return first ? { row: first[0], failures: first[1] } : null;
}

function rowFor(
  rows: readonly CompiledRow[],
  condition: ConditionName,
  subjects: readonly string[],
): CompiledRow | null {
  let best: { row: CompiledRow; named: boolean; precision: number } | null = null;
  for (const row of rows)
    for (const { name, subject } of row.conditions) {
      if (name !== condition) continue;
      if (subject !== '' && !subjects.some((one) => covers(subject, one))) continue;
      const better =
        best === null ||
        (row.named && !best.named) ||
        (row.named === best.named && precision(subject) > best.precision);
      if (better) best = { row, named: row.named, precision: precision(subject) };
    }
  return best?.row ?? null;
}

/** Where no row lists a condition: the floor's status, no content (language §H.4). */
function floorReply(condition: ConditionName, isChallenge: boolean): Reply {
  // A 401 needs a challenge (RFC 9110 §15.5.2).
  const status = floorStatus[condition] === 401 && !isChallenge ? 400 : floorStatus[condition];
  return { status, headers: [], body: null };
}

/** With the fields that a refusal brings, where its row does not state them. */
function withFields(reply: Reply, { fields = [] }: Refusal): Reply {
  const stated = reply.headers.map((one) => one.toLowerCase());
  const more = fields.filter(
    (_, index) => !stated.includes((fields[index - (index % 2)] as string).toLowerCase()),
  );
  return more.length === 0 ? reply : { ...reply, headers: [...reply.headers, ...more] };
}

/** With a 401 goes the challenge, where the row does not state its own (language §5.1). */
function challenged(reply: Reply, { fields }: Challenge): Reply {
  if (reply.status !== 401 || fields.length === 0) return reply;
  if (reply.headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'www-authenticate'))
    return reply;
  return { ...reply, headers: [...reply.headers, ...fields] };
}

function rowReply(
  row: CompiledRow,
  failures: readonly Failing[],
  refusal: Refusal,
  operation: string | null,
  messages: Messages,
  frameOf: (names: Readonly<Record<string, unknown>>) => Frame,
): Reply {
  const status = row.status ?? floorStatus[refusal.condition];
  const shown = failures.map((failure) => ({ failure, message: messages(failure, frameOf) }));
  const error: Record<string, unknown> = {
    ...row.constants,
    status,
    ...optional('operation', operation ?? undefined),
    failures: shown.map(({ failure: { field, keyword }, message }) =>
      whenRead({ field, keyword }, [['message', message]]),
    ),
  };
  const frame = frameOf({ ...refusal.names, error });
  const { message, extra } = row;
  whenRead(error, [
    ['message', message && (() => message(frame))],
    [
      'extra',
      extra &&
        (() =>
          whenRead(
            {},
            extra.map(([name, run]) => [name, () => run(frame)]),
          )),
    ],
    ['fields', () => grouped(shown, error)],
  ]);
  const faults: Unsent[] = [];
  const content = row.content(frame, (unsent) => faults.push(unsent));
  return { status, ...content, because: because(refusal, row), ...(faults.length > 0 && { faults }) };
}

/**
 * Adds members that are evaluated when they are first read: one that cannot be evaluated holds up what reads it, and nothing
 * else. A member without a function is not there.
 */
function whenRead(
  object: Record<string, unknown>,
  members: readonly (readonly [string, (() => unknown) | null | undefined])[],
): Record<string, unknown> {
  for (const [name, evaluate] of members) {
    if (!evaluate) continue;
    const get = (): unknown => {
      const value = evaluate();
      Object.defineProperty(object, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(object, name, { get, enumerable: true, configurable: true });
  }
  return object;
}

/** Why a request was refused: by the names of what is stated, and by nothing that the request brought. */
function because({ condition, subjects, failures }: Refusal, row: CompiledRow | null): Because {
  const named = ({ subjects: [subject = ''], keyword }: Failing): string => {
    const [of = '', field = ''] = subject.split('.');
    return keyword === 'others' ? `${of}.others` : `${of}.${field}.${keyword}`;
  };
  const about = failures.length > 0 ? [...new Set(failures.map(named))] : subjects.slice(0, 1);
  return {
    statements: row === null ? [] : [step('errors.codes', row.code)],
    condition,
    about: about.filter((one) => one !== ''),
    ...(row && { code: String(row.constants['code']) }),
  };
}

/** Of a row with field and message, these; else failures by field, of which those without a message add none (§7.2). */
function grouped(
  shown: readonly { readonly failure: Failing; readonly message: (() => string) | undefined }[],
  error: Readonly<Record<string, unknown>>,
): Record<string, string[]> {
  const { field, message: whole } = error;
  if (typeof field === 'string' && typeof whole === 'string') return Object.fromEntries([[field, [whole]]]);
  const fields = new Map<string, string[]>();
  for (const { failure, message } of shown)
    if (message !== undefined) fields.set(failure.field, [...(fields.get(failure.field) ?? []), message()]);
  return Object.fromEntries(fields);
}

function optional<T>(name: string, value: T | undefined): Readonly<Record<string, T>> {
  return value === undefined ? {} : { [name]: value };
}

type Messages = (
  failure: Failing,
  frame: (names: Readonly<Record<string, unknown>>) => Frame,
) => (() => string) | undefined;

/** The text for a failure: by `R.field.keyword`, then `R.field`, then the keyword (language §7, `messages`). */
function compileMessages(errors: Errors | undefined, environment: Environment): Messages {
  const compiled = new Map(compileRuns(errors && stated(errors.messages), environment));
  return (failure, frameOf) => {
    const [narrowest] = failure.subjects;
    const field = narrowest?.slice(0, narrowest.length - failure.keyword.length - 1);
    const run = compiled.get(narrowest ?? '') ?? compiled.get(field ?? '') ?? compiled.get(failure.keyword);
    if (run === undefined) return undefined;
    const frame = frameOf({ value: failure.value, error: { limit: failure.limit } });
    return () => String(run(frame));
  };
}
