import { get, type Json, json } from '../../source/node.ts';
import { step } from '../../specification/reading/address.ts';
import type { Guess } from '../recognise/guess.ts';
import { type Described, isJson } from './operations.ts';
import { type Place, type Places, raw, rawElements } from './place.ts';
import type { Meant } from './recognised.ts';
import { isObject, propertiesOf, requiredOf } from './shape.ts';

/** Examples within examples are looked at so deep. */
const mostDeep = 8;

/**
 * What answers in place of operations that only look, and that nothing else explains: the example that the author gave. No
 * value is made.
 */
export function standInsOf(
  operations: readonly Described[],
  meant: ReadonlyMap<Described, Meant>,
  places: Places,
): readonly Guess[] {
  return operations.flatMap((operation): Guess[] => {
    if (operation.method !== 'GET' || meant.has(operation)) return [];
    const example = answerExample(operation, places);
    if (example === undefined) return [];
    const at = step('endpoints', operation.key);
    const why = `the answer to ${operation.key} has an example, and nothing says what it depends on`;
    return [
      { at: `${at}.does`, value: '(none)', why, confidence: 'stand-in' },
      { at: `${at}.response.body`, value: literal(example), why, confidence: 'stand-in' },
    ];
  });
}

/** The example of the first success; undefined: it has none that is JSON. */
function answerExample({ successes: [answer] }: Described, places: Places): Json | undefined {
  if (answer?.content === undefined || !isJson(answer.content.media)) return undefined;
  const content = places.member(answer.place, 'content');
  const media = content && places.member(content, answer.content.media);
  if (media === undefined) return undefined;
  const own = get(media.node, 'example');
  if (own) return json(own);
  for (const [, example] of places.members(places.member(media, 'examples'))) {
    const value = get(example.node, 'value');
    if (value) return json(value);
  }
  const { schema } = answer.content;
  return schema && exampleOf(schema, places);
}

/** The example of a schema, or one that is put together from those of its members; undefined: it would take a value of ours. */
function exampleOf(schema: Place, places: Places, depth = 0): Json | undefined {
  if (depth > mostDeep) return undefined;
  const place = places.followed(schema);
  const own = get(place.node, 'example') ?? rawElements(raw(place, 'examples'))[0]?.node;
  if (own) return json(own);
  const items = raw(place, 'items');
  if (items) {
    const item = exampleOf(items, places, depth + 1);
    return item === undefined ? undefined : [item];
  }
  if (!isObject(place, places)) return undefined;
  const members = [...propertiesOf(place, places)].flatMap(([name, each]): [string, Json][] => {
    const value = exampleOf(each, places, depth + 1);
    return value === undefined ? [] : [[name, value]];
  });
  const isWhole = requiredOf(place, places).every((name) => members.some(([member]) => member === name));
  return isWhole && members.length > 0 ? Object.fromEntries(members) : undefined;
}

/** A value as a template gives it, whatever characters it has (language §A.5). */
function literal(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(literal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, literal(each as Json)]));
}
