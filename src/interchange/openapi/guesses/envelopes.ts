import { type Json, ownMember } from '../../../source/node.ts';
import { type Address, step } from '../../../specification/reading/address.ts';
import type { Guess } from '../../recognise/guess.ts';
import type { Described, Parameter } from '../operations.ts';
import { isSet, type Place, type Places, raw, rawElements, textIn } from '../place.ts';
import { propertiesOf, requiredOf } from '../shape.ts';
import { onlyValueOf } from './named.ts';
import { pageOf } from './query.ts';

/** What members beside a list say, by what they are called. */
const [counted, further, ended, asked] = [
  ['total', 'count', 'totalcount', 'totalcounts', 'totalitems', 'totalresults'],
  ['hasmore', 'more', 'hasnext', 'hasnextpage'],
  ['done', 'last', 'islast', 'islastpage'],
  ['url', 'uri', 'self', 'href'],
];
const pages = ['totalpages', 'pagecount', 'numpages'];

/** How deep the members of what stands beside a list are looked at. */
const mostDeep = 2;

const unknown = '(open) what does it say of the list?';
/** What is asked of members that nobody can tell, each with what stands in for it where it has to be there. */
const standIns: Readonly<Record<string, Json>> = {
  '(open) the whole address of the list?': '${service.url + request.url}',
  '(open) the address of the list?': '${request.url}',
  '(open) null, or what of the list?': '${null}',
  '(open) nothing, or what of the list?': {},
};
const [wholeAddress = '', address = '', nothing = '', empty = ''] = Object.keys(standIns);
const pageCount = '(open) how many pages are there?';

/** What stands beside a list, as far as names and shapes tell. What they do not tell is asked: it may be there. */
export function envelopeOf(
  schema: Place,
  operation: Described,
  places: Places,
  depth = 0,
): Record<string, Json> {
  const required = requiredOf(schema, places);
  const members = [...propertiesOf(schema, places)].map(([name, each]): [string, Json] => {
    const place = places.followed(each);
    const counted = textIn(place, 'type') === 'integer' ? aboutPage(name, operation, places) : undefined;
    return [name, counted ?? besideList(name, place, required.includes(name), operation, places, depth)];
  });
  return Object.fromEntries(members);
}

/** A number that repeats which page is shown, or says how many there are; undefined: it says something else. */
function aboutPage(name: string, { parameters }: Described, places: Places): Json | undefined {
  const usual = parameters.filter(
    ({ in: where, schema }) => where === 'query' && schema && raw(places.followed(schema), 'default'),
  );
  const own = usual.find((each) => each.name === name);
  if (own?.schema && pageOf(own.name, places.followed(own.schema)) !== null) return queried(name);
  return pages.includes(plainly(name)) && sizeIn(usual, places) !== undefined ? pageCount : undefined;
}

/** The parameter that says how many items a page has. */
function sizeIn(parameters: readonly Parameter[], places: Places): string | undefined {
  return parameters.find(({ name, schema }) => schema && pageOf(name, places.followed(schema)) === 'size')
    ?.name;
}

function queried(name: string): string {
  return `\${request.query[${JSON.stringify(name)}]}`;
}

function plainly(name: string): string {
  return name.replaceAll(/[^A-Za-z]/g, '').toLowerCase();
}

function besideList(
  name: string,
  schema: Place,
  isRequired: boolean,
  operation: Described,
  places: Places,
  depth: number,
): Json {
  const type = textIn(schema, 'type');
  const plain = plainly(name);
  const only = onlyValueOf(schema);
  if (only) return only.value;
  if (type === 'integer' && counted?.includes(plain)) return '${page.total}';
  if (type === 'boolean' && further?.includes(plain)) return '${page.url.next != null}';
  if (type === 'boolean' && ended?.includes(plain)) return '${page.url.next == null}';
  if (type === 'string' && asked?.includes(plain))
    return textIn(schema, 'format') === 'uri' ? wholeAddress : address;
  const isObject = propertiesOf(schema, places).size > 0;
  const inner = isObject && depth < mostDeep ? envelopeOf(schema, operation, places, depth + 1) : {};
  if (Object.values(inner).some((each) => each !== unknown)) return inner;
  if (!isRequired) return unknown;
  if (mayBeNull(schema)) return nothing;
  return isObject && requiredOf(schema, places).length === 0 ? empty : unknown;
}

function mayBeNull(schema: Place): boolean {
  const types = raw(schema, 'type');
  return (
    isSet(schema, 'nullable') ||
    rawElements(types).some(({ node }) => 'value' in node && node.value === 'null')
  );
}

/** Whether a list can be sent: nothing has to stand beside it of which nobody can tell what it says. */
export function isSendable(operation: Described, elements: string | null, places: Places): boolean {
  const schema = operation.successes[0]?.content?.schema;
  if (schema === undefined || elements === null) return true;
  const place = places.followed(schema);
  const envelope = envelopeOf(place, operation, places);
  return requiredOf(place, places).every((name) => name === elements || envelope[name] !== unknown);
}

/**
 * Whether what stands beside a list is as sure as the list: what is asked or always so, which page is shown, and the number of
 * all items. A number called `count` may be that of the page, if there are pages.
 */
export function isSureBeside(name: string, value: Json, operation: Described, places: Places): boolean {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).every(([inner, each]) =>
      isSureBeside(inner, each as Json, operation, places),
    );
  if (typeof value !== 'string' || !value.startsWith('${')) return true;
  if (value !== '${page.total}') return value === queried(name);
  return plainly(name).startsWith('total') || sizeIn(operation.parameters, places) === undefined;
}

/** How many pages there are, where that is asked. Whether an empty list has one page or none, nobody says. */
export function pageCountsFor(
  value: Json,
  at: Address,
  operation: Described,
  places: Places,
): readonly Guess[] {
  const size = sizeIn(operation.parameters, places);
  if (value === pageCount && size !== undefined) {
    const last = `(page.total + request.query[${JSON.stringify(size)}] - 1)`;
    const count = `\${${last} / request.query[${JSON.stringify(size)}]}`;
    return [{ at, value: count, why: 'it is called like the number of pages', confidence: 'likely' }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    pageCountsFor(inner as Json, step(at, name), operation, places),
  );
}

/** What stands in for members that nobody can tell, and that have to be there. */
export function standInsFor(value: Json, at: Address): readonly Guess[] {
  const own = typeof value === 'string' ? ownMember(standIns, value) : null;
  if (own !== null) {
    const why = 'it has to be there, and nobody says what it is';
    return [{ at, value: own, why, confidence: 'stand-in' }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => standInsFor(inner as Json, step(at, name)));
}
