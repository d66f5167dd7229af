import {
  and,
  compare,
  field,
  type Path,
  parameter,
  query,
  rowOf,
  type ValueKind,
} from '../../expression/query.ts';
import { ownMember } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Index } from '../store/store.ts';
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
  return (referring(all).get(target.name) ?? []).map(({ from, field: of }) => {
    const table = rowOf({ name: from.name, keyFields: identifierOf(from) });
    const base = { resource: from.name, field: of, ifDeleted: stated(of.ifDeleted) ?? null };
    const parts = partsOf(of, all, kindOf);
    if (identifierOf(from).length === 0) return { ...base, rows: () => [] };
    const where = and(
      ...parts.map(({ path, kind }, index) =>
        compare('matches', field(table, path, kind), parameter(index, kind)),
      ),
    );
    const rows = compileAsk(query(table, { where }));
    return {
      ...base,
      rows: (reads, row) => {
        const members = kept(target.name)?.members(row) ?? {};
        return rows(
          reads,
          parts.map(({ name }) => ownMember(members, name)),
        );
      },
    };
  });
}

/** What the items of a resource are searched by, when what they refer to is deleted. */
export function referenceIndexes(
  resource: Resource,
  all: ReadonlyMap<string, Resource>,
  kindOf: KindOf,
): Index[] {
  const [first] = identifierOf(resource);
  return [...resource.fields.values()].flatMap((of) =>
    stated(of.refers) && first !== of.name
      ? [{ fields: partsOf(of, all, kindOf).map(({ path, kind }) => ({ path, type: kind })), unique: false }]
      : [],
  );
}

/** A value of what a reference is kept as: the field of the item that it is of, and where it is kept. */
interface Part {
  readonly name: string;
  readonly path: Path;
  readonly kind: ValueKind;
}

/** A reference to an item that is known by several fields is kept as the list of their values. */
function partsOf(of: Field, all: ReadonlyMap<string, Resource>, kindOf: KindOf): Part[] {
  const to = stated(of.refers);
  const target = to && all.get(to.resource);
  const by = to?.field ? [to.field] : target ? identifierOf(target) : [];
  const [only, second] = by;
  if (second === undefined) return [{ name: only ?? '', path: [of.name], kind: kindOf(of) }];
  return by.map((name, index) => {
    const field = target?.fields.get(name);
    return { name, path: [of.name, index], kind: field ? kindOf(field) : 'unknown' };
  });
}

/** Every field that refers to items, by the name of the resource to which it refers. */
const referring = once((all: ReadonlyMap<string, Resource>) => {
  const fields = [...all.values()].flatMap((from) =>
    [...from.fields.values()].map((field) => ({ from, field })),
  );
  return Map.groupBy(fields, ({ field }) => stated(field.refers)?.resource);
});

function identifierOf(resource: Resource): string[] {
  return (stated(resource.identifier) ?? []).map(({ text }) => text);
}
