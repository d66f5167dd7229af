import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/operation.ts';
import type { Parameter } from '../specification/request.ts';
import { type Said, stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import type { Specification } from '../specification/specification.ts';
import { Unreached } from './check.ts';
import { foresee } from './foresee/foresee.ts';
import { ownConditions } from './guards.ts';
import type { Header, Request } from './http.ts';
import { freshValue, membersOf } from './item.ts';
import { namesFor } from './names.ts';
import { type Body, bodyOf } from './schema.ts';
import { workOut } from './solve.ts';
import { isStateField } from './states/machines.ts';
import type { Attempt, Trial } from './trial.ts';
import type { Size } from './values.ts';

/** The request that asks an operation for something (language §4.2). Throws `Unreached` where none can be made. */
export function requestTo(trial: Trial, operation: Operation, attempt: Attempt): Request {
  const { body, raw, media, query } = attempt;
  const content = raw ?? (body === undefined ? null : JSON.stringify(body));
  const stating = operation.request ? stated(operation.request.media)?.[0] : undefined;
  const type = media === undefined ? (stating ?? 'application/json') : media;
  const headers: Header[] = content !== null && type !== null ? [['Content-Type', type]] : [];
  const asked = [
    ...needed(trial, operation.request?.query, attempt.omit ?? []),
    ...(query === undefined ? [] : [query]),
  ];
  return {
    method: attempt.method ?? operation.method,
    url: `${trial.url}${pathTo(trial, operation, attempt)}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
    headers: [...headers, ...(attempt.headers ?? [])],
    body: content,
  };
}

/** The path that an operation has for an item, with `base` before it. */
export function pathTo(trial: Trial, operation: Operation, { item }: Attempt): string {
  const segments = operation.path.map((segment) => {
    if ('literal' in segment) return segment.literal;
    const binding = operation.bindings.get(segment.parameter);
    if (binding?.kind === 'subject') {
      const value = item?.known.get(binding.field);
      if (value === undefined)
        throw new Unreached(`no identifier could be learned: ${binding.field} is never shown`);
      return encodeURIComponent(String(value));
    }
    const shape =
      binding?.kind === 'text' && binding.parameter ? schemaOf(binding.parameter.shape) : { type: 'string' };
    return encodeURIComponent(String(trial.tools.valid(shape, 'least') ?? trial.random.letters(8)));
  });
  const base = stated(stated(trial.of.endpoints)?.base) ?? '';
  return `${base}/${segments.join('/')}`;
}

/** Query parameters that must be given, each with a value that fits. */
function needed(
  trial: Trial,
  said: Said<ReadonlyMap<string, Said<Parameter>>> | undefined,
  omit: readonly string[],
): string[] {
  return [...(stated(said)?.values() ?? [])].flatMap((one) => {
    const parameter = stated(one);
    if (!parameter || stated(parameter.required) !== true || omit.includes(parameter.name)) return [];
    const value = trial.tools.valid(schemaOf(parameter.shape), 'least');
    return [`${encodeURIComponent(parameter.name)}=${encodeURIComponent(String(value ?? ''))}`];
  });
}

/** A body that an operation takes; the identifier is in it, anew each time, where nobody else gives it. */
export function bodyFor(trial: Trial, operation: Operation, size: Size): Json | undefined {
  const body = bodyOf(trial.of, operation);
  if (body === null) return undefined;
  const keys = keysGiven(operation, body);
  const required = [...new Set([...((body.schema['required'] as string[] | undefined) ?? []), ...keys])];
  let made: Json | undefined;
  for (let attempts = 0; attempts < 20; attempts++) {
    made = trial.tools.valid({ ...body.schema, required }, size);
    if (made === undefined) throw new Unreached(`no value that ${body.name} admits could be made`);
    if (!isRefused(trial, operation, made)) break;
  }
  return made === undefined
    ? made
    : renewed(trial, body, keys, withoutStates(trial.of, operation, body, made));
}

/** A state that is given asks for a transition (language §3.2), and is given only where that is wanted. */
function withoutStates(of: Specification, { subject }: Operation, { schema }: Body, value: Json): Json {
  const members = membersOf(value);
  if (members === undefined || subject === null) return value;
  const required = (schema['required'] as string[] | undefined) ?? [];
  const kept = Object.entries(members).filter(
    ([name]) => required.includes(name) || !isStateField(of, subject, name),
  );
  return Object.fromEntries(kept);
}

/** Whether a body is known to be refused for what it holds: by an expression of one's own, or by what should hold. */
function isRefused({ of, url }: Trial, operation: Operation, given: Json): boolean {
  const names = namesFor(of, url, { operation, request: null, given });
  return (
    ownConditions(of, operation).some(({ condition }) => workOut(condition.template, names) === true) ||
    foresee(of, operation, names).free.value === false
  );
}

/** The parts of the identifier that a creation takes from the client, since nothing sets them (language §2). */
export function keysGiven(operation: Operation, body: Body): readonly string[] {
  if (stated(operation.does)?.verb !== 'create') return [];
  const names = (operation.subject && stated(operation.subject.identifier))?.map((name) => name.text) ?? [];
  return names.filter((name) => body.fields.get(name)?.create.kind === 'open');
}

/** The same members with an identifier that was not used before. */
export function renewed(trial: Trial, body: Body, keys: readonly string[], value: Json): Json {
  const members = membersOf(value);
  const given = keys.filter((key) => members && Object.hasOwn(members, key));
  if (members === undefined || given.length === 0) return value;
  return {
    ...members,
    ...Object.fromEntries(given.map((key) => [key, freshValue(trial.fresh, body.fields.get(key))])),
  };
}

/** Whether an operation is about one item that its path singles out. */
export function isAboutOne(operation: Operation): boolean {
  return [...operation.bindings.values()].some((binding) => binding.kind === 'subject');
}
