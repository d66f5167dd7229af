import type { Operation } from '../specification/model/operation.ts';
import { withArticle } from '../specification/reading/article.ts';
import { stated } from '../specification/reading/said.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { type Scenario, Unreached } from './check.ts';
import { doesJustThat } from './guards.ts';
import { keyOf } from './item.ts';
import { someItem } from './items.ts';
import { calledIn, namesFor } from './names.ts';
import { type Item, item as itemOf } from './partly.ts';
import { keyToMake, makeAndRemove, perform } from './perform.ts';
import { oddKeys } from './refusals/odd-keys.ts';
import { refusing } from './refusing.ts';
import { bodyFor, isAboutOne } from './request.ts';
import { workOut } from './solve.ts';
import { type Attempt, type Done, operationFor, type Trial } from './trial.ts';
import { placeOf, worldOf } from './world.ts';

/** Parameters that single out other items: one that is not there, and one that the item does not go with (language §4.2). */
export function bindings(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const { subject, key } = operation;
  const creates = stated(operation.does)?.verb === 'create';
  const about = async (): Promise<Item | undefined> =>
    subject && isAboutOne(operation)
      ? creates
        ? await keyToMake(trial, operation, subject)
        : await someItem(trial, subject)
      : undefined;
  const ask = async (item: Item | undefined, others: ReadonlyMap<string, Item>): Promise<Done> => {
    const body = bodyFor(trial, operation, 'most');
    const attempt: Attempt = { ...(item && { item }), ...(body !== undefined && { body }), others };
    return await perform(trial, operation, attempt);
  };
  const bound = [...operation.bindings].flatMap(([name, one]) =>
    one.kind === 'other' ? [[name, one] as const] : [],
  );
  const nobody = bound.flatMap(([name, binding]): Scenario[] => {
    const resource = of.resourcesByName.get(binding.resource);
    const remover = resource && operationFor(of, resource, 'delete');
    if (resource === undefined || operation.request === null) return [];
    const cites = { address: operation.request.path.address, at: operation.request.path.at };
    const cases: (readonly [string, () => Promise<Item>])[] = [
      ['that nobody made', () => Promise.resolve(keyOf(trial.fresh, resource, [binding.field]))],
      ...odd(trial, resource, binding.field),
      ...(remover ? [['that was removed', () => makeAndRemove(trial, remover, resource)] as const] : []),
    ];
    return cases.map(([label, parent]) => {
      let other: Item | undefined;
      return refusing(trial, {
        says: `${key} with ${withArticle(resource.name)} for ${name} ${label}`,
        operation,
        cites,
        reasons: [{ name: 'unknown', subject: resource.name, failures: [] }],
        must: doesJustThat(of, operation),
        item: async () => {
          other = await parent();
          return await about();
        },
        send: async (item) => await ask(item, around(trial, item).set(calledIn(binding), other as Item)),
      });
    });
  });
  return [...nobody, ...elsewhere(trial, operation, about, ask)];
}

/** Keys that no item can have. */
function odd(
  trial: Trial,
  resource: Resource,
  name: string,
): readonly (readonly [string, () => Promise<Item>])[] {
  const field = resource.fields.get(name);
  const keys = field ? oddKeys(trial, field) : [];
  return keys.map(([shown, key]) => [
    `with ${shown} for its ${name}`,
    () => Promise.resolve(itemOf(resource, [[name, key]], [])),
  ]);
}

function around({ around: known }: Trial, item: Item | undefined): Map<string, Item> {
  return new Map(item && known.get(placeOf(item)));
}

/** An item under another one than its own: `where` does not admit it (language §H.2). */
function elsewhere(
  trial: Trial,
  operation: Operation,
  about: () => Promise<Item | undefined>,
  ask: (item: Item | undefined, others: ReadonlyMap<string, Item>) => Promise<Done>,
): Scenario[] {
  const { of } = trial;
  const { subject } = operation;
  const where = stated(operation.does)?.qualifiers.where;
  const template = stated(where)?.template;
  // Where there is none, nothing is done (language §H.2, `absent`).
  const ignored = stated(stated(operation.does)?.qualifiers.absent) !== undefined;
  if (!subject || !where || !template || !isAboutOne(operation) || ignored) return [];
  const bound = [...operation.bindings.values()].filter((one) => one.kind === 'other');
  if (bound.length === 0) return [];
  let others = new Map<string, Item>();
  return [
    refusing(trial, {
      says: `${operation.key} of ${withArticle(subject.name)} under another item than its own`,
      operation,
      cites: { address: where.address, at: where.at },
      reasons: [{ name: 'unknown', subject: subject.name, failures: [] }],
      must: doesJustThat(of, operation),
      item: async () => {
        const item = await about();
        others = around(trial, item);
        for (const one of bound) {
          const own = others.get(calledIn(one));
          const another = (trial.stock.get(one.resource) ?? []).find(
            (kept) => placeOf(kept) !== (own && placeOf(own)),
          );
          if (another) others.set(calledIn(one), another);
        }
        const asking = { operation, request: null, ...(item && { item }), others, world: worldOf(trial) };
        if (item === undefined || workOut(template, namesFor(trial, asking)) !== false)
          throw new Unreached(`no ${subject.name} was found that ${where.address} does not admit`);
        return item;
      },
      send: (item) => ask(item, others),
    }),
  ];
}
