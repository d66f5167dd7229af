import { stated } from '../../specification/reading/said.ts';
import { seen } from '../value/value.ts';
import type { World } from '../world/world.ts';
import type { ObservedEvent } from './event.ts';

/** A shorter key may stand in a text by chance. */
const shortestKey = 4;

/**
 * Whether an event tells of our items: it carries a value that nobody else can know, or, if nobody else is known to use the
 * service, the key of an item.
 */
export function tellsOfOurs({ content, subject }: ObservedEvent, world: World): boolean {
  const texts = [content, ...(subject === null ? [] : [subject])];
  if (texts.some((text) => world.holdsOurs(text))) return true;
  if (world.isShared) return false;
  return [...world.specification.resourcesByName.values()].some(({ name, identifier }) =>
    [...world.all(name), ...world.former(name)].some(({ members }) =>
      (stated(identifier) ?? []).some(({ text: field }) => {
        const key = seen(members.get(field) ?? null);
        if (typeof key !== 'string' || key.length < shortestKey) return false;
        return texts.some((text) => text.includes(key));
      }),
    ),
  );
}
