import { get, type Node } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import type { Description } from './description.ts';
import { encoded, pointed, refOf } from './pointer.ts';
import { Unreadable } from './unreadable.ts';

/** A value of a description, with its JSON Pointer; in a further description after the name of its file and `#`. */
export interface Place {
  readonly node: Node;
  readonly pointer: string;
}

/** How many references are followed to one value. */
const mostRefs = 32;

/** Finds values of descriptions, and follows their references (OpenAPI 3.1 §4.3), each in its own description. */
export class Places {
  /** By the beginning of the pointers into each. */
  readonly #descriptions: ReadonlyMap<string, Description>;
  readonly root: Place;

  constructor(first: Description, further: readonly Description[] = []) {
    this.#descriptions = new Map([
      ['', first],
      ...further.map((each) => [`${each.text.file}#`, each] as const),
    ]);
    this.root = { node: first.root, pointer: '' };
  }

  /** The descriptions, each with its root. */
  get described(): readonly (readonly [Description, Place])[] {
    return [...this.#descriptions].map(([pointer, each]) => [each, { node: each.root, pointer }]);
  }

  /** A member, with what it refers to; undefined: there is none. */
  member(place: Place, name: string): Place | undefined {
    const found = raw(place, name);
    return found && this.followed(found);
  }

  /** The members of a map, with what they refer to, in their order; without extensions. */
  members(place: Place | undefined): readonly (readonly [string, Place])[] {
    return rawMembers(place)
      .filter(([name]) => !name.startsWith('x-'))
      .map(([name, member]) => [name, this.followed(member)]);
  }

  /** The members of a map in which any name may stand, with what they refer to, in their order. */
  entries(place: Place | undefined): readonly (readonly [string, Place])[] {
    return rawMembers(place).map(([name, member]) => [name, this.followed(member)]);
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
      const at = (get(found.node, '$ref') as Node).span;
      if (count === mostRefs) throw new Unreadable('description-cycle', `${ref} refers to itself`, at);
      found = this.#at(ref, this.#beginning(found.pointer), at);
    }
  }

  /** The value at a pointer that is known to lead to one. */
  at(pointer: string): Place {
    const beginning = this.#beginning(pointer);
    return this.#at(`#${pointer.slice(beginning.length)}`, beginning, this.root.node.span);
  }

  #beginning(pointer: string): string {
    return [...this.#descriptions.keys()].find((each) => each !== '' && pointer.startsWith(each)) ?? '';
  }

  #at(ref: string, beginning: string, from: Span): Place {
    const { root } = this.#descriptions.get(beginning) as Description;
    const node = ref.startsWith('#/') || ref === '#' ? pointed(root, ref.slice(1)) : undefined;
    if (node === undefined)
      throw new Unreadable('description-reference', `${ref} is nowhere in the description`, from);
    return { node, pointer: `${beginning}${ref.slice(1)}` };
  }
}

/** A member as it stands there: maybe a reference. */
export function raw({ node, pointer }: Place, name: string): Place | undefined {
  const found = get(node, name);
  return found && { node: found, pointer: `${pointer}/${encoded(name)}` };
}

/** The members of a map as they stand there. */
export function rawMembers(place: Place | undefined): readonly (readonly [string, Place])[] {
  if (place?.node.kind !== 'map') return [];
  return [...place.node.entries.keys()].map((name) => [name, raw(place, name) as Place]);
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
