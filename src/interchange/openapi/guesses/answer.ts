import type { Json } from '../../../source/node.ts';
import type { Address } from '../../../specification/reading/address.ts';
import type { Guess } from '../../recognise/guess.ts';
import type { Described } from '../operations.ts';
import type { Place } from '../place.ts';
import { propertiesOf, requiredOf, type Shaping } from '../shape.ts';
import { envelopeOf, isSureBeside, pageCountsFor, standInsFor } from './envelopes.ts';
import type { Meant } from './meant.ts';
import { foundIn, isGone, onlyValueOf } from './named.ts';

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
  operation: Described,
  { kept, elements }: Meant,
  { places }: Shaping,
  body: (value: Json, what: string) => Guess,
): readonly Guess[] {
  const items = `\${${kept.name}(page.items)}`;
  const what = `a list of ${kept.name}`;
  const schema = operation.successes[0]?.content?.schema;
  if (elements === null || elements === undefined || schema === undefined) return [body(items, what)];
  const beside = envelopeOf(places.followed(schema), operation, places);
  const { [elements]: _, ...others } = beside;
  const list = body({ ...beside, [elements]: items }, what);
  const found = isSureBeside('', others, operation, places)
    ? list
    : { ...list, confidence: 'likely' as const };
  return [
    found,
    ...pageCountsFor(list.value, list.at, operation, places),
    ...standInsFor(list.value, list.at),
  ];
}
