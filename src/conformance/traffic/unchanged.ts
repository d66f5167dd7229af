import { routed } from '../../semantics/request/route.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';

/** A request as far as it tells whether it may change anything. */
interface Asked {
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** Null: no answer came. */
  readonly status: number | null;
}

/** Whether an exchange changes nothing that is stored, whatever else is unknown of it. */
export function changesNothing({ method, path, status }: Asked, specification: Specification): boolean {
  if (method === 'HEAD' || method === 'OPTIONS') return true;
  const found = routed(specification, method, path);
  const operations = found.kind === 'routes' ? found.routes.map(({ operation }) => operation) : [];
  // What no statement tells of is taken for what HTTP takes it for (RFC 9110 §9.2.1).
  if (operations.length === 0) return method === 'GET' || isRefusal(status);
  return operations.every((operation) => isHarmless(operation) || refuses(operation, status));
}

/** Whether an operation changes nothing, whatever comes of it. */
function isHarmless({ does, endpoint }: Operation): boolean {
  const verb = stated(does)?.verb;
  return stated(endpoint.also) === undefined && (verb === 'read' || verb === 'list');
}

/** Whether an answer with this status refuses. A refusal changes nothing (language §H.4). */
function refuses({ response }: Operation, status: number | null): boolean {
  const answers = stated(response) ?? [];
  return isRefusal(status) && !answers.some((answer) => stated(answer.status)?.includes(status as number));
}

function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500;
}
