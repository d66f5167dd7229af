import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../src/source/node.ts';
import { groupOf, type Kind, kindOf } from './kinds.ts';
import {
  examplesIn,
  hasNote,
  isLeaf,
  isMap,
  type Members,
  type Parents,
  toldOf,
  type Way,
  wayOf,
} from './leaf.ts';

/** What became of a leaf, and the class of leaves to which it belongs. */
export interface Leaf {
  readonly way: Way;
  readonly group: string;
}

/** A value of the description, and its counterpart; undefined: it has none. */
interface Pair extends Parents {
  readonly one: Json;
  readonly other: Json | undefined;
  readonly kind: Kind;
  /** The kind of the object in which it stands. */
  readonly owner: Kind;
  readonly path: readonly string[];
}

/** What became of each leaf of a description, by its JSON Pointer. */
export function leavesOf(one: Members, other: Members): ReadonlyMap<string, Leaf> {
  const comparing = new Comparing(one, other);
  comparing.run();
  return comparing.found;
}

class Comparing {
  readonly found = new Map<string, Leaf>();
  readonly #one: Members;
  readonly #other: Members;
  /** The references whose targets are compared. */
  readonly #seen = new Set<string>();

  constructor(one: Members, other: Members) {
    this.#one = one;
    this.#other = other;
  }

  run(): void {
    const { components = {}, ...rest } = this.#one;
    for (const name of Object.keys((components as Members)['schemas'] ?? {})) {
      const counterpart = this.#named(name);
      if (counterpart !== undefined) this.#referred(refTo('schemas', name), counterpart, 'schema');
    }
    // What people read about the whole stands in `info`.
    const whole = { ...this.#other, description: (at(this.#other, ['info', 'description']) ?? '') as Json };
    this.#pair({ ...nowhere, one: rest, other: whole, kind: 'root', owner: 'root', path: [] });
    // What nothing leads to is compared with what has its name.
    for (const [group, named] of Object.entries(components as Members))
      for (const name of Object.keys(named as Members)) {
        const kind = kindOf(kindOf('components object', group), name);
        this.#referred(refTo(group, name), at(this.#other, ['components', group, name]), kind);
      }
  }

  /** The schema of this name, however names are written there. */
  #named(name: string): Json | undefined {
    const all = (at(this.#other, ['components', 'schemas']) ?? {}) as Members;
    const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
    return all[name] ?? all[Object.keys(all).find((each) => plain(each) === plain(name)) ?? ''];
  }

  #referred(ref: string, other: Json | undefined, kind: Kind, parents = nowhere): void {
    if (this.#seen.has(ref)) return;
    this.#seen.add(ref);
    const path = stepsOf(ref);
    const one = at(this.#one, path);
    if (one !== undefined) this.#pair({ ...parents, one, other, kind, owner: kind, path });
  }

  #pair(pair: Pair): void {
    const { one, kind } = pair;
    const other = kind === 'data' ? pair.other : this.#followed(pair.other);
    if (isLeaf(one)) this.#note(pair, wayOf(one, other, pair.path.at(-1) ?? '', pair));
    else if (Array.isArray(one)) this.#list(one, { ...pair, other });
    else if (isMap(one)) {
      const { $ref: ref, ...members } = one;
      const isReference = typeof ref === 'string' && kind !== 'data';
      if (isReference) this.#reference(ref, pair, other);
      for (const [name, value] of Object.entries(isReference ? members : one)) {
        const inner = this.#member(name, value, other, kind);
        const told = isMap(other) ? `${pair.told}\n${toldOf(other)}${toldWithin(other, kind)}` : pair.told;
        const isNoted = pair.isNoted || hasNote(told, name, this.#resolved(value));
        const near = isMap(other) ? other : pair.near;
        const parents = { beside: one, near, told, isNoted: isNoted || isPathNoted(told, name, one, kind) };
        this.#pair({
          ...{ ...parents, one: value, other: inner },
          ...{ kind: kindOf(kind, name), owner: kind === 'data' ? pair.owner : kind },
          path: [...pair.path, name],
        });
      }
    }
  }

  /** A reference is kept, or what it leads to stands in its place. */
  #reference(ref: string, pair: Pair, other: Json | undefined): void {
    this.#referred(ref, other, pair.kind, pair);
    const isSame = isMap(pair.other) && pair.other['$ref'] === ref;
    const missing = pair.isNoted ? 'prose' : 'lost';
    const way = other === undefined ? missing : isSame ? 'same' : 'spelling';
    this.#note({ ...pair, path: [...pair.path, '$ref'] }, way);
  }

  /** The counterpart of a member. */
  #member(name: string, value: Json, other: Json | undefined, kind: Kind): Json | undefined {
    if (!isMap(other)) return undefined;
    if (Object.hasOwn(other, name)) return other[name];
    if (name === 'example') return examplesIn(other).find((each) => isDeepStrictEqual(each, value));
    // Parameters of a path stand at its operations.
    if (kind === 'path object' && name === 'parameters')
      return Object.values(other).flatMap((each) =>
        isMap(each) ? ((each['parameters'] ?? []) as Json) : [],
      );
    // What `allOf` puts together stands there itself; one alternative alone, too.
    const schemas = kind === 'schema' && Array.isArray(value) ? value : [];
    const isMerged = name === 'allOf' || (['anyOf', 'oneOf'].includes(name) && schemas.length === 1);
    return isMerged && schemas.length > 0 ? schemas.map(() => other) : undefined;
  }

  #list(one: readonly Json[], pair: Pair): void {
    const others = Array.isArray(pair.other) ? (pair.other as readonly Json[]) : [];
    for (const [index, each] of one.entries())
      this.#pair({
        ...{ ...pair, one: each, path: [...pair.path, String(index)] },
        other: this.#element(each, index, others, pair),
        isNoted: pair.isNoted || (isMap(each) && hasNote(pair.told, pair.path.at(-1) ?? '', [each])),
      });
  }

  /** The counterpart of an element: parameters by their names, security and plain values by what they say, else by the place. */
  #element(each: Json, index: number, others: readonly Json[], { kind, path }: Pair): Json | undefined {
    if (kind === 'parameter') {
      const own = this.#target(each);
      return others.find((their) => isSameParameter(own, this.#followed(their)));
    }
    const isSet = isLeaf(each) || path.at(-1) === 'security';
    return isSet ? others.find((their) => isDeepStrictEqual(their, each)) : others[index];
  }

  /** A map of names, each with what it refers to. */
  #resolved(value: Json): Json {
    if (!isMap(value)) return value;
    const all = Object.entries(value).map(([name, each]) => [name, this.#target(each) ?? each]);
    return Object.fromEntries(all) as Json;
  }

  #target(value: Json): Json | undefined {
    const ref = isMap(value) ? value['$ref'] : undefined;
    return typeof ref === 'string' ? at(this.#one, stepsOf(ref)) : value;
  }

  /** What a value there refers to, with what is said beside the reference; `allOf` of one schema is that schema. */
  #followed(value: Json | undefined): Json | undefined {
    let found = value;
    for (let steps = 0; steps < 20 && isMap(found); steps++) {
      const { $ref: ref, allOf, ...beside } = found;
      const [only, second] = Array.isArray(allOf) ? (allOf as readonly Json[]) : [];
      const next = typeof ref === 'string' ? at(this.#other, stepsOf(ref)) : second ? undefined : only;
      if (next === undefined) return found;
      found = isMap(next) ? { ...next, ...beside } : next;
    }
    return found;
  }

  #note({ path, owner }: Pair, way: Way): void {
    const pointer = path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    this.found.set(pointer, { way, group: groupOf(owner, path) });
  }
}

const nowhere: Parents = { beside: {}, near: {}, told: '', isNoted: false };

/** What is told of a path stands at its operations. */
function toldWithin(other: Members, kind: Kind): string {
  if (kind !== 'path object') return '';
  return Object.values(other)
    .filter(isMap)
    .map((operation) => `\n${toldOf(operation)}`)
    .join('');
}

/** What a parameter of a path looks like may be noted by its name. */
function isPathNoted(told: string, name: string, one: Members, kind: Kind): boolean {
  const isSchema = kind === 'parameter' && one['in'] === 'path' && name === 'schema';
  return isSchema && hasNote(told, `{${one['name']}}`, one['schema'] as Json);
}

function at(root: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = root;
  for (const step of path)
    found = Array.isArray(found) ? found[Number(step)] : isMap(found) ? found[step] : undefined;
  return found;
}

function refTo(group: string, name: string): string {
  return `#/components/${group}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
}

function stepsOf(ref: string): readonly string[] {
  const steps = decodeURIComponent(ref).split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function isSameParameter(one: Json | undefined, other: Json | undefined): boolean {
  return isMap(one) && isMap(other) && one['in'] === other['in'] && one['name'] === other['name'];
}
