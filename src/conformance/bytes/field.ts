import { path } from '../../expression/expression.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { isBinary } from '../../specification/vocabulary/shape.ts';

/** The field of bytes that is the whole answer of a reader; undefined: there is none. */
export function fieldRead({ does, response, method, subject }: Operation): string | undefined {
  const [answer, ...others] = stated(response) ?? [];
  const body = answer && stated(answer.body)?.template;
  if (method !== 'GET' || stated(does)?.verb !== 'read' || others.length > 0) return undefined;
  const read = body?.kind === 'expression' ? (path(body.expression.syntax)?.join('.') ?? '') : '';
  const [, field] = /^this\.(.+)$/.exec(read) ?? [];
  const shape = subject?.fields.get(field ?? '')?.shape;
  return shape && isBinary(shape) ? field : undefined;
}
