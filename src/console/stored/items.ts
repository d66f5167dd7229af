import {
  and,
  compare,
  field,
  literal,
  type Node,
  or,
  parameter,
  place,
  query,
  rowOf,
} from '../../expression/query.ts';
import { Refused } from '../../load/refused.ts';
import type { KeptResource } from '../../service/resource/kept.ts';
import { type Row, statement } from '../../service/store/rows.ts';
import type { Store } from '../../service/store/store.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Context, type Given, textOf } from '../context.ts';
import { beside, resourcesOf, runningOf } from './beside.ts';
import { isSecret, shownMember } from './concealed.ts';

/** The resources of which items are stored. */
export interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly items: number }[];
  /** The resources of which none can be stored, as it is open by what an item is known. */
  readonly unstored: readonly string[];
}

/** A page of the items of a resource, the latest first. */
export interface ItemPage {
  readonly resource: string;
  /** The fields, those of the identifier first. */
  readonly columns: readonly string[];
  readonly rows: readonly ItemRow[];
  /** How many there are in all; narrowed by words, this is not known. */
  readonly count: number | null;
  /** The place behind which the next page begins; null: this is the last. */
  readonly next: number | null;
  /** So many items were looked through for the words, and others are left. */
  readonly searched: number | null;
}

export interface ItemRow {
  /** The key as JSON, by which the item is asked for. */
  readonly key: string;
  /** The members in the order of the columns; null: it has none. */
  readonly cells: readonly (Cell | null)[];
}

/** A member of an item, to be shown. */
export interface Cell {
  readonly text: string;
  /** The item that it refers to. */
  readonly refers: { readonly resource: string; readonly key: string } | null;
  /** Whether it is longer than what is shown. */
  readonly isCut: boolean;
}

/** So many items are on a page, and so many are looked through for words, in steps. */
const [most, mostSearched, step] = [50, 20_000, 500] as const;

/** So many characters of a value are shown in a table. */
const mostShown = 120;

/** Tells of which resources items are stored, and how many. */
export async function resourceList(_given: unknown, { desk }: Context): Promise<ResourceList> {
  const running = runningOf(desk);
  const kept = [...resourcesOf(running.specification).values()];
  const tables = kept.map(({ table }) => table);
  const resources = await beside(running, tables, async (store, has) =>
    store.read((reads) =>
      kept.map(({ name, table }) => ({
        name,
        items: has(table)
          ? Number(reads.value(statement(query(rowOf(table), { gives: { kind: 'count' } })), []))
          : 0,
      })),
    ),
  );
  const stored = new Set(kept.map(({ name }) => name));
  const all = [...running.specification.resourcesByName.keys()];
  return { resources, unstored: all.filter((name) => !stored.has(name)) };
}

/** A resource of the service that runs. Throws {@link Refused} if no items of it are stored. */
export function keptNamed(of: Specification, name: string): KeptResource {
  const kept = resourcesOf(of).get(name);
  if (kept === undefined) throw new Refused(`no items of ${name} are stored`);
  return kept;
}

/**
 * A page of items: of `resource`, `before` a place, those that have a value `is` in the field `where`, and of these those
 * in which each word of `words` stands.
 */
export async function itemPage(given: Given, { desk }: Context): Promise<ItemPage> {
  const running = runningOf(desk);
  const { specification } = running;
  const kept = keptNamed(specification, textOf(given, 'resource'));
  const words = String(given['words'] ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((one) => one !== '');
  const own = rowOf(kept.table);
  const where = filterOf(specification, kept, given, own);
  const before = given['before'] === undefined ? Number.MAX_SAFE_INTEGER : Number(given['before']);
  return beside(running, [kept.table], async (store, has) => {
    const empty = {
      resource: kept.name,
      columns: columnsOf(kept),
      rows: [],
      count: 0,
      next: null,
      searched: null,
    };
    if (!has(kept.table)) return empty;
    const paging = { store, kept, own, where, before };
    if (words.length > 0) return { ...empty, count: null, ...(await sought(specification, words, paging)) };
    const rows = await pageOf(paging, most + 1);
    const counting = statement(query(own, { where: where?.node ?? null, gives: { kind: 'count' } }));
    const count = await store.read((reads) => Number(reads.value(counting, where?.values ?? [])));
    const shown = rows.slice(0, most);
    const next = rows.length > most ? (shown.at(-1)?.place ?? null) : null;
    return { ...empty, rows: shown.map((row) => rowShown(specification, kept, row)), count, next };
  });
}

interface Filter {
  readonly node: Node;
  readonly values: readonly unknown[];
}

interface Paging {
  readonly store: Store;
  readonly kept: KeptResource;
  readonly own: ReturnType<typeof rowOf>;
  readonly where: Filter | null;
  readonly before: number;
}

/** Items that have a value in a field, which is no secret: whoever may not see one may not look for it either. */
function filterOf(of: Specification, kept: KeptResource, given: Given, own: Paging['own']): Filter | null {
  if (given['where'] === undefined) return null;
  const [name, is] = [textOf(given, 'where'), textOf(given, 'is')];
  const isKnown = kept.keyFields.includes(name) || kept.resource.fields.has(name);
  if (!isKnown || isSecret(of, name))
    throw new Refused(`${kept.name} has no field ${name} to look for values in`);
  const isText = compare('==', field(own, name, 'text'), parameter(0, 'text'));
  const number = Number(is);
  if (is.trim() === '' || !Number.isFinite(number)) return { node: isText, values: [is] };
  const isNumber = compare('==', field(own, name, 'number'), parameter(1, 'number'));
  return { node: or(isText, isNumber), values: [is, number] };
}

/** The rows before a place, the latest first. */
async function pageOf({ store, own, where, before }: Paging, limit: number): Promise<readonly Row[]> {
  const values = where?.values ?? [];
  const isBefore = compare('<', place(own), parameter(values.length, 'number'));
  const asked = statement(
    query(own, {
      where: where ? and(where.node, isBefore) : isBefore,
      order: [{ by: place(own), descending: true }],
      limit: literal(limit),
    }),
  );
  return store.read((reads) => reads.rows(asked, [...values, before]));
}

/** Looks through the items, in steps between which the service answers others. */
async function sought(
  of: Specification,
  words: readonly string[],
  paging: Paging,
): Promise<Pick<ItemPage, 'rows' | 'next' | 'searched'>> {
  const found: ItemRow[] = [];
  let { before } = paging;
  for (let searched = 0; searched < mostSearched; ) {
    const rows = await pageOf({ ...paging, before }, step);
    for (const row of rows) {
      searched += 1;
      before = row.place ?? 0;
      const text = JSON.stringify(membersShown(of, paging.kept, row)).toLowerCase();
      if (words.every((word) => text.includes(word))) found.push(rowShown(of, paging.kept, row));
      if (found.length === most) return { rows: found, next: before, searched: null };
    }
    if (rows.length < step) return { rows: found, next: null, searched: null };
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { rows: found, next: before, searched: mostSearched };
}

/** The names of the members, those of the identifier first, and those that are derived left out. */
export function columnsOf({ keyFields, resource }: KeptResource): readonly string[] {
  const others = [...resource.fields.values()].filter(
    ({ name, derived }) => !keyFields.includes(name) && stated(derived) === undefined,
  );
  return [...keyFields, ...others.map(({ name }) => name)];
}

/** The stored members of an item as they may be shown. */
export function membersShown(
  of: Specification,
  kept: KeptResource,
  row: Row,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(kept.members(row)).map(([name, value]) => [name, shownMember(of, kept, name, value)]),
  );
}

function rowShown(of: Specification, kept: KeptResource, row: Row): ItemRow {
  const members = membersShown(of, kept, row);
  return {
    key: JSON.stringify(row.key),
    cells: columnsOf(kept).map((name) =>
      Object.hasOwn(members, name) ? cellOf(of, kept, name, members[name], mostShown) : null,
    ),
  };
}

/** @param longest so many characters are shown */
export function cellOf(
  of: Specification,
  kept: KeptResource,
  name: string,
  value: unknown,
  longest: number,
): Cell {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    text: text.slice(0, longest),
    refers: referenceOf(of, kept, name, value),
    isCut: text.length > longest,
  };
}

/** The item that a member refers to by its identifier. */
function referenceOf(of: Specification, kept: KeptResource, name: string, value: unknown): Cell['refers'] {
  const to = stated(kept.resource.fields.get(name)?.refers);
  const target = to && resourcesOf(of).get(to.resource);
  if (target === undefined || value === null) return null;
  const [only, second] = target.keyFields;
  if (second === undefined && (to?.field ?? only) !== only) return null;
  const key = Array.isArray(value) ? value : [value];
  return key.length === target.keyFields.length ? { resource: target.name, key: JSON.stringify(key) } : null;
}
