import { plain } from '../../semantics/value/plain.ts';
import type { World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';

/** Of more items of a resource than this nothing is said: they are elements of a list. */
const few = 4;

/**
 * What kind each item is: its state, and what it holds in fields with few values. Operations often depend on these.
 *
 * @param keys the items, each as its resource and handle
 */
export function kindsOf(keys: ReadonlySet<string>, world: World): readonly string[] {
  const items = [...keys].map((key) => {
    const [resource = '', handle] = key.split(' ');
    return { resource, handle: Number(handle) };
  });
  const fewOfEach = [...Map.groupBy(items, ({ resource }) => resource).values()].filter(
    ({ length }) => length <= few,
  );
  return fewOfEach.flat().flatMap((item) => {
    const { resource } = item;
    const members = world.stored(item)?.members;
    if (!members) return [];
    return (fieldsWithFewValues(world.specification).get(resource) ?? []).map(
      (name) => `${resource}.${name} = ${JSON.stringify(plain(members.get(name) ?? null))}`,
    );
  });
}

/** By resource, the fields that hold a state, a flag, or one of a list of values. */
export const fieldsWithFewValues = once(
  ({ resourcesByName, states }: Specification): ReadonlyMap<string, readonly string[]> => {
    const machines = new Set(stated(states)?.keys() ?? []);
    return new Map(
      [...resourcesByName.values()].map(({ name, fields }) => [
        name,
        [...fields.values()]
          .filter((field) => {
            const { type, enum: listed } = schemaOf(field.shape);
            return machines.has(`${name}.${field.name}`) || type === 'boolean' || listed !== undefined;
          })
          .map((field) => field.name),
      ]),
    );
  },
);
