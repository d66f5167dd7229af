import fc from 'fast-check';
import type { Json } from '../source/node.ts';
import type { Body } from './body.ts';
import type { Members } from './item.ts';
import type { Random } from './random.ts';
import type { Schema } from './schema.ts';
import type { Trial } from './trial.ts';

/** What says which members fit: the body of an operation. */
interface Admitting {
  readonly trial: Pick<Trial, 'tools'>;
  readonly body: Body;
}

const surrogates = { first: 0xd800, count: 0x800 };

/** The characters of Unicode: fast-check's `binary`, which makes a table of them all before it looks one up. */
const unit = fc.nat({ max: 0x10ffff - surrogates.count }).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (text) => {
    const [character, ...further] = typeof text === 'string' ? text : '';
    if (character === undefined || further.length > 0 || !character.isWellFormed())
      throw new Error('it is no character');
    const point = character.codePointAt(0) as number;
    return point < surrogates.first ? point : point - surrogates.count;
  },
);

/** Any JSON value; texts of all of Unicode but U+0000, which none may hold (language §H.4). */
const anything = fc.jsonValue({ stringUnit: unit });

/** Values that are smaller than one, as fast-check shrinks it: the smallest first. */
function* smallerThan(value: Json): Iterable<Json> {
  if (typeof value === 'string') yield* cutShort([...value]);
  const arbitrary: fc.Arbitrary<unknown> = Number.isSafeInteger(value) ? fc.maxSafeInteger() : anything;
  if (!arbitrary.canShrinkWithoutContext(value)) return;
  for (const { value: less } of arbitrary.shrink(value, undefined)) yield less as Json;
}

/** A text without its end: fast-check takes away from the beginning, and looks into single characters next. */
function* cutShort(characters: readonly string[]): Iterable<string> {
  for (let cut = characters.length >> 1; cut > 0; cut >>= 1) yield characters.slice(0, -cut).join('');
}

/** A member with those alone that must stand beside it; the same where there are no others. */
export function alone({ body }: Admitting, members: Members, tried: string): Members {
  const required = (body.schema['required'] ?? []) as readonly string[];
  const kept = Object.entries(members).filter(([name]) => name === tried || required.includes(name));
  return kept.length < Object.keys(members).length ? Object.fromEntries(kept) : members;
}

/** Members with less in them, which the body admits: without what may be left out, and with smaller values of one. */
export function* withLess(
  taking: Admitting,
  members: Members,
  [tried]: readonly string[],
): Iterable<Members> {
  const { trial, body } = taking;
  if (tried === undefined || !Object.hasOwn(members, tried)) return;
  const fits = (one: Members): boolean =>
    !JSON.stringify(one).includes('\\u0000') && trial.tools.failures(body.schema, one).length === 0;
  const least = alone(taking, members, tried);
  if (least !== members && fits(least)) yield least;
  for (const less of smallerThan(members[tried] as Json)) {
    const one = { ...members, [tried]: less };
    if (fits(one)) yield one;
  }
}

/** A text by chance, of whatever Unicode has, within the bounds of its length. */
export function textByChance(schema: Schema, random: Random): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema as Record<string, number>;
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 24)) };
  const [text = ''] = fc.sample(fc.string({ unit, ...bounds }), {
    seed: random.whole(0, 2 ** 31 - 1),
    numRuns: 1,
  });
  return text.replaceAll('\0', '\u0001');
}
