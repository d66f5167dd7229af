import type { Json } from '../source/node.ts';
import { type Address, step } from '../specification/address.ts';
import { stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import { type Scenario, type Statement, statementAt, unreached } from './check.ts';
import type { Members } from './item.ts';
import { type Bound, bounds } from './probes.ts';
import type { Reason } from './refusal.ts';
import { refusing } from './refusing.ts';
import type { Failure } from './schema.ts';
import { describe, type Taking, taken } from './taking.ts';

/** Every bound that the shape of a body states: what is within it is taken, what is past it refused (§H.1). */
export function constraints(taking: Taking): Scenario[] {
  const { body, trial } = taking;
  // What is no object at all is `malformed` where fields stand (language §H.4).
  const stating = bounds(body.schema, trial.tools).filter(
    ({ keyword, place }) => place.length > 0 || keyword !== 'type',
  );
  return stating.flatMap((bound) => ofBound(taking, bound));
}

/** One keyword: what is at and within its bound is taken and given back; what is past it is refused. */
function ofBound(taking: Taking, bound: Bound): Scenario[] {
  const { trial, operation, body } = taking;
  const { of } = trial;
  const { keyword, place, inside, outside } = bound;
  const cites = statementOfBound(of, taking, bound);
  const named = place.length === 0 ? keyword : `${place.join('.')} (${keyword})`;
  const accepted = inside.map(({ value }) => taken(taking, value as Members, place, cites));
  const refused = outside.map(({ value, failure }) =>
    refusing(trial, {
      says: `${operation.key} with ${describe(value as Members, place, failure)}`,
      operation,
      cites,
      reasons: [reasonOf(body.name, value, failure as Failure)],
      members: Object.keys(value as Members),
      ...taking.refuse(value as Members),
    }),
  );
  const check = { name: 'refused', says: `${operation.key} refuses what ${named} does not admit`, cites };
  const none =
    outside.length === 0
      ? [unreached(of, [check], `no value was found that misses ${named} and nothing else`)]
      : [];
  return [...accepted, ...refused, ...none];
}

/** The condition that a failed keyword is (language §H.4, 9), with its entry in `error.failures` (§7). */
export function reasonOf(name: string, value: Json, { path, keyword, limit, exact }: Failure): Reason {
  const field = path.join('.');
  const at = path.reduce<Json>(
    (here, one) => (here as { [step: string | number]: Json })?.[one] ?? null,
    value,
  );
  const failures = exact ? [{ field, keyword, value: at, limit, about: `${name}.${field}` }] : null;
  const subject =
    keyword === 'others' ? `${name}.others` : `${name}.${field === '' ? '$' : field}.${keyword}`;
  return { name: 'invalid', subject, failures };
}

/** The keyword's own place in the document; where it stands in a shape with a name, the field that uses it. */
function statementOfBound(
  of: Specification,
  { resource, body, operation }: Taking,
  { keyword, place }: Bound,
): Statement {
  const [name, ...inner] = place;
  if (name === undefined) {
    const shape = operation.request && stated(operation.request.body);
    const own = { address: resource.required.address, at: resource.required.at };
    if (body.fields.size > 0 && keyword === 'required') return own;
    return statementAt(of, step(resource.address, keyword), shape ?? own);
  }
  const field = resource.fields.get(name);
  const shape = operation.request && stated(operation.request.body);
  const top: Statement =
    field && body.fields.has(name)
      ? { address: field.address, at: field.at }
      : (shape ?? { address: resource.address, at: resource.at });
  const above = inner.reduce<Address[]>(
    (all, one) =>
      all.flatMap((address) =>
        one === 'items'
          ? [step(address, one)]
          : ['fields', 'properties'].map((key) => step(step(address, key), one)),
      ),
    [top.address],
  );
  const found = above.map((address) => step(address, keyword)).find((address) => of.points.has(address));
  return found === undefined ? top : statementAt(of, found, top);
}
