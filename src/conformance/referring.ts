import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { bodyOf } from './body.ts';
import { ifReached, Unreached } from './check.ts';
import { calledIn, namesFor } from './names.ts';
import { type Item, isHole, world, worldName } from './partly.ts';
import { make, readBack } from './perform.ts';
import { workOut } from './solve.ts';
import { moveNamed } from './states/machines.ts';
import { type Attempt, operationFor, type Trial } from './trial.ts';
import { worldOf } from './world.ts';

/** A new item that refers to another: by its body, or since it is made under it. */
export async function makeReferring(
  trial: Trial,
  resource: Resource,
  field: Field,
  target: Item,
  key: Json,
): Promise<Item> {
  const maker = operationFor(trial.of, resource, 'create');
  const body = maker && bodyOf(trial.of, maker);
  const binding = [...(maker?.bindings.values() ?? [])].find(
    (one) => one.kind === 'other' && one.resource === target.resource.name,
  );
  const more: Attempt = binding?.kind === 'other' ? { others: new Map([[calledIn(binding), target]]) } : {};
  const { item } = await make(
    trial,
    resource,
    body?.fields.has(field.name) ? { [field.name]: key } : {},
    more,
  );
  if (item.known.get(field.name) !== key)
    throw new Unreached(`no ${resource.name} could be made that refers by ${field.name}`);
  return item;
}

/**
 * An item that an operation may move: with what refers to it where the guard is not true of one to which nothing does, as
 * of an invoice without lines.
 */
export async function populated(trial: Trial, operation: Operation, item: Item): Promise<Item> {
  const { of } = trial;
  const move = moveNamed(of, item.resource, stated(operation.does)?.verb ?? '');
  const guard = stated(move?.transition.when);
  const names = namesFor(trial, { operation, request: null, item });
  if (!guard || !isHole(workOut(guard.template, names))) return item;
  const read = new Set<string>();
  const empty = world(worldOf(trial).find, (name) => {
    read.add(name);
    return [];
  });
  if (workOut(guard.template, new Map(names).set(worldName, empty)) !== false) return item;
  for (const source of [...read].flatMap((name) => of.resourcesByName.get(name) ?? []))
    for (const field of source.fields.values()) {
      const to = stated(field.refers);
      const key = to?.resource === item.resource.name ? item.known.get(to.field ?? '') : undefined;
      if (key !== undefined) await ifReached(() => makeReferring(trial, source, field, item, key));
    }
  return (await ifReached(() => readBack(trial, item)))?.item ?? item;
}
