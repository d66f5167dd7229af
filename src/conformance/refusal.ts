import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Address, rest, step } from '../specification/reading/address.ts';
import { type Said, stated } from '../specification/reading/said.ts';
import type { PlacedTemplate } from '../specification/reading/templates.ts';
import { type ConditionName, covers, floorStatus, precision } from '../specification/vocabulary/condition.ts';
import type { Errors, Row } from '../specification/vocabulary/parts/errors.ts';
import type { Statement } from './check.ts';
import { closed, stating } from './guards.ts';
import { absent, absentOrNull, anything, hole, isAbsent, type Partly } from './partly.ts';
import { type Names, workOut } from './solve.ts';
import { assumed, known, some, type Truth, unknown, yes } from './verdict.ts';

/** Why a request is to be refused: a condition that holds of it (language §H.4). */
export interface Reason {
  readonly name: ConditionName;
  readonly subject: string;
  /** For `invalid` and `not unique`: what `error.failures` lists; null where the language does not tell how. */
  readonly failures: readonly Listed[] | null;
  /** The row, where the condition is an expression of its own. */
  readonly code?: string;
}

export const malformed: Reason = { name: 'malformed', subject: 'body', failures: [] };
export const unsupported: Reason = { name: 'unsupported media', subject: '', failures: [] };

export function unknownItem({ subject }: Operation): Reason {
  return { name: 'unknown', subject: subject?.name ?? '', failures: [] };
}

/** An entry of `error.failures` (language §7), with what its message may read. */
export interface Listed {
  readonly field: string;
  readonly keyword: string;
  readonly value: Partly;
  readonly limit: Json;
  /** `R.field`, as `messages` names it. */
  readonly about: string;
}

/** A refusal that the specification accepts: the row that lists its reason, or none. */
export interface Refusal {
  readonly reason: Reason;
  readonly row: { readonly code: string; readonly address: Address; readonly row: Row } | null;
}

/**
 * The refusals that may answer a request of which several conditions hold: the one that `errors.order` puts
 * first, and those of which it does not speak (language §7, F.1).
 */
export function acceptable(
  of: Specification,
  operation: Operation | null,
  reasons: readonly Reason[],
): Refusal[] {
  return chosen(of, operation, reasons).map((refusal) => asAnother(of, operation, refusal));
}

/** The same by their own rows, also where these conceal. */
export function chosen(
  of: Specification,
  operation: Operation | null,
  reasons: readonly Reason[],
): Refusal[] {
  const refusals = reasons
    .flatMap((reason) => [reason, ...goneIfUnknown(of, operation, reason)])
    .map((reason) => ({ reason, row: rowFor(of, operation, reason) }));
  const first = Math.min(...refusals.map((one) => placeOf(of, one)).filter((index) => index >= 0));
  return refusals.filter((one) => placeOf(of, one) === -1 || placeOf(of, one) === first);
}

/** An item that is not there may have been: where a row tells of that, either row may answer. */
function goneIfUnknown(of: Specification, operation: Operation | null, reason: Reason): Reason[] {
  const gone: Reason = { ...reason, name: 'gone' };
  return reason.name === 'unknown' && rowFor(of, operation, gone) ? [gone] : [];
}

/** The place of a refusal's row in `errors.order`; -1: it is silent of it. */
export function placeOf(of: Specification, { row }: Refusal): number {
  return row ? orderOf(of).indexOf(row.code) : -1;
}

/** The codes of `errors.order`, as they stand. */
export const orderOf = once((of: Specification): readonly string[] =>
  (stated(errorsOf(of)?.order) ?? []).map(({ text }) => text),
);

/** A row that conceals is answered exactly as if the other condition held (language §7, `as`). */
function asAnother(of: Specification, operation: Operation | null, refusal: Refusal): Refusal {
  const as = refusal.row && stated(refusal.row.row.as);
  const [name] = as?.names ?? [];
  if (!as || name === undefined) return refusal;
  // What cannot be read is at a place, and about no resource.
  const [own = ''] = refusal.reason.name === 'malformed' ? [] : refusal.reason.subject.split('.');
  const subject = as.subject || own || (operation?.subject?.name ?? '');
  const reason: Reason = { name, subject, failures: isListing({ name }) ? null : [] };
  return { reason, row: rowFor(of, operation, reason) };
}

/** The row that answers a condition: rows that name the operation first, then the longest subject (§H.4). */
export function rowFor(of: Specification, operation: Operation | null, reason: Reason): Refusal['row'] {
  return rowOf(of, operation, reason.name, reason.subject, reason.code);
}

const rowOf = once(
  (
    of: Specification,
    operation: Operation | null,
    name: ConditionName,
    subject: string,
    code: string | undefined,
  ): Refusal['row'] => {
    let best: { readonly rank: readonly [number, number]; readonly found: Refusal['row'] } | null = null;
    for (const [own, said] of (errorsOf(of) && stated(errorsOf(of)?.codes)) ?? []) {
      const row = stated(said);
      const operations = row && stated(row.operations);
      if (!row || (code !== undefined && code !== own)) continue;
      if (operations && !operations.some((one) => one.text === operation?.name)) continue;
      for (const condition of stated(row.when) ?? []) {
        if (!condition.names.includes(name) || !isOf(condition.subject, subject)) continue;
        const rank = [operations ? 1 : 0, precision(condition.subject)] as const;
        if (best === null || rank[0] > best.rank[0] || (rank[0] === best.rank[0] && rank[1] > best.rank[1]))
          best = { rank, found: { code: own, address: step('errors.codes', own), row } };
      }
    }
    return best?.found ?? null;
  },
);

/** Whether a row is of what a condition holds of; members that nobody stated, at any depth, are `NAME.others` as well (§H.1). */
function isOf(rowSubject: string, subject: string): boolean {
  const others = subject.replace(/^([^.]*)\..*\.others$/, '$1.others');
  return covers(rowSubject, subject) || covers(rowSubject, others);
}

/** Whether it is stated that a request is refused for this reason: a row lists it, or the protocol does. */
export function mustRefuse(of: Specification, operation: Operation | null, reason: Reason): Truth {
  const listed = acceptable(of, operation, [reason]).some(({ row }) => row !== null);
  return listed ? yes : some(protocolStated(of), unknown('errors.codes.*'));
}

/** The statement for which a request is refused: the row that lists the condition, else the protocol. */
export function refusalStatement(of: Specification, operation: Operation | null, reason: Reason): Statement {
  return statementOf(of, acceptable(of, operation, [reason])[0], 'when');
}

function errorsOf(of: Specification): Errors | undefined {
  return stated(of.errors);
}

/** Whether `protocol: RFC 9110` is stated; without it, HTTP's own customs decide nothing (language §4.1). */
export function protocolStated(of: Specification): Truth {
  const said = stated(of.endpoints)?.protocol;
  return said ? stating(said, (protocol) => known(protocol !== null)) : unknown('endpoints.protocol');
}

/** Whether a status is the one of this refusal; unknown where none is stated (language §H.4, last column). */
export function hasStatus(of: Specification, { reason, row }: Refusal, status: number | null): Truth {
  const protocol = protocolStated(of);
  if (row && row.row.status.kind !== 'open')
    return stating(row.row.status, (wanted) => known(status !== null && wanted?.includes(status) === true));
  if (protocol.value === true) {
    const truth = known(status === floorStatus[reason.name]);
    return protocol.firm === true ? truth : assumed(truth);
  }
  return unknown(row ? row.row.status.address : rest('errors.codes'), 'endpoints.protocol');
}

/** The statuses that a refusal may have, where one is stated. */
export function statusesOf(of: Specification, { reason, row }: Refusal): readonly number[] {
  const floor = protocolStated(of).value === true ? [floorStatus[reason.name]] : [];
  return (row && stated(row.row.status)) ?? floor;
}

/** The statement that says how a refusal is answered. */
export function statementOf(
  of: Specification,
  refusal: Refusal | undefined,
  key: 'status' | 'when' | 'body' | 'media' | 'shape',
): Statement {
  const row = refusal?.row?.row;
  if (row && (key === 'when' || row[key].kind !== 'open'))
    return { address: row[key].address, at: row[key].at };
  const payload = errorsOf(of)?.payload;
  if (row && payload && (key === 'body' || key === 'media')) {
    const said = stated(payload)?.[key] ?? payload;
    return { address: said.address, at: said.at };
  }
  const protocol = stated(of.endpoints)?.protocol;
  if (protocol?.kind === 'stated') return { address: protocol.address, at: protocol.at };
  return { address: rest('errors.codes'), at: of.errors.at };
}

/** What is sent with a refusal: its row's, or else that of `errors.payload` (language §E.16). */
export function payloadOf<K extends 'media' | 'headers' | 'body' | 'under'>(
  of: Specification,
  { row }: Refusal,
  key: K,
): Row[K] | null {
  if (row === null) return null;
  if (row.row[key].kind !== 'open') return row.row[key];
  const payload = errorsOf(of)?.payload;
  if (payload === undefined)
    return { kind: 'open', question: null, address: 'errors.payload', at: of.errors.at } as Row[K];
  return (payload.kind === 'stated' ? payload.value[key] : payload) as Row[K];
}

/**
 * What a payload of errors may read (language §7.2, §8.1): of a rate only where one refuses.
 *
 * @param constraints whether every constraint on what was given is known, so that no other failure is listed
 */
export function namesInError(
  of: Specification,
  operation: Operation | null,
  refusal: Refusal,
  names: Names,
  constraints: Truth,
): Names {
  const found = new Map(names).set('error', errorFor(of, operation, refusal, names, constraints));
  return refusal.reason.name === 'rate exceeded' ? found : found.set('rate', absent);
}

/**
 * What `error` offers to a payload (language §7). A point that is open leaves its member unknown, unless the list
 * that it would stand in is closed: then nothing sets it.
 */
function errorFor(
  of: Specification,
  operation: Operation | null,
  refusal: Refusal,
  names: Names,
  constraints: Truth,
): Partly {
  const { reason, row } = refusal;
  const about = row?.row;
  const failures: Partly = !isListing(reason)
    ? []
    : reason.failures === null
      ? hole()
      : constraints.value === null
        ? hole({ points: constraints.points })
        : reason.failures
            .filter((one) => isCovered(of, operation, refusal, one))
            .map((one) => ({
              field: one.field,
              keyword: one.keyword,
              message: messageOf(of, one),
            }));
  const [status, ...choices] = statusesOf(of, refusal);
  const first: { readonly [member: string]: Partly } = {
    code: (about && stated(about.code)) ?? row?.code ?? absentOrNull,
    status:
      status === undefined
        ? hole({ points: about ? [about.status.address] : ['endpoints.protocol'] })
        : choices.length === 0
          ? status
          : hole({ picks: new RegExp(`^(${[status, ...choices].join('|')})$`) }),
    field: about ? offered(of, row, about.field, (text) => text) : absent,
    operation: operation?.name ?? absentOrNull,
    failures,
  };
  const with_ = (error: Partly): Names => new Map(names).set('error', error);
  const text = (said: Said<PlacedTemplate>): Partly =>
    offered(of, row, said, ({ template }) => workOut(template, with_(first)));
  const message = about ? text(about.message) : absent;
  const extra = about
    ? offered(of, row, about.extra, (map) =>
        Object.fromEntries([...map].map(([name, said]) => [name, text(said)])),
      )
    : absent;
  return { ...first, message, extra, fields: fieldsOf(first['field'] as Partly, message, failures) };
}

/** Whether a condition has failures (language §7.2). */
function isListing({ name }: Pick<Reason, 'name'>): boolean {
  return name === 'invalid' || name === 'not unique';
}

/** Whether a failure is one of those that a row covers (language §H.4). */
function isCovered(
  of: Specification,
  operation: Operation | null,
  { reason: { name }, row }: Refusal,
  { about, keyword }: Listed,
): boolean {
  const own = rowFor(of, operation, { name, subject: `${about}.${keyword}`, failures: null });
  return own?.code === row?.code;
}

/** A key of a row as `error` offers it. */
function offered<T>(
  of: Specification,
  row: Refusal['row'],
  said: Said<T>,
  show: (value: T) => Partly,
): Partly {
  if (said.kind === 'stated') return show(said.value);
  if (said.kind === 'any') return anything;
  const isSilent = said.kind === 'none' || (row && closed(of, row.address).value === true);
  return isSilent ? absent : hole({ points: [said.address] });
}

/** The text for a failed constraint: of `R.field.keyword`, else of `R.field`, else of the keyword (language §7). */
function messageOf(of: Specification, { about, keyword, value, limit }: Listed): Partly {
  const messages = errorsOf(of)?.messages;
  const texts = messages && stated(messages);
  const said = [`${about}.${keyword}`, about, keyword]
    .map((name) => texts?.get(name))
    .find((one) => one !== undefined);
  if (said?.kind === 'stated')
    return workOut(
      said.value.template,
      new Map<string, Partly>([
        ['value', value],
        ['error', { limit }],
      ]),
    );
  if (said?.kind === 'any') return anything;
  const isClosed = said === undefined && closed(of, 'errors.messages').value === true;
  return isClosed || said?.kind === 'none'
    ? absentOrNull
    : hole({ points: [said?.address ?? rest('errors.messages')] });
}

/** `error.fields`: for a row with field and message, these; else all failures, grouped (language §7). */
function fieldsOf(field: Partly, message: Partly, failures: Partly): Partly {
  if (typeof field === 'string' && !isAbsent(message)) return { [field]: [message] };
  if (!Array.isArray(failures)) return failures;
  const grouped: Record<string, Partly[]> = {};
  for (const one of failures as readonly { readonly field: string; readonly message: Partly }[]) {
    if (isAbsent(one.message)) continue;
    grouped[one.field] = [...(grouped[one.field] ?? []), one.message];
  }
  return grouped;
}
