import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Older, Specification } from '../../specification/model/specification.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';

/**
 * What a version states of requests (language §9.3): the newest specification, or that of an older version, over items that
 * are stored as the newest states (rule 16).
 *
 * @param name the name of a version
 */
export function editionOf(newest: Specification, name: string): Specification {
  const older = newest.older.get(name);
  return older ? over(newest, older) : newest;
}

const over = once((newest: Specification, { specification: said, was }: Older): Specification => {
  const resourcesByName = new Map(newest.resourcesByName);
  for (const [name, resource] of said.resourcesByName) {
    const stored = newest.resourcesByName.get(name);
    resourcesByName.set(name, stored ? resourceOver(stored, resource) : resource);
  }
  const operations = said.operations.map((operation): Operation => {
    const { subject } = operation;
    return subject ? { ...operation, subject: resourcesByName.get(subject.name) ?? subject } : operation;
  });
  return { ...said, resourcesByName, operations, was };
});

/** Every field that is stored is one of the version, too. A field that it lacks is neither shown nor given. */
function resourceOver(stored: Resource, said: Resource): Resource {
  const fields = new Map(
    [...stored.fields].map(([name, field]): [string, Field] => [
      name,
      said.fields.get(name) ?? hidden(field),
    ]),
  );
  for (const [name, field] of said.fields) fields.set(name, field);
  return { ...said, identifier: stored.identifier, unique: stored.unique, fields };
}

function hidden(field: Field): Field {
  const { address, at } = field;
  const no = { kind: 'stated', value: false, address, at, assumed: false } as const;
  return { ...field, readable: no, writable: no };
}
