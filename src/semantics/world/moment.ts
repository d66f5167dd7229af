import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { World as Reads, Scope } from '../value/evaluate.ts';
import { payload } from '../value/payload.ts';
import type { Truth } from '../value/truth.ts';
import {
  Collection,
  Ending,
  Forgotten,
  Item,
  isKnown,
  Made,
  NotComputable,
  Snapshot,
  seen,
  Text,
  theirs,
  Unknown,
  unknown,
  type Value,
} from '../value/value.ts';
import { referringTo } from './referring.ts';
import { shownAs, shownOfTheirs, uniqueOurs } from './show.ts';
import type { Stored } from './stored.ts';
import { Ways } from './ways.ts';
import { itemOf, type World } from './world.ts';

/** How many items may be shown, each within another. */
const mostShown = 100;

/** What expressions read at one moment of one request: the stored items as they are then, and the names (language §G.2). */
export class Moment implements Reads {
  readonly world: World;
  /** `actor`, `now`, `request`, `service`, and what `as` binds. */
  readonly names: Readonly<Record<string, Value>>;
  /** What a function makes, if the expression stands where that is allowed. */
  readonly #makes: (name: string, args: readonly Value[]) => Value | undefined;

  /** How many items are being shown, each within another. */
  #shown = 0;

  constructor(world: World, names: Readonly<Record<string, Value>>, makes: Moment['make'] = () => undefined) {
    this.world = world;
    this.names = names;
    this.#makes = makes;
  }

  /** The value of a template, with further names. */
  value(template: PlacedTemplate, names?: Readonly<Record<string, Value>>): Value {
    const value = payload(template.template, this.scope(names));
    this.world.observer?.evaluates?.(template, value, (other) => this.#asIf(other, names));
    return value;
  }

  /** What a template would come to. Nothing is made, and nothing is noted. */
  #asIf({ template }: PlacedTemplate, names: Readonly<Record<string, Value>> | undefined): Value {
    const world = this.world.fork(new Ways());
    world.observer = null;
    world.watched = [];
    try {
      return payload(template, new Moment(world, this.names).scope(names));
    } catch (error) {
      if (error instanceof NotComputable || error instanceof Ending) return unknown([], true);
      throw error;
    }
  }

  scope(names?: Readonly<Record<string, Value>>): Scope {
    const own = { names: this.names, world: this };
    return names ? { names, outer: own, world: this } : own;
  }

  member(item: Item, name: string): Value {
    const field = this.#field(item.resource, name);
    const derived = field && stated(field.derived);
    if (name === item.by && !(item.handle === theirs && item.key instanceof Unknown)) return item.key;
    if (item.handle === theirs) return this.#ofTheirs(field);
    // What an expression reads of a field that only older versions have, the language does not say.
    if (!field && this.#resource(item.resource)?.fields.has(name)) return unknown([], true);
    this.world.reads(item, name);
    const found = this.#stored(item);
    if (derived) return found ? this.value(derived, { this: item }) : null;
    const value = found?.members.get(name) ?? null;
    // What is hashed cannot be read, unless the service made it just now (language §2.2, rule 5).
    if (field && stated(field.secret))
      return isUnseen(value) || (value instanceof Unknown && !(value instanceof Forgotten)) ? value : null;
    return value instanceof Item ? this.world.current(value) : value;
  }

  has(item: Item, name: string): Truth {
    const field = this.#field(item.resource, name);
    if (item.handle === theirs) return isKnown(item.key) && name === item.by ? true : unknown([]);
    if (field && stated(field.derived)) return true;
    this.world.reads(item, name);
    const members = this.#stored(item)?.members;
    const value = members?.get(name);
    return value instanceof Unknown ? value : (members?.has(name) ?? false);
  }

  decides(by: object, outcome: string, operands?: readonly [Value, Value]): void {
    this.world.observer?.decides(by, outcome, operands);
  }

  memberOfAny(resource: string, name: string): Value {
    const field = this.#field(resource, name);
    return unknown([], field !== undefined && stated(field.derived) !== undefined);
  }

  items(name: string): Value | undefined {
    const resource = this.#resource(name);
    return resource && this.#collection(resource, this.world.items(name));
  }

  referring(name: string, field: string, to: Item): Value | undefined {
    const resource = this.#resource(name);
    const isStored = to.handle !== null && to.handle >= 0 && to.by !== null;
    if (resource === undefined || !isStored) return undefined;
    const refers = this.#field(name, field)?.refers;
    if (!refers || stated(refers)?.resource !== to.resource) return undefined;
    const { world } = this;
    // What happens by itself to an item may change to which it refers.
    const watched = world.watched.flatMap(({ timer }) => (timer.resource === name ? [timer.handle] : []));
    const all = world.items(name);
    return this.#collection(resource, referringTo(to, all, world.all(to.resource), field, watched));
  }

  #collection(resource: Resource, items: readonly Stored[]): Collection {
    const known = items.map((stored) => {
      this.world.finds(stored);
      return itemOf(stored, resource);
    });
    return new Collection(known, { rest: this.world.theirs(resource.name), ordered: false });
  }

  show(name: string, item: Value): Value | undefined {
    // What a reference to nothing is shown as, nobody states.
    if (!(item instanceof Item) || item.handle === null) return unknown([item], true);
    // Items that show one another without end cannot be shown.
    if (this.#shown === mostShown) return unknown([], true);
    this.#shown += 1;
    try {
      return item.handle === theirs ? shownOfTheirs(name, item, this) : shownAs(name, item, this);
    } finally {
      this.#shown -= 1;
    }
  }

  make(name: string, args: readonly Value[]): Value | undefined {
    return this.#makes(name, args);
  }

  follow(resource: string, by: string | null | undefined, key: Value): Value {
    return this.world.refer(resource, by ?? this.#identifier(resource), key);
  }

  /** What a reference of somebody else's item leads to is theirs, too. */
  #ofTheirs(field: Field | undefined): Value {
    const to = field && stated(field.refers);
    const referred = to && this.world.theirs(to.resource);
    if (referred) return this.#referredByTheirs(referred, to.field ?? this.#identifier(to.resource));
    const ours = field ? uniqueOurs(field, this.world) : [];
    return new Unknown(new Set(), field === undefined || stated(field.derived) !== undefined, ours);
  }

  /** An item to which others' items refer: one of theirs, or one that was there from the beginning. */
  #referredByTheirs(referred: Item, by: string | null): Item {
    const { resource } = referred;
    const field = by === null ? undefined : this.#field(resource, by);
    if (by === null || field === undefined) return referred;
    const founding = this.world.items(resource).filter(({ handle }) => handle <= theirs);
    const shared = founding.map(({ members }) => seen(members.get(by) ?? null));
    const ours = uniqueOurs(field, this.world).filter((value) => !shared.includes(value));
    return new Item(resource, theirs, by, new Unknown(new Set(), false, ours));
  }

  #stored(item: Item): Pick<Stored, 'members'> | undefined {
    return item instanceof Snapshot ? item : this.world.stored(item);
  }

  #resource(name: string): Resource | undefined {
    return this.world.specification.resourcesByName.get(name);
  }

  /** Expressions read items as they are stored (language §9.3, rule 15). */
  #field(resource: string, name: string): Field | undefined {
    return this.world.newest.resourcesByName.get(resource)?.fields.get(name);
  }

  #identifier(resource: string): string | null {
    const fields = stated(this.#resource(resource)?.identifier) ?? [];
    return fields.length === 1 ? (fields[0]?.text ?? null) : null;
  }
}

/** Whether the service made a value that no answer has shown. */
function isUnseen(value: Value): boolean {
  return (value instanceof Made || value instanceof Text) && !isKnown(value);
}
