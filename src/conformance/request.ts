import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/operation.ts';
import type { Parameter } from '../specification/request.ts';
import { type Said, stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import { Unreached } from './check.ts';
import type { Header, Request } from './http.ts';
import { bodyOf } from './schema.ts';
import type { Attempt, Trial } from './trial.ts';
import type { Size } from './values.ts';

/** The request that asks an operation for something (language §4.2). Throws `Unreached` where none can be made. */
export function requestTo(trial: Trial, operation: Operation, attempt: Attempt): Request {
  const { body, raw, media, query } = attempt;
  const content = raw ?? (body === undefined ? null : JSON.stringify(body));
  const stating = operation.request ? stated(operation.request.media)?.[0] : undefined;
  const type = media === undefined ? (stating ?? 'application/json') : media;
  const headers: Header[] = content !== null && type !== null ? [['Content-Type', type]] : [];
  const asked = [...needed(trial, operation.request?.query), ...(query === undefined ? [] : [query])];
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
function needed(trial: Trial, said: Said<ReadonlyMap<string, Said<Parameter>>> | undefined): string[] {
  return [...(stated(said)?.values() ?? [])].flatMap((one) => {
    const parameter = stated(one);
    if (!parameter || stated(parameter.required) !== true) return [];
    const value = trial.tools.valid(schemaOf(parameter.shape), 'least');
    return [`${encodeURIComponent(parameter.name)}=${encodeURIComponent(String(value ?? ''))}`];
  });
}

/** A body that an operation takes; the identifier is in it where nobody else gives it. */
export function bodyFor(trial: Trial, operation: Operation, size: Size): Json | undefined {
  const body = bodyOf(trial.of, operation);
  if (body === null) return undefined;
  const identifier = (operation.subject && stated(operation.subject.identifier)) ?? [];
  const own = stated(operation.does)?.verb === 'create' ? identifier.map((name) => name.text) : [];
  const given = own.filter((name) => body.fields.get(name)?.create.kind === 'open');
  const required = [...new Set([...((body.schema['required'] as string[] | undefined) ?? []), ...given])];
  const made = trial.tools.valid({ ...body.schema, required }, size);
  if (made === undefined) throw new Unreached(`no value that ${body.name} admits could be made`);
  return made;
}
