import { createHash } from 'node:crypto';
import { isObject } from './json.ts';
import type { Actor, Differences, Field, Item, Scene, Shape, Statements } from './kinds.ts';

/** A field as one version has it: how it is called there, and how it is kept. */
interface Seen {
  readonly name: string;
  readonly kept: string;
  readonly field: Field;
}

/** What the desk keeps, in memory, and how its versions show it. */
export class Items {
  readonly accounts = new Map<unknown, Item>();
  readonly parcels = new Map<unknown, Item>();
  readonly hooks = new Map<unknown, Item>();
  readonly scans: Item[] = [];
  readonly #byKey = new Map<string, Actor>();
  readonly #emails = new Set<string>();
  readonly #table: () => Statements;
  constructor(table: () => Statements) {
    this.#table = table;
  }

  differences(version: string): Differences {
    return this.#table().versioning.versions[version]?.differs ?? {};
  }

  fields(resource: string, version: string): Seen[] {
    const weight = this.differences(version)['resources.Parcel.fields.weight'];
    return Object.entries(this.#table().resources[resource]?.fields ?? {}).map(([kept, field]) =>
      resource === 'Parcel' && kept === 'weight' && weight
        ? { name: weight.was ?? kept, kept, field: { ...field, ...weight } }
        : { name: kept, kept, field },
    );
  }

  /** The members that a body may give. */
  writable(resource: string, version: string, isNew: boolean): Shape {
    const shape = this.#table().resources[resource];
    const seen = this.fields(resource, version);
    const open = seen.filter(({ field }) => field.writable === true || (isNew && field.writable === 'once'));
    const called = new Map(seen.map(({ kept, name }) => [kept, name]));
    return {
      fields: Object.fromEntries(open.map(({ name, field }) => [name, field])),
      required: (shape?.required ?? []).map((name) => called.get(name) ?? name),
      ...(shape?.others !== undefined && { others: shape.others }),
    };
  }

  /** What a body gives, as it is kept. */
  taken(resource: string, version: string, given: Item, scene: Scene): Item {
    const taken: Item = {};
    for (const { name, kept, field } of this.fields(resource, version))
      if (Object.hasOwn(given, name))
        taken[kept] = field.taken ? field.taken({ ...scene, value: given[name] }) : given[name];
    return taken;
  }

  /** A new item: what was given, and what the desk sets. */
  made(resource: string, given: Item, scene: Scene): Item {
    const item: Item = { ...given };
    for (const [name, { set, default: usual }] of Object.entries(
      this.#table().resources[resource]?.fields ?? {},
    )) {
      const value = set?.create
        ? set.create({ ...scene, item })
        : Object.hasOwn(item, name)
          ? item[name]
          : usual;
      if (value !== undefined) item[name] = value;
    }
    return item;
  }

  /** An item as a version shows it. */
  shown(resource: string, item: Item, scene: Scene, version: string): Item {
    const shown: Item = {};
    for (const { name, kept, field } of this.fields(resource, version)) {
      if (!field.readable) continue;
      const value = field.derived ? field.derived({ ...scene, item }) : item[kept];
      if (value !== undefined) shown[name] = field.shown ? field.shown({ ...scene, value }) : value;
    }
    return shown;
  }

  /** Keeps a new item. Of a secret that is hashed only the digest is kept. */
  keep(resource: string, item: Item): void {
    const scene: Scene = { actor: null, now: '', item };
    for (const [sentence, holds] of Object.entries(this.#table().resources[resource]?.invariants ?? {}))
      if (!holds(scene)) throw new Error(`broken: ${sentence}`);
    if (resource === 'Account') {
      const kept = { ...item, key: this.#kept(String(item['key'])) };
      this.accounts.set(item['id'], kept);
      this.#byKey.set(kept.key, { kind: 'account', id: String(item['id']), role: String(item['role']) });
      this.#emails.add(this.#compared(item['email']));
    } else if (resource === 'Parcel') this.parcels.set(item['id'], item);
    else if (resource === 'Hook') this.hooks.set(item['id'], item);
    else this.scans.push(item);
  }

  accountOf(key: string): Actor | null {
    return this.#byKey.get(this.#kept(key)) ?? null;
  }

  /** Whether the address is another account's. */
  isTaken(email: unknown): boolean {
    return (
      this.#table().resources['Account']?.fields['email']?.unique !== undefined &&
      this.#emails.has(this.#compared(email))
    );
  }

  #kept(key: string): string {
    return this.#table().resources['Account']?.fields['key']?.secret ? digest(key) : key;
  }

  #compared(email: unknown): string {
    return this.#table().resources['Account']?.fields['email']?.unique === 'caseless'
      ? fold(String(email))
      : String(email);
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Simple case folding, as far as the characters of an address go. */
function fold(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/** Milliseconds of a duration of fixed length: `PT1M`, `P14D`. */
export function duration(text: string): number {
  const [, days, hours, minutes, seconds] =
    /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text) ?? [];
  return (
    (((Number(days ?? 0) * 24 + Number(hours ?? 0)) * 60 + Number(minutes ?? 0)) * 60 +
      Number(seconds ?? 0)) *
    1000
  );
}

/** A body that is an object, whatever came. */
export function members(body: unknown): Item {
  return isObject(body) ? body : {};
}
