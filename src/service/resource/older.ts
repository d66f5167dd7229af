import type { Specification } from '../../specification/model/specification.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { isUnsaid } from '../shape/renaming.ts';
import type { Brought, Members } from './kept.ts';

/**
 * What an older version says of resources, over what is kept: of fields that it does not have nobody is told, and nobody
 * gives them (language §9.3).
 */
export function over(newest: Specification, older: Specification): Specification {
  const resources = new Map(newest.resourcesByName);
  for (const [name, said] of older.resourcesByName) {
    const kept = newest.resourcesByName.get(name);
    resources.set(name, kept ? merged(kept, said) : said);
  }
  return { ...older, resourcesByName: resources };
}

function merged(kept: Resource, said: Resource): Resource {
  const fields = new Map<string, Field>();
  for (const [name, field] of kept.fields) fields.set(name, said.fields.get(name) ?? hidden(field));
  for (const [name, field] of said.fields) fields.set(name, field);
  return { ...said, identifier: kept.identifier, fields };
}

function hidden(field: Field): Field {
  const { address, at } = field;
  const no = { kind: 'stated', value: false, address, at, assumed: false } as const;
  return { ...field, readable: no, writable: no };
}

/** What is brought without the members that are not kept: those of older versions alone, and names that say nothing. */
export function keepable(kept: Resource, said: Resource, brought: Brought): Brought {
  const isKept = (name: string): boolean =>
    !isUnsaid(name) && (kept.fields.has(name) || !said.fields.has(name));
  const given: Members = Object.fromEntries(Object.entries(brought.given).filter(([name]) => isKept(name)));
  return { ...brought, given };
}

/** What was given, as if it were set by the service: it is held against what the newest version says. */
export function asSet({ fields }: Resource, { given, set, ...brought }: Brought, after: Members): Brought {
  const taken = Object.keys(given).map((name) => {
    const isSecret = fields.get(name)?.secret.kind === 'stated';
    return [name, isSecret ? given[name] : after[name]] as const;
  });
  return { ...brought, given: {}, set: { ...Object.fromEntries(taken), ...set } };
}
