import type { Json } from '../source/node.ts';
import { type Address, rest, step } from '../specification/address.ts';
import type { Operation } from '../specification/operation.ts';
import type { Field, Resource } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import type { Specification } from '../specification/specification.ts';
import { alike } from './alike.ts';
import { type Check, ifReached, type Scenario, type Statement, scenario, statementAt, unreached } from './check.ts';
import { shownAs } from './fit.ts';
import { closed, nothingRefuses, succeeded } from './guards.ts';
import { isReadable, membersOf } from './item.ts';
import { type Bound, bounds, freedoms, hostile, type Probe } from './probes.ts';
import type { Reason } from './refusal.ts';
import { refusing } from './refusing.ts';
import { type Body, bodyOf, type Failure } from './schema.ts';
import { succeeds } from './success.ts';
import { bodyFor, create, type Done, perform, readBack, restsOf, someItem, spare, type Trial } from './trial.ts';
import { all, known, type Truth, unknown, unseen } from './verdict.ts';

type Members = { readonly [member: string]: Json };

/** What an operation that takes a body is asked with. */
interface Taking {
  readonly trial: Trial;
  readonly operation: Operation;
  readonly resource: Resource;
  readonly body: Body;
  /** A body that fits, with every member; a function, since a value may serve once. */
  readonly usual: () => Members;
  readonly ask: (members: Members) => Promise<Done>;
  /** The same where it should be refused: an item that is not changed may be used again. */
  readonly refuse: (members: Members) => Pick<Parameters<typeof refusing>[1], 'item' | 'send'>;
}

/** Whether members are what a shape admits: every bound inside and outside, and what no bound rules out (§H.1). */
export function constraints(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const body = bodyOf(trial.of, operation);
  if (body === null) return [];
  const creates = stated(operation.does)?.verb === 'create';
  const taking: Taking = {
    trial,
    operation,
    resource,
    body,
    usual: () => (membersOf(bodyFor(trial, operation, 'most')) ?? {}) as Members,
    ask: async (members) =>
      creates
        ? await create(trial, operation, members)
        : await perform(trial, operation, { item: await someItem(trial, resource), body: members }),
    refuse: (members) =>
      creates
        ? { send: async () => ({ exchange: (await create(trial, operation, members)).exchange, given: members }) }
        : {
            item: () => spare(trial, resource),
            send: async (item) => ({ exchange: (await perform(trial, operation, { item: item as never, body: members })).exchange, given: members }),
          },
  };
  const stating = bounds(body.schema, trial.tools).filter(({ keyword, place }) => place.length > 0 || keyword !== 'type');
  return [
    ...stating.flatMap((bound) => ofBound(taking, bound)),
    ...(creates ? [...unbounded(taking), ...asGiven(taking)] : []),
    ...notTaken(taking),
  ];
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
  const none = outside.length === 0 ? [unreached(of, [check], `no value was found that misses ${named} and nothing else`)] : [];
  return [...accepted, ...refused, ...none];
}

/** The condition that a failed keyword is (language §H.4, 9), with its entry in `error.failures` (§7). */
export function reasonOf(name: string, value: Json, { path, keyword, limit, exact }: Failure): Reason {
  const field = path.join('.');
  const at = path.reduce<Json>((here, one) => (here as { [step: string | number]: Json })?.[one] ?? null, value);
  const failures = exact ? [{ field, keyword, value: at, limit, about: `${name}.${field}` }] : null;
  const subject = keyword === 'others' ? `${name}.others` : `${name}.${field === '' ? '$' : field}.${keyword}`;
  return { name: 'invalid', subject, failures };
}

/** Members that fit, of which some stand for a bound: taken, and given back as given. */
function taken(taking: Taking, members: Members, place: readonly string[], cites: Statement): Scenario {
  const { trial, operation, resource } = taking;
  const [name] = place;
  const field = name === undefined ? undefined : resource.fields.get(name);
  const says = `${operation.key} with ${describe(members, place, null)}`;
  const checks = [
    succeeds(trial, operation, says, Object.keys(members), cites),
    ...(field && isReadable(field) ? [givenBack(taking, field, says, members)] : []),
  ];
  return scenario(trial.of, restsOf(operation), async () => await taking.ask(members), checks);
}

/** A member that a success shows is the one that was given, as long as nothing says that it is taken otherwise. */
function givenBack({ trial, operation }: Taking, field: Field, says: string, members: Members): Check<Done> {
  const schema = trial.tools.resolve(schemaOf(field.shape));
  const given = members[field.name] as Json;
  return {
    name: 'given.back',
    says: `${says} gives ${field.name} back`,
    cites: { address: field.address, at: field.at },
    guard: ({ exchange, shown }) =>
      all(
        succeeded(exchange, operation),
        shown === undefined ? unseen(`the answer of ${operation.key} shows no item`) : closed(trial.of, field.address),
      ),
    claim: ({ shown }) => {
      const found = membersOf(shown)?.[field.name];
      return { truth: known(alike(schema, given, found)), expected: shownAs(given), found: shownAs(found) };
    },
  };
}

/** Values that no keyword rules out; a bound that is nowhere stated shows here (language §D.2). */
function unbounded(taking: Taking): Scenario[] {
  const { trial, resource, body } = taking;
  return [...body.fields.values()].flatMap((field) => {
    const list = rest(field.address);
    const cites = { address: list, at: trial.of.completeness.closed(field.address) ?? field.at };
    return freedoms(schemaOf(field.shape), trial.tools).map((value) =>
      taken({ ...taking, resource }, { ...taking.usual(), [field.name]: value }, [field.name], cites),
    );
  });
}

interface Reread extends Done {
  readonly back: Json | undefined;
}

/** Text is text: what means something to a database, a shell or a page is given back, at once and later. */
function asGiven(taking: Taking): Scenario[] {
  const { trial, operation, body } = taking;
  const { of, tools } = trial;
  return hostile.flatMap((text) => {
    const fields = [...body.fields.values()].filter((field) => isReadable(field) && tools.failures(schemaOf(field.shape), text).length === 0);
    const [first] = fields;
    if (first === undefined || !tools.resolve(schemaOf(first.shape))['type']) return [];
    const members = { ...taking.usual(), ...Object.fromEntries(fields.map((field) => [field.name, text])) };
    if (tools.failures(body.schema, members).length > 0) return [];
    const says = `${operation.key} with the text ${shownAs(text)}`;
    const later: Check<Reread> = {
      name: 'given.back.later',
      says: `${says} keeps it`,
      cites: { address: first.address, at: first.at },
      guard: ({ exchange, back }) =>
        all(
          succeeded(exchange, operation),
          back === undefined ? unseen('nothing shows the item later') : closed(of, first.address),
        ),
      claim: ({ back }) => {
        const found = membersOf(back)?.[first.name];
        return { truth: known(found === text), expected: shownAs(text), found: shownAs(found) };
      },
    };
    const observe = async (): Promise<Reread> => {
      const done = await taking.ask(members);
      const { item } = done;
      const back = item ? await ifReached(() => readBack(trial, item)) : undefined;
      return { ...done, back: back?.shown };
    };
    const checks = [
      succeeds(trial, operation, says, Object.keys(members), { address: first.address, at: first.at }),
      ...fields.map((field) => givenBack(taking, field, says, members)),
      later,
    ];
    return [scenario<Reread>(of, restsOf(operation), observe, checks)];
  });
}

/** Members that nobody stated, and members that no client may write: both are as `others` says (language §2, H.1). */
function notTaken(taking: Taking): Scenario[] {
  const { trial, operation, resource, body } = taking;
  const stranger = `unstated${trial.random.letters(6)}`;
  const others = { address: body.others.address, at: body.others.at };
  const unwritable = [...resource.fields.values()].filter((field) => stated(field.writable) === false && !body.fields.has(field.name));
  const bound = [...operation.bindings.values()].map((one) => (one.kind === 'subject' ? one.field : ''));
  return [
    untaken(taking, stranger, 'a value', others, null),
    ...unwritable
      .filter((field) => !bound.includes(field.name) || stated(operation.does)?.verb !== 'create')
      .flatMap((field) => {
        const value = trial.tools.valid(schemaOf(field.shape), 'most');
        return value === undefined ? [] : [untaken(taking, field.name, value, { address: field.writable.address, at: field.writable.at }, field)];
      }),
  ];
}

function untaken(taking: Taking, name: string, value: Json, cites: Statement, field: Field | null): Scenario {
  const { trial, operation, body } = taking;
  const members = { ...taking.usual(), [name]: value };
  const says = `${operation.key} with ${field ? `${name}, which no client may write,` : `${name}, which nobody stated,`}`;
  const rule = stated(body.others);
  if (rule === 'refuse') {
    const failure: Failure = { path: [name], keyword: 'others', limit: null, exact: true };
    const reasons = [reasonOf(body.name, members, failure)];
    return refusing(trial, { says, operation, cites, reasons, members: Object.keys(members), ...taking.refuse(members) });
  }
  const silent: Truth = rule === undefined ? unknown(body.others.address) : known(true);
  const keeps = rule === 'keep' && field === null;
  const check: Check<Done> = {
    name: keeps ? 'others.keep' : 'others.ignore',
    says: `${says} ${keeps ? 'keeps it' : 'leaves it out of account'}`,
    cites,
    guard: ({ exchange }) => succeeded(exchange, operation),
    claim: ({ shown }) => {
      const found = membersOf(shown)?.[name];
      const isSame = found !== undefined && JSON.stringify(found) === JSON.stringify(value);
      return {
        truth: all(silent, known(keeps ? isSame : !isSame)),
        expected: rule === undefined ? '(open)' : keeps ? shownAs(value) : `not ${shownAs(value)}`,
        found: shownAs(found),
      };
    },
  };
  const should: Check<Done> = {
    ...succeeds(trial, operation, says, Object.keys(members), cites),
    guard: () => all(silent, nothingRefuses(trial.of, operation, Object.keys(members))),
  };
  return scenario(trial.of, restsOf(operation), async () => await taking.ask(members), [should, check]);
}

/** The keyword's own place in the document; where it stands in a shape with a name, the field that uses it. */
function statementOfBound(of: Specification, { resource, body, operation }: Taking, { keyword, place }: Bound): Statement {
  const [name, ...inner] = place;
  if (name === undefined) {
    const shape = operation.request && stated(operation.request.body);
    const own = { address: resource.required.address, at: resource.required.at };
    if (body.fields.size > 0 && keyword === 'required') return own;
    return statementAt(of, step(resource.address, keyword), shape ?? own);
  }
  const field = resource.fields.get(name);
  const shape = operation.request && stated(operation.request.body);
  const top: Statement = field && body.fields.has(name) ? { address: field.address, at: field.at } : (shape ?? { address: resource.address, at: resource.at });
  const above = inner.reduce<Address[]>(
    (all, one) => all.flatMap((address) => (one === 'items' ? [step(address, one)] : ['fields', 'properties'].map((key) => step(step(address, key), one)))),
    [top.address],
  );
  const found = above.map((address) => step(address, keyword)).find((address) => of.points.has(address));
  return found === undefined ? top : statementAt(of, found, top);
}

/** The member that a request is about, for people. */
function describe(members: Members, place: readonly string[], failure: Probe['failure']): string {
  const [name] = place;
  if (failure?.keyword === 'required') return `no ${failure.path.join('.')}`;
  if (name === undefined) return shownAs(members);
  const value = shownAs(members[name]);
  const short = value.length > 60 ? `${value.slice(0, 40)}... (${value.length} characters)` : value;
  return `${name}: ${short}`;
}
