import type { Json } from '../../source/node.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { absent, type Item, isAbsent, isKnown, item, type Partly, toJson } from '../partly.ts';

/** The members of an item, each worked out as far as it can be. A member that is not in it is unknown. */
export type Outlook = Map<string, Partly>;

/** What is known of an item, member by member. */
export function outlookOf({ known, absent: missing, foreseen }: Item): Outlook {
  const members: Outlook = new Map(foreseen);
  for (const name of missing) members.set(name, absent);
  for (const [name, value] of known) members.set(name, value);
  return members;
}

/** The item that has these members. */
export function itemWith(resource: Resource, members: Outlook): Item {
  const known: [string, Json][] = [];
  const missing: string[] = [];
  const foreseen: [string, Partly][] = [];
  for (const [name, value] of members)
    if (isAbsent(value)) missing.push(name);
    else if (isKnown(value)) known.push([name, toJson(value)]);
    else foreseen.push([name, value]);
  return item(resource, known, missing, foreseen);
}
