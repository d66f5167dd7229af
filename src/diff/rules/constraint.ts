import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../source/node.ts';
import { holdsNames } from '../places.ts';
import { breaking, direction, harmless, type Judgement, type Rule, stored } from '../rule.ts';
import { statedValue } from '../value.ts';

/**
 * A keyword of a shape. Tighter breaks who brings a value, looser who reads one; tighter also means that kept
 * items may not fit (language §H.1; JSON Schema Validation §6).
 */
export const constraint: Rule = {
  name: 'constraint',
  section: 'H.1',
  at: [
    'resources/*/**',
    'endpoints/*/request/path/**',
    'endpoints/*/request/query/**',
    'endpoints/*/request/headers/**',
    'endpoints/*/request/body/**',
    'endpoints/*/response/headers/*/*',
  ],
  judge: ({ path, before, after }, context) => {
    const keyword = path.at(-1) as string;
    const way = direction(path, context);
    const compare = Object.hasOwn(comparisons, keyword) ? comparisons[keyword] : undefined;
    // Under these a tighter keyword lets more through, or whether it does depends on the value.
    if (
      !way ||
      !compare ||
      holdsNames(path.slice(0, -1)) ||
      path.some((one) => ['not', 'if', 'contains', 'oneOf', 'set', 'with'].includes(one))
    )
      return [];
    const is = compare(statedValue(before), statedValue(after));
    if (is === undefined) return [];
    const found: Judgement[] = [];
    if (way.input && is !== 'looser') found.push(breaking('values that were taken can be refused now'));
    if (way.output && is !== 'tighter') found.push(breaking('values can be shown that could not be before'));
    if (way.kept && is !== 'looser') found.push(stored('kept values may not fit'));
    return found.length > 0
      ? found
      : [harmless(is === 'looser' ? 'more values are taken' : 'fewer values are shown')];
  },
};

type Way = 'tighter' | 'looser' | 'other';
type Compare = (before: Json | undefined, after: Json | undefined) => Way | undefined;

const most: Compare = (before, after) => {
  const [old, now] = [before ?? Number.POSITIVE_INFINITY, after ?? Number.POSITIVE_INFINITY];
  return typeof old === 'number' && typeof now === 'number' ? (now < old ? 'tighter' : 'looser') : undefined;
};
const least: Compare = (before, after) => {
  const [old, now] = [before ?? Number.NEGATIVE_INFINITY, after ?? Number.NEGATIVE_INFINITY];
  return typeof old === 'number' && typeof now === 'number' ? (now > old ? 'tighter' : 'looser') : undefined;
};
/** A keyword whose values cannot be told apart as narrower and wider. */
const either: Compare = (before, after) =>
  before === undefined ? 'tighter' : after === undefined ? 'looser' : 'other';
const multiple: Compare = (before, after) => {
  if (typeof before !== 'number' || typeof after !== 'number') return either(before, after);
  return after % before === 0 ? 'tighter' : before % after === 0 ? 'looser' : 'other';
};
const flag: Compare = (_before, after) => (after === true ? 'tighter' : 'looser');
/** Whether there may be further members: `false` is the least; what a schema lets through, nobody compares. */
const further: Compare = (before, after) =>
  after === false ? 'tighter' : before === false ? 'looser' : undefined;
/** A list of the values, or kinds of value, that may stand; none says nothing. */
const among: Compare = (before, after) => {
  if (before === undefined || after === undefined) return either(before, after);
  const list = (of: Json): readonly Json[] => (Array.isArray(of) ? of : [of]);
  const within = (inner: readonly Json[], outer: readonly Json[]): boolean =>
    inner.every((one) =>
      outer.some((other) => isDeepStrictEqual(one, other) || (one === 'integer' && other === 'number')),
    );
  const [old, now] = [list(before), list(after)];
  return within(now, old) ? 'tighter' : within(old, now) ? 'looser' : 'other';
};

const comparisons: Readonly<Record<string, Compare>> = {
  type: among,
  enum: among,
  const: either,
  pattern: either,
  format: either,
  multipleOf: multiple,
  maximum: most,
  exclusiveMaximum: most,
  maxLength: most,
  maxItems: most,
  maxProperties: most,
  minimum: least,
  exclusiveMinimum: least,
  minLength: least,
  minItems: least,
  minProperties: least,
  uniqueItems: flag,
  additionalProperties: further,
  unevaluatedProperties: further,
};
