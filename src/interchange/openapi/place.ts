import { get, type Node } from '../../source/node.ts';
import type { Description } from './description.ts';
import { encoded, pointed, refOf } from './pointer.ts';
import { Unreadable } from './unreadable.ts';

/** A value of a description, with its JSON Pointer. */
export interface Place {
  readonly node: Node;
  readonly pointer: string;
}

/** How many references are followed to one value. */
const mostRefs = 32;

/** Finds values of a description, and follows its references (OpenAPI 3.1 §4.3). */
export class Places {
  readonly #description: Description;

  constructor(description: Description) {
    this.#description = description;
  }

  get root(): Place {
    return { node: this.#description.root, pointer: '' };
  }

  /** A member, with what it refers to; undefined: there is none. */
  member(place: Place, name: string): Place | undefined {
    const found = raw(place, name);
    return found && this.followed(found);
  }

  /** The members of a map, with what they refer to, in their order; without extensions. */
  members(place: Place | undefined): readonly (readonly [string, Place])[] {
    if (place?.node.kind !== 'map') return [];
    return [...place.node.entries.keys()]
      .filter((name) => !name.startsWith('x-'))
      .map((name) => [name, this.member(place, name) as Place]);
  }

  /** The elements of a list, with what they refer to. */
  elements(place: Place | undefined): readonly Place[] {
    return rawElements(place).map((element) => this.followed(element));
  }

  /** What a value refers to, or the value itself. Throws {@link Unreadable} if it refers to nothing, or to itself. */
  followed(place: Place): Place {
    let found = place;
    for (let count = 0; ; count++) {
      const ref = refOf(found.node);
      if (ref === null) return found;
      if (count === mostRefs) throw new Unreadable(`${ref} refers to itself`, place.node.span);
      found = this.#at(ref, found);
    }
  }

  /** The value at a pointer that is known to lead to one. */
  at(pointer: string): Place {
    return this.#at(`#${pointer}`, this.root);
  }

  #at(ref: string, from: Place): Place {
    const { root } = this.#description;
    const node = ref.startsWith('#/') || ref === '#' ? pointed(root, ref.slice(1)) : undefined;
    if (node === undefined) throw new Unreadable(`${ref} is nowhere in the description`, from.node.span);
    return { node, pointer: ref.slice(1) };
  }
}

/** A member as it stands there: maybe a reference. */
export function raw({ node, pointer }: Place, name: string): Place | undefined {
  const found = get(node, name);
  return found && { node: found, pointer: `${pointer}/${encoded(name)}` };
}

export function rawElements(place: Place | undefined): readonly Place[] {
  if (place?.node.kind !== 'list') return [];
  return place.node.items.map((node, index) => ({ node, pointer: `${place.pointer}/${index}` }));
}

/** A text that stands there; undefined: there is none. */
export function textIn(place: Place | undefined, name: string): string | undefined {
  const found = place && get(place.node, name);
  return found?.kind === 'scalar' && found.value !== null ? found.written : undefined;
}

/** Whether a flag is set. */
export function isSet(place: Place | undefined, name: string): boolean {
  const found = place && get(place.node, name);
  return found?.kind === 'scalar' && found.value === true;
}
