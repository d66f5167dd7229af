import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';
import type { Persona } from './access/persona.ts';
import { carriedBy } from './access/schemes.ts';
import { type Body, bodyOf } from './body.ts';
import { Unreached } from './check.ts';
import { fitting } from './foresee/fitting.ts';
import type { Header, Request } from './http.ts';
import { freshKey, membersOf } from './item.ts';
import { keysGiven, renewed, withReferences } from './keys.ts';
import { askerOf, calledIn } from './names.ts';
import { queryFor } from './query.ts';
import type { Schema } from './schema.ts';
import { mediaOf, parameterText, spelled } from './spell.ts';
import { isStateField } from './states/machines.ts';
import type { Attempt, Trial } from './trial.ts';
import type { Size } from './values.ts';

/** The request that asks an operation for something (language §4.2). Throws `Unreached` where none can be made. */
export function requestTo(trial: Trial, operation: Operation, attempt: Attempt): Request {
  const { body, raw, bytes = 0, media, query } = attempt;
  const stating = mediaOf(operation);
  const text = raw ?? (body === undefined ? null : spelled(operation, media ?? stating, body));
  const content = text && text + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(text)));
  const type = media === undefined ? stating : media;
  const headers: Header[] = content !== null && type !== null ? [['Content-Type', type]] : [];
  const carried =
    attempt.carried ??
    carriedBy(
      trial.of,
      operation,
      attempt.as === undefined ? askerFor(trial, operation, attempt) : attempt.as,
    );
  const asked = [
    ...queryFor(trial, operation, attempt),
    ...(query === undefined ? [] : [query]),
    ...carried.query,
  ];
  return {
    method: attempt.method ?? operation.method,
    url: `${trial.url}${pathTo(trial, operation, attempt)}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
    headers: [
      ...headers,
      ...carried.headers,
      ...neededHeaders(trial, operation, attempt),
      ...(attempt.headers ?? []),
    ],
    body: content,
    ...(attempt.version !== undefined && { version: attempt.version }),
  };
}

/** Who asks where nobody is named (language §5.5). */
export function askerFor(
  trial: Trial,
  operation: Operation,
  { body, item, others, raw }: Attempt,
): Persona | null {
  const given = raw === undefined ? body : undefined;
  return askerOf(trial, { operation, request: null, given, item: item ?? null, ...(others && { others }) });
}

/** The path that an operation has for an item, with `base` before it. */
export function pathTo(
  trial: Trial,
  operation: Operation,
  { item, others, path = {}, route }: Attempt,
): string {
  const matching = route?.matching;
  const segments = (route ?? operation).path.map((segment) => {
    if ('literal' in segment) return matching === 'caseless' ? otherCase(segment.literal) : segment.literal;
    const binding = operation.bindings.get(segment.parameter);
    if (binding?.kind === 'subject' || binding?.kind === 'other') {
      const of = binding.kind === 'subject' ? item : others?.get(calledIn(binding));
      const value = of?.known.get(binding.field);
      if (value === undefined)
        throw new Unreached(`no identifier could be learned: ${binding.field} is never shown`);
      return encodeURIComponent(String(value));
    }
    const own = path[segment.parameter];
    if (own !== undefined) return encodeURIComponent(own);
    const parameter = binding?.kind === 'text' ? binding.parameter : null;
    const shape = parameter ? schemaOf(parameter.shape) : { type: 'string' };
    const value = trial.tools.valid(shape, 'least') ?? trial.random.letters(8);
    return encodeURIComponent(parameter ? parameterText(parameter, value) : String(value));
  });
  const base = stated(stated(trial.of.endpoints)?.base) ?? '';
  return `${base}/${segments.join('/')}${matching === 'slash' ? '/' : ''}`;
}

function otherCase(text: string): string {
  const lower = text.toLowerCase();
  return text === lower ? text.toUpperCase() : lower;
}

/** Header fields without which every request is refused: parameters, a key, a precondition (language §4.2 to §4.4). */
function neededHeaders(
  trial: Trial,
  operation: Operation,
  { omit = [], headers = [], there }: Attempt,
): Header[] {
  const { conditional, idempotency } = operation.endpoint;
  const found: Header[] = [];
  const add = (name: string | undefined, value: () => string): void => {
    const isGiven = [...omit, ...headers.map(([one]) => one)].some(
      (one) => one.toLowerCase() === name?.toLowerCase(),
    );
    if (name !== undefined && !isGiven) found.push([name, value()]);
  };
  for (const said of (operation.request && stated(operation.request.headers)?.values()) ?? []) {
    const parameter = stated(said);
    if (parameter && stated(parameter.required) === true)
      add(parameter.name, () =>
        parameterText(parameter, trial.tools.valid(schemaOf(parameter.shape), 'least') ?? ''),
      );
  }
  const repeats = stated(idempotency);
  if (repeats && stated(repeats.required) === true) add(stated(repeats.header), () => freshKey(trial.fresh));
  const conditions = stated(conditional);
  // Of any item that is there these are true (RFC 9110 §13.1.1, §13.1.4).
  const isThere = stated(operation.does)?.verb !== 'create' || there != null;
  if (conditions && isThere && stated(conditions.ifMatch) === 'required') add('If-Match', () => '*');
  if (conditions && isThere && stated(conditions.ifUnmodifiedSince) === 'required')
    add('If-Unmodified-Since', () => 'Fri, 31 Dec 2999 23:59:59 GMT');
  return found;
}

/** A body that an operation takes; the identifier is in it, anew each time, where nobody else gives it. */
export function bodyFor(trial: Trial, operation: Operation, size: Size): Json | undefined {
  const body = bodyOf(trial.of, operation);
  if (body === null) return undefined;
  const keys = keysGiven(operation, body);
  const schema = withKeys(operation, body);
  const made = fitting(trial, operation, schema, () => {
    const value = trial.tools.valid(schema, size);
    if (value === undefined) throw new Unreached(`no value that ${body.name} admits could be made`);
    return value;
  });
  return withReferences(
    trial,
    body,
    renewed(trial, body, keys, withoutStates(trial.of, operation, body, made)),
  );
}

/** What a body has to be, with the keys that nobody else gives. */
const withKeys = once((operation: Operation, body: Body): Schema => {
  const required = (body.schema['required'] as string[] | undefined) ?? [];
  return { ...body.schema, required: [...new Set([...required, ...keysGiven(operation, body)])] };
});

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

/** Whether an operation is about one item that its path singles out. */
export function isAboutOne(operation: Operation): boolean {
  return [...operation.bindings.values()].some((binding) => binding.kind === 'subject');
}

/** What is asked with a body, or without one. */
export function withBody(body: Json | undefined): Pick<Attempt, 'body'> {
  return body === undefined ? {} : { body };
}
