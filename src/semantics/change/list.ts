import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import { equal, ordered } from '../value/compare.ts';
import { both, every, type Truth, truthOf } from '../value/truth.ts';
import { Collection, type Item, Range, Unknown, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import { itemOf } from '../world/world.ts';

type Query = Readonly<Record<string, Value>>;

/** The page of a list, as `page` offers it (language §4.5). Cursors, `sort` and expressions for an order are unknown. */
export function pageOf(
  operation: Operation,
  query: Query,
  isAdmitted: (item: Value) => Truth,
  moment: Moment,
): Value {
  const { does, subject } = operation;
  const change = stated(does);
  if (!change || !subject) return unknown([]);
  const parameters = queryParameters(operation);
  if (parameters.some((parameter) => isBeyond(parameter, query))) return unknown([]);
  const filters = parameters
    .filter(({ name }) => query[name] !== undefined)
    .flatMap(({ roles }) => stated(roles.filter) ?? []);
  const conditions = [
    ...filters,
    ...(stated(change.qualifiers.where) ? [stated(change.qualifiers.where) as PlacedTemplate] : []),
  ];
  const items = moment.world.items(subject.name).map((stored) => itemOf(stored, subject));
  const judged = items.map(
    (item) => [item, both(admits(item, conditions, moment), () => isAdmitted(item))] as const,
  );
  const unsure = judged.flatMap(([, truth]) => (truth instanceof Unknown ? [truth] : []));
  if (unsure.length > 0) return unknown(unsure);
  const found = judged.filter(([, truth]) => truth === true).map(([item]) => item);
  for (const item of found) moment.world.finds(item);
  const order = stated(change.qualifiers.order) ?? [];
  if (!Array.isArray(order)) return unknown([]);
  const keys = order.map(({ text }) => text as string);
  const sorted = inOrder(found, keys, moment);
  const theirs = moment.world.theirs(subject.name);
  const isWhole = !theirs || both(admits(theirs, conditions, moment), () => isAdmitted(theirs)) === false;
  const stretch = stretchOf(parameters, query);
  return isWhole ? cut(found, sorted, stretch) : cutAmongOthers(found, sorted !== null, stretch);
}

/** A page that may show others, too: of ours, only that they are there is known, if all items are shown. */
function cutAmongOthers(found: readonly Item[], ordered: boolean, { from, size }: Stretch): Value {
  const isAll = from === 0 && size === undefined;
  const names = ['size', 'number', 'next', 'previous', 'links', 'url'];
  return {
    items: isAll ? new Collection(found, { rest: unknown([]), ordered }) : unknown([]),
    total: new Range(found.length, Number.MAX_SAFE_INTEGER),
    offset: from,
    ...Object.fromEntries(names.map((name) => [name, unknown([])])),
  };
}

function isBeyond({ name, roles, default: said }: Parameter, query: Query): boolean {
  const given = query[name] !== undefined || stated(said) !== undefined;
  const page = stated(roles.page);
  const isPlainPage = page === undefined || ['size', 'offset', 'start', 'number'].includes(page);
  return given && (!isPlainPage || stated(roles.sort) !== undefined || stated(roles.taken) !== undefined);
}

function admits(item: Item, conditions: readonly PlacedTemplate[], moment: Moment): Truth {
  return every(conditions, (condition) => truthOf(moment.value(condition, { this: item })));
}

/** The items in a stated order; null: the order is not stated whole, so the service chooses it (language §F.1). */
function inOrder(items: readonly Item[], keys: readonly string[], moment: Moment): readonly Item[] | null {
  let isWhole = keys.length > 0 || items.length < 2;
  const compare = (a: Item, b: Item): number => {
    for (const key of keys) {
      const name = key.replace(/^-/, '');
      const [left, right] = [moment.member(a, name), moment.member(b, name)];
      if (equal(left, right) === true) continue;
      const less = ordered(left, '<', right);
      const isNull = left === null || right === null;
      if (less instanceof Unknown || isNull) break;
      return less === !key.startsWith('-') ? -1 : 1;
    }
    isWhole = false;
    return 0;
  };
  const sorted = items.toSorted(compare);
  return isWhole ? sorted : null;
}

interface Stretch {
  readonly from: number;
  readonly size: number | undefined;
}

function stretchOf(parameters: readonly Parameter[], query: Query): Stretch {
  const numberOf = (page: string): number | undefined => {
    const parameter = parameters.find(({ roles }) => stated(roles.page) === page);
    const value = parameter && (query[parameter.name] ?? stated(parameter.default));
    return typeof value === 'number' ? value : undefined;
  };
  const size = numberOf('size');
  const [offset, start, number] = [numberOf('offset') ?? 0, numberOf('start') ?? 1, numberOf('number') ?? 1];
  return { size, from: offset + (start - 1) + (number - 1) * (size ?? 0) };
}

/** Items of which the service chooses the order are known only if all of them are shown. */
function cut(found: readonly Item[], inOrder: readonly Item[] | null, { from, size }: Stretch): Value {
  const total = found.length;
  const isAll = from === 0 && (size === undefined || size >= total);
  const chosen = isAll ? new Collection(found, { rest: undefined, ordered: false }) : unknown([]);
  const shown = inOrder?.slice(from, size === undefined ? undefined : from + size);
  const links = ['number', 'next', 'previous', 'links', 'url'].map((name) => [name, unknown([])]);
  return {
    items: shown ?? chosen,
    total,
    size: size ?? shown?.length ?? total,
    offset: from,
    ...Object.fromEntries(links),
  };
}
