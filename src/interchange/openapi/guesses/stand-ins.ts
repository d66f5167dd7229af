import { get, type Json, json } from '../../../source/node.ts';
import { step } from '../../../specification/reading/address.ts';
import type { Guess } from '../../recognise/guess.ts';
import { answerAddress } from '../answers.ts';
import { examplesUnder } from '../body-examples.ts';
import { type Answer, type Described, isJson } from '../operations.ts';
import { type Place, type Places, raw, rawElements } from '../place.ts';
import { isExact, isObject, propertiesOf, requiredOf } from '../shape.ts';
import { ofChoice } from './answer.ts';
import { fitting } from './fitting.ts';
import type { Meant } from './meant.ts';

/**
 * What answers in place of operations that only look, and that nothing else explains: the example that the author gave. No
 * value is made.
 */
export function standInsOf(
  operations: readonly Described[],
  meant: ReadonlyMap<Described, Meant>,
  examples: Examples,
): readonly Guess[] {
  return operations.flatMap((operation): Guess[] => {
    if (operation.method !== 'GET' || meant.has(operation)) return [];
    const example = examples.ofAnswer(operation);
    if (example === undefined || !isExact(example)) return [];
    const why = `the answer to ${operation.key} has an example, and nothing says what it depends on`;
    const answer = answerAddress(operation, operation.successes[0] as Answer);
    return [
      { at: `${step('endpoints', operation.key)}.does`, value: '(none)', why, confidence: 'stand-in' },
      ...ofChoice(operation, null),
      { at: `${answer}.body`, value: literal(example), why, confidence: 'stand-in' },
    ];
  });
}

/**
 * What an operation of which nobody knows what it answers sends: the example that the author gave of its first answer. Without it, no
 * content would be sent, though the description says what it looks like.
 *
 * @param guesses what is guessed besides
 */
export function bodiesOf(
  operations: readonly Described[],
  guesses: readonly Guess[],
  examples: Examples,
): readonly Guess[] {
  const values = new Map(guesses.map(({ at, value }) => [at, value]));
  return operations.flatMap((operation): Guess[] => {
    const [answer] = operation.successes;
    if (answer?.content === undefined || !values.has(`${step('endpoints', operation.key)}.does`)) return [];
    const at = answerAddress(operation, answer);
    if (values.has(`${at}.body`) || values.get(`${at}.when`) === '${false}') return [];
    const example = examples.ofAnswer(operation);
    if (example === undefined || !isExact(example)) return [];
    const why = `the answer to ${operation.key} has an example, and nobody knows its values`;
    return [{ at: `${at}.body`, value: literal(example), why, confidence: 'stand-in' }];
  });
}

/** An example that is put together has at most so many values: more than that, nobody reads. */
const mostValues = 500;

/** The examples that authors gave. */
export class Examples {
  readonly #places: Places;
  /** Those of schemas, by their pointers. One that is being put together has none: what holds itself has no end. */
  readonly #known = new Map<string, Json | undefined>();
  readonly #sizes = new WeakMap<object, number>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** What fits of the first example of the first success, of which anything does; undefined: it has none that is JSON. */
  ofAnswer({ successes: [answer] }: Described): Json | undefined {
    if (answer?.content === undefined || !isJson(answer.content.media)) return undefined;
    const content = this.#places.member(answer.place, 'content');
    const media = content && this.#places.member(content, answer.content.media);
    if (media === undefined) return undefined;
    const { schema } = answer.content;
    const given = examplesUnder(media, this.#places).map(json);
    if (schema === undefined) return given[0];
    const made = given.length === 0 ? this.ofSchema(schema) : undefined;
    const all = made === undefined ? given : [made];
    return all
      .flatMap(asContent)
      .map((example) => fitting(example, schema, this.#places))
      .find((example) => example !== undefined);
  }

  /** The example of a schema, or one that is put together from those of its members; undefined: it would take a value of ours. */
  ofSchema(schema: Place): Json | undefined {
    const place = this.#places.followed(schema);
    const { pointer } = place;
    if (!this.#known.has(pointer)) {
      this.#known.set(pointer, undefined);
      const made = this.#made(place);
      this.#known.set(pointer, made !== undefined && this.#sizeOf(made) <= mostValues ? made : undefined);
    }
    return this.#known.get(pointer);
  }

  /** How many values an example has. What was put together before is counted once, and never worked through again. */
  #sizeOf(value: Json): number {
    if (typeof value !== 'object' || value === null) return 1;
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    const size = Object.values(value).reduce((sum: number, each) => sum + this.#sizeOf(each as Json), 1);
    this.#sizes.set(value, size);
    return size;
  }

  #made(place: Place): Json | undefined {
    const places = this.#places;
    const own = get(place.node, 'example') ?? rawElements(raw(place, 'examples'))[0]?.node;
    if (own) return json(own);
    const items = raw(place, 'items');
    if (items) {
      const item = this.ofSchema(items);
      return item === undefined ? undefined : [item];
    }
    if (!isObject(place, places)) return undefined;
    const members = [...propertiesOf(place, places)].flatMap(([name, each]): [string, Json][] => {
      const value = this.ofSchema(each);
      return value === undefined ? [] : [[name, value]];
    });
    const isWhole = requiredOf(place, places).every((name) => members.some(([member]) => member === name));
    return isWhole && members.length > 0 ? Object.fromEntries(members) : undefined;
  }
}

/** An example as it is written; a text may be JSON that is written as a text. */
function asContent(example: Json): readonly Json[] {
  if (typeof example !== 'string' || !/^\s*[[{]/.test(example)) return [example];
  try {
    return [example, JSON.parse(example) as Json];
  } catch {
    return [example];
  }
}

/** A value as a template gives it, whatever characters it has (language §A.5). */
export function literal(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(literal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, literal(each as Json)]));
}
