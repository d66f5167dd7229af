import { instant, secondsOf } from '../../expression/time.ts';
import type { Json } from '../../source/node.ts';
import { type Members, membersOf } from '../item.ts';
import type { Item } from '../partly.ts';
import type { Schema } from '../schema.ts';
import { apartMs, type Trial } from '../trial.ts';
import { beside, type Turning } from './hints.ts';

/** How many combinations of values are tried for one expression. */
const combined = 24;

/**
 * Members at each value at which an expression that reads them may turn: of times one at a time, then all in all their
 * combinations.
 *
 * @param item what they are given for, none beside those that are given already; null: something new
 * @param kept those that stay as they are
 */
export function* atTurns(
  trial: Trial,
  schema: Schema,
  members: Members,
  turning: Turning,
  item: Item | null = null,
  kept: readonly string[] = [],
): Iterable<Members> {
  const { tools } = trial;
  const properties = membersOf(schema['properties']) ?? {};
  const around = { ...(item && Object.fromEntries(item.known)), ...members };
  const now = turning.readsNow ? timesFrom(trial.now(), turning) : [];
  let alone: Members[] = [];
  let together: Members[] = [members];
  for (const name of turning.members) {
    const own = membersOf(properties[name]);
    if (own === undefined || kept.includes(name) || (item && !Object.hasOwn(members, name))) continue;
    // What is compared may be two members with one another.
    const others = turning.members.flatMap((other) =>
      other !== name && Object.hasOwn(around, other) ? [around[other] as Json] : [],
    );
    const times = [...others.flatMap((one) => timesBeside(one, turning)), ...now];
    const values = [...turning.values, ...ofSizes(trial, own, turning.sizes), ...others.flatMap(beside)];
    const fits = (value: Json): boolean => tools.failures(own, value).length === 0;
    const fitting = [...values, ...times].filter(fits);
    const withEach = (one: Members): Members[] => fitting.map((value) => ({ ...one, [name]: value }));
    if (times.length > 0) alone = [...alone, ...withEach(members)];
    if (fitting.length > 0) together = together.flatMap(withEach);
  }
  for (const one of [...alone, ...together.slice(0, combined)])
    if (one !== members && tools.failures(schema, one).length === 0) yield one;
}

/** A text or a list of each of these sizes, where the schema admits one. */
function ofSizes({ tools }: Trial, schema: Schema, sizes: readonly number[]): readonly Json[] {
  const bounds: Readonly<Record<string, (size: number) => Schema>> = {
    string: (size) => ({ minLength: size, maxLength: size }),
    array: (size) => ({ minItems: size, maxItems: size }),
  };
  const resolved = tools.resolve(schema);
  const bound = bounds[String(resolved['type'])];
  return bound ? sizes.flatMap((size) => tools.valid({ ...resolved, ...bound(size) }, 'most') ?? []) : [];
}

const second = 1000;
const hour = 3600 * second;
const year = 365 * 24 * hour;

/** Times and days of which it is sure on which side they lie of `now`, and of what is as far from it as an expression says. */
function timesFrom(nowMs: number, { spans }: Turning): readonly string[] {
  const near = (ms: number): number[] => [ms + 2 * apartMs, ms - 2 * apartMs];
  const apart = [...spans, ...spans.map((ms) => -ms)].flatMap(near);
  return [...apart, year, -year, ...near(0)]
    .flatMap((ms) => written(nowMs + ms))
    .flatMap((time) => [time, time.slice(0, 10)]);
}

/** Times beside another: just so, and as far from it as an expression says. */
function timesBeside(value: Json, { spans }: Turning): readonly string[] {
  if (typeof value !== 'string' || instant(value) === value) return [];
  const apart = [0, ...spans, hour].flatMap((ms) => [ms, ms + second, ms - second]);
  return [...apart, ...apart.map((ms) => -ms)].flatMap((ms) => written(secondsOf(value) * second + ms));
}

/** A time as RFC 3339 writes it; none past the years 0 to 9999, which it does not write. */
function written(ms: number): readonly string[] {
  const time = new Date(ms);
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9999 ? [`${time.toISOString().slice(0, 19)}Z`] : [];
}
