import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isAsked, stated } from '../../specification/reading/said.ts';
import type { Field, Resource, View } from '../../specification/vocabulary/parts/resources.ts';

/** What an item is shown through: its resource itself, or a view of it (language §2). */
export interface Lens {
  readonly resource: Resource;
  /** The fields that it speaks of; of a view those that it shows, and its own. */
  readonly fields: ReadonlyMap<string, Field>;
}

/** The lens of a name; null: it is none, or it is open what it shows. */
export const lensOf = once((specification: Specification, name: string): Lens | null => {
  const entry = stated(stated(specification.resources)?.get(name));
  const own = specification.resourcesByName.get(name);
  if (own) return { resource: own, fields: own.fields };
  if (entry?.kind !== 'view') return null;
  const resource = specification.resourcesByName.get(stated(entry.of)?.text ?? '');
  const fields = resource && fieldsOf(entry, resource);
  return fields ? { resource, fields } : null;
});

function fieldsOf(view: View, resource: Resource): ReadonlyMap<string, Field> | null {
  const [shows, omits] = [view.shows, view.omits].map((said) => stated(said)?.map(({ text }) => text));
  if (shows === undefined && omits === undefined) return null;
  const isShown = (name: string): boolean => (shows ? shows.includes(name) : !omits?.includes(name));
  const readable = [...resource.fields].filter(([name, field]) => isShown(name) && isReadable(field));
  return new Map([...readable, ...view.fields]);
}

function isReadable(field: Field): boolean {
  return stated(field.readable) === true && !isAsked(field.shown);
}
