import type { Syntax } from '../../src/expression/expression.ts';
import { evaluate, type Scope, type World } from '../../src/semantics/value/evaluate.ts';
import { Collection, Item, type Members, unknown, type Value } from '../../src/semantics/value/value.ts';
import { type Kept, type Members as KeptMembers, model, type Resource } from '../expression/stored.ts';

/** What the tester does not know of what is stored. */
export interface Hidden {
  /** Whether a member of an item is hidden, or a name. */
  readonly isHidden: (at: string) => boolean;
  /** Authors that somebody else made: nobody told the tester of them. */
  readonly isForeign: (author: KeptMembers) => boolean;
  /** What is known in place of a hidden value. Default: nothing. */
  readonly known?: (value: Value) => Value;
}

export const nothingHidden: Hidden = { isHidden: () => false, isForeign: () => false };

/** The names of an expression about one note, and a world that knows what is not hidden. */
export function scopeOf(kept: Kept, note: KeptMembers, more: KeptMembers, hidden: Hidden): Scope {
  const world = worldOf(kept, hidden);
  const { actor, ...others } = more;
  const named = (name: string, value: unknown): Value => shown(value as Value, name, hidden);
  const names = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, named(name, value)]));
  return {
    world,
    names: {
      ...names,
      this: new Item('Note', kept.Note.indexOf(note), 'id', note['id'] as Value),
      actor: hidden.isHidden('actor') && !hidden.known ? unknown([]) : actorOf(kept, actor, hidden),
    },
  };
}

function actorOf(kept: Kept, actor: unknown, hidden: Hidden): Value {
  if (typeof actor !== 'object' || actor === null) return actor as Value;
  const { id } = actor as KeptMembers;
  const found = kept.Author.find((author) => author['id'] === id);
  return found ? reference(kept, 'id', id as Value, hidden) : null;
}

function shown(value: Value, at: string, hidden: Hidden): Value {
  if (hidden.isHidden(at)) return hidden.known ? hidden.known(value) : unknown([]);
  if (at !== 'request' && at !== 'request.query') return value;
  return Object.fromEntries(
    Object.entries(value as Members).map(([name, member]) => [name, shown(member, `${at}.${name}`, hidden)]),
  );
}

function reference(kept: Kept, by: string, key: Value, hidden: Hidden): Value {
  const place = kept.Author.findIndex((author) => author[by] === key);
  const author = kept.Author[place];
  if (author && hidden.isForeign(author)) return unknown([]);
  return new Item('Author', author ? place : null, by, key);
}

function worldOf(kept: Kept, hidden: Hidden): World {
  const rowOf = ({ resource, handle }: Item): KeptMembers | undefined =>
    handle === null ? undefined : kept[resource as Resource][handle];
  const world: World = {
    member: (item, name) => {
      const row = rowOf(item);
      if (name === item.by) return item.key;
      if (row === undefined) return null;
      const field = model.field(item.resource, name);
      if (field?.derived) return evaluate(field.derived as Syntax, { names: { this: item }, world });
      const value = (row[name] ?? null) as Value;
      const by = field?.refers?.by[0];
      if (hidden.isHidden(`${item.resource}.${name}`) && (by === undefined || !hidden.known))
        return hidden.known ? hidden.known(value) : unknown([]);
      return by === undefined || value === null ? value : reference(kept, by, value, hidden);
    },
    has: (item, name) => Object.hasOwn(rowOf(item) ?? {}, name),
    memberOfAny: (resource, name) => unknown([], model.field(resource, name)?.derived !== null),
    items: (resource) => itemsOf(kept, resource, hidden),
    show: () => undefined,
    make: () => undefined,
    follow: (resource, by, key) => new Item(resource, null, by ?? null, key),
  };
  return world;
}

function itemsOf(kept: Kept, resource: string, { isForeign }: Hidden): Value | undefined {
  if (resource !== 'Author' && resource !== 'Note') return undefined;
  const items = kept[resource].map((row, place) => new Item(resource, place, 'id', row['id'] as Value));
  if (resource === 'Note') return items;
  const known = items.filter((_, place) => !isForeign(kept.Author[place] as KeptMembers));
  return known.length === items.length ? items : new Collection(known, { rest: unknown([]), ordered: true });
}
