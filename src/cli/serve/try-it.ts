import { callsMade, pathsRead } from '../../expression/expression.ts';
import { bodySchemas, othersOf } from '../../service/body/schema.ts';
import { definitions } from '../../service/shape/schema.ts';
import { Validators } from '../../service/shape/validate.ts';
import { type Json, ownMember } from '../../source/node.ts';
import { grantsOf, ruleOf } from '../../specification/model/authorization.ts';
import { handlersIn } from '../../specification/model/handlers.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { inAnswers, inSaid } from '../../specification/model/workings.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Row } from '../../specification/vocabulary/parts/errors.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';

/** A request that the service answers with success, whatever it stores: what the greeting offers to try. */
export interface Tryable {
  readonly operation: Operation;
  /** As JSON; null: it has none. */
  readonly body: string | null;
}

/**
 * The first request that is sure to succeed: one that makes something, else one that reads. Null if of none can be
 * told beforehand: a greeting that offers a request which is refused would mislead.
 */
export function tryable(of: Specification, running: readonly string[]): Tryable | null {
  const plain = of.operations.filter((one) => running.includes(one.name) && isPlain(of, one));
  for (const operation of plain) {
    const body = bodyThatMakes(of, operation);
    if (body !== undefined) return { operation, body };
  }
  const reading = plain.filter((one) => isReading(one));
  const operation = reading.find(({ does }) => stated(does)?.verb === 'list') ?? reading[0];
  return operation ? { operation, body: null } : null;
}

/** Whether nothing that the document states can refuse a request: no credential, parameter, row or function. */
function isPlain(of: Specification, operation: Operation): boolean {
  const { endpoint, path, request, key, name } = operation;
  const parameters = (['query', 'headers'] as const).flatMap((place) => [
    ...((request && stated(request[place])?.values()) ?? []),
  ]);
  const conditional = stated(endpoint.conditional);
  const rows = [...(stated(stated(of.errors)?.codes)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
  const ways = [...(stated(stated(of.events)?.delivery)?.values() ?? [])].flatMap(
    (said) => stated(said) ?? [],
  );
  return (
    path.every((segment) => 'literal' in segment) &&
    isForAnyone(of, operation) &&
    (stated(endpoint.also) ?? []).length === 0 &&
    parameters.every((said) => isOptional(stated(said))) &&
    stated(stated(endpoint.idempotency)?.required) !== true &&
    stated(conditional?.ifMatch) !== 'required' &&
    stated(conditional?.ifUnmodifiedSince) !== 'required' &&
    !rows.some((row) => isOwnRow(row, name)) &&
    !ways.some((way) => way.kind === 'stream' && stated(way.stream)?.text === key) &&
    !handlersIn(of).some(({ path: [part, at] }) => part !== 'endpoints' || at === key) &&
    isAnsweredWell(operation)
  );
}

function isOwnRow({ when, operations }: Row, name: string): boolean {
  const isFor = stated(operations)?.some(({ text }) => text === name) !== false;
  return isFor && (stated(when) ?? []).some(({ expression }) => expression !== null);
}

function isOptional(parameter: Parameter | undefined): boolean {
  return parameter !== undefined && stated(parameter.required) !== true && parameter.binding === null;
}

function isForAnyone({ authentication }: Specification, operation: Operation): boolean {
  const part = stated(authentication);
  if (part === undefined) return true;
  const rule = stated(ruleOf(part, operation));
  return rule !== undefined && grantsOf(rule).every(({ kind }) => kind === 'anyone') && !stated(rule.schemes);
}

/** Whether every answer is a success, and reads nothing that a first request need not bring. */
function isAnsweredWell(operation: Operation): boolean {
  const answers = stated(operation.response) ?? [];
  const isSuccess = answers.every(({ status }) => [stated(status) ?? []].flat().every((one) => one < 300));
  const reads = inAnswers(operation).flatMap(({ syntax }) => pathsRead(syntax));
  return isSuccess && answers.length > 0 && !reads.some(([root]) => root === 'request' || root === 'actor');
}

function isReading({ does, method, request }: Operation): boolean {
  const change = stated(does);
  if (method !== 'GET' || (request && stated(request.body))) return false;
  if (change === undefined) return does.kind === 'none';
  const { where, order } = change.qualifiers;
  const said = stated(order);
  const ordered = said && 'template' in said;
  return (
    change.verb === 'list' && !ordered && inSaid(where).every(({ syntax }) => isApart(pathsRead(syntax)))
  );
}

function isApart(reads: readonly (readonly string[])[]): boolean {
  return !reads.some(([root]) => root === 'request' || root === 'actor');
}

/** The body with which an item is made, null if it takes none; undefined: it might be refused. */
function bodyThatMakes(of: Specification, operation: Operation): string | null | undefined {
  const change = stated(operation.does);
  const { subject, request } = operation;
  if (change?.verb !== 'create' || subject === null || !isFree(of, subject)) return undefined;
  const takesWhole = (stated(change.qualifiers.with) ?? []).every(
    ({ template }) => template.kind === 'expression' && template.expression.text.trim() === 'request.body',
  );
  const body = request && stated(request.body);
  if (!takesWhole) return undefined;
  if (!request || !body) return subject.required.kind === 'stated' ? undefined : null;
  const media = stated(request.media);
  if (body.of?.name !== subject.name || (media && !media.includes('application/json'))) return undefined;
  const value = sample(subject);
  const given = bodySchemas(of, operation, body, othersOf(request, subject.others)).given;
  if (value === undefined || new Validators(definitions(of, null)).compile(given)(value) !== null)
    return undefined;
  const under = stated(request.under);
  return JSON.stringify(under === undefined ? value : { [under]: value });
}

/** Whether a new item can break nothing: no rule reads it, and no other item can be in its way. */
function isFree(
  of: Specification,
  { name, identifier, fields, unique, invariants, guards }: Resource,
): boolean {
  const quotas = [...(stated(stated(of.limits)?.quotas)?.values() ?? [])].map((said) => stated(said)?.of);
  const isCounted = quotas.some((said) => said && stated(said)?.text === name);
  const isKnownBy = (stated(identifier) ?? []).every(({ text }) => isMade(fields.get(text)));
  const isSound = [...fields.values()].every(
    (field) => (!stated(field.unique) || isMade(field)) && isSetApart(field),
  );
  return isKnownBy && isSound && !isCounted && !stated(unique) && !stated(invariants) && !stated(guards);
}

const makers: readonly string[] = ['uuid', 'random', 'sequence', 'unique'];

/** Whether the service makes a value that no other item has. */
function isMade(field: Field | undefined): boolean {
  if (field?.create.kind === 'any') return true;
  return (
    field !== undefined &&
    inSaid(field.create).some(({ syntax }) => callsMade(syntax).some((one) => makers.includes(one)))
  );
}

function isSetApart({ create, holds }: Field): boolean {
  return stated(holds) === undefined && inSaid(create).every(({ syntax }) => isApart(pathsRead(syntax)));
}

/** The members that are required and nobody else sets, each the plainest value of its shape; undefined: one cannot be told. */
function sample({ required, fields }: Resource): Readonly<Record<string, Json>> | undefined {
  const members: [string, Json][] = [];
  for (const { name } of stated(required) ?? []) {
    const field = fields.get(name);
    if (field === undefined || stated(field.refers) || field.shape.name !== null) return undefined;
    if (field.create.kind === 'open' && field.default.kind === 'open') members.push([name, plainest(field)]);
  }
  return Object.fromEntries(members);
}

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'ann@example.com',
  uri: 'https://example.com/',
  uuid: '0b7e6a52-6f0c-4d0e-9d5a-3f1f6f2a9c10',
};

function plainest({ name, shape: { keywords } }: Field): Json {
  const of = (keyword: string): Json | undefined => stated(keywords.get(keyword));
  const [first] = [of('enum') ?? []].flat();
  const known = of('const') ?? first ?? ownMember(formats, String(of('format')));
  if (known !== null) return known;
  const least = Number(of('minimum') ?? 1);
  const values: Readonly<Record<string, Json>> = {
    integer: least,
    number: least,
    boolean: true,
    array: [],
    object: {},
  };
  const text = `my first ${name}`.padEnd(Number(of('minLength') ?? 0), '!');
  return values[String([of('type')].flat()[0])] ?? text.slice(0, Number(of('maxLength') ?? text.length));
}
