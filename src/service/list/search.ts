import { compileTemplate, type Environment, type Frame, type Run } from '../../expression/compile.ts';
import { type Expression, pathsRead } from '../../expression/expression.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import { and, type Node, nothingBesides } from '../../expression/query.ts';
import { expressionsIn, pathsIn, type Template } from '../../expression/template.ts';
import { isItem } from '../../expression/values.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { inAnswers } from '../../specification/model/workings.ts';
import { stated } from '../../specification/reading/said.ts';
import type { ItemRule } from '../judge/rule.ts';
import type { Along } from '../resource/along.ts';
import type { Condition, Conditions } from '../resource/where.ts';
import { givenIn, type Placed, parametersOf } from './asked.ts';
import type { Narrowed } from './indexes.ts';
import { orderOf } from './keyset.ts';
import { type By, commaList, signed, withoutTwins, writtenOrder } from './order.ts';
import type { Search } from './statements.ts';

/** How a list is looked through: which items, and in what order (language §4.2, §H.2). */
export interface Searches {
  readonly search: (frame: Frame) => Search;
  /** Parameters by which a client gives an order of fields that there are not. */
  readonly misordered: (frame: Frame) => readonly Placed[];
  readonly mayBeMisordered: boolean;
  /** The most fields that a list is put in order by. */
  readonly mostKeys: number;
  /** What indexes serve it. */
  readonly narrowed: Narrowed;
}

/** A condition, and what it reads of the request: by these values one list is told from another. */
interface Told extends Condition {
  readonly reads: readonly (readonly string[])[];
}

/** What is the same for everyone, or for the row alone, tells no lists apart; and `now` tells each from itself. */
const untold: readonly string[] = ['this', 'now', 'service'];

export function compileSearches(
  operation: Operation,
  conditions: Conditions,
  environment: Environment,
  along: Along | null,
  rules: readonly ItemRule[] = [],
): Searches {
  const isCounted = inAnswers(operation).some(({ syntax }) =>
    pathsRead(syntax).some(([root, name]) => root === 'page' && name === 'total'),
  );
  const change = stated(operation.does);
  const parameters = parametersOf(operation);
  const told = (expression: Expression): Told => ({
    ...conditions.condition(expression),
    reads: pathsRead(expression.syntax).filter(([root = '']) => !untold.includes(root)),
  });
  const where = stated(change?.qualifiers.where);
  const fixed = where ? expressionsIn(where.template).map(told) : [];
  // What a rule refuses is left out, but for whom it holds whatever the item (language §5.5).
  const ruled = rules.map(({ always, expression }) => ({ ...told(expression), always }));
  const filters = parameters.flatMap((placed) => {
    const filter = stated(placed.parameter.roles.filter);
    return filter ? expressionsIn(filter.template).map((one) => ({ ...told(one), placed })) : [];
  });
  const order = compileOrder(operation, parameters, environment, conditions);
  const besides = along && conditions.besides(along);
  const byName = new Map<string, Condition>();
  for (const name of order.fields) {
    const { node, fill } = conditions.field(name);
    byName.set(name, { node: orderOf(node), fill });
  }
  const keyOf = (name: string): Node => (byName.get(name) as Condition).node;
  return {
    mostKeys: byName.size,
    narrowed: {
      row: conditions.row,
      always: fixed.map(({ node }) => node),
      filters: [...filters, ...ruled].map(({ node }) => node),
      order: order.fixed.map(({ name, descending }) => ({ by: keyOf(name), descending })),
      sorts: order.sorts.map(keyOf),
      besides: besides?.of ?? nothingBesides,
    },
    misordered: order.misordered ?? always(none),
    mayBeMisordered: order.misordered !== null,
    search: (frame) => {
      const given = filters.filter(({ placed }) => givenIn(placed, frame) !== undefined);
      const bounding = ruled.filter((one) => !one.always(frame));
      const rulesForm = bounding.map((one) => ruled.indexOf(one)).join();
      const by = order.by(frame);
      const values: unknown[] = [];
      const applied = [...fixed, ...bounding, ...given];
      for (const { fill } of applied) fill(values, frame);
      for (const { name } of by) byName.get(name)?.fill(values, frame);
      besides?.fill(values, frame);
      return {
        form: `${rulesForm} ${given.map(({ placed }) => filters.findIndex((one) => one.placed === placed)).join()} ${writtenOrder(by)}`,
        where: () => (applied.length === 0 ? null : and(...applied.map(({ node }) => node))),
        unfiltered: { form: rulesForm, where: () => [...fixed, ...bounding].map(({ node }) => node) },
        keys: by.map(({ name, descending }) => ({ name, by: keyOf(name), descending })),
        values,
        besides: besides?.of ?? nothingBesides,
        isCounted,
        told: () => [
          operation.name,
          given.map(({ placed }) => placed.parameter.name),
          writtenOrder(by),
          ...applied.flatMap(({ reads }) => reads.map((chain) => valueAt(frame, chain))),
          ...[...(frame.values ?? [])].map(([{ text }, value]) => [text, value]),
        ],
      };
    },
  };
}

interface Order {
  /** The fields that it may name. */
  readonly fields: readonly string[];
  /** Its own, and those by which a client may sort. */
  readonly fixed: readonly By[];
  readonly sorts: readonly string[];
  readonly by: (frame: Frame) => readonly By[];
  /** Null where it is a field's always. */
  readonly misordered: ((frame: Frame) => readonly Placed[]) | null;
}

/** `sort`, of which `order` breaks the ties (language §4.2); then the place of insertion does. */
function compileOrder(
  operation: Operation,
  parameters: readonly Placed[],
  environment: Environment,
  { isStorable }: Conditions,
): Order {
  const said = stated(stated(operation.does)?.qualifiers.order);
  const sorts = parameters.flatMap((placed) => {
    const names = stated(placed.parameter.roles.sort)?.map(({ text }) => text);
    return names ? [{ placed, names }] : [];
  });
  const asked = (frame: Frame): readonly By[] =>
    sorts.flatMap(({ placed, names }) => {
      const value = givenIn(placed, frame);
      const fields =
        typeof value === 'string' ? commaList(value) : Array.isArray(value) ? value.map(signed) : [];
      return fields.filter(({ name }) => names.includes(name));
    });
  const sorted = sorts.flatMap(({ names }) => names);
  if (said !== undefined && 'template' in said) {
    const named = [...(operation.subject?.fields.keys() ?? [])].filter(isStorable);
    const run = compileTemplate(said.template, environment);
    const given = byExpression(named, parameters, run, said.template, asked);
    return { ...given, fields: [...new Set([...named, ...sorted])], sorts: sorted };
  }
  const fixed = (said ?? []).map(({ text }) => signed(text));
  const fields = new Set([...sorted, ...fixed.map(({ name }) => name)]);
  return {
    fields: [...fields],
    fixed: withoutTwins(fixed),
    sorts: sorted,
    by:
      sorts.length === 0 ? always(withoutTwins(fixed)) : (frame) => withoutTwins([...asked(frame), ...fixed]),
    misordered: null,
  };
}

/** An order that an expression gives as text: it may name any of the `fields` by which rows can be put in order. */
function byExpression(
  fields: readonly string[],
  parameters: readonly Placed[],
  run: Run,
  template: Template,
  asked: (frame: Frame) => readonly By[],
): Pick<Order, 'fixed' | 'by' | 'misordered'> {
  const given = (frame: Frame): readonly By[] => {
    const text = run(frame);
    return typeof text === 'string' ? commaList(text) : [];
  };
  const reads = pathsIn(template);
  const readBy = parameters.filter(({ place, parameter }) =>
    reads.some((chain) => chain[1] === place && chain[2] === parameter.name),
  );
  const isWrong = (frame: Frame): boolean => given(frame).some(({ name }) => !fields.includes(name));
  return {
    fixed: [],
    by: (frame) => {
      if (isWrong(frame)) throw new CannotWorkOut('this order names a field that there is not');
      return withoutTwins([...asked(frame), ...given(frame)]);
    },
    misordered: (frame) => (isWrong(frame) ? readBy : []),
  };
}

const none: readonly Placed[] = [];

function always<T>(value: T): () => T {
  return () => value;
}

function valueAt({ names }: Frame, chain: readonly string[]): unknown {
  let here: unknown = names;
  for (const name of chain) {
    if (typeof here !== 'object' || here === null) return null;
    here = isItem(here) ? here.member(name) : (here as Record<string, unknown>)[name];
  }
  return here;
}
