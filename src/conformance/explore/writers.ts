import type { Item } from '../../semantics/value/value.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';

/** The items that differ between two states of a world, each as its resource and handle. */
export function writtenBetween(before: World, after: World): ReadonlySet<string> {
  return new Set(
    [...after.newest.resourcesByName.keys()].flatMap((resource) =>
      after.written(before, resource).map((handle) => `${resource} ${handle}`),
    ),
  );
}

/** The items that a request made or changed. */
export function itemsWritten(before: World, after: World | null | undefined): readonly Stored[] {
  return after ? itemsOf(writtenBetween(before, after), after) : [];
}

/** @param keys each is a resource and a handle */
export function itemsOf(keys: ReadonlySet<string>, world: World): readonly Stored[] {
  const resources = new Set([...keys].map((key) => key.split(' ')[0] as string));
  return [...resources].flatMap((resource) =>
    world.items(resource).filter(({ handle }) => keys.has(`${resource} ${handle}`)),
  );
}

/** Which request wrote each member of each item last, and which one was last refused for an item. */
export class Writers {
  readonly #written = new Map<string, string>();
  readonly #refused = new Map<string, string>();

  /** What is used of earlier requests where a member of an item is read: `Note.title by editNote`. */
  usesOf({ resource, handle }: Pick<Item, 'resource' | 'handle'>, name: string): readonly string[] {
    const key = `${resource} ${handle}`;
    const [writer, refused] = [this.#written.get(`${key} ${name}`), this.#refused.get(key)];
    return [
      ...(writer === undefined ? [] : [`${resource}.${name} by ${writer}`]),
      ...(refused === undefined ? [] : [`${resource} after ${refused}`]),
    ];
  }

  /** Notes a request that was carried out. */
  note(name: string, before: World, after: World): void {
    for (const resource of after.specification.resourcesByName.keys()) {
      const earlier = new Map(before.all(resource).map((stored) => [stored.handle, stored]));
      for (const stored of after.all(resource)) this.#noteItem(name, stored, earlier.get(stored.handle));
    }
  }

  #noteItem(name: string, stored: Stored, earlier: Stored | undefined): void {
    if (stored === earlier) return;
    const key = `${stored.resource} ${stored.handle}`;
    for (const [member, value] of stored.members)
      if (earlier?.members.get(member) !== value) this.#written.set(`${key} ${member}`, name);
    this.#refused.delete(key);
  }

  /** Notes a request that was refused, and read these items. */
  noteRefusal(name: string, reads: Iterable<string>): void {
    for (const key of reads) this.#refused.set(key, name);
  }
}
