import { equal } from '../../expression/functions.ts';
import { compare, field, parameter, query, rowOf } from '../../expression/query.ts';
import type { Field, Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Index, Row } from '../store/store.ts';
import { compileAsk } from './ask.ts';
import type { KeptResource, Referrer } from './kept.ts';
import type { KindOf } from './unique.ts';

/** The fields of any resource that refer to items of this one (language §2.2, `refers`). */
export function compileReferrers(
  target: Resource,
  all: ReadonlyMap<string, Resource>,
  kept: (name: string) => KeptResource | undefined,
  kindOf: KindOf,
): Referrer[] {
  const keyFields = identifierOf(target);
  return referring(target.name, all).map(({ from, by, field: of }) => {
    const table = rowOf({ name: from.name, keyFields: identifierOf(from) });
    const single = by ?? (keyFields.length === 1 ? keyFields[0] : undefined);
    const keyIn = (row: Row): unknown => {
      const members = kept(target.name)?.members(row) ?? {};
      return single === undefined ? keyFields.map((name) => members[name]) : (members[single] ?? null);
    };
    const base = { resource: from.name, field: of, ifDeleted: stated(of.ifDeleted) ?? null };
    if (identifierOf(from).length === 0) return { ...base, rows: () => [] };
    if (single !== undefined) {
      const kind = kindOf(of);
      const where = compare('matches', field(table, of.name, kind), parameter(0, kind));
      const rows = compileAsk(query(table, { where }));
      return { ...base, rows: (reads, row) => rows(reads, [keyIn(row)]) };
    }
    // A key of several values is kept as a list, which no store compares.
    const rows = compileAsk(query(table));
    return {
      ...base,
      rows: (reads, row) => {
        const key = keyIn(row);
        return rows(reads, []).filter((one) => equal(kept(from.name)?.members(one)[of.name] ?? null, key));
      },
    };
  });
}

/** What the items of a resource are searched by, when what they refer to is deleted. */
export function referenceIndexes(resource: Resource, kindOf: KindOf): Index[] {
  const keyFields = identifierOf(resource);
  return [...resource.fields.values()].flatMap((of) =>
    stated(of.refers) && keyFields[0] !== of.name
      ? [{ fields: [{ path: [of.name], type: kindOf(of) }], unique: false }]
      : [],
  );
}

function referring(
  name: string,
  all: ReadonlyMap<string, Resource>,
): { readonly from: Resource; readonly field: Field; readonly by: string | null }[] {
  return [...all.values()].flatMap((from) =>
    [...from.fields.values()].flatMap((field) => {
      const to = stated(field.refers);
      return to?.resource === name ? [{ from, field, by: to.field }] : [];
    }),
  );
}

function identifierOf(resource: Resource): string[] {
  return (stated(resource.identifier) ?? []).map(({ text }) => text);
}
