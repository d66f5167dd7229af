import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { answerByMedia } from '../../specification/vocabulary/answer.ts';
import { fieldValues } from '../../specification/vocabulary/answer-field.ts';
import { type ConditionName, floorStatus } from '../../specification/vocabulary/condition.ts';
import type { Errors, Payload } from '../../specification/vocabulary/parts/errors.ts';
import { followsIn } from '../content/bringing.ts';
import { environmentOf, type Writers } from '../content/render.ts';
import type { FrameOf } from '../message/frame.ts';
import { type Judged, type Refusal, refuse } from '../message/refusal.ts';
import type { Reply } from '../message/reply.ts';
import { type Challenge, challengesOf } from './challenge.ts';
import { type CompiledRow, compileRow, type Own } from './row.ts';
import { because, compileMessages, rowReply } from './row-reply.ts';
import { type Fit, Rows } from './rows.ts';

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

/** @param of null: for requests that reach no operation */
export function compileRefusals(
  specification: Specification,
  of: Operation | null,
  writers: Writers,
): Refusals {
  const operation = of?.name ?? null;
  const errors = stated(specification.errors);
  const rows = compileRows(errors, operation, writers);
  const messages = compileMessages(errors, environmentOf(writers));
  const challenge = challengesOf(specification, of);
  const replyBy = (refusal: Refusal, fit: Fit | null, frame: FrameOf): Reply =>
    fit === null
      ? floorReply(refusal, challenge.isStated)
      : rowReply(fit, refusal, operation, messages, frame);
  const reply = (refusal: Refusal, frame: FrameOf): Reply => {
    const fit = rows.fit(refusal);
    const other = fit && standIn(refusal, fit.row, of);
    return other
      ? reply(other, frame)
      : challenged(withFields(replyBy(refusal, fit, frame), refusal), challenge);
  };
  const sentBy = errors === undefined ? [] : sent(errors);
  return {
    reply,
    follows: sentBy.some(({ template }) => followsIn(template, writers)),
    conceals: (refusal) => standIn(refusal, rows.fit(refusal)?.row, of)?.subjects[0] ?? null,
    rows: (condition) => rows.of(condition).map(({ code }) => code),
    rowOf: ({ condition, subjects }) => rows.covering(condition, subjects)?.code ?? null,
    choose: (found) => rows.choose(found),
    fitting: (found, code) => rows.fitting(found, code),
    lists: (condition) => rows.of(condition).length > 0,
    place: (condition, code) => rows.place(condition, code),
    own: rows.all.flatMap(({ code, own }) => (own ? [{ code, ...own }] : [])),
  };
}

/** The rows that an operation may answer by: those that name it, and those that name none. */
function compileRows(errors: Errors | undefined, operation: string | null, writers: Writers): Rows {
  if (errors === undefined) return new Rows([], []);
  const rows = [...(stated(errors.codes) ?? [])].flatMap(([code, said]) => {
    const row = stated(said);
    const operations = row && stated(row.operations)?.map((one) => one.text);
    if (!row || (operations && (operation === null || !operations.includes(operation)))) return [];
    return [compileRow(code, row, errors, operations !== undefined, writers)];
  });
  return new Rows(
    rows,
    (stated(errors.order) ?? []).map(({ text }) => text),
  );
}

/** As what a row answers a refusal that it conceals (language §7.1); null: it conceals none. */
function standIn(refusal: Refusal, row: CompiledRow | undefined, of: Operation | null): Refusal | null {
  if (!row?.as) return null;
  const { name, subject: own } = row.as;
  // What cannot be read is at a place, and about no resource.
  const subjects = refusal.condition === 'malformed' ? [] : refusal.subjects;
  const [about = of?.subject?.name ?? ''] = own === '' ? subjects : [own];
  return refuse(name, about.split('.')[0] as string);
}

/** All that rows may send. */
function sent(errors: Errors): readonly PlacedTemplate[] {
  const rows = [...(stated(errors.codes)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
  const payload = stated(errors.payload);
  const fields = [payload ?? [], rows].flat().map(({ headers }) => fieldValues(headers));
  const maps = [errors.messages, ...rows.map((row) => row.extra)].map(stated);
  const contents = [payload ?? [], rows].flat().flatMap(answerByMedia<Payload>);
  const each = [...contents.flatMap(({ body, media }) => [body, media]), ...rows.map((row) => row.message)];
  const named = [...fields, ...maps].flatMap((map) => [...(map?.values() ?? [])]);
  return [...each, ...named].flatMap((said) => (said && stated(said)) ?? []);
}

/** Where no row lists a condition: the floor's status, no content (language §H.4). */
function floorReply(refusal: Refusal, isChallenge: boolean): Reply {
  const { condition } = refusal;
  // A 401 needs a challenge (RFC 9110 §15.5.2).
  const status = floorStatus[condition] === 401 && !isChallenge ? 400 : floorStatus[condition];
  return { status, headers: [], body: null, because: because(refusal, null) };
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
