import { plain } from '../../semantics/value/plain.ts';
import { Item, type Value } from '../../semantics/value/value.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { bounds } from '../probes.ts';
import type { Random } from '../random.ts';
import { type Schema, type Schemas, schemas } from '../schema.ts';
import { type Values, values } from '../values.ts';
import { AcceptedBodies } from './accepted-bodies.ts';
import { literalsOf } from './literals.ts';
import { ShownKeys } from './shown-keys.ts';

/** How many of the items that a walk made it works with. */
const mostOwn = 6;

/** How many of a hundred requests take values of the items that they are about, and how many of a hundred values these take there. */
const [alike, taken] = [50, 90];

/** How many of a hundred values are examples of the author's, or were shown in answers, where there are some. */
export const usuallyLikely = 40;

/** Where values of requests come from: shapes and their bounds, literals of the document, and stored items. */
export class Pool {
  readonly specification: Specification;
  readonly random: Random;
  /** The last item that was there before this walk, by its handle. */
  readonly since: number;
  /** Items of which requests are mostly about one; none: about any. */
  focus: readonly Stored[] = [];
  /** Whether values are mostly those that these items hold under the same name. */
  #isAlike = false;
  /** What answers showed. Default: nothing */
  readonly shown: ShownKeys;
  /** What the implementation accepts. Default: nothing was sent yet */
  readonly accepted: AcceptedBodies;
  readonly #tools: Schemas & Values;
  readonly #versions = new Map<Specification, Pool>();
  readonly #probes = new Map<string, readonly Json[]>();

  constructor(
    specification: Specification,
    random: Random,
    since = 0,
    shown = new ShownKeys(),
    accepted = new AcceptedBodies(),
  ) {
    this.specification = specification;
    this.shown = shown;
    this.accepted = accepted;
    this.since = since;
    this.random = random;
    const own = schemas(specification);
    this.#tools = { ...own, ...values(own, random) };
  }

  /** Decides of the next request whether its values are those of the items that it is about. */
  begin(): void {
    this.#isAlike = this.focus.length > 0 && this.often(alike);
  }

  /** What is chosen while requests are mostly about these items. */
  about<T>(items: readonly Stored[], choose: () => T): T {
    const { focus } = this;
    this.focus = items;
    const chosen = choose();
    this.focus = focus;
    return chosen;
  }

  /** The pool for requests of another version, with the same chance. */
  in(specification: Specification): Pool {
    if (specification === this.specification) return this;
    const known =
      this.#versions.get(specification) ??
      new Pool(specification, this.random, this.since, this.shown, this.accepted);
    known.focus = this.focus;
    this.#versions.set(specification, known);
    return known;
  }

  /** True so many times in a hundred. */
  often(percent: number): boolean {
    return this.random.whole(1, 100) <= percent;
  }

  /** The same in another order: each is as likely (Fisher and Yates). */
  shuffled<T>(list: readonly T[]): T[] {
    const all = [...list];
    for (let last = all.length - 1; last > 0; last--) {
      const at = this.random.whole(0, last);
      [all[last], all[at]] = [all[at] as T, all[last] as T];
    }
    return all;
  }

  /** One of these, often of the newest: items that meet again tell more than items that stand alone. */
  recent<T>(from: readonly T[]): T {
    return this.random.pick(this.often(50) ? from.slice(-4) : from);
  }

  /** An item, mostly of those that this walk made: items that meet again tell more than items that stand alone. */
  item(from: readonly Stored[]): Stored {
    const meant = this.focus.length > 0 && this.often(90) ? from.filter((each) => this.#isMeant(each)) : [];
    if (meant.length > 0) return this.random.pick(meant);
    const own = from.filter(({ handle }) => handle > this.since);
    return this.random.pick(own.length > 0 && this.often(85) ? own.slice(-mostOwn) : from);
  }

  #isMeant({ resource, handle }: Stored): boolean {
    return this.focus.some((each) => each.resource === resource && each.handle === handle);
  }

  /** The items of a resource that requests are about, and those to which one of them refers by a field of this name. */
  #meant(name: string, resource: string, world: World): readonly Stored[] {
    const referred = this.focus.flatMap(({ members }) => {
      const value = members.get(name);
      return value instanceof Item && value.resource === resource ? (world.stored(value) ?? []) : [];
    });
    return [...this.focus.filter((each) => each.resource === resource), ...referred];
  }

  resolve(schema: Schema): Schema {
    return this.#tools.resolve(schema);
  }

  fits(schema: Schema, value: Json): boolean {
    return this.#tools.failures(schema, value).length === 0;
  }

  /**
   * A value that fits: an example of the author's, stored under this name, a literal of the document, or a new one.
   *
   * @param percent how many of a hundred were shown in answers, where some were
   */
  valueOf(name: string, schema: Schema, world: World, percent = usuallyLikely): Json {
    const likely = this.shownFor(name, schema, percent) ?? this.#exampleOf(schema);
    if (likely !== undefined) return likely;
    const met = this.#isAlike && this.often(taken) ? valuesIn(this.focus, name) : [];
    const meant = met.filter((value) => this.fits(schema, value));
    if (meant.length > 0) return this.random.pick(meant);
    const dice = this.random.whole(1, 10);
    const known = dice <= 2 ? storedAs(name, world) : dice <= 4 ? literalsOf(this.specification) : [];
    const numbers = dice >= 5 && isNumeric(schema) ? numbersNear(schema, world, this) : [];
    const times = dice <= 8 && schema['format'] === 'date-time' ? timesNear(world, this) : [];
    const fitting = [...known, ...times, ...numbers].filter((value) => this.fits(schema, value));
    return fitting.length > 0 ? this.random.pick(fitting) : this.fresh(schema);
  }

  /** What answers showed by which a request may name something; undefined: often, and where they showed nothing. */
  shownFor(name: string, schema: Schema, percent = usuallyLikely): Json | undefined {
    const values = this.shown.valuesFor(name);
    if (values.length === 0 || !this.often(percent)) return undefined;
    const fitting = values.filter((value) => this.fits(schema, value));
    return fitting.length > 0 ? this.random.pick(fitting) : undefined;
  }

  /** An example that fits; mostly undefined, and where there is none. */
  #exampleOf(schema: Schema): Json | undefined {
    const examples = this.examplesOf(schema);
    return examples.length > 0 && this.often(usuallyLikely) ? this.random.pick(examples) : undefined;
  }

  /** The examples of a shape that fit it. */
  examplesOf(schema: Schema): readonly Json[] {
    const { examples } = this.resolve(schema);
    return Array.isArray(examples) ? examples.filter((value) => this.fits(schema, value)) : [];
  }

  /** A value that another item holds, that one held before, or that the document names. */
  otherOf(name: string, world: World): Json {
    const stored = this.often(70) ? storedAs(name, world) : formerlyAs(name, world);
    const known = stored.length > 0 && this.often(70) ? stored : literalsOf(this.specification);
    return known.length > 0 ? this.random.pick(known) : 'other';
  }

  /** A new value that fits; null if none is found. */
  fresh(schema: Schema): Json {
    return this.#tools.valid(schema, this.often(80) ? 'most' : 'least') ?? null;
  }

  /** Values at the bounds of a shape, and just past them. */
  atBounds(schema: Schema): readonly Json[] {
    const text = JSON.stringify(schema);
    const known = this.#probes.get(text);
    if (known) return known;
    const found = bounds(schema, this.#tools).flatMap(({ inside, outside }) =>
      [...inside, ...outside].map(({ value }) => value),
    );
    this.#probes.set(text, found);
    return found;
  }

  /** The key of an item, of a resource to which a field refers; undefined if no item has one that is known. */
  keyFor({ name, refers }: Field, world: World): Json | undefined {
    const to = stated(refers);
    if (to === undefined) return undefined;
    const by = to.field ?? identifierOf(this.specification, to.resource);
    const keysOf = (items: readonly Stored[]): readonly Json[] =>
      items.flatMap(({ members }) => plain(members.get(by ?? '') ?? null) ?? []);
    const meant = keysOf(this.#isAlike && this.often(taken) ? this.#meant(name, to.resource, world) : []);
    if (meant.length > 0) return this.random.pick(meant);
    const keys = keysOf(world.items(to.resource));
    return keys.length > 0 ? this.recent(keys) : undefined;
  }
}

export function identifierOf({ resourcesByName }: Specification, resource: string): string | undefined {
  return stated(resourcesByName.get(resource)?.identifier)?.[0]?.text;
}

function isNumeric({ type }: Schema): boolean {
  return [type].flat().some((each) => each === 'integer' || each === 'number');
}

/** Small numbers, and numbers beside those that an item holds: what is compared with them turns there. */
function numbersNear(schema: Schema, world: World, pool: Pool): Json[] {
  const least = typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
  if (pool.often(70)) return [least, least + 1, least + 2, least + 4];
  const items = resourcesOf(world).flatMap((resource) => world.items(resource));
  if (items.length === 0) return [];
  const held = [...pool.item(items).members.values()].map((value) => plain(value));
  return held.flatMap((value) => (typeof value === 'number' ? [value - 1, value, value + 1] : []));
}

/** A time before or after the latest request, mostly one that comes soon; none, if nobody knows when that was. */
function timesNear({ received: { at, offMs, aheadMs = 0 } }: World, pool: Pool): Json[] {
  const since = pool.often(70) ? [1000, 5000, 60_000, 600_000, 3_600_000] : [-86_400_000, -1000, 86_400_000];
  return Number.isFinite(offMs)
    ? [new Date(Math.round(at.most + aheadMs) + pool.random.pick(since)).toISOString()]
    : [];
}

/** The values that items hold under a name, whatever their resource. */
function storedAs(name: string, world: World): Json[] {
  return valuesIn(
    resourcesOf(world).flatMap((resource) => world.items(resource)),
    name,
  );
}

/** The values that items held under a name, and do not hold any more. */
function formerlyAs(name: string, world: World): Json[] {
  const items = resourcesOf(world).flatMap((resource) => [
    ...world.earlier(resource),
    ...world.former(resource),
  ]);
  const now = storedAs(name, world);
  return valuesIn(items, name).filter((value) => !now.includes(value));
}

function resourcesOf({ specification }: World): string[] {
  return [...specification.resourcesByName.keys()];
}

function valuesIn(items: readonly Stored[], name: string): Json[] {
  return items.flatMap(({ members }) => plain(members.get(name) ?? null) ?? []);
}

/** What is known of a member of an item; undefined if a request cannot give it. */
export function memberOf({ members }: Stored, name: string): Json | undefined {
  return members.has(name) ? plain(members.get(name) as Value) : undefined;
}
