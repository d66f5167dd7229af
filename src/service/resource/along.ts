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
  const entries = stated(specification.resources);
  const { set } = translator(model, () => null);
  const asked = new Map<Syntax, Along>();
  const asking = collecting([], { asked });
  for (const operation of specification.operations) asking.visitAll(inAnswers(operation), new Map());
  for (const field of allFields()) asking.visitAll(workedOut(field), new Map());
  return {
    page: (resource, answers, bound) => {
      const along = fresh(resource);
      collecting(bound, { page: placeOf(along, true) }).visitAll(answers, new Map());
      return unlessNothing(along);
    },
    shown: (name) => {
      const found = fieldsShown(name);
      if (found === undefined) return null;
      const along = fresh(found.resource);
      collecting([]).show(name, placeOf(along, false));
      return unlessNothing(along);
    },
    set: (node) => unlessNothing(asked.get(node)),
  };

  /**
   * @param page the items of a page, where there is one
   * @param asked where sets are gathered that nothing at hand tells, so that they are asked for by themselves
   */
  function collecting(
    known: readonly string[],
    { page, asked }: { readonly page?: Place; readonly asked?: Map<Syntax, Along> } = {},
  ) {
    const showing: string[] = [];
    const visitAll = (all: Answers, bound: Bound): void => {
      for (const { syntax } of all) visit(syntax, bound);
    };
    const show = (name: string, place: Place): void => {
      const found = fieldsShown(name);
      // What shows itself in its turn is asked for item by item, as deep as it goes.
      if (found?.resource !== place.resource || showing.includes(name)) return;
      showing.push(name);
      const along = place.along();
      const self = placeOf(along, false);
      for (const field of found.fields) {
        if (isAsked(field.readable) || isAsked(field.shown) || stated(field.readable) === false) continue;
        const bound = new Map<string, Place | undefined>([['this', self]]);
        if (stated(field.shown)) bound.set('value', member(self, field.name));
        visitAll(workedOut(field), bound);
      }
      showing.pop();
    };
    const member = (of: Place, name: string): Place | undefined => {
      const field = specification.resourcesByName.get(of.resource)?.fields.get(name);
      if (of.isList || of.by.includes(name)) return undefined;
      const along = of.along();
      if (field === undefined || stated(field.secret)) return undefined;
      const label = `${of.resource}.${name}`;
      if (stated(field.derived) && !showing.includes(label)) {
        showing.push(label);
        visitAll(inSaid(field.derived), new Map([['this', placeOf(along, false)]]));
        showing.pop();
      }
      const refers = model.field(of.resource, name)?.refers;
      if (!refers || model.table(refers.resource) === undefined) return undefined;
      const reference = (): Along => {
        const made = along.references.get(name) ?? fresh(refers.resource);
        along.references.set(name, made);
        return made;
      };
      return { resource: refers.resource, isList: false, along: reference, by: refers.by };
    };
    /** The items of a set, which is told with the item that it is about, or asked for by itself. */
    const setOf = (node: Syntax, bound: Bound): Place | undefined => {
      if (callsMade(node).some((one) => makers.includes(one))) return undefined;
      const roots = pathsRead(node).map(([root = '']) => root);
      const [name, other] = [...new Set(roots.filter((root) => bound.has(root)))];
      if (name === undefined) {
        const query = asked && set(node);
        if (query?.gives !== 'rows') return undefined;
        const of = asked?.get(node) ?? fresh(query.from.table.name);
        asked?.set(node, of);
        return placeOf(of, true);
      }
      const owner = bound.get(name);
      const table = owner && !owner.isList ? model.table(owner.resource) : undefined;
      const isKnown = (root: string): boolean =>
        bound.has(root) ||
        beforehand.includes(root) ||
        known.includes(root) ||
        model.table(root) !== undefined;
      if (other !== undefined || owner === undefined || table === undefined || !roots.every(isKnown))
        return undefined;
      const query = set(node, new Map([[name, { resource: owner.resource, from: rowOf(table) }]]));
      if (query === undefined || !isColumn(query)) return undefined;
      const { sets } = owner.along();
      const of = sets.get(node)?.of ?? fresh(query.from.table.name);
      sets.set(node, { name, of });
      return placeOf(of, true);
    };
    const visit = (node: Syntax, bound: Bound): Place | undefined => {
      if (page && path(node)?.join('.') === 'page.items' && !bound.has('page')) return page;
      if (node.op === 'id' && bound.has(node.args)) return bound.get(node.args);
      if (node.op === 'id') return setOf(node, bound);
      if (node.op === 'value') return undefined;
      if (node.op === '.') {
        const of = visit(node.args[0], bound);
        return of && member(of, node.args[1]);
      }
      const found = node.op === 'rcall' ? setOf(node, bound) : undefined;
      if (found) return found;
      const macro = macroOf(node);
      if (macro) {
        const over = visit(macro.over, bound);
        const element = over?.isList ? { ...over, isList: false } : undefined;
        const inner = new Map(bound).set(macro.name, element);
        for (const body of macro.bodies) visit(body, inner);
        return macro.macro === 'filter' ? over : undefined;
      }
      const places = children(node).map((child) => visit(child, bound));
      if (node.op === 'call' && places[0]) show(node.args[0], places[0]);
      return undefined;
    };
    return { visitAll, show };
  }

  function allFields(): Field[] {
    const own = [...specification.resourcesByName.values()].flatMap((one) => [...one.fields.values()]);
    const further = [...(entries?.values() ?? [])].flatMap((said) => {
      const view = stated(said);
      return view?.kind === 'view' ? [...view.fields.values()] : [];
    });
    return [...own, ...further];
  }

  /** What `R(x)` shows: those of the resource's own fields, and those that a view adds. */
  function fieldsShown(
    name: string,
  ): { readonly resource: string; readonly fields: readonly Field[] } | undefined {
    const own = (of: Resource): readonly Field[] => [...of.fields.values()];
    const resource = specification.resourcesByName.get(name);
    if (resource) return { resource: name, fields: own(resource) };
    const view = stated(entries?.get(name));
    if (view?.kind !== 'view') return undefined;
    const of = specification.resourcesByName.get(stated(view.of)?.text ?? '');
    if (of === undefined) return undefined;
    const [shows, omits] = [stated(view.shows), stated(view.omits)].map((all) =>
      all?.map(({ text }) => text),
    );
    const isShown = (field: Field): boolean =>
      !view.fields.has(field.name) && (shows?.includes(field.name) ?? !omits?.includes(field.name));
    return { resource: of.name, fields: [...own(of).filter(isShown), ...view.fields.values()] };
  }
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
