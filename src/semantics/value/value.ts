import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Address } from '../../specification/reading/address.ts';

/**
 * A value of which everything, something or nothing is known (language §G).
 *
 * JSON stands for itself. A list in brackets is complete and in order. An object lists all its members.
 */
export type Value =
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | Members
  | Unknown
  | Made
  | Text
  | Range
  | Collection
  | Stretch
  | PageAddress
  | Links
  | Item
  | Bytes;

export interface Members {
  readonly [name: string]: Value;
}

/** What is no JSON: a value of which something is not known, an item, or bytes. */
abstract class PartialValue {}

/** Nothing is known of the value. */
export class Unknown extends PartialValue {
  /** Why: the addresses of the open points, or a sentence about what was not observed. */
  readonly because: ReadonlySet<string>;
  /** Whether the value may be one that cannot be computed at all (language §G.6). */
  readonly mayFail: boolean;
  /** What the value is not. */
  readonly not: readonly Value[];

  constructor(because: ReadonlySet<string>, mayFail = false, not: readonly Value[] = []) {
    super();
    this.because = because;
    this.mayFail = mayFail;
    this.not = not;
  }
}

/** A stored value that is not known until an answer shows it (language §F.3, rule 1). */
export class Forgotten extends Unknown {
  /** What an answer showed of it; null: none did. Without a value, there is no such member. */
  shown: { readonly value?: Value } | null = null;

  constructor() {
    super(new Set());
  }
}

/** A value of which only a shape is known that it fits. */
export class Shaped extends Unknown {
  readonly schema: Json;
  /** The schemas of named shapes. */
  readonly definitions: Readonly<Record<string, Json>>;
  /** The statement of the shape; undefined: that of the place where the value is. */
  readonly by: Address | undefined;

  constructor(schema: Json, definitions: Readonly<Record<string, Json>>, by?: Address) {
    super(new Set());
    this.schema = schema;
    this.definitions = definitions;
    this.by = by;
  }
}

/** How long it is from one time to another, of which only bounds are known. */
export class Lapse extends Unknown {
  /** In milliseconds. */
  readonly bounds: Range;

  constructor(bounds: Range) {
    super(new Set());
    this.bounds = bounds;
  }
}

/** What a made value looks like. Nobody can guess a `fresh` text beforehand; an integer or a time may be guessed. */
export type Form = 'fresh' | 'text' | 'integer' | 'time';

/** When the service makes a time. Both are in milliseconds since 1970. */
export interface When {
  /** By the tester's clock. */
  readonly received: Range;
  /** What the service's clock may show then. */
  readonly shown: Range;
  /** What it is taken to show, by what it showed before. */
  readonly taken: Range;
}

/** A value that the service makes: an identifier, a time, a token. It is bound when an answer shows it. */
export class Made extends PartialValue {
  readonly form: Form;
  /** Values of one series differ from one another. */
  readonly series: string;
  /** The place in the series. Of integers and times, a later one is not less. */
  readonly place: number;
  /** Of a time; null: nothing is known of it. */
  readonly when: When | null;
  /** Of a text: what it looks like, as a regular expression. */
  readonly looks: string;
  /** What the service made before; null: nothing, or nobody knows. */
  readonly #before: Making | null;
  #bound: string | number | undefined = undefined;
  /** What follows for this one from a value that it is made of. */
  readonly #follows: () => string | number | undefined;
  readonly #derived = new Map<string, Made>();
  readonly #shifted = new Map<number, Shifted>();

  constructor(
    form: Form,
    series: string,
    place: number,
    when: When | null = null,
    follows: () => string | number | undefined = () => undefined,
    before: Making | null = null,
    looks = '.+',
  ) {
    super();
    this.#before = before;
    this.looks = looks;
    this.form = form;
    this.series = series;
    this.place = place;
    this.when = when;
    this.#follows = follows;
  }

  /** As an answer showed it; undefined: none did. */
  get bound(): string | number | undefined {
    return this.#bound ?? this.#follows();
  }

  set bound(value: string | number | undefined) {
    this.#bound = value;
  }

  /** Whether a value of this series was shown as this text or number before. */
  wasShown(value: string | number): boolean {
    return this.shownBefore(value).length > 0;
  }

  /** Those of this series that were made before, and shown as this text or number. */
  shownBefore(value: string | number): readonly Made[] {
    const found: Made[] = [];
    for (let each = this.#before; each; each = each.before)
      if (each.made.series === this.series && each.made.bound === value) found.push(each.made);
    return found;
  }

  /**
   * A time that follows from this one: the same each time, if it follows in the same way.
   *
   * @param how what tells it from others that follow
   * @param laterMs between which bounds it is later
   */
  derived(how: string, laterMs: Range, write: (text: string) => string): Made {
    const later = ({ least, most }: Range): Range => new Range(least + laterMs.least, most + laterMs.most);
    const { when: base } = this;
    const when = base && {
      received: later(base.received),
      shown: later(base.shown),
      taken: later(base.taken),
    };
    const follows = (): string | undefined =>
      typeof this.bound === 'string' ? write(this.bound) : undefined;
    const made =
      this.#derived.get(how) ?? new Made('time', `${this.series} ${how}`, this.place, when, follows);
    this.#derived.set(how, made);
    return made;
  }

  /** An integer that is larger by so much, or smaller: the same each time. */
  shifted(by: number): Made {
    if (by === 0) return this;
    const made = this.#shifted.get(by) ?? new Shifted(this, by);
    this.#shifted.set(by, made);
    return made;
  }

  /** Forgets what it, and what follows from it, was bound to. */
  unbind(): void {
    this.#bound = undefined;
    for (const each of [...this.#derived.values(), ...this.#shifted.values()]) each.unbind();
  }

  /** The integers that were worked out from this one. */
  get allShifted(): readonly Shifted[] {
    return [...this.#shifted.values()];
  }
}

/** A made integer, and so much more. An answer that shows the one shows the other. */
export class Shifted extends Made {
  readonly base: Made;
  readonly by: number;

  constructor(base: Made, by: number) {
    super('integer', `${base.series} plus ${by}`, base.place);
    this.base = base;
    this.by = by;
  }

  override get bound(): number | undefined {
    const { bound } = this.base;
    return typeof bound === 'number' ? bound + this.by : undefined;
  }

  override set bound(value: string | number | undefined) {
    this.base.bound = typeof value === 'number' ? value - this.by : undefined;
  }

  override wasShown(value: string | number): boolean {
    return typeof value === 'number' && this.base.wasShown(value - this.by);
  }

  override shifted(by: number): Made {
    return this.base.shifted(this.by + by);
  }
}

/** What a service made, the latest first. */
export interface Making {
  readonly made: Made;
  readonly before: Making | null;
}

/** A token that the service made, and that others can read (language §5.6). */
export class Token extends Made {
  readonly algorithm: string;
  /** What it says besides its times. Null: it has no such claim. */
  readonly claims: Members;
  /** How long it is valid, in milliseconds; null: it does not end. */
  readonly lifeMs: number | null;

  constructor(series: string, place: number, said: Pick<Token, 'algorithm' | 'claims' | 'lifeMs'>) {
    super('fresh', series, place);
    this.algorithm = said.algorithm;
    this.claims = said.claims;
    this.lifeMs = said.lifeMs;
  }
}

/** What tells one payload of an item from its other ones (language §4.3, rule 2). */
export class Tag extends Made {
  /** The item is this one of its resource. */
  readonly resource: string;
  readonly handle: number;
  readonly payload: Value;
  /** A tag holds in its version only. */
  readonly version: Specification;

  constructor(
    place: number,
    about: Pick<Tag, 'resource' | 'handle' | 'payload' | 'version'>,
    before: Making | null,
  ) {
    super('fresh', `tag of ${about.resource}`, place, null, undefined, before);
    this.resource = about.resource;
    this.handle = about.handle;
    this.payload = about.payload;
    this.version = about.version;
  }
}

/**
 * A text with made values in it, as in `'ten_' + random(12)`, or the text of a made integer. No two texts are next to one another.
 */
export class Text extends PartialValue {
  readonly pieces: readonly (string | Made)[];

  constructor(pieces: readonly (string | Made)[]) {
    super();
    this.pieces = pieces;
  }
}

/** A text of these pieces: a plain one, if every made value in it was seen. */
export function textOf(pieces: readonly (string | Made)[]): string | Made | Text {
  const joined: (string | Made)[] = [];
  for (const piece of pieces) {
    const text = piece instanceof Made && piece.bound !== undefined ? String(piece.bound) : piece;
    const last = joined.at(-1);
    if (typeof text === 'string' && typeof last === 'string') joined[joined.length - 1] = last + text;
    else if (text !== '') joined.push(text);
  }
  const [first = ''] = joined;
  // A number in a text is the text of the number.
  const isWhole = joined.length < 2 && !(first instanceof Made && first.form === 'integer');
  return isWhole ? first : new Text(joined);
}

/** A number between two bounds, both included. */
export class Range extends PartialValue {
  readonly least: number;
  readonly most: number;

  constructor(least: number, most: number) {
    super();
    this.least = least;
    this.most = most;
  }
}

/** A list of which these elements are known. */
export class Collection extends PartialValue {
  readonly items: readonly Value[];
  /** What any other element is like; undefined: there are no others. */
  readonly rest: Value | undefined;
  /** Whether the elements stand in this order. Others may stand between them. */
  readonly ordered: boolean;

  constructor(items: readonly Value[], { rest, ordered }: { rest: Value | undefined; ordered: boolean }) {
    super();
    this.items = items;
    this.rest = rest;
    this.ordered = ordered;
  }

  /** Whether all its elements are known. */
  get closed(): boolean {
    return this.rest === undefined;
  }
}

/** What is known of the elements of a page. Items are told by their places in `items` of the stretch. */
export interface Window {
  /** How many elements the page has, at least and at most. */
  readonly least: number;
  readonly most: number;
  /** Whether an item surely is an element. */
  readonly sure: readonly boolean[];
  /** Whether an item surely is in the list, on this page or beside it. */
  readonly listed: readonly boolean[];
  /** The items that surely come after an item. */
  readonly after: readonly ReadonlySet<number>[];
  /** How many of the items the page skips, at most. */
  readonly skips: number;
  /** Whether the page is counted from the end of the list: what it skips comes after it. */
  readonly isBack: boolean;
  /** What an answer showed. */
  readonly sight: Sight;
}

/** Which items an answer surely showed, and which it surely did not. It is written once the answer came. */
export interface Sight {
  shown: ReadonlySet<number>;
  hidden: ReadonlySet<number>;
}

/** Elements of a page of which not everything is known: which of these items they are, or in what order they come. */
export class Stretch extends PartialValue {
  readonly items: readonly Value[];
  /** What any other element is like; undefined: there are no others. */
  readonly rest: Value | undefined;
  readonly window: Window;

  constructor(items: readonly Value[], rest: Value | undefined, window: Window) {
    super();
    this.items = items;
    this.rest = rest;
    this.window = window;
  }

  /** The elements that are known, in no order. */
  get known(): Collection {
    const { sure, least, most } = this.window;
    const items = this.items.filter((_, place) => sure[place]);
    const isAll = least === most && items.length === most;
    return new Collection(items, { rest: isAll ? undefined : unknown([this.rest ?? null]), ordered: false });
  }
}

/** Which page of a list an address leads to. What is undefined is not known. */
export interface PageQuery {
  readonly size: number | undefined;
  /** How many items come before the page. */
  readonly from: number | Range | undefined;
  /** A new cursor of this place. */
  readonly cursor: Made | undefined;
  /** The identifiers of the items that are next to the page. */
  readonly after: Value | undefined;
  readonly before: Value | undefined;
}

/** The path and query of a page of a list (language §4.5). Its spelling is free. */
export class PageAddress extends PartialValue {
  readonly operation: Operation;
  readonly specification: Specification;
  /** The parameters of the path of the request, and those of its query, with their defaults. */
  readonly path: Members;
  readonly query: Members;
  /** Null: the page of the request itself. */
  readonly page: PageQuery | null;
  /** Whether there may be no such page, so that null stands for it. */
  readonly isOptional: boolean;

  constructor(
    { operation, specification }: { readonly operation: Operation; readonly specification: Specification },
    { path, query }: { readonly path: Members; readonly query: Members },
    page: PageQuery | null,
    isOptional = false,
  ) {
    super();
    this.operation = operation;
    this.specification = specification;
    this.path = path;
    this.query = query;
    this.page = page;
    this.isOptional = isOptional;
  }
}

/** A text of RFC 8288 with these relations, each a `PageAddress` or null. */
export class Links extends PartialValue {
  readonly relations: Members;

  constructor(relations: Members) {
    super();
    this.relations = relations;
  }
}

/** Bytes (language §H.1). Expressions compare them, and take their size and digest. */
export class Bytes extends PartialValue {
  readonly content: Uint8Array;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array) {
    super();
    // Two with the same bytes are alike, whether they came as a buffer of Node's or not.
    this.content = new Uint8Array(buffer, byteOffset, byteLength);
  }
}

/**
 * The handle of items that somebody else made. None of them is an item that we made, and none refers to one. Less: an item
 * that was there before the first request. Others may refer to it.
 */
export const theirs = -1;

/** An item, as a value of a reference or of a name. Its members are asked of the world. */
export class Item extends PartialValue {
  readonly resource: string;
  /** Which item it is; null: the reference leads to no item; `theirs`: somebody else's, or perhaps none. */
  readonly handle: number | null;
  /** The field by which it is referred to, and this field's value; null: the identifier has several fields. */
  readonly by: string | null;
  readonly key: Value;

  constructor(resource: string, handle: number | null, by: string | null, key: Value) {
    super();
    this.resource = resource;
    this.handle = handle;
    this.by = by;
    this.key = key;
  }
}

/** An item as it was at another time: before the change, or before it was deleted. */
export class Snapshot extends Item {
  readonly members: ReadonlyMap<string, Value>;

  constructor({ resource, handle, by, key }: Item, members: ReadonlyMap<string, Value>) {
    super(resource, handle, by, key);
    this.members = members;
  }
}

/** Ends a way in which a request may go. It is no fault, and so nobody looks where it came from. */
export class Ending extends Error {
  constructor(message = '') {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** An expression that cannot be computed (language §G.6). */
export class NotComputable extends Ending {}

/** A value of which nothing is known, for the reasons of these values. Other values give no reason. */
export function unknown(of: readonly Value[], mayFail = false): Unknown {
  const because = new Set<string>();
  let fails = mayFail;
  for (const value of of) {
    if (!(value instanceof Unknown)) continue;
    for (const reason of value.because) because.add(reason);
    fails ||= value.mayFail;
  }
  return new Unknown(because, fails);
}

/** What a made value was bound to, if it was; any other value itself. */
export function seen(value: Value): Value {
  if (value instanceof Text) return textOf(value.pieces);
  return value instanceof Made && value.bound !== undefined ? value.bound : value;
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isObject(value: Value): value is Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !isPartial(value);
}

/** Whether a value is of one of the classes of this file. */
export function isPartial(
  value: Value,
): value is Unknown | Made | Text | Range | Collection | Stretch | PageAddress | Links | Item | Bytes {
  return value instanceof PartialValue;
}

/** Whether everything is known of a value, at any depth. An item is known if its key is. */
export function isKnown(value: Value): boolean {
  if (value instanceof Item) return isKnown(value.key);
  if (value instanceof Text) return typeof seen(value) === 'string';
  if (value instanceof Bytes) return true;
  if (isPartial(value)) return seen(value) !== value;
  if (isList(value)) return value.every(isKnown);
  return isObject(value) ? Object.values(value).every(isKnown) : true;
}
