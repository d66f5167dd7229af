import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Address, step } from '../specification/reading/address.ts';
import { stated } from '../specification/reading/said.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { bodyOf } from './body.ts';
import { type Described, type Scenario, type Statement, scenario, statementAt, unreached } from './check.ts';
import { type Members, membersOf } from './item.ts';
import { keysGiven, withReferences } from './keys.ts';
import { isMergePatch } from './merge.ts';
import { type Bound, bounds, type Probe } from './probes.ts';
import type { Reason } from './refusal.ts';
import { refusing } from './refusing.ts';
import { bodyFor } from './request.ts';
import { sample, varied } from './sample.ts';
import type { Failure } from './schema.ts';
import { alone } from './smaller.ts';
import { form, inForm, mediaOf } from './spell.ts';
import { moveNamed } from './states/machines.ts';
import { succeeds } from './success.ts';
import { describe, type Taking, taken } from './taking.ts';
import { restsOf, type Trial } from './trial.ts';

/** Every bound that the shape of a body states: what is within it is taken, what is past it refused (§H.1). */
export function constraints(taking: Taking): Scenario[] {
  const { body, trial, operation } = taking;
  // What is no object at all is `malformed` where fields stand (language §H.4).
  const base = taking.usual();
  const stating = bounds(body.schema, trial.tools, base).filter(
    ({ keyword, place }) => place.length > 0 || keyword !== 'type',
  );
  // Values for an identifier must not have been used before, not even by a run with the same seed.
  const keys = keysGiven(operation, body);
  const isKey = ({ place: [name] }: Bound): boolean => name !== undefined && keys.includes(name);
  const ofKeys =
    keys.length > 0 ? bounds(body.schema, { ...trial.tools, ...trial.fresh.values }, base).filter(isKey) : [];
  const all = [...stating.filter((bound) => !isKey(bound)), ...ofKeys];
  return all
    .map((bound) => (isMergePatch(operation) ? merging(bound) : bound))
    .filter((bound) => isOwn(taking, bound))
    .map((bound) => (refersTo(taking, bound) ? { ...bound, inside: [] } : bound))
    .map((bound) => sayable(operation, base, bound))
    .flatMap((bound) => ofBound(taking, bound));
}

/**
 * The same of a body that sets no member of an item: of who logs in, of what only answers, of a removal. What does not fit
 * is refused; what fits may be refused for what it says, but where nothing is done with it.
 */
export function ofOwnShape(trial: Trial, operation: Operation): Scenario[] {
  const { of, tools } = trial;
  const body = bodyOf(of, operation);
  const change = stated(operation.does);
  const move = operation.subject && moveNamed(of, operation.subject, change?.verb ?? '');
  if (body === null || move || ['create', 'update', 'replace'].includes(change?.verb ?? '')) return [];
  const base = bodyFor(trial, operation, 'most') ?? {};
  // Whoever gives what does not fit is let in by it neither.
  const also: readonly Reason[] =
    change?.verb === 'authenticate'
      ? [{ name: 'wrong credentials', subject: operation.subject?.name ?? '', failures: [] }]
      : [];
  const isAnswer = operation.does.kind === 'none' && operation.endpoint.also.kind === 'open';
  return bounds(body.schema, tools, base)
    .filter(({ keyword, place }) => place.length > 0 || keyword !== 'type')
    .map((bound) => sayable(operation, membersOf(base) ?? {}, bound))
    .flatMap(({ keyword, place, inside, outside }) => {
      const cites = statementOfBound(of, { resource: null, body, operation }, { keyword, place });
      const asked = (value: Json, failures: Probe['failures']): string =>
        `${operation.key} with ${describe(membersOf(value) ?? {}, place, failures)}`;
      const taken = (isAnswer ? inside : []).map(({ value }) =>
        scenario(of, restsOf(operation), () => sample(trial, operation, { body: value }), [
          succeeds(trial, operation, asked(value, []), [], cites),
        ]),
      );
      const refused = outside.map(({ value, failures }) =>
        refusing(trial, {
          says: asked(value, failures),
          operation,
          cites,
          reasons: [...reasonsOf(body.name, value, failures), ...also],
          ...varied(trial, operation, () => ({ body: value })),
        }),
      );
      return [...taken, ...refused];
    });
}

/** What is merged into an item is judged as merged: null removes, and what is left out stays (RFC 7396 §2). */
function merging(bound: Bound): Bound {
  const leavesOut = ['required', 'dependentRequired', 'minProperties', ...ofSeveral].includes(bound.keyword);
  const holdsNull = ({ value }: Probe): boolean => JSON.stringify(value).includes('null');
  const keep = (probes: readonly Probe[]) => (leavesOut ? [] : probes.filter((probe) => !holdsNull(probe)));
  return { ...bound, inside: keep(bound.inside), outside: keep(bound.outside) };
}

/** Keywords that judge an object by which members it has. */
const ofSeveral: readonly string[] = [
  'oneOf',
  'anyOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'maxProperties',
];

/** Of a reference its own keywords are stated, and not those of the key: what is no such key is nobody's (language §H.4, 9). */
function isOwn({ body }: Taking, { place: [name], keyword }: Bound): boolean {
  const field = body.fields.get(name ?? '');
  return field?.refers.kind !== 'stated' || field.shape.keywords.has(keyword);
}

/** A key that is within bounds need not be anybody's. */
function refersTo({ body }: Taking, { place: [name] }: Bound): boolean {
  return name !== undefined && body.refers.has(name);
}

function referringElsewhere({ trial, body }: Taking, [tried]: readonly string[], probe: Probe): Probe {
  const members = membersOf(probe.value);
  if (members === undefined) return probe;
  const value = withReferences(trial, body, members) as Members;
  const isTried = tried !== undefined && Object.hasOwn(members, tried);
  return { ...probe, value: isTried ? { ...value, [tried]: members[tried] as Json } : value };
}

/** A form says everything as text, so that a value of another type is another one, or none. */
function sayable(operation: Operation, base: Members, bound: Bound): Bound {
  if (mediaOf(operation) !== form) return bound;
  const keep = (probes: readonly Probe[]) => probes.filter(({ value }) => inForm(value, base));
  return { ...bound, inside: keep(bound.inside), outside: keep(bound.outside) };
}

/** One keyword: what is at and within its bound is taken and given back; what is past it is refused. */
function ofBound(taking: Taking, bound: Bound): Scenario[] {
  const { trial, operation } = taking;
  const { of } = trial;
  const { keyword, place } = bound;
  // The other members are as usual: what refers is to something.
  const inside = bound.inside.map((probe) => referringElsewhere(taking, place, probe));
  const outside = bound.outside.map((probe) => referringElsewhere(taking, place, probe));
  const cites = statementOfBound(of, taking, bound);
  const named = place.length === 0 ? keyword : `${place.join('.')} (${keyword})`;
  const accepted = inside.map(({ value }, index) => ({
    ...taken(taking, value as Members, place, cites),
    about: keyword === 'enum' ? `${named} ${index}` : named,
  }));
  const refused = outside.map((probe) => refusedFor(taking, probe, place, cites));
  const check: Described = {
    name: 'refused',
    says: `${operation.key} refuses what ${named} does not admit`,
    cites,
  };
  const none =
    outside.length === 0
      ? [unreached(of, [check], `no value was found that misses ${named} and nothing else`)]
      : [];
  return [...accepted, ...refused, ...none];
}

/** What is past a bound is refused; so it is with less beside it, that misses the same. */
function refusedFor(
  taking: Taking,
  { value, failures }: Probe,
  place: readonly string[],
  cites: Statement,
): Scenario {
  const { trial, operation, body } = taking;
  const members = value as Members;
  const told = (all: readonly Failure[]): string =>
    JSON.stringify(all.map(({ path, keyword }) => [path, keyword]));
  const refused = refusing(trial, {
    says: `${operation.key} with ${describe(members, place, failures)}`,
    operation,
    cites,
    reasons: reasonsOf(body.name, value, failures),
    ...taking.refuse(members, place[0]),
  });
  return {
    ...refused,
    smaller: function* () {
      const less = membersOf(value) && place[0] !== undefined ? alone(taking, members, place[0]) : members;
      const missed = trial.tools.failures(body.schema, less);
      if (less !== members && told(missed) === told(failures))
        yield refusedFor(taking, { value: less, failures: missed }, place, cites);
    },
  };
}

/** The conditions that failed keywords are; those of one field are listed as its keywords are written (language §7.2). */
export function reasonsOf(name: string, value: Json, failures: readonly Failure[]): Reason[] {
  const ordered = [...failures].sort((a, b) => a.written - b.written);
  const reasons = ordered.map((failure) => reasonOf(name, value, failure));
  if (reasons.length === 1) return reasons;
  const isOfOne = new Set(failures.map(({ path }) => path.join('.'))).size === 1;
  const listed = reasons.flatMap(({ failures: own }) => own ?? []);
  const all = isOfOne && listed.length === reasons.length ? listed : null;
  return reasons.map((reason) => ({ ...reason, failures: all }));
}

/** The condition that a failed keyword is (language §H.4, 9), with its entry in `error.failures` (§7). */
export function reasonOf(name: string, value: Json, { path, keyword, limit, exact }: Failure): Reason {
  const field = path.join('.');
  const at = path.reduce<Json>(
    (here, one) => (here as { [step: string | number]: Json })?.[one] ?? null,
    value,
  );
  const failures = exact ? [{ field, keyword, value: at, limit, about: `${name}.${field}` }] : null;
  const subject = `${name}.${field === '' ? '$' : field}.${keyword}`;
  return { name: 'invalid', subject, failures };
}

/** The keyword's own place in the document; where it stands in a shape with a name, the field that uses it. */
function statementOfBound(
  of: Specification,
  { resource, body, operation }: Pick<Taking, 'body' | 'operation'> & { readonly resource: Resource | null },
  { keyword, place }: Pick<Bound, 'keyword' | 'place'>,
): Statement {
  const [name, ...inner] = place;
  const shape = operation.request && stated(operation.request.body);
  if (name === undefined) {
    if (resource === null) return shape ? statementAt(of, step(shape.address, keyword), shape) : operation;
    if (body.name !== resource.name && shape) return statementAt(of, step(shape.address, keyword), shape);
    const own = { address: resource.required.address, at: resource.required.at };
    if (body.fields.size > 0 && keyword === 'required') return own;
    return statementAt(of, step(resource.address, keyword), shape ?? own);
  }
  const field = resource?.fields.get(name);
  const isField = field !== undefined && body.fields.has(name);
  const top: Statement = isField
    ? { address: field.address, at: field.at }
    : (shape ?? resource ?? operation);
  const above = (isField ? inner : place).reduce<Address[]>(
    (all, one) =>
      all.flatMap((address) => [
        step(address, one),
        ...['fields', 'properties'].map((key) => step(step(address, key), one)),
      ]),
    [top.address],
  );
  const found = above.map((address) => step(address, keyword)).find((address) => of.points.has(address));
  return found === undefined ? top : statementAt(of, found, top);
}
