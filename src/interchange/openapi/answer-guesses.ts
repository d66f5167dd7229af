import { type Json, ownMember } from '../../source/node.ts';
import { type Address, step } from '../../specification/reading/address.ts';
import type { Guess } from '../recognise/guess.ts';
import type { Meant } from './meant.ts';
import { foundIn, isGone, onlyValueOf } from './named.ts';
import type { Described } from './operations.ts';
import { type Place, type Places, textIn } from './place.ts';
import { isObject, propertiesOf, requiredOf, type Shaping } from './shape.ts';

/** What members beside a list say, by what they are called. */
const [counted, further, asked] = [
  ['total', 'count', 'totalcount', 'totalcounts', 'totalitems', 'totalresults'],
  ['hasmore', 'more', 'hasnext', 'hasnextpage'],
  ['url', 'uri', 'self', 'href'],
];

/** What the answer shows: the item, that it is gone, or the page of a list and what it counts. */
export function ofAnswer(
  operation: Described,
  meant: Meant,
  shaping: Shaping,
  at: Address,
): readonly Guess[] {
  const { successes, key } = operation;
  const [answer] = successes;
  const { verb, kept, under } = meant;
  if (answer?.content?.schema === undefined || answer.status === '204') return [];
  const body = (value: Json, what: string): Guess => ({
    at: `${at}.response.body`,
    value,
    why: `the answer to ${key} has the shape of ${what}`,
    confidence: 'high',
  });
  if (verb === 'list') return ofList(operation, meant, shaping, body);
  const found = foundIn(answer.content, shaping);
  if (found?.name === kept.name) {
    const isAlone = under === null || under === undefined;
    return [body(isAlone ? kept.name : { [under]: `\${${kept.name}(this)}` }, kept.name)];
  }
  const schema = shaping.places.followed(answer.content.schema);
  const gone = verb === 'delete' && isGone(schema, shaping.places) ? goneOf(schema, meant, shaping) : null;
  return gone === null ? [] : [body(gone, `${kept.name} that is deleted`)];
}

/** What tells that an item is gone: its members, and what is always so. Null: it has to have others. */
function goneOf(schema: Place, { kept }: Meant, { places }: Shaping): Json {
  const own = propertiesOf(kept.schema, places);
  const members = [...propertiesOf(schema, places)].flatMap(([name, each]): [string, Json][] => {
    const only = onlyValueOf(places.followed(each));
    if (only) return [[name, only.value]];
    return own.has(name) ? [[name, read('this', name)]] : [];
  });
  const names = new Set(members.map(([name]) => name));
  return requiredOf(schema, places).every((name) => names.has(name)) ? Object.fromEntries(members) : null;
}

/** An expression for a member. */
function read(over: string, name: string): string {
  return `\${${over}[${JSON.stringify(name)}]}`;
}

function ofList(
  { successes: [answer] }: Described,
  { kept, elements }: Meant,
  { places }: Shaping,
  body: (value: Json, what: string) => Guess,
): readonly Guess[] {
  const items = `\${${kept.name}(page.items)}`;
  const what = `a list of ${kept.name}`;
  const schema = answer?.content?.schema;
  if (elements === null || elements === undefined || schema === undefined) return [body(items, what)];
  const list = body({ ...envelopeOf(places.followed(schema), places, 0), [elements]: items }, what);
  return [{ ...list, confidence: 'likely' }, ...addressesIn(list.value, list.at)];
}

/** How deep the members of what stands beside a list are looked at. */
const mostDeep = 2;

const unknown = '(open) what does it say of the list?';
/** How the address of a list is written, nobody says: ours stands in for it. */
const addresses: Readonly<Record<string, string>> = {
  '(open) the whole address of the list?': '${service.url + request.url}',
  '(open) the address of the list?': '${request.url}',
};
const [wholeAddress = '', address = ''] = Object.keys(addresses);

/** What stands beside a list, as far as names and shapes tell. What they do not tell is asked: it may be there. */
function envelopeOf(schema: Place, places: Places, depth: number): Record<string, Json> {
  const members = [...propertiesOf(schema, places)].map(([name, each]): [string, Json] => [
    name,
    besideList(name, places.followed(each), places, depth),
  ]);
  return Object.fromEntries(members);
}

function besideList(name: string, schema: Place, places: Places, depth: number): Json {
  const type = textIn(schema, 'type');
  const plain = name.replaceAll(/[^A-Za-z]/g, '').toLowerCase();
  const only = onlyValueOf(schema);
  if (only) return only.value;
  if (type === 'integer' && counted?.includes(plain)) return '${page.total}';
  if (type === 'boolean' && further?.includes(plain)) return '${page.url.next != null}';
  if (type === 'string' && asked?.includes(plain))
    return textIn(schema, 'format') === 'uri' ? wholeAddress : address;
  if (!isObject(schema, places) || depth >= mostDeep) return unknown;
  const inner = envelopeOf(schema, places, depth + 1);
  return Object.values(inner).every((each) => each === unknown) ? unknown : inner;
}

function addressesIn(value: Json, at: Address): readonly Guess[] {
  const own = typeof value === 'string' ? ownMember(addresses, value) : null;
  if (own !== null) {
    const why = 'it is called so, and the list has an address';
    return [{ at, value: own, why, confidence: 'stand-in' }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => addressesIn(inner as Json, step(at, name)));
}
