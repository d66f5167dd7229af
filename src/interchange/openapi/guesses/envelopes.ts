import { type Json, ownMember } from '../../../source/node.ts';
import { type Address, step } from '../../../specification/reading/address.ts';
import type { Guess } from '../../recognise/guess.ts';
import type { Described } from '../operations.ts';
import { isSet, type Place, type Places, raw, rawElements, textIn } from '../place.ts';
import { propertiesOf, requiredOf } from '../shape.ts';
import { onlyValueOf } from './named.ts';

/** What members beside a list say, by what they are called. */
const [counted, further, ended, asked] = [
  ['total', 'count', 'totalcount', 'totalcounts', 'totalitems', 'totalresults'],
  ['hasmore', 'more', 'hasnext', 'hasnextpage'],
  ['done', 'last', 'islast', 'islastpage'],
  ['url', 'uri', 'self', 'href'],
];

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

/** What stands beside a list, as far as names and shapes tell. What they do not tell is asked: it may be there. */
export function envelopeOf(schema: Place, places: Places, depth = 0): Record<string, Json> {
  const required = requiredOf(schema, places);
  const members = [...propertiesOf(schema, places)].map(([name, each]): [string, Json] => [
    name,
    besideList(name, places.followed(each), required.includes(name), places, depth),
  ]);
  return Object.fromEntries(members);
}

function besideList(name: string, schema: Place, isRequired: boolean, places: Places, depth: number): Json {
  const type = textIn(schema, 'type');
  const plain = name.replaceAll(/[^A-Za-z]/g, '').toLowerCase();
  const only = onlyValueOf(schema);
  if (only) return only.value;
  if (type === 'integer' && counted?.includes(plain)) return '${page.total}';
  if (type === 'boolean' && further?.includes(plain)) return '${page.url.next != null}';
  if (type === 'boolean' && ended?.includes(plain)) return '${page.url.next == null}';
  if (type === 'string' && asked?.includes(plain))
    return textIn(schema, 'format') === 'uri' ? wholeAddress : address;
  const isObject = propertiesOf(schema, places).size > 0;
  const inner = isObject && depth < mostDeep ? envelopeOf(schema, places, depth + 1) : {};
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
  const envelope = envelopeOf(place, places);
  return requiredOf(place, places).every((name) => name === elements || envelope[name] !== unknown);
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
