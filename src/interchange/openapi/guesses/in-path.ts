import type { Json } from '../../../source/node.ts';
import { type Address, step } from '../../../specification/reading/address.ts';
import { unnamed } from '../../recognise/collections.ts';
import type { Guess } from '../../recognise/guess.ts';
import type { Described, Parameter } from '../operations.ts';
import type { Places } from '../place.ts';
import { propertiesOf, type Shaping } from '../shape.ts';
import type { Action } from './actions.ts';
import type { Meant } from './meant.ts';
import type { Kept } from './recognised.ts';
import { nameOf, type Scope } from './scopes.ts';
import { typesOf } from './taken.ts';

/** What a parameter of a path most likely stands for. */
export interface InPath {
  /** The item that it names, and what that is called in expressions; null: it names none. */
  readonly names: Named | null;
  /** The types that it is compared with; null: any. */
  readonly types: readonly string[] | null;
}

interface Named {
  readonly kept: Kept;
  readonly as: string | null;
  readonly why: string;
  /** Whether no verdict can rest on it. Default: one may */
  readonly isVague?: boolean;
}

export type PathsMeant = ReadonlyMap<Described, ReadonlyMap<string, InPath>>;

/** What the parameters of each path stand for, as far as paths show it. */
export function pathsMeant(
  operations: readonly Described[],
  kept: readonly Kept[],
  meant: ReadonlyMap<Described, Meant>,
  actions: ReadonlyMap<Described, Action>,
  scopes: ReadonlyMap<Kept, readonly Scope[]>,
  { places }: Shaping,
): PathsMeant {
  return new Map(
    operations.map((operation) => {
      const what = meant.get(operation) ?? actions.get(operation);
      if (what === undefined) return [operation, new Map(itemAbove(operation, kept, places))] as const;
      const own = actions.has(operation)
        ? actedUpon(operation, what.kept, places)
        : ownItem(operation, what.kept, places);
      const found = [...own, ...parentsOf(what.kept, scopes.get(what.kept) ?? [], places)];
      return [operation, new Map(found)] as const;
    }),
  );
}

type Found = readonly (readonly [string, InPath])[];

/** The key of the item at its own path. */
function ownItem({ path }: Described, kept: Kept, places: Places): Found {
  const { parameter, itemPath } = kept.collection;
  if (path !== itemPath || parameter === null) return [];
  const why = `${parameter} is not the name of a member, and ${kept.key} is`;
  return [[parameter, { names: { kept, as: null, why }, types: typesOfMember(kept, kept.key, places) }]];
}

/** The key of the item that an action is about: its path has one word more. */
function actedUpon({ path, failures }: Described, kept: Kept, places: Places): Found {
  const [, parameter] = /\{([^{}]+)\}\/[^/{}]+$/.exec(path) ?? [];
  if (parameter === undefined) return [];
  const why = `${kept.collection.itemPath} is the path of one ${kept.name}`;
  // Where no 404 is listed, nobody says what comes of an item that is not there.
  const isVague = !failures.some(({ status }) => status === '404');
  const names = { kept, as: null, why, isVague };
  return [[parameter, { names, types: typesOfMember(kept, kept.key, places) }]];
}

/** Which item a parameter before the collection singles out, or with which member it is compared. */
function parentsOf(kept: Kept, scopes: readonly Scope[], places: Places): Found {
  return scopes.flatMap(({ parameter, parent, as, field, isOwn, type }): Found => {
    if (parameter === null) return [];
    if (parent === null) {
      const types = isOwn ? typesOfMember(kept, field, places) : [type];
      return [[parameter, { names: null, types }]];
    }
    const why = `${parent.collection.itemPath} is the path of one ${parent.name}`;
    return [
      [parameter, { names: { kept: parent, as, why }, types: typesOfMember(parent, parent.key, places) }],
    ];
  });
}

/**
 * Which item the path of an operation names of which nobody knows what it does: it is below the path of one item, and may be
 * answered that there is none.
 */
function itemAbove({ path, failures }: Described, kept: readonly Kept[], places: Places): Found {
  const above = kept
    .filter(({ isFurther, isSingle, collection: { itemPath } }) => {
      const isAbove = itemPath !== null && unnamed(path).startsWith(`${unnamed(itemPath)}/`);
      return isAbove && !isFurther && !isSingle;
    })
    .toSorted((a, b) => (b.collection.itemPath ?? '').length - (a.collection.itemPath ?? '').length)[0];
  const itemPath = above?.collection.itemPath;
  if (!above || !itemPath || !failures.some(({ status }) => status === '404')) return [];
  const segment = path.split('/')[itemPath.split('/').length - 1];
  const [, parameter] = /^\{([^{}]+)\}$/.exec(segment ?? '') ?? [];
  if (parameter === undefined) return [];
  const names = {
    kept: above,
    as: nameOf(above.name, []),
    why: `${itemPath} is the path of one ${above.name}`,
  };
  return [[parameter, { names, types: typesOfMember(above, above.key, places) }]];
}

function typesOfMember({ schema }: Kept, name: string, places: Places): readonly string[] | null {
  const member = propertiesOf(schema, places).get(name);
  return member ? typesOf(places.followed(member), places) : null;
}

/** Whether a value of the parameter may be one of those that it is compared with, so that its shape can stand beside that. */
export function isShapedAlike({ schema }: Parameter, meant: InPath | undefined, places: Places): boolean {
  if (schema === undefined) return false;
  const own = typesOf(places.followed(schema), places);
  const { types = null } = meant ?? {};
  if (own === null || types === null) return true;
  return own.some((one) => types.includes(one) || (one === 'integer' && types.includes('number')));
}

/**
 * Which items the parameters of a path name. One that is called like the key needs no guess (language §E.3).
 *
 * @param shaped the names of the parameters of which the document states the shape
 */
export function ofPath(
  meant: ReadonlyMap<string, InPath>,
  shaped: ReadonlySet<string>,
  operation: Address,
): readonly Guess[] {
  return [...meant].flatMap(([parameter, { names }]): Guess[] => {
    if (names === null || (names.as === null && parameter === names.kept.key)) return [];
    const { kept, as, why, isVague } = names;
    const at = step(`${operation}.request.path`, parameter);
    const value: Json = `${kept.name}.${kept.key}${as === null ? '' : ` as ${as}`}`;
    const confidence = isVague ? 'stand-in' : kept.isSure ? 'high' : 'likely';
    return [{ at: shaped.has(parameter) ? `${at}.is` : at, value, why, confidence }];
  });
}
