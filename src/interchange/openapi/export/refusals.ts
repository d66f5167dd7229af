import { STATUS_CODES } from 'node:http';
import { get, json } from '../../../source/node.ts';
import { grantsOf, ruleOf } from '../../../specification/model/authorization.ts';
import { counts } from '../../../specification/model/counted.ts';
import type { Operation } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { fixedMedia } from '../../../specification/reading/media.ts';
import { isAsked, isSaid, stated } from '../../../specification/reading/said.ts';
import type { Row } from '../../../specification/vocabulary/parts/errors.ts';
import { schemaOf } from '../../../specification/vocabulary/shape.ts';
import { type Items, isWritable } from '../../schemas/items.ts';
import { schemaOfValue } from '../../schemas/values.ts';
import { askedOf } from '../other-parts.ts';
import { descriptionAt } from './annotated.ts';
import { headerObjects } from './headers.ts';
import { defined, type JsonObject, written } from './schema.ts';

/** A row of part 7 by its code. */
export interface Coded {
  readonly code: string;
  readonly row: Row;
}

export function rowsOf(of: Specification): readonly Coded[] {
  return [...(stated(stated(of.errors)?.codes) ?? [])].flatMap(([code, said]) => {
    const row = stated(said);
    return row ? [{ code, row }] : [];
  });
}

/** An answer to a refusal. */
export function refusal(
  description: string,
  content: JsonObject | undefined,
  headers?: JsonObject | undefined,
): JsonObject {
  return defined({
    description,
    headers,
    content,
  });
}

/** The answers to refusals by row, as components: what people read is the name of the status (RFC 9110 §15). */
export function refusalsByCode(
  { tree }: Specification,
  rows: readonly Coded[],
  payload: JsonObject | undefined,
): JsonObject {
  const codes = get(get(tree, 'errors'), 'codes');
  const entries = rows.map(({ code, row }) => {
    const when = get(get(codes, code), 'when');
    const asked = askedOf(when?.kind === 'scalar' ? when.written : undefined);
    const said = descriptionAt(get(codes, code)) ?? asked;
    const headers = headerObjects(row.headers, get(get(codes, code), 'headers'));
    const answer = refusal(said ?? `${code}: ${reason(statusesOf(row)[0])}`, payload, headers);
    return [code, { ...answer, 'x-tacet-when': when ? json(when) : '(open)' }] as const;
  });
  return Object.fromEntries(entries);
}

export function reason(status: number | 'default' | undefined): string {
  return (status !== undefined && STATUS_CODES[status]) || 'an answer';
}

/** The statuses of a row as OpenAPI writes them. One that may be any, or is asked for, is that of all other answers. */
export function statusesOf({ status }: Row): readonly (number | 'default')[] {
  return stated(status) ?? (status.kind === 'any' || isAsked(status) ? ['default'] : []);
}

/** The content of answers to refusals, by media type; undefined: nobody says what it looks like, or it is no JSON. */
export function payloadContent(of: Specification, items: Items): JsonObject | undefined {
  const payload = stated(stated(of.errors)?.payload);
  if (payload === undefined) return undefined;
  const [shape, body] = [stated(payload.shape), stated(payload.body)];
  const media = stated(fixedMedia(payload.media)) ?? 'application/json';
  if (!/json$/i.test(media) || (shape === undefined && body === undefined)) return undefined;
  const schema = shape ? schemaOf(shape) : schemaOfValue(body?.template as never, items.values).schema;
  return { [media]: { schema: written(schema) } };
}

/** The rows by which an operation may refuse, as far as its statements show it. */
export function refusalsOf(
  of: Specification,
  operation: Operation,
  rows: readonly Coded[],
): readonly Coded[] {
  return rows.filter(({ row }) => {
    const listed = stated(row.operations);
    if (listed && !listed.some(({ text }) => text === operation.name)) return false;
    // Whatever the reason is, it may hold.
    if (row.when.kind === 'open') return true;
    return stated(row.when)?.some(({ names, subject }) =>
      names.some((name) => mayHold(name, subject, of, operation)),
    );
  });
}

function mayHold(name: string, subject: string, of: Specification, operation: Operation): boolean {
  const { request, endpoint } = operation;
  const verb = stated(operation.does)?.verb;
  const resource = subject.split('.')[0] ?? '';
  const hasBody = request !== null && (isSaid(request.body) || isSaid(request.content));
  const isAbout = resource === '' || operation.subject === null || operation.subject.name === resource;
  const isChange = verb !== undefined && !['list', 'read', 'authenticate'].includes(verb);
  switch (name) {
    case 'unknown path':
    case 'method not allowed':
      return false;
    case 'malformed':
    case 'invalid':
      return (hasBody || (request !== null && (isSaid(request.query) || isSaid(request.headers)))) && isAbout;
    case 'too large':
    case 'unsupported media':
      return hasBody;
    case 'unknown':
      return findsItem(operation, resource, hasBody);
    case 'credential missing':
    case 'credential wrong':
    case 'not authorized':
      return mayDeny(name, of, operation) && (name !== 'not authorized' || isAbout);
    case 'rate exceeded':
      return [...(stated(stated(of.limits)?.rates)?.values() ?? [])].some((said) => {
        const rate = stated(said);
        return rate !== undefined && counts(rate, operation);
      });
    case 'not unique':
    case 'invariant broken':
    case 'guard refused':
      return isChange && isAbout;
    case 'quota exceeded':
      return verb === 'create' && isAbout;
    case 'transition refused':
      return isChange && verb !== 'create' && isAbout;
    case 'key missing':
    case 'key reused':
    case 'key busy':
      return stated(endpoint.idempotency) !== undefined;
    case 'precondition missing':
    case 'precondition failed':
    case 'range not satisfiable':
      return stated(endpoint.conditional) !== undefined;
    case 'wrong credentials':
      return verb === 'authenticate';
    default:
      return true;
  }
}

/** Whether a request names an item that may not be there: in its path, or by a reference in its body. */
function findsItem(operation: Operation, resource: string, hasBody: boolean): boolean {
  const { bindings, subject } = operation;
  const isIt = (name: string | undefined): boolean => resource === '' || name === resource;
  const inPath = [...bindings.values()].some(
    (binding) =>
      binding.kind !== 'text' && isIt(binding.kind === 'subject' ? subject?.name : binding.resource),
  );
  const referring = [...(subject?.fields.values() ?? [])].filter(isWritable);
  return (
    inPath || (hasBody && referring.some(({ refers }) => isIt(stated(refers)?.resource) && isSaid(refers)))
  );
}

/** Whether the rule of an operation may refuse for a reason of part 5. */
function mayDeny(name: string, of: Specification, operation: Operation): boolean {
  const authentication = stated(of.authentication);
  if (authentication === undefined) return of.authentication.kind === 'open';
  const said = ruleOf(authentication, operation);
  const rule = stated(said);
  if (rule === undefined) return said.kind === 'open';
  const grants = stated(rule.rule) ?? [];
  const isFree = grants.some(({ kind }) => kind === 'anyone');
  if (name === 'credential missing') return !isFree;
  if (name === 'credential wrong') return true;
  return grantsOf(rule).some(({ kind }) => kind === 'actor' || kind === 'expression') || isSaid(rule.schemes);
}
