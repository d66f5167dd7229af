import { callsMade, children, macroOf, path, pathsRead, type Syntax } from '../../expression/expression.ts';
import {
  type Besides,
  type Label,
  type Node,
  rowOf,
  type Table,
  typeOfNode,
} from '../../expression/query.ts';
import { type Model, NotAsked, referred } from '../../expression/query-operand.ts';
import { type SetQuery, type Translator, translator } from '../../expression/query-syntax.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { inAnswers, inSaid } from '../../specification/model/workings.ts';
import { isAsked, stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';

/** What is read of an item where it is shown, besides what it holds: a store tells all of it with its row. */
export interface Along {
  readonly resource: string;
  /** What is asked of the items of a resource, and the name by which the item goes in it. */
  readonly sets: Map<Syntax, { readonly name: string; readonly of: Along }>;
  /** The items that it refers to of which more is read than the key, by field. */
  readonly references: Map<string, Along>;
}

type Answers = readonly { readonly syntax: Syntax }[];

/** Finds what is read of items besides what they hold; null: nothing. */
export interface Alongs {
  /** By an operation's answers, of the items of its page. */
  readonly page: (resource: string, answers: Answers, bound: readonly string[]) => Along | null;
  /** By a resource or view that shows an item. */
  readonly shown: (name: string) => Along | null;
  /** By the expression that a set of items stands in, of those items; the set by its syntax. */
  readonly set: (node: Syntax) => Along | null;
}

/** An item that an expression comes to, or a list of such; `along` is made once something is read of it. */
interface Place {
  readonly resource: string;
  readonly isList: boolean;
  readonly along: () => Along;
  /** The fields by which it is known without its row. */
  readonly by: readonly string[];
}

/** The names that a macro or a field's situation binds; undefined: what it stands for is not known. */
type Bound = ReadonlyMap<string, Place | undefined>;

/** What an expression may read that is the same for all rows, and known before they are. */
const beforehand: readonly string[] = ['actor', 'request', 'now', 'service'];
const makers: readonly string[] = ['uuid', 'random', 'sequence', 'unique', 'issue', 'jwks'];

export function compileAlong(specification: Specification, model: Model): Alongs {
  const around: Around = { specification, model, set: translator(model, () => null).set };
  const asked = new Map<Syntax, Along>();
  const asking = new Collector(around, [], { asked });
  for (const operation of specification.operations) asking.visitAll(inAnswers(operation), new Map());
  for (const field of allFields(specification)) asking.visitAll(workedOut(field), new Map());
  return {
    page: (resource, answers, bound) => {
      const along = fresh(resource);
      new Collector(around, bound, { page: placeOf(along, true) }).visitAll(answers, new Map());
      return unlessNothing(along);
    },
    shown: (name) => {
      const found = fieldsShown(specification, name);
      if (found === undefined) return null;
      const along = fresh(found.resource);
      new Collector(around, []).show(name, placeOf(along, false));
      return unlessNothing(along);
    },
    set: (node) => unlessNothing(asked.get(node)),
  };
}

interface Around {
  readonly specification: Specification;
  readonly model: Model;
  readonly set: Translator<unknown>['set'];
}

interface Collecting {
  /** The items of a page, where there is one. */
  readonly page?: Place;
  /** Where sets are gathered that nothing at hand tells, so that they are asked for by themselves. */
  readonly asked?: Map<Syntax, Along>;
}

/** Goes through expressions, and notes what they read of items with the item that they read it of. */
class Collector {
  readonly #around: Around;
  /** The names that are known before any row is. */
  readonly #known: readonly string[];
  readonly #page: Place | undefined;
  readonly #asked: Map<Syntax, Along> | undefined;
  /** What is being shown: what shows itself in its turn is asked for item by item, as deep as it goes. */
  readonly #showing: string[] = [];

  constructor(around: Around, known: readonly string[], { page, asked }: Collecting = {}) {
    this.#around = around;
    this.#known = known;
    this.#page = page;
    this.#asked = asked;
  }

  visitAll(all: Answers, bound: Bound): void {
    for (const { syntax } of all) this.#visit(syntax, bound);
  }

  /** Notes what an item is shown with, by a resource or a view. */
  show(name: string, place: Place): void {
    const found = fieldsShown(this.#around.specification, name);
    if (found?.resource !== place.resource || this.#showing.includes(name)) return;
    this.#showing.push(name);
    const self = placeOf(place.along(), false);
    for (const field of found.fields) {
      if (isAsked(field.readable) || isAsked(field.shown) || stated(field.readable) === false) continue;
      const bound = new Map<string, Place | undefined>([['this', self]]);
      if (stated(field.shown)) bound.set('value', this.#member(self, field.name));
      this.visitAll(workedOut(field), bound);
    }
    this.#showing.pop();
  }

  /** What an expression comes to, where that is an item or a list of such. */
  #visit(node: Syntax, bound: Bound): Place | undefined {
    if (this.#page && path(node)?.join('.') === 'page.items' && !bound.has('page')) return this.#page;
    if (node.op === 'id' && bound.has(node.args)) return bound.get(node.args);
    if (node.op === 'id') return this.#setOf(node, bound);
    if (node.op === 'value') return undefined;
    if (node.op === '.') {
      const of = this.#visit(node.args[0], bound);
      return of && this.#member(of, node.args[1]);
    }
    const found = node.op === 'rcall' ? this.#setOf(node, bound) : undefined;
    if (found) return found;
    const macro = macroOf(node);
    if (macro) return this.#visitMacro(macro, bound);
    const places = children(node).map((child) => this.#visit(child, bound));
    if (node.op === 'call' && places[0]) this.show(node.args[0], places[0]);
    return undefined;
  }

  #visitMacro(macro: NonNullable<ReturnType<typeof macroOf>>, bound: Bound): Place | undefined {
    const over = this.#visit(macro.over, bound);
    const element = over?.isList ? { ...over, isList: false } : undefined;
    const inner = new Map(bound).set(macro.name, element);
    for (const body of macro.bodies) this.#visit(body, inner);
    return macro.macro === 'filter' ? over : undefined;
  }

  /** The item that a field refers to; what a derived field reads is read with it. */
  #member(of: Place, name: string): Place | undefined {
    const { specification, model } = this.#around;
    const field = specification.resourcesByName.get(of.resource)?.fields.get(name);
    if (of.isList || of.by.includes(name)) return undefined;
    const along = of.along();
    if (field === undefined || stated(field.secret)) return undefined;
    this.#derive(field, along);
    const refers = model.field(of.resource, name)?.refers;
    if (!refers || model.table(refers.resource) === undefined) return undefined;
    const reference = (): Along => {
      const made = along.references.get(name) ?? fresh(refers.resource);
      along.references.set(name, made);
      return made;
    };
    return { resource: refers.resource, isList: false, along: reference, by: refers.by };
  }

  #derive({ name, derived }: Field, along: Along): void {
    const label = `${along.resource}.${name}`;
    if (!stated(derived) || this.#showing.includes(label)) return;
    this.#showing.push(label);
    this.visitAll(inSaid(derived), new Map([['this', placeOf(along, false)]]));
    this.#showing.pop();
  }

  /** The items of a set, which is told with the item that it is about, or asked for by itself. */
  #setOf(node: Syntax, bound: Bound): Place | undefined {
    if (callsMade(node).some((one) => makers.includes(one))) return undefined;
    const roots = pathsRead(node).map(([root = '']) => root);
    const [name, other] = [...new Set(roots.filter((root) => bound.has(root)))];
    if (name === undefined) return this.#askedFor(node);
    const owner = bound.get(name);
    if (other !== undefined || owner === undefined || !this.#areKnown(roots, bound)) return undefined;
    return this.#toldWith(node, name, owner);
  }

  #areKnown(roots: readonly string[], bound: Bound): boolean {
    const { model } = this.#around;
    const known = [...beforehand, ...this.#known];
    return roots.every((root) => bound.has(root) || known.includes(root) || model.table(root) !== undefined);
  }

  #askedFor(node: Syntax): Place | undefined {
    const query = this.#asked && this.#around.set(node);
    if (query?.gives !== 'rows') return undefined;
    const of = this.#asked?.get(node) ?? fresh(query.from.table.name);
    this.#asked?.set(node, of);
    return placeOf(of, true);
  }

  #toldWith(node: Syntax, name: string, owner: Place): Place | undefined {
    const { model, set } = this.#around;
    const table = owner.isList ? undefined : model.table(owner.resource);
    if (table === undefined) return undefined;
    const query = set(node, new Map([[name, { resource: owner.resource, from: rowOf(table) }]]));
    if (query === undefined || !isColumn(query)) return undefined;
    const { sets } = owner.along();
    const of = sets.get(node)?.of ?? fresh(query.from.table.name);
    sets.set(node, { name, of });
    return placeOf(of, true);
  }
}

/** All fields of resources, and those that views add. */
function allFields({ resources, resourcesByName }: Specification): Field[] {
  const own = [...resourcesByName.values()].flatMap((one) => [...one.fields.values()]);
  const further = [...(stated(resources)?.values() ?? [])].flatMap((said) => {
    const view = stated(said);
    return view?.kind === 'view' ? [...view.fields.values()] : [];
  });
  return [...own, ...further];
}

/** What `R(x)` shows: those of the resource's own fields, and those that a view adds. */
function fieldsShown(
  { resources, resourcesByName }: Specification,
  name: string,
): { readonly resource: string; readonly fields: readonly Field[] } | undefined {
  const own = (of: Resource): readonly Field[] => [...of.fields.values()];
  const resource = resourcesByName.get(name);
  if (resource) return { resource: name, fields: own(resource) };
  const view = stated(stated(resources)?.get(name));
  if (view?.kind !== 'view') return undefined;
  const of = resourcesByName.get(stated(view.of)?.text ?? '');
  if (of === undefined) return undefined;
  const [shows, omits] = [stated(view.shows), stated(view.omits)].map((all) => all?.map(({ text }) => text));
  const isShown = (field: Field): boolean =>
    !view.fields.has(field.name) && (shows?.includes(field.name) ?? !omits?.includes(field.name));
  return { resource: of.name, fields: [...own(of).filter(isShown), ...view.fields.values()] };
}

/** What is worked out where a field is shown. */
function workedOut({ readable, derived, shown }: Field): Answers {
  const may = stated(readable);
  return [
    ...(typeof may === 'object' ? expressionsIn(may.template) : []),
    ...[derived, shown].flatMap(inSaid),
  ];
}

function fresh(resource: string): Along {
  return { resource, sets: new Map(), references: new Map() };
}

function unlessNothing(along: Along | undefined): Along | null {
  return along && along.sets.size + along.references.size > 0 ? along : null;
}

function placeOf(along: Along, isList: boolean): Place {
  return { resource: along.resource, isList, along: () => along, by: [] };
}

/** Whether what a query gives can be told in a column, whatever it is. */
function isColumn({ gives }: SetQuery): boolean {
  if (gives === 'rows' || !('of' in gives)) return true;
  return gives.kind === 'sum' || ['text', 'number', 'time', 'duration'].includes(typeOfNode(gives.of));
}

/** What a store is to tell with a row: each set by its syntax, each item that the row refers to by its field. */
export function besidesOf(
  along: Along,
  from: { readonly table: Table },
  model: Model,
  set: Translator<unknown>['set'],
): Besides {
  const found = new Map<Label, Node>();
  const { resource } = along;
  for (const [syntax, { name, of }] of along.sets) {
    const query = set(syntax, new Map([[name, { resource, from }]]));
    if (query === undefined) throw new NotAsked();
    const besides = query.gives === 'rows' ? besidesOf(of, query.from, model, set) : query.besides;
    found.set(syntax, { kind: 'query', query: { ...query, besides } });
  }
  for (const [name, of] of along.references) {
    const to = referred(model, from, resource, name);
    if (to === undefined) continue;
    const besides = besidesOf(of, to.source, model, set);
    const query: SetQuery = {
      from: to.source,
      where: to.found,
      order: [],
      limit: null,
      offset: null,
      gives: { kind: 'row' },
      besides,
    };
    found.set(name, { kind: 'query', query });
  }
  return found;
}
