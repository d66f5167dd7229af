import { ownMember } from '../../../source/node.ts';
import { type Address, step } from '../../../specification/reading/address.ts';
import { sameName } from '../../recognise/collections.ts';
import type { Guess } from '../../recognise/guess.ts';
import type { Described } from '../operations.ts';
import { type Place, type Places, textIn } from '../place.ts';
import { propertiesOf } from '../shape.ts';

/** Parameters that say which page of a list is shown, by what they are called. */
const pages: Readonly<Record<string, string>> = {
  ...{ limit: 'size', size: 'size', per_page: 'size', perpage: 'size', page_size: 'size', pagesize: 'size' },
  ...{ offset: 'offset', skip: 'offset', page: 'number', page_number: 'number', pagenumber: 'number' },
};

/** The same of those that give an item next to which the page lies. */
const neighbours: Readonly<Record<string, string>> = { starting_after: 'after', ending_before: 'before' };

/** What parameters of a list do: one called like a member filters by it, and some names say which page is shown. */
export function ofQuery(
  { parameters }: Described,
  schema: Place,
  places: Places,
  at: Address,
): readonly Guess[] {
  const members = propertiesOf(schema, places);
  return parameters.flatMap((parameter): Guess[] => {
    if (parameter.in !== 'query' || parameter.schema === undefined) return [];
    const told = toldBy(parameter.name, parameter.schema, members, places);
    if (told === undefined) return [];
    const place = step(`${at}.request.query`, parameter.name);
    return [{ at: `${place}.${told.key}`, value: told.value, why: told.why, confidence: 'likely' }];
  });
}

/** Whether a list can be had though nobody knows what some parameters do: they may be left out. */
export function isListable({ parameters }: Described, schema: Place, places: Places): boolean {
  const members = propertiesOf(schema, places);
  return parameters.every(
    ({ name, in: where, isRequired, schema: own }) =>
      where !== 'query' ||
      !isRequired ||
      (own !== undefined && toldBy(name, own, members, places) !== undefined),
  );
}

interface Told {
  readonly key: 'page' | 'filter';
  readonly value: string;
  readonly why: string;
}

function toldBy(
  name: string,
  schema: Place,
  members: ReadonlyMap<string, Place>,
  places: Places,
): Told | undefined {
  const page = pageOf(name, places.followed(schema));
  if (page !== null)
    return { key: 'page', value: page, why: `parameters called ${name} say which page is shown` };
  const among = amongOf(name, schema, members, places);
  if (among !== undefined)
    return {
      key: 'filter',
      value: `\${this.${among} in request.query.${name}}`,
      why: `the parameter has several of what the member ${among} has one of`,
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

function pageOf(name: string, schema: Place): string | null {
  const type = textIn(schema, 'type');
  const lower = name.toLowerCase();
  if (type === 'string') return ownMember(neighbours, lower);
  const page = type === 'integer' ? ownMember(pages, lower) : null;
  // Pages are numbered from 1 (language §4.5).
  return page === 'number' && textIn(schema, 'minimum') === '0' ? null : page;
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
