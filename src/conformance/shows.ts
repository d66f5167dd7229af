import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { rest } from '../specification/reading/address.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { bodyOf } from './body.ts';
import type { Check } from './check.ts';
import { closed, stating, succeeded } from './guards.ts';
import { isReadable, itemSeen, type Members, membersOf } from './item.ts';
import { type Lens, lensOf } from './lens.ts';
import { isAlwaysThere } from './present.ts';
import { fieldSchema, type Schema } from './schema.ts';
import { lensShown } from './shown-in.ts';
import { workOut } from './solve.ts';
import type { Done, Trial } from './trial.ts';
import { fits, shownAs } from './unify.ts';
import { all, known, type Truth, unknown, unseen, yes } from './verdict.ts';

/** The items that an answer shows: one, or those of a list. */
function itemsShown({ shown }: Done): readonly Members[] {
  const each = (Array.isArray(shown) ? (shown as Json[]) : [shown]).map(membersOf);
  return each.filter((one) => one !== undefined);
}

/** What `R(x)` shows, member by member (language §2): each readable one in its shape, and no other. */
export function showsAsStated(trial: Trial, operation: Operation, resource: Resource): Check<Done>[] {
  const { of, tools } = trial;
  const { key } = operation;
  if (lensShown(of, operation, resource) === null) return [];
  const guard = (done: Done): Truth => all(succeeded(done.exchange, operation), showing(done));
  const lens = lensOfAnswer(of, operation, resource);
  const fields = [...lens.fields.values()];
  const all_ = [...resource.fields.values()];
  const wrong = (done: Done, fault: (item: Members) => Json | undefined) => {
    const faults = itemsShown(done).flatMap((item) => fault(item) ?? []);
    return {
      truth: known(faults.length === 0),
      found: faults.length === 0 ? 'so' : shownAs(faults[0] as Json),
    };
  };
  const shaped = (field: Field): Check<Done> => {
    const schema = schemaShown(of, field);
    const own = ({ exchange, ...done }: Done): Truth => {
      const isThere = itemsShown({ exchange, ...done }).some((item) => Object.hasOwn(item, field.name));
      return all(guard({ exchange, ...done }), known(isThere, `no ${resource.name} shown has ${field.name}`));
    };
    return {
      name: 'shown.shape',
      says: `${key} shows ${field.name} in its shape`,
      cites: { address: field.address, at: field.at },
      guard: own,
      claim: (done) => ({
        ...wrong(done, (item) =>
          Object.hasOwn(item, field.name) &&
          !isCleared(field, item[field.name] as Json) &&
          tools.failures(schema, item[field.name] as Json).length > 0
            ? item[field.name]
            : undefined,
        ),
        expected: shownAs(schema as Json),
      }),
    };
  };
  const hidden = (field: Field): Check<Done> => ({
    name: 'shown.readable',
    says: `${key} never shows ${field.name}`,
    cites: { address: field.readable.address, at: field.readable.at },
    guard,
    claim: (done) => ({
      ...wrong(done, (item) => (Object.hasOwn(item, field.name) ? (item as Json) : undefined)),
      expected: `no member ${field.name}`,
    }),
  });
  const omitted = (field: Field): Check<Done> => {
    const view = lens.view?.shows.kind === 'open' ? lens.view.omits : lens.view?.shows;
    return {
      ...hidden(field),
      name: 'shown.view',
      says: `${key} leaves ${field.name} out, which ${lens.name} does not show`,
      cites: view ? { address: view.address, at: view.at } : { address: lens.address, at: lens.at },
    };
  };
  const derived = (field: Field): Check<Done> => ({
    name: 'shown.derived',
    says: `${key} shows ${field.name} as it is derived`,
    cites: { address: field.derived.address, at: field.derived.at },
    guard,
    claim: (done) => {
      const claims = itemsShown(done).map((item) => {
        const seen = done.entries
          ? itemSeen(resource, item, undefined, done.names, [], undefined, lens.fields)
          : done.item;
        const template = stated(field.derived)?.template;
        if (template === undefined)
          return { truth: unknown(field.derived.address), expected: '(open)', found: '' };
        return fits(workOut(template, new Map(done.names).set('this', seen ?? null)), item[field.name]);
      });
      const worst =
        claims.find(({ truth }) => truth.value === false) ??
        claims.find(({ truth }) => truth.value === null) ??
        claims[0];
      return worst ?? { truth: unseen('nothing is shown'), expected: '', found: '' };
    },
  });
  const present = (field: Field): Check<Done> => ({
    name: 'shown.present',
    says: `${key} shows ${field.name}`,
    cites: { address: field.readable.address, at: field.readable.at },
    guard,
    claim: (done) => ({
      ...wrong(done, (item) => (Object.hasOwn(item, field.name) ? undefined : (item as Json))),
      expected: `a member ${field.name}`,
    }),
  });
  const names = fields.map((field) => field.name);
  const nothingElse: Check<Done> = {
    name: 'shown.others',
    says: `${key} shows no member but those of ${lens.name}`,
    cites: {
      address: rest(`${lens.address}.fields`),
      at: of.completeness.closed(`${lens.address}.fields`) ?? lens.at,
    },
    guard: (done) => all(guard(done), closed(of, `${lens.address}.fields`), keepsNone(of, resource)),
    claim: (done) => ({
      ...wrong(done, (item) =>
        Object.keys(item).some((name) => !names.includes(name)) ? (item as Json) : undefined,
      ),
      expected: `no members but ${fields
        .filter(isReadable)
        .map((field) => field.name)
        .join(', ')}`,
    }),
  };
  const shapes = fields
    .filter((field) => isReadable(field) && Object.keys(schemaShown(of, field)).length > 0)
    .map(shaped);
  // What is drawn up member by member is judged as the body that it is.
  if (lens.isDrawn) return shapes;
  return [
    ...shapes,
    // What is in a list may have been there before the field was.
    ...(stated(operation.does)?.verb === 'list'
      ? []
      : fields.filter((field) => isReadable(field) && isAlwaysThere(field)).map(present)),
    ...all_.filter((field) => stated(field.readable) === false).map(hidden),
    ...(lens.view ? all_.filter((field) => isReadable(field) && !lens.fields.has(field.name)) : []).map(
      omitted,
    ),
    ...fields.filter((field) => isReadable(field) && field.derived.kind === 'stated').map(derived),
    nothingElse,
  ];
}

/** The shape of a member as it is shown; of one that is shown in another way nothing is stated. */
function schemaShown(of: Specification, field: Field): Schema {
  return field.shown.kind === 'stated' ? {} : fieldSchema(of, field);
}

/** What the answer of an operation shows its items through; the resource, where it shows none. */
export function lensOfAnswer(of: Specification, operation: Operation, resource: Resource): Lens {
  return lensShown(of, operation, resource) ?? (lensOf(of, resource.name) as Lens);
}

/** Whether no request leaves members behind that nobody stated: where they are kept, they are shown (language §H.1). */
function keepsNone(of: Specification, resource: Resource): Truth {
  const bodies = of.operations.flatMap((one) => (one.subject === resource ? (bodyOf(of, one) ?? []) : []));
  const kept = bodies.map(({ others }) =>
    others ? stating(others, (rule) => known(rule !== 'keep', 'members that nobody stated are kept')) : yes,
  );
  return all(...kept);
}

function showing(done: Done): Truth {
  const { shown, operation } = done;
  if (Array.isArray(shown) && shown.length === 0) return known(false, 'the list is empty');
  return known(itemsShown(done).length > 0, `the answer of ${operation.key} shows no item`);
}

/** A reference may be null: to nothing (language §2, G.3). */
function isCleared({ refers }: Field, value: Json): boolean {
  return value === null && stated(refers) !== undefined;
}
