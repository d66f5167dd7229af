import { pathsIn } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { grantsOf, ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { bodyOf } from '../body.ts';
import { bodies } from '../foresee/bodies.ts';
import { withNewKeys } from '../foresee/going.ts';
import { namesFor } from '../names.ts';
import type { Attempt, Trial } from '../trial.ts';
import { not, type Truth } from '../verdict.ts';
import { admits, admitsToAll } from './admits.ts';
import type { Persona } from './persona.ts';

/** Whether the rule refuses somebody, of an item and those it is under where there are any, and with a body where it reads one. */
export function refuses(
  trial: Trial,
  operation: Operation,
  as: Persona | null,
  { item, body, others }: Pick<Attempt, 'item' | 'body' | 'others'> = {},
): Truth {
  const asking = {
    operation,
    request: null,
    as,
    ...(item && { item }),
    ...(others && { others }),
    ...(body !== undefined && { given: body }),
  };
  return not(admits(trial.of, operation, namesFor(trial, asking)));
}

/** What a rule says of somebody, and a body of which it says so, where it reads one. */
interface Said {
  readonly must: Truth;
  readonly body?: Json;
}

/** Whether the rule refuses somebody before an item is looked for, by the body that comes nearest to that. */
export function turnedAway(trial: Trial, operation: Operation, as: Persona | null): Said {
  return sought(trial, operation, (body) => refuses(trial, operation, as, body));
}

/** Whether the rule lets somebody in whatever the item, by the body that comes nearest to that. */
export function letIn(trial: Trial, operation: Operation, as: Persona | null): Said {
  const ask = { operation, request: null, as };
  return sought(trial, operation, ({ body }) =>
    admitsToAll(trial.of, operation, namesFor(trial, { ...ask, ...(body !== undefined && { given: body }) })),
  );
}

/** The body of it, with an identifier and unique members that were not used before. */
export function bodyOfIt(trial: Trial, operation: Operation, { body }: Said): Pick<Attempt, 'body'> {
  return body === undefined ? {} : { body: withNewKeys(trial, operation, body) as Json };
}

/** The first body of which something is true, or else any. */
function sought(trial: Trial, operation: Operation, truth: (about: { body?: Json }) => Truth): Said {
  const all = readsBody(trial, operation) ? bodies(trial, operation) : [];
  const found = all.flatMap((body) => (body === undefined ? [] : { must: truth({ body }), body }));
  return found.find(({ must }) => must.value === true) ?? found[0] ?? { must: truth({}) };
}

/** Whether a rule hangs on what the body holds. */
function readsBody({ of }: Trial, operation: Operation): boolean {
  const part = stated(of.authentication);
  const grants = part && bodyOf(of, operation) ? grantsOf(stated(ruleOf(part, operation))) : [];
  return grants.some(
    (grant) =>
      grant.kind === 'expression' && pathsIn(grant.expression.template).some(([root]) => root === 'request'),
  );
}
