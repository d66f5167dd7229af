import { equal } from '../../expression/functions.ts';
import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Lens } from '../lens.ts';
import { showingOf } from '../shown-in.ts';
import type { Done } from '../trial.ts';
import { known, type Truth, unseen, yes } from '../verdict.ts';

/**
 * Whether an answer may carry what tells one state of an item from another: to PUT only one about what is shown as it was
 * sent does (language §4.3; RFC 9110 §9.3.4).
 */
export function carriesValidators(of: Specification, operation: Operation): (done: Done) => Truth {
  const { method, subject } = operation;
  if (method !== 'PUT' || subject === null) return () => yes;
  const readers = of.operations.filter(
    (one) => one.method === 'GET' && one.subject === subject && stated(one.does)?.verb === 'read',
  );
  const lenses = new Set([operation, ...readers].flatMap((one) => shownAlone(of, one, subject)));
  return ({ exchange, json }) =>
    lenses.size === 1 && !lenses.has(null) && json !== undefined
      ? known(equal(json, sent(exchange.request.body)), 'it is not shown as it was sent')
      : unseen('nothing tells whether it is shown as it was sent');
}

/** What the answers show an item through where there is nothing else in them; null where there is. */
function shownAlone(of: Specification, { response }: Operation, resource: Resource): (Lens | null)[] {
  return (stated(response) ?? []).map(({ body, under }) => {
    const found = body.kind === 'stated' ? showingOf(body, body.value.template, of, resource) : null;
    return found && found.path.length === 0 && under.kind === 'open' ? found.lens : null;
  });
}

function sent(body: string | null): Json | undefined {
  try {
    return JSON.parse(body ?? '') as Json;
  } catch {
    return undefined;
  }
}
