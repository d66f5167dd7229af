import { plain } from '../../semantics/value/plain.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import type { Machine } from '../../specification/vocabulary/parts/states.ts';
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
    return [...(fewValues(world.specification).get(resource)?.keys() ?? [])].map(
      (name) => `${resource}.${name} = ${JSON.stringify(plain(members.get(name) ?? null))}`,
    );
  });
}

/** By resource, the fields that hold a state, a flag, or one of a list of values, each with these values. */
export const fewValues = once(
  ({ resourcesByName, states }: Specification): ReadonlyMap<string, ReadonlyMap<string, readonly Json[]>> =>
    new Map(
      [...resourcesByName.values()].map(({ name, fields }) => [
        name,
        new Map(
          [...fields.values()].flatMap((field): [string, readonly Json[]][] => {
            const values = valuesOf(field, stated(states)?.get(`${name}.${field.name}`));
            return values ? [[field.name, values]] : [];
          }),
        ),
      ]),
    ),
);

/** Undefined: the field may hold any. */
function valuesOf({ shape }: Field, machine: Said<Machine> | undefined): readonly Json[] | undefined {
  if (machine) return (stated(stated(machine)?.states) ?? []).map(({ text }) => text);
  const { type, enum: listed } = schemaOf(shape);
  if (listed !== undefined) return Array.isArray(listed) ? (listed as Json[]) : [];
  return type === 'boolean' ? [true, false] : undefined;
}
