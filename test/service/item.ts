import { type Json, list, type Members, map } from './document.ts';
import type { Due } from './due.ts';

/** A kept to-do: the value of its identifier, and its other kept members. */
export interface Item {
  readonly key: string;
  readonly members: Members;
}

/** The text of a UUID (RFC 9562 §4). */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What `Todo(x)` shows (language §E.8, §E.9, §G.3). */
export function shown(document: Members, { key, members }: Item, url: string): Readonly<Record<string, Due>> {
  const todo = map(map(document['resources'])['Todo']);
  const described = map(todo['fields']);
  const found: Record<string, Due> = {};
  for (const name of new Set([
    ...list(todo['identifier']),
    ...list(todo['required']),
    ...Object.keys(described),
  ])) {
    const { readable, derived } = map(described[name]);
    const address = `resources.Todo.fields.${name}`;
    const value = name === 'id' ? key : members[name];
    // What is asked is shown to nobody (language §2.2).
    if (readable === false || String(readable).startsWith('(open)')) continue;
    if (derived !== undefined) found[name] = { by: `${address}.derived`, value: `${url}/${key}` };
    else if (value !== undefined) found[name] = { by: `what the client gave, or ${address}.default`, value };
  }
  return found;
}

/** What a new to-do has of its own accord (language §2, `default`). */
export function defaults(described: Members): Members {
  return Object.fromEntries(
    Object.entries(described).flatMap(([name, one]) => {
      const value = map(one)['default'];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The keywords that a value does not meet (JSON Schema 2020-12), of those that the document holds. */
export function unmet(shape: Members, value: Json): string[] {
  return Object.entries(shape).flatMap(([keyword, limit]) => {
    const meets = (): boolean => {
      if (keyword === 'type') return limit === 'integer' ? Number.isInteger(value) : typeof value === limit;
      if (typeof value !== 'string') return true;
      if (keyword === 'minLength') return [...value].length >= Number(limit);
      if (keyword === 'format' && limit === 'uuid') return uuid.test(value);
      return keyword !== 'format' || URL.canParse(value);
    };
    return meets() ? [] : [keyword];
  });
}
