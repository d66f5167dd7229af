import type { Json } from '../../../source/node.ts';
import { type Address, step } from '../../../specification/reading/address.ts';
import { member } from '../../../specification/reading/templates.ts';
import { plainName } from '../../recognise/collections.ts';
import type { Confidence, Guess } from '../../recognise/guess.ts';
import type { Content, Described } from '../operations.ts';
import { isSet, type Place, type Places, raw, textIn } from '../place.ts';
import { propertiesOf, requiredOf, type Shaping } from '../shape.ts';
import type { Meant } from './meant.ts';
import { onlyValueOf } from './named.ts';
import type { Kept } from './recognised.ts';
import { type Examples, literal } from './stand-ins.ts';
import { givenIn, type Takes, typesOf } from './taken.ts';

/** What brings whole items of a resource, in any of its collections. */
export function bringing(
  { name }: Kept,
  meant: ReadonlyMap<Described, Meant>,
): readonly (readonly [Described, Meant])[] {
  return [...meant].filter(
    ([, { kept, verb }]) => kept.name === name && (verb === 'create' || verb === 'replace'),
  );
}

/** The members that no client gives when it makes an item: if they have a value, the service makes it. */
export function neverGiven(
  kept: Kept,
  meant: ReadonlyMap<Described, Meant>,
  { places }: Shaping,
): readonly string[] {
  const making = bringing(kept, meant);
  if (making.length === 0) return [];
  const names = [...propertiesOf(kept.schema, places).keys()];
  return names.filter(
    (name) => name !== kept.key && making.every(([{ body }]) => givenIn(body, name, places) === 'never'),
  );
}

/**
 * The members that each answer has, though a client may leave them out, and nobody says what they are then. Null is a guess of
 * its own.
 */
export function perhapsGiven(
  kept: Kept,
  meant: ReadonlyMap<Described, Meant>,
  { places }: Shaping,
): readonly string[] {
  const making = bringing(kept, meant).filter(([, { isUpsert }]) => !isUpsert);
  const members = propertiesOf(kept.schema, places);
  return requiredOf(kept.schema, places).filter((name) => {
    const bodies = making.filter(([{ body }]) => givenIn(body, name, places) === 'optional');
    const all = [members.get(name), ...bodies.map(([{ body }]) => memberOf(body, name, places))];
    const schemas = all.flatMap((each) => (each ? [places.followed(each)] : []));
    const isTold = schemas.some((each) => raw(each, 'default') !== undefined || isNullable(each, places));
    return name !== kept.key && bodies.length > 0 && !isTold;
  });
}

/** A member of a body; undefined: it has none of this name. */
function memberOf(body: Content | undefined, name: string, places: Places): Place | undefined {
  return body?.schema && propertiesOf(places.followed(body.schema), places).get(name);
}

function isNullable(schema: Place, places: Places): boolean {
  return isSet(schema, 'nullable') || typesOf(schema, places)?.includes('null') === true;
}

/** Who makes the identifier, and the members that nobody gives, as far as that is shown. */
export function ofMakers(
  kept: Kept,
  meant: ReadonlyMap<Described, Meant>,
  examples: Examples,
  shaping: Shaping,
): readonly Guess[] {
  const { places } = shaping;
  const fields = `${step('resources', kept.name)}.fields`;
  const members = propertiesOf(kept.schema, places);
  const required = requiredOf(kept.schema, places);
  const made = neverGiven(kept, meant, shaping);
  const times = made.filter((name) => timeOf(name, places.followed(members.get(name) as Place)));
  const others = made.flatMap((name): Guess[] => {
    const schema = places.followed(members.get(name) as Place);
    const at = `${step(fields, name)}.set`;
    const only = onlyValueOf(schema);
    if (only)
      return [
        guess(
          `${at}.create`,
          literal(only.value),
          'it has no other value',
          required.includes(name) ? 'high' : 'likely',
        ),
      ];
    const time = timeOf(name, schema);
    if (time)
      return time.keys.map((key) => {
        // Whether two times of one new item are the same moment, nobody says.
        const isSecond = key === 'create' && name !== times[0];
        const why = `it is called ${name}, and is a time`;
        return guess(`${at}.${key}`, time.value, why, isSecond ? 'stand-in' : 'likely');
      });
    const example = required.includes(name) ? examples.ofSchema(schema) : undefined;
    return example === undefined
      ? []
      : [guess(`${at}.create`, literal(example), 'the author gave it as an example', 'stand-in')];
  });
  return [...ofKey(kept, meant, shaping, fields), ...others, ...ofNulls(kept, meant, shaping, fields)];
}

/** Members that each answer has, and a client may leave out, are null then if they may be, and nothing else is said. */
function ofNulls(
  kept: Kept,
  meant: ReadonlyMap<Described, Meant>,
  { places }: Shaping,
  fields: Address,
): readonly Guess[] {
  const members = propertiesOf(kept.schema, places);
  const bodies = bringing(kept, meant).flatMap(([{ body }]) => body ?? []);
  return requiredOf(kept.schema, places).flatMap((name): Guess[] => {
    const own = members.get(name);
    const given = bodies.map((body) => memberOf(body, name, places));
    const all = [own, ...given].flatMap((each) => (each ? [places.followed(each)] : []));
    const isLeftOut = bodies.some((body) => givenIn(body, name, places) === 'optional');
    const mayBeNull = all.every((each) => isNullable(each, places));
    if (!isLeftOut || !mayBeNull || all.some((each) => raw(each, 'default'))) return [];
    const why = 'each answer has it, no client has to give it, and it may be null';
    return [{ at: `${step(fields, name)}.default`, value: null, why, confidence: 'likely' }];
  });
}

function guess(at: Address, value: Json, why: string, confidence: Confidence): Guess {
  return { at, value, why: `no client gives it when an item is made, and ${why}`, confidence };
}

function ofKey(
  kept: Kept,
  meant: ReadonlyMap<Described, Meant>,
  { places }: Shaping,
  fields: Address,
): readonly Guess[] {
  const { key, schema } = kept;
  const making = bringing(kept, meant).filter(([, { verb, isUpsert }]) => verb === 'create' && !isUpsert);
  const [first] = making;
  if (first === undefined || making.some(([{ body }]) => givenIn(body, key, places) === 'required'))
    return [];
  const made = madeKey(places.followed(propertiesOf(schema, places).get(key) as Place));
  const at = step(fields, key);
  const why = `${first[0].key} need not bring ${key}, so the service makes it`;
  if (made === undefined) return [];
  if (!making.every(([{ body }, { takes }]) => mayBring(body, takes, kept, places)))
    return [{ at: `${at}.set.create`, ...made, why }];
  const given = `request.body${member(key)}`;
  const maker = made.value === '(any)' ? 'uuid()' : made.value.slice('${'.length, -1);
  const either = `${key} may be given, or is made if it is not`;
  return [
    {
      at: `${at}.set.create`,
      value: `\${${given} == null ? ${maker} : ${given}}`,
      why: either,
      confidence: 'likely',
    },
    { at: `${at}.writable`, value: 'once', why: either, confidence: 'likely' },
  ];
}

/** Whether a body may bring the key, as a text: of numbers, one that is given might be the next one that is made. */
function mayBring(
  body: Content | undefined,
  takes: Takes | undefined,
  { key, schema }: Kept,
  places: Places,
): boolean {
  const brought = body?.schema && propertiesOf(places.followed(body.schema), places);
  const own = propertiesOf(schema, places).get(key);
  const isText = own !== undefined && textIn(places.followed(own), 'type') === 'string';
  const isPlain = takes === undefined || (takes.alike === null && takes.spelled.length === 0);
  return isText && isPlain && brought?.has(key) === true && givenIn(body, key, places) === 'optional';
}

/** Whether an operation makes an item whose key nobody gives, and of which we could make none that fits. */
export function lacksKey({ body }: Described, { verb, kept, isUpsert }: Meant, { places }: Shaping): boolean {
  const { schema, key, isSingle } = kept;
  const member = propertiesOf(schema, places).get(key);
  if (verb !== 'create' || isUpsert || isSingle || member === undefined) return false;
  return givenIn(body, key, places) === 'never' && madeKey(places.followed(member)) === undefined;
}

/** What the service makes as a key; undefined: what we could make does not fit. */
function madeKey(schema: Place): { readonly value: string; readonly confidence: Confidence } | undefined {
  if (textIn(schema, 'format') === 'uuid') return { value: '${uuid()}', confidence: 'high' };
  const isNumber = ['integer', 'number'].includes(textIn(schema, 'type') ?? '');
  const value = isNumber ? '${sequence()}' : textKey(schema);
  return value === undefined ? undefined : { value, confidence: 'likely' };
}

const [hexadecimal, alphanumeric] = ['0123456789abcdef', '09azAZ'];

/** A text that nobody else has, of the length and with the beginning that the schema asks for. */
function textKey(schema: Place): string | undefined {
  const pattern = textIn(schema, 'pattern');
  if (pattern === undefined) {
    const [least, most] = [
      Number(textIn(schema, 'minLength') ?? 0),
      Number(textIn(schema, 'maxLength') ?? 36),
    ];
    const isUuid = least <= 36 && most >= 36;
    // Whoever makes it chooses its form.
    return isUuid ? '(any)' : `\${random(${Math.min(most, Math.max(least, 24))})}`;
  }
  const [, start, letters = '', count] = /^\^([\w-]*)\[([\w-]+)\]\{(\d+)\}\$$/.exec(pattern) ?? [];
  const ranges = letters.match(/.-.|./g) ?? [];
  const isIn = (each: string): boolean =>
    ranges.some((range) => each >= (range[0] ?? '') && each <= (range.at(-1) ?? ''));
  const admits = (all: string): boolean => [...all].every(isIn);
  if (start === undefined) return undefined;
  if (count === '32' && admits(hexadecimal)) return `\${'${start}' + replace(uuid(), '-', '')}`;
  return admits(alphanumeric) ? `\${'${start}' + random(${count})}` : undefined;
}

/** When a time is set that is called so: as an item is made, or at each change, too. */
function timeOf(
  name: string,
  schema: Place,
): { readonly keys: readonly string[]; readonly value: string } | undefined {
  const format = textIn(schema, 'format');
  const value = format === 'date-time' ? '${now}' : format === 'unix-time' ? '${int(now)}' : undefined;
  const plain = plainName(name);
  if (value === undefined) return undefined;
  if (/^(date)?creat|^(date)?insert|^creationdate/.test(plain)) return { keys: ['create'], value };
  if (/^(date|last)?(updat|modifi)/.test(plain)) return { keys: ['create', 'update'], value };
  return undefined;
}
