import { ownMember } from '../../../source/node.ts';
import { type Address, step } from '../../../specification/reading/address.ts';
import { sameName } from '../../recognise/collections.ts';
import type { Guess } from '../../recognise/guess.ts';
import type { Described, Parameter } from '../operations.ts';
import { type Place, type Places, raw, rawElements, textIn } from '../place.ts';
import { propertiesOf, requiredOf } from '../shape.ts';

/** Parameters that say which page of a list is shown, by what they are called. */
const pages: Readonly<Record<string, string>> = {
  ...{ limit: 'size', size: 'size', per_page: 'size', perpage: 'size', page_size: 'size', pagesize: 'size' },
  ...{ offset: 'offset', skip: 'offset', page: 'number', page_number: 'number', pagenumber: 'number' },
};

/** The same of those that give an item next to which the page lies. */
const neighbours: Readonly<Record<string, string>> = { starting_after: 'after', ending_before: 'before' };

/**
 * What parameters of a list do: one called like a member filters by it, some names say which page is shown, and one that
 * takes members by which the list is sorted is called so.
 */
export function ofQuery(
  { parameters }: Described,
  schema: Place,
  places: Places,
  at: Address,
): readonly Guess[] {
  return parameters.flatMap((parameter): Guess[] => {
    if (parameter.in !== 'query' || parameter.schema === undefined) return [];
    const told = toldBy(parameter.name, parameter.schema, schema, places);
    if (told === undefined) return [];
    const { key, value, why, isStandIn = false } = told;
    const place = step(`${at}.request.query`, parameter.name);
    return [{ at: `${place}.${key}`, value, why, confidence: isStandIn ? 'stand-in' : 'likely' }];
  });
}

/** Parameters that say in which order a list is, by what they are called. */
const sorting = /^(sort|order)(_?(by|direction|dir|order))?$/i;

/** What is asked of a parameter of a list, if nothing tells for sure what it does; undefined: something does. */
export function askedOf(
  { name, in: where, schema }: Parameter,
  kept: Place,
  places: Places,
): 'filter' | 'sort' | undefined {
  if (where !== 'query' || schema === undefined) return undefined;
  const told = toldBy(name, schema, kept, places);
  if (told && !told.isStandIn) return undefined;
  return sorting.test(name) ? 'sort' : 'filter';
}

/** Parameters that say which page is shown, in whatever way: without them, a page may have any size. */
const paging =
  /page|cursor|token|offset|limit|size|count|after|before|marker|start|first|last|top|skip|next/i;

/**
 * Whether it is known what a list shows without a parameter, though it is asked what the parameter does: nothing stands for it,
 * or only another order does. A switch that is left out is off, which may hide items.
 */
export function mayBeLeftOut({ name, schema, isRequired }: Parameter, places: Places): boolean {
  const place = schema && places.followed(schema);
  if (isRequired || place === undefined || paging.test(name)) return false;
  return sorting.test(name) || (textIn(place, 'type') !== 'boolean' && raw(place, 'default') === undefined);
}

/** Whether a list can be had though nobody knows what some parameters do: they may be left out. */
export function isListable({ parameters }: Described, schema: Place, places: Places): boolean {
  return parameters.every(
    ({ name, in: where, isRequired, schema: own }) =>
      where !== 'query' ||
      !isRequired ||
      (own !== undefined && toldBy(name, own, schema, places) !== undefined),
  );
}

interface Told {
  readonly key: 'page' | 'filter' | 'sort';
  readonly value: string | readonly string[];
  readonly why: string;
  /** Whether no verdict may rest on it. Default: false */
  readonly isStandIn?: boolean;
}

function toldBy(name: string, schema: Place, kept: Place, places: Places): Told | undefined {
  const members = propertiesOf(kept, places);
  const page = pageOf(name, places.followed(schema));
  if (page !== null)
    return { key: 'page', value: page, why: `parameters called ${name} say which page is shown` };
  const sorted = sortedBy(name, schema, kept, places);
  if (sorted) return sorted;
  const among = amongOf(name, schema, members, places);
  if (among !== undefined)
    return {
      key: 'filter',
      value: `\${this.${among} in request.query.${name}}`,
      why: `the parameter has several of what the member ${among} has one of`,
    };
  const bound = boundIn(name, schema, kept, places);
  if (bound) return bound;
  const listed = listedIn(name, schema, members, places);
  if (listed !== undefined)
    return {
      key: 'filter',
      value: `\${request.query.${name} in this.${listed}}`,
      why: `the parameter has one of what the member ${listed} has several of`,
    };
  const own = sameName(name, members.keys());
  const member = own === undefined ? undefined : members.get(own);
  const isAlike =
    member !== undefined &&
    textIn(places.followed(member), 'type') === textIn(places.followed(schema), 'type');
  if (own === undefined || !isAlike) return undefined;
  return {
    key: 'filter',
    value: own,
    why: `the parameter is called like the member ${own}, and has its type`,
  };
}

/** What a parameter says of the page that is shown; null: nothing. */
export function pageOf(name: string, schema: Place): string | null {
  const type = textIn(schema, 'type');
  const lower = name.toLowerCase();
  if (type === 'string') return ownMember(neighbours, lower);
  const page = type === 'integer' ? ownMember(pages, lower) : null;
  // Pages are numbered from 1 (language §4.5).
  return page === 'number' && textIn(schema, 'minimum') === '0' ? null : page;
}

/**
 * What a parameter such as `sort` does, each of whose values is a member of the items, or one after `-`. No verdict rests on
 * it if nobody tells what is descending, whether case counts in the order of texts, or where an item is without the member.
 */
function sortedBy(name: string, schema: Place, kept: Place, places: Places): Told | undefined {
  if (!sorting.test(name)) return undefined;
  const values = rawElements(raw(places.followed(schema), 'enum')).map(({ node }) =>
    node.kind === 'scalar' ? node.written : '',
  );
  const members = [...new Set(values.map((value) => value.replace(/^-/, '')))];
  const all = propertiesOf(kept, places);
  const those = members.flatMap((member) => all.get(member) ?? []).map((each) => places.followed(each));
  if (those.length === 0 || those.length < members.length) return undefined;
  const isInOrder = those.every((each) => {
    const type = textIn(each, 'type') ?? '';
    return ['integer', 'number'].includes(type) || textIn(each, 'format')?.startsWith('date') === true;
  });
  const isThere = members.every((member) => requiredOf(kept, places).includes(member));
  const isTurned = values.some((value) => value.startsWith('-'));
  return {
    key: 'sort',
    value: members,
    why: `each value of ${name} is a member of the items${isTurned ? ', or one after -' : ''}`,
    isStandIn: !(isInOrder && isThere && isTurned),
  };
}

/** The list of which a parameter gives one element: `tags` of `tag`. Undefined: none. */
function listedIn(
  name: string,
  schema: Place,
  members: ReadonlyMap<string, Place>,
  places: Places,
): string | undefined {
  const listed = `${name}s`;
  const member = members.get(listed);
  const items = member && places.member(places.followed(member), 'items');
  if (items === undefined || members.has(name) || !/^[A-Za-z]\w*$/.test(name)) return undefined;
  const type = textIn(places.followed(schema), 'type');
  return type === 'string' && textIn(places.followed(items), 'type') === type ? listed : undefined;
}

/** What a parameter like `minPrice` does, if each item has a number `price`: such a bound is one that is admitted. */
function boundIn(name: string, schema: Place, kept: Place, places: Places): Told | undefined {
  const [, bound = '', of = ''] = /^(min|max)_?([A-Za-z]\w*)$/.exec(name) ?? [];
  const members = propertiesOf(kept, places);
  const own = of === '' ? undefined : sameName(of, members.keys());
  const member = own === undefined ? undefined : members.get(own);
  if (own === undefined || member === undefined || !/^\w+$/.test(own)) return undefined;
  if (!requiredOf(kept, places).includes(own)) return undefined;
  const [type, given] = [member, schema].map((each) => textIn(places.followed(each), 'type'));
  if (type !== given || (type !== 'integer' && type !== 'number')) return undefined;
  return {
    key: 'filter',
    value: `\${this.${own} ${bound === 'min' ? '>=' : '<='} request.query.${name}}`,
    why: `the parameter is called like the member ${own}, and like a bound`,
  };
}

/** The member of which a parameter gives several values: `tag` of `tags`, or a member of its own name. Undefined: none. */
function amongOf(
  name: string,
  schema: Place,
  members: ReadonlyMap<string, Place>,
  places: Places,
): string | undefined {
  const list = places.followed(schema);
  const items = places.member(list, 'items');
  if (textIn(list, 'type') !== 'array' || items === undefined || !/^[A-Za-z]\w*$/.test(name))
    return undefined;
  const type = textIn(places.followed(items), 'type');
  return [name, name.replace(/s$/, '')].find((each) => {
    const member = members.get(each);
    return member !== undefined && textIn(places.followed(member), 'type') === type;
  });
}
