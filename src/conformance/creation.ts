import { equal } from '../expression/functions.ts';
import type { Json } from '../source/node.ts';
import { rest } from '../specification/address.ts';
import type { Operation } from '../specification/operation.ts';
import type { Field, Resource } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import { alike } from './alike.ts';
import { type Check, ifReached, type Scenario, scenario } from './check.ts';
import {
  answerFound,
  asKept,
  closed,
  isSuccess,
  nothingRefuses,
  stating,
  steady,
  succeeded,
} from './guards.ts';
import { identityOf, isReadable, membersOf } from './item.ts';
import { hole } from './partly.ts';
import { create, readBack } from './perform.ts';
import { bodyFor } from './request.ts';
import { workOut } from './solve.ts';
import { before, succeeds } from './success.ts';
import { type Done, restsOf, type Trial } from './trial.ts';
import { fits, shownAs } from './unify.ts';
import { all, known, type Truth, unseen, yes } from './verdict.ts';

/** What a creation sets besides what is given: defaults, what the service makes, nothing else (language §2). */
export function creation(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  return [leastCreated(trial, operation, resource), twoCreated(trial, operation, resource)];
}

/** With no member but those that must be there, each other one is its default, what is set, or absent. */
function leastCreated(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const { of, tools } = trial;
  const says = `${operation.key} with no member but the required ones`;
  const guard = ({ exchange, shown }: Done): Truth =>
    all(
      succeeded(exchange, operation),
      shown === undefined ? unseen(`the answer of ${operation.key} shows no item`) : yes,
    );
  const leftOut = ({ given }: Done, field: Field): Truth =>
    known(!Object.hasOwn(membersOf(given) ?? {}, field.name), `${field.name} was given`);
  const inPath = [...operation.bindings.values()].flatMap((one) =>
    one.kind === 'subject' ? [one.field] : [],
  );
  const ofField = (field: Field): Check<Done>[] => {
    const { default: fallback, create: made } = field;
    const found = ({ shown }: Done): Json | undefined => membersOf(shown)?.[field.name];
    if (inPath.includes(field.name))
      return [
        {
          name: 'given.back',
          says: `${says} sets ${field.name} to what the path gives`,
          cites: { address: field.address, at: field.at },
          guard: (done) => all(guard(done), closed(of, field.address)),
          claim: (done) => fits(done.asked?.known.get(field.name) ?? hole(), found(done)),
        },
      ];
    if (fallback.kind !== 'open')
      return [
        {
          name: 'default',
          says: `${says} sets ${field.name} to its default`,
          cites: { address: fallback.address, at: fallback.at },
          guard: (done) => all(guard(done), leftOut(done, field), closed(of, field.address)),
          claim: (done) => ({
            truth: stating(fallback, (value) =>
              known(alike(tools.resolve(schemaOf(field.shape)), value, found(done))),
            ),
            expected: shownAs(stated(fallback)),
            found: shownAs(found(done)),
          }),
        },
      ];
    if (made.kind === 'stated')
      return [
        {
          name: 'set.create',
          says: `${says} sets ${field.name} as stated`,
          cites: { address: made.address, at: made.at },
          guard: (done) => all(guard(done), leftOut(done, field), closed(of, field.address)),
          claim: (done) => fits(workOut(made.value.template, done.names), found(done)),
        },
      ];
    if (field.derived.kind !== 'open' || !isReadable(field)) return [];
    const required = stated(resource.required)?.some((use) => use.name === field.name) ?? false;
    if (required) return [];
    return [
      {
        name: 'absent',
        says: `${says} leaves ${field.name} out`,
        cites: { address: rest(field.address), at: of.completeness.closed(field.address) ?? field.at },
        guard: (done) => all(guard(done), leftOut(done, field), closed(of, field.address)),
        claim: (done) => ({
          truth: known(found(done) === undefined),
          expected: `no member ${field.name}`,
          found: shownAs(found(done)),
        }),
      },
    ];
  };
  const fields = [...resource.fields.values()].filter(isReadable);
  const required = (stated(resource.required) ?? []).map((use) => use.name);
  return scenario(
    of,
    restsOf(operation),
    async () => await create(trial, operation, bodyFor(trial, operation, 'least')),
    [
      succeeds(trial, operation, says, required, {
        address: resource.required.address,
        at: resource.required.at,
      }),
      ...fields.flatMap(ofField),
    ],
  );
}

interface Two extends Done {
  readonly other: Done;
  /** The first, read again by its identifier after the second was made. */
  readonly back: Done | undefined;
}

/** The identifier tells one item from another, and finds it again (language §2, `identifier`). */
function twoCreated(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const { of, tools } = trial;
  const cites = { address: resource.identifier.address, at: resource.identifier.at };
  const observe = async (): Promise<Two> => {
    const body = bodyFor(trial, operation, 'most');
    const givesKey = (stated(resource.identifier) ?? []).some(({ text }) =>
      Object.hasOwn(membersOf(body) ?? {}, text),
    );
    const done = await create(trial, operation, body);
    const other = await create(trial, operation, givesKey ? bodyFor(trial, operation, 'most') : body);
    const { item } = done;
    const back = item ? await ifReached(() => readBack(trial, item)) : undefined;
    return { ...done, other, back };
  };
  const identified = ({ item }: Done): Truth =>
    item && identityOf(item)
      ? yes
      : unseen('no identifier could be learned: nothing shows it, or gives it away');
  const made = ({ exchange, other, ...done }: Two): Truth =>
    all(
      succeeded(exchange, operation),
      succeeded(other.exchange, operation),
      identified({ exchange, ...done }),
      identified(other),
    );
  const again: Check<Two> = {
    name: 'succeeds',
    says: `${operation.key} with the members of another ${resource.name} succeeds`,
    cites: { address: rest(resource.address), at: of.completeness.closed(resource.address) ?? resource.at },
    guard: ({ given, other }) =>
      nothingRefuses(of, operation, Object.keys(membersOf(given) ?? {}), before(other)),
    claim: ({ other }) => ({
      truth: isSuccess(other.exchange, operation),
      expected: 'a success: nothing stated is unique but the identifier',
      found: answerFound(other.exchange),
    }),
    exchange: ({ other }) => other.exchange,
  };
  const keys = (stated(resource.identifier) ?? []).flatMap((name) => resource.fields.get(name.text) ?? []);
  const ofKey = (field: Field): Check<Two>[] => {
    const value = ({ item }: Done): Json | undefined => item?.known.get(field.name);
    const schema = schemaOf(field.shape);
    const shape: Check<Two> = {
      name: 'identifier.shape',
      says: `the ${field.name} that ${operation.key} gives is in its shape`,
      cites: { address: field.address, at: field.at },
      guard: (seen) => all(succeeded(seen.exchange, operation), identified(seen)),
      claim: (seen) => {
        const found = value(seen);
        return {
          truth: known(found !== undefined && tools.failures(schema, found).length === 0),
          expected: shownAs(schema as Json),
          found: shownAs(found),
        };
      },
    };
    const { create: made } = field;
    if (made.kind !== 'stated' || isReadable(field)) return [shape];
    return [
      shape,
      {
        ...shape,
        name: 'set.create',
        says: `the ${field.name} that ${operation.key} gives is made as stated`,
        cites: { address: made.address, at: made.at },
        claim: (seen) => fits(workOut(made.value.template, seen.names), value(seen)),
      },
    ];
  };
  const differ: Check<Two> = {
    name: 'identifier.unique',
    says: `${operation.key}, twice, makes two items`,
    cites,
    guard: made,
    claim: ({ item, other }) => {
      const [a, b] = [item && identityOf(item), other.item && identityOf(other.item)];
      return { truth: known(a !== b), expected: `another than ${a}`, found: String(b) };
    },
  };
  const found: Check<Two> = {
    name: 'identifier.finds',
    says: `an item is found again by its identifier`,
    cites,
    guard: (seen) =>
      all(
        made(seen),
        seen.back && seen.shown !== undefined ? yes : unseen(`nothing reads a ${resource.name}`),
        seen.back ? succeeded(seen.back.exchange, seen.back.operation) : yes,
        steady(of, resource),
        asKept(of, resource),
      ),
    claim: ({ shown, back }) => ({
      truth: known(back?.shown !== undefined && shown !== undefined && equal(back.shown, shown)),
      expected: shownAs(shown),
      found: shownAs(back?.shown),
    }),
  };
  return scenario<Two>(of, restsOf(operation), observe, [again, differ, ...keys.flatMap(ofKey), found]);
}
