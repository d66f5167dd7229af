import type { Json } from '../../source/node.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { absent, type Item, isAbsent, isKnown, itemOf, type Partly, toJson } from '../partly.ts';

/** The members of an item, each worked out as far as it can be. A member that is not in it is unknown. */
export type Outlook = Map<string, Partly>;

/** What is known of an item, member by member. */
export function outlookOf({ known, absent: missing, foreseen }: Item): Outlook {
  const members: Outlook = new Map(foreseen);
  for (const name of missing) members.set(name, absent);
  for (const [name, value] of known) members.set(name, value);
  return members;
}

/** What is known of one member of an item; undefined where nothing is. */
export function memberOf({ known, absent: missing, foreseen }: Item, name: string): Partly | undefined {
  if (known.has(name)) return known.get(name);
  return missing.has(name) ? absent : foreseen.get(name);
}

/** The item that has these members. */
export function itemWith(resource: Resource, members: Outlook): Item {
  const known = new Map<string, Json>();
  const missing = new Set<string>();
  const foreseen = new Map<string, Partly>();
  for (const [name, value] of members)
    if (isAbsent(value)) missing.add(name);
    else if (isKnown(value)) known.set(name, toJson(value));
    else foreseen.set(name, value);
  return itemOf(resource, known, missing, foreseen);
}
