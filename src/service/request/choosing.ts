import { compileTemplate } from '../../expression/compile.ts';
import { worked } from '../../expression/values.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { environmentOf } from '../content/render.ts';
import { frame, type RequestView } from '../message/frame.ts';
import { type Incoming, mediaOf } from '../message/incoming.ts';
import { compileParameters, isReadable } from '../parameters/parameters.ts';
import type { Around } from './around.ts';

/** Whether a request means this one of several operations. */
export type Means = (incoming: Incoming) => boolean;

const nothing = { path: {}, query: {}, headers: {} };

/**
 * Compiles which requests mean an operation that stands on its path with others (language §4.1, `when`); null: any.
 * What cannot be read, or worked out, is not meant.
 */
export function compileMeans(
  specification: Specification,
  operation: Operation,
  around: Around,
): Means | null {
  const when = stated(operation.endpoint.when);
  if (when === undefined) return null;
  const { jsonDepth: depth, jsonNodes: nodes } = around.limits;
  const parameters = compileParameters(specification, operation, { depth, nodes });
  const run = compileTemplate(when.template, environmentOf(around.writers));
  return (incoming) => {
    const read = parameters(incoming);
    const { path, query, headers } = isReadable(read) ? read : nothing;
    const view: RequestView = {
      ...{ path, query, headers },
      ...{ body: null, parts: {}, patch: null, credential: null, presented: new Map() },
      media: mediaOf(incoming),
      accept: undefined,
      method: incoming.method,
      url: incoming.url,
      version: incoming.version?.name ?? null,
    };
    return worked(() => run(frame(around, view, { now: around.now() }))) === true;
  };
}
