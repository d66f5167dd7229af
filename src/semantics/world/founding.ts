import { once } from '../../source/once.ts';
import { changesIn } from '../../specification/model/changes.ts';
import { machinesOf, transitionsIn } from '../../specification/model/machine.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Transition } from '../../specification/vocabulary/parts/states.ts';
import type { Field } from '../../specification/vocabulary/resource/field.ts';

/**
 * The fields of a founding item (language §2.1, rule 5) that no request changes. Their values are known even if others
 * use the service. Null: a founding item may be deleted.
 */
export const lastingFields = once(
  (resource: Resource, specification: Specification): ReadonlySet<string> | null => {
    const moves = movesOf(resource, specification);
    const changes = changesIn(specification).filter((change) => mayConcern(change, resource, specification));
    const fields = [...resource.fields.values()];
    const isEnding =
      changes.some(({ verb }) => ['delete', 'handled', 'run'].includes(verb)) ||
      moves.some(({ to }) => to.kind === 'none') ||
      fields.some(({ ifDeleted }) => stated(ifDeleted) === 'delete');
    return isEnding ? null : fixedFields(resource, specification);
  },
);

/** The fields of an item that no request changes once it is made. */
export const fixedFields = once((resource: Resource, specification: Specification): ReadonlySet<string> => {
  const moves = movesOf(resource, specification);
  const changes = changesIn(specification).filter((change) => mayConcern(change, resource, specification));
  const fields = [...resource.fields.values()];
  const written = new Set([
    ...changes.flatMap((change) => fieldsWritten(change, fields)),
    ...moves.flatMap(({ set }) => [...(stated(set)?.keys() ?? [])]),
  ]);
  const isLasting = ({ name, update, ifDeleted }: Field): boolean =>
    !written.has(name) &&
    stated(update) === undefined &&
    stated(ifDeleted) !== 'clear' &&
    stated(specification.states)?.has(`${resource.name}.${name}`) !== true;
  return new Set(fields.filter(isLasting).map(({ name }) => name));
});

/** The transitions of a resource. */
function movesOf({ name }: Resource, specification: Specification): Transition[] {
  return [...machinesOf(specification, name).values()].flatMap((machine) => [
    ...transitionsIn(machine).values(),
  ]);
}

/** The subject may be named by `as`, or be an expression: then it may be an item of any resource. */
function mayConcern({ subject }: Change, { name }: Resource, { resourcesByName }: Specification): boolean {
  return subject.name === name || !resourcesByName.has(subject.name ?? '');
}

const writing = ['update', 'replace'];

/** The fields that a change may write. An expression may give any field that a client may write. */
function fieldsWritten({ verb, qualifiers }: Change, fields: readonly Field[]): string[] {
  const isWriting = writing.includes(verb) || writing.includes(stated(qualifiers.present) ?? '');
  if (!isWriting) return [];
  const writable = fields.filter(({ writable }) => stated(writable) !== false && stated(writable) !== 'once');
  const names = writable.map(({ name }) => name);
  const given = stated(qualifiers.with);
  if (given === undefined || verb !== 'update') return names;
  return given.flatMap(({ template }) => (template.kind === 'object' ? [...template.members.keys()] : names));
}
