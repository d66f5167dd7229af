import type { Environment } from '../../expression/compile.ts';
import { and, compare, field as keptField, literal, parameter, query } from '../../expression/query.ts';
import type { Model } from '../../expression/query-operand.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Narrowed } from '../list/indexes.ts';
import { compileAsk } from '../resource/ask.ts';
import type { KeptResource } from '../resource/kept.ts';
import type { Reads, Row } from '../store/store.ts';
import { compileConditions } from '../where.ts';

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
  const unique = kept.uniques.find(({ fields }) => fields.every((name) => names.includes(name)));
  if (unique) {
    const further = names.filter((name) => !unique.fields.includes(name));
    return {
      narrowed: null,
      find: (reads, values) => {
        const asked = Object.fromEntries(names.map((name, index) => [name, values[index]]));
        const row = unique.find(reads, asked);
        if (row === null || further.length === 0) return row;
        const there = kept.members(row);
        return further.every((name) => there[name] === asked[name]) ? row : null;
      },
    };
  }
  // Nothing is stored of a resource without an identifier (language §2.1).
  if (kept.keyFields.length === 0) return { narrowed: null, find: () => null };
  const { row, field, slot } = compileConditions(kept, model, environment, []);
  // A secret, which no expression reads, is found by the form that is kept of it.
  const isSecret = (name: string): boolean => stated(kept.resource.fields.get(name)?.secret) !== undefined;
  const slots = names.map((name) => ({
    node: isSecret(name) ? keptField(row, name, 'text') : field(name),
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
