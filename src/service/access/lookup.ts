import type { Environment } from '../../expression/compile.ts';
import { and, compare, field as keptField, literal, parameter, query } from '../../expression/query.ts';
import type { Model } from '../../expression/query-operand.ts';
import { ownMember } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Narrowed } from '../list/indexes.ts';
import { compileAsk } from '../resource/ask.ts';
import type { KeptResource, Unique } from '../resource/kept.ts';
import { compileConditions } from '../resource/where.ts';
import type { Reads, Row } from '../store/store.ts';
import { sameKey } from '../transaction/written.ts';

/** How the one item is found that has given values in some fields. */
export interface Lookup {
  /** Null where there is none, or several. */
  readonly find: (reads: Reads, values: readonly unknown[]) => Row | null;
  /** By what the store finds it; null: by what is unique, and so has an index. */
  readonly narrowed: Narrowed | null;
}

/** Each field is compared as its uniqueness compares, or else as it is. */
export function compileLookup(
  kept: KeptResource,
  names: readonly string[],
  model: Model,
  environment: Environment,
): Lookup {
  const [unique, ...others] = comparing(kept, names);
  if (unique) {
    const compared = [unique, ...others].flatMap(({ fields }) => fields);
    const further = names.filter((name) => !compared.includes(name));
    return {
      narrowed: null,
      find: (reads, values) => {
        const asked = Object.fromEntries(names.map((name, index) => [name, values[index]]));
        const row = unique.find(reads, asked);
        if (row === null || (others.length === 0 && further.length === 0)) return row;
        const there = kept.members(row);
        const isSame = (found: Row | null): boolean => found !== null && sameKey(found.key, row.key);
        const fits =
          others.every((one) => isSame(one.find(reads, asked))) &&
          further.every((name) => ownMember(there, name) === ownMember(asked, name));
        return fits ? row : null;
      },
    };
  }
  // Nothing is stored of a resource without an identifier (language §2.1).
  if (kept.keyFields.length === 0) return { narrowed: null, find: () => null };
  const { row, field, slot } = compileConditions(kept, model, environment, []);
  // A secret, which no expression reads, is found by the form that is kept of it.
  const isSecret = (name: string): boolean => stated(kept.resource.fields.get(name)?.secret) !== undefined;
  const slots = names.map((name) => ({
    node: isSecret(name) ? keptField(row, name, 'text') : field(name).node,
    place: slot(),
  }));
  const where = and(...slots.map(({ node, place }) => compare('matches', node, parameter(place))));
  const rows = compileAsk(query(row, { where, limit: literal(2) }));
  return {
    narrowed: { row, always: [where], filters: [], order: [], sorts: [] },
    find: (reads, values) => {
      const given: unknown[] = [];
      for (const [index, { place }] of slots.entries()) given[place] = values[index];
      const [only, second] = rows(reads, given);
      return second === undefined ? (only ?? null) : null;
    },
  };
}

/** What is unique among these fields. An identifier that is also unique caselessly compares caselessly. */
function comparing({ uniques }: KeptResource, names: readonly string[]): readonly Unique[] {
  const found = uniques.filter(({ fields }) => fields.every((name) => names.includes(name)));
  const isCoarser = (one: Unique, other: Unique): boolean =>
    one.isCaseless && !other.isCaseless && one.fields.every((name) => other.fields.includes(name));
  return found.filter((one) => !found.some((other) => isCoarser(other, one)));
}
