import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { rest } from '../specification/reading/address.ts';
import { stated } from '../specification/reading/said.ts';
import { bringsBody } from '../specification/vocabulary/change.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';
import { alike } from './alike.ts';
import { type Check, ifReached, type Scenario, scenario } from './check.ts';
import { foresee } from './foresee/foresee.ts';
import { memberOf } from './foresee/outlook.ts';
import { closed, doesJustThat, stating, succeeded } from './guards.ts';
import { isReadable, membersOf } from './item.ts';
import { setTo, shownFor } from './kept.ts';
import { hole, isHole } from './partly.ts';
import { create, readBack } from './perform.ts';
import { bodyFor } from './request.ts';
import { lensShown } from './shown-in.ts';
import { workOut } from './solve.ts';
import { isStateField } from './states/machines.ts';
import { before, succeeds } from './success.ts';
import { type Done, operationFor, restsOf, type Trial } from './trial.ts';
import { fits, shownAs } from './unify.ts';
import { all, known, type Truth, unseen, yes } from './verdict.ts';

/** Whether something was made, all of it by this operation, and is shown. */
function isSeen(of: Specification, operation: Operation, { exchange, shown }: Done): Truth {
  return all(
    succeeded(exchange, operation),
    shown === undefined ? unseen(`nothing shows what ${operation.key} made`) : yes,
    doesJustThat(of, operation),
  );
}

function leftOut({ given }: Done, field: Field): Truth {
  return known(!Object.hasOwn(membersOf(given) ?? {}, field.name), `${field.name} was given`);
}

/** What the service sets on creation is as stated (language §2.2, `set`). */
export function setAsStated(
  of: Specification,
  operation: Operation,
  field: Field,
  says: string,
): Check<Done> {
  const { name, address, create: made } = field;
  return {
    name: 'set.create',
    says: `${says} sets ${name} as stated`,
    cites: { address: made.address, at: made.at },
    guard: (done) => all(isSeen(of, operation, done), leftOut(done, field), closed(of, address)),
    claim: (done) => {
      const template = stated(made)?.template;
      const value = template ? setTo(field, workOut(template, done.names)) : hole();
      return fits(isHole(value) ? value : shownFor(field, value, done.names), membersOf(done.shown)?.[name]);
    },
  };
}

/**
 * What a creation sets besides what is given: with no member but those that must be there, each other one is its
 * default, what the service makes, or absent (language §2).
 */
export function creation(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const { of, tools } = trial;
  const says = `${operation.key} with no member but the required ones`;
  const guard = (done: Done): Truth => isSeen(of, operation, done);
  const inPath = [...operation.bindings.values()].flatMap((one) =>
    one.kind === 'subject' ? [one.field] : [],
  );
  const change = stated(operation.does);
  const isOwn = change !== undefined && !bringsBody(change);
  const ofField = (field: Field): Check<Done>[] => {
    if (isOwn && field.derived.kind === 'open') return [setByWith(field)];
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
    if (made.kind === 'stated') return [setAsStated(of, operation, field, says)];
    if (field.derived.kind !== 'open' || isStateField(of, resource, field.name)) return [];
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
  /** What `does` itself sets, whatever the client gives (language §H.2, `with`). */
  const setByWith = (field: Field): Check<Done> => ({
    name: 'set.with',
    says: `${says} makes ${field.name} what it is stated to be`,
    cites: { address: field.address, at: field.at },
    guard: (done) => all(guard(done), closed(of, field.address)),
    claim: (done) => {
      const after = foresee(of, operation, before(done)).after;
      const wanted = after ? (memberOf(after, field.name) ?? hole()) : hole();
      return fits(
        isHole(wanted) ? wanted : shownFor(field, wanted, done.names),
        membersOf(done.shown)?.[field.name],
      );
    },
  });
  const reader = operationFor(of, resource, 'read');
  const drawn = lensShown(of, operation, resource);
  const lens = drawn ?? (reader && lensShown(of, reader, resource));
  // What is for nobody to read is shown where the answer to its creation is drawn up so: a key, that once.
  const isShownOnce = (field: Field): boolean =>
    lens === drawn && drawn?.isDrawn === true && field.create.kind === 'stated';
  const fields = [...resource.fields.values()].filter(
    (field) => lens?.fields.get(field.name) === field && (isReadable(field) || isShownOnce(field)),
  );
  const required = (stated(resource.required) ?? []).map((use) => use.name);
  return scenario(
    of,
    restsOf(operation),
    async () => {
      const done = await create(trial, operation, bodyFor(trial, operation, 'least'));
      const { item, exchange } = done;
      if (done.lens !== null) return done;
      const read =
        item && succeeded(exchange, operation).value === true
          ? await ifReached(() => readBack(trial, item))
          : undefined;
      return { ...done, shown: read?.shown, lens: read?.lens ?? null };
    },
    [
      succeeds(trial, operation, says, required, {
        address: resource.required.address,
        at: resource.required.at,
      }),
      ...fields.flatMap(ofField),
    ],
  );
}
