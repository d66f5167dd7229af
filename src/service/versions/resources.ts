import type { Frame } from '../../expression/compile.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import type { ValueKind } from '../../expression/query.ts';
import type { Model } from '../../expression/query-operand.ts';
import { eachScalar, type Node } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { picksNumber } from '../../specification/rules/choice.ts';
import { type ScopeModel, scopeModel } from '../../specification/rules/scope.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { sequences } from '../content/made.ts';
import { environmentOf, type Writers } from '../content/render.ts';
import { compileSets } from '../list/sets.ts';
import { showingTold } from '../list/showing.ts';
import { type Alongs, besidesOf, compileAlong } from '../resource/along.ts';
import { bytesTable } from '../resource/bytes.ts';
import { compileFollow } from '../resource/item.ts';
import type { KeptItem, KeptResource, Together } from '../resource/kept.ts';
import { over } from '../resource/older.ts';
import { compileResource, showingOf } from '../resource/resource.ts';
import { compileTogether } from '../resource/together.ts';
import { takenTable } from '../resource/unique.ts';
import { showingOfView } from '../resource/view.ts';
import { compileWriter, type Showing, type Write } from '../resource/write.ts';
import { definitions } from '../shape/schema.ts';
import { type Row, statement } from '../store/rows.ts';
import type { Table } from '../store/store.ts';
import { compileModel } from './model.ts';

/** Part 2, compiled: what is kept, and how `R(x)` shows it (language §2). */
export interface Kept {
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly writers: Writers;
  /** What queries know of it. */
  readonly model: Model;
  /** What is read of items where they are shown. */
  readonly along: Alongs;
  /** How a store can write what a resource or view shows, by its name. */
  readonly together: ReadonlyMap<string, Together>;
  /** Those of which items can be kept: it is stated by which fields one is known. */
  readonly kept: readonly KeptResource[];
  /** What the service keeps besides. */
  readonly tables: readonly Table[];
}

/**
 * @param newest what is kept is as this says: another where `said` is what an older version says, as how items are made
 * of what is given, and how they are shown (language §9.3)
 */
export function compileResources(said: Specification, newest: Specification = said): Kept {
  const specification = said === newest ? said : over(newest, said);
  const resources = new Map<string, KeptResource>();
  const shows = new Map<string, Write>();
  const entries = stated(specification.resources);
  const isShown = (name: string): boolean =>
    specification.resourcesByName.has(name) || stated(entries?.get(name))?.kind === 'view';
  // Resources and views show one another, so that each is looked up when it is needed.
  const write = (name: string) =>
    isShown(name) ? nested((item, frame) => (shows.get(name) as Write)(item, frame)) : undefined;
  const model = compileModel(newest, (name) => {
    const resource = newest.resourcesByName.get(name);
    const identifier = resource && stated(resource.identifier);
    if (resource === undefined || identifier === undefined) return undefined;
    const alone = [...resource.fields.values()].filter(({ unique }) =>
      [true, 'ever'].includes(stated(unique) ?? false),
    );
    return {
      name,
      keyFields: identifier.map((one) => one.text),
      unique: alone.map((field) => field.name),
    };
  });
  const itemOf = (name: string, row: Row, frame: Frame) =>
    (resources.get(name) as KeptResource).item(row, () => frame);
  const isResource = (name: string): boolean => specification.resourcesByName.has(name);
  const along = compileAlong(specification, model);
  const besides: Parameters<typeof compileSets>[4] = (node, { from }, set) => {
    const of = along.set(node);
    return of && besidesOf(of, from, model, set);
  };
  const sets = compileSets(statement, model, itemOf, isResource, besides);
  const writers: Writers = Object.assign(write, {
    sets,
    follow: compileFollow((name) => resources.get(name)),
  });
  const scope = scopeModel(newest);
  const surroundings = {
    specification,
    newest,
    resources: (name: string) => resources.get(name),
    writers,
    kindOf: (field: Field) => kindOf(scope, field),
    definitions: definitions(specification, null),
  };
  const together = new Map<string, Together>();
  const showTogether = (name: string, showing: Showing): void => {
    const found = compileTogether(showing, resources.get(showing.resource.name)?.table.keyKinds ?? []);
    if (found) together.set(name, found);
  };
  for (const [name, resource] of specification.resourcesByName) {
    const kept = compileResource(resource, surroundings);
    resources.set(name, kept);
    shows.set(name, kept.write);
    showTogether(name, showingOf(resource, kept.keyFields, surroundings));
  }
  for (const [name, said] of entries ?? []) {
    const view = stated(said);
    if (view?.kind !== 'view') continue;
    const showing = showingOfView(view, surroundings);
    shows.set(name, showing ? compileWriter(showing) : () => 'null');
    if (showing) showTogether(name, showing);
  }
  for (const [name, show] of shows) {
    const more = along.shown(name);
    const of = resources.get(more?.resource ?? '');
    if (more && of) shows.set(name, showingTold(show, of, more, model, environmentOf(writers)));
  }
  const kept = [...resources.values()].filter(({ keyFields }) => keyFields.length > 0);
  const tables = [
    ...(callsSequence(specification.tree) || kept.some(picksNumbers) ? [sequences] : []),
    ...(kept.some(claims) ? [takenTable] : []),
    ...(kept.some(({ bytes }) => bytes !== null) ? [bytesTable] : []),
  ];
  return { resources, writers, model, along, together, kept, tables };
}

function callsSequence(tree: Node): boolean {
  let found = false;
  eachScalar(tree, ({ written }) => {
    found ||= /\bsequence\s*\(/.test(written);
  });
  return found;
}

function picksNumbers({ resource }: KeptResource): boolean {
  return [...resource.fields.values()].some(picksNumber);
}

function claims({ resource }: KeptResource): boolean {
  return [...resource.fields.values()].some(({ unique }) => stated(unique) === 'ever');
}

/** How deep items may show one another: one that shows itself would never end (language §G.4). */
const deepestShown = 100;

/** What shows an item, by which it may show others, and these again others. */
function nested(show: Write): (item: unknown, frame: Frame) => string {
  return (item, frame) => {
    if (depth >= deepestShown) throw new CannotWorkOut('items show one another without end');
    depth++;
    try {
      return show(item as KeptItem, frame);
    } finally {
      depth--;
    }
  };
}

let depth = 0;

/** Of what kind the values of a field are as they are kept: a reference is its key (language §G.3). */
function kindOf(model: ScopeModel, field: Field, seen: readonly Field[] = []): ValueKind {
  const type = model.fieldType(field);
  switch (type.kind) {
    case 'text':
    case 'boolean':
      return type.kind;
    case 'timestamp':
      return 'time';
    case 'duration':
      return 'duration';
    case 'integer':
    case 'number':
      return 'number';
    case 'item': {
      const to = stated(field.refers);
      const target = model.resources.get(type.resource);
      const [only, second] = (target && stated(target.identifier)) ?? [];
      const by = to?.field ?? (second ? undefined : only?.text);
      const key = target?.fields.get(by ?? '');
      return key && !seen.includes(field) ? kindOf(model, key, [...seen, field]) : 'unknown';
    }
    default:
      return 'unknown';
  }
}
