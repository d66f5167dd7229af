import type { Step } from '../../semantics/request/request.ts';
import { once } from '../../source/once.ts';
import { queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Address, step as addressOf } from '../../specification/reading/address.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { ConditionName } from '../../specification/vocabulary/condition.ts';
import { type Deviation, isRefusal } from '../deviations/deviation.ts';
import type { Asked } from './simulate.ts';

/** A list of names. */
type Names = Said<readonly { readonly text: string }[]>;

/**
 * Whether a deviation of part 7 may show in what comes of a request; true of all others. Its row has to fit what refuses
 * the request, unless it refuses more than is stated. So most requests need not be carried out by it.
 */
export function mayDiffer({ said, other }: Deviation, { request, before, steps }: Asked): boolean {
  const { address } = said;
  if (!address.startsWith('errors.')) return true;
  const conditions = conditionsOf(before.specification);
  const fits = (row: Address): boolean => steps.some((step) => mayFit(row, conditions.get(row), step));
  if (address === 'errors.order' && other?.kind === 'stated')
    return moved(said as Names, other as Names).some((code) => fits(addressOf('errors.codes', code)));
  const [, row, key] = /^(errors\.codes(?:\.[^.[]+|\[[^\]]*\]))(?:\.(\w+))?/.exec(address) ?? [];
  if (row === undefined) return steps.some((step) => isRefusal(step) || refusalsOf(step).length > 0);
  const own = conditions.get(row);
  // What a rate shows of itself, each answer that it counts shows.
  if (own?.has('rate exceeded')) return true;
  if (key === 'operations' && other) {
    const { name } = request.operation;
    const isListedNow = isListed(name, other as Names);
    // A row for some operations comes before one for all.
    return fits(row) || (own?.has('expression') === true && isListed(name, said as Names) !== isListedNow);
  }
  const isShorter = key !== 'when' || other?.kind !== 'stated' || lengthOf(other) < lengthOf(said);
  return !isShorter || fits(row);
}

/** Whether a row answers, or lists what refuses the request. */
function mayFit(row: Address, conditions: ReadonlySet<ConditionName> | undefined, step: Step): boolean {
  return (
    step.prediction.by.startsWith(row) ||
    refusalsOf(step).some(({ condition, code }) =>
      code === undefined ? (conditions?.has(condition) ?? true) : row === addressOf('errors.codes', code),
    )
  );
}

function refusalsOf({ trace }: Step): Step['trace'][number]['refusals'] {
  return trace.flatMap(({ refusals }) => refusals);
}

/** The codes that stand at another place. */
function moved(order: Names, other: Names): readonly string[] {
  const places = stated(other)?.map(({ text }) => text) ?? [];
  return (stated(order) ?? []).flatMap(({ text }, place) => (places[place] === text ? [] : [text]));
}

/** Whether a row with such `operations` is for an operation. */
function isListed(operation: string, operations: Names): boolean {
  return stated(operations)?.some(({ text }) => text === operation) ?? true;
}

function lengthOf(said: Said<unknown>): number {
  return stated(said as Names)?.length ?? 0;
}

/**
 * Whether a deviation may show only where there are many items: it is about a quota, a row that refuses what exceeds it, or how
 * many items a page has.
 */
export function isOfNumber({ said }: Deviation, specification: Specification): boolean {
  const { address } = said;
  if (/^limits\.quotas\b/.test(address) || sizesIn(specification).has(said)) return true;
  const [row = ''] = /^errors\.codes(?:\.[^.[]+|\[[^\]]*\])/.exec(address) ?? [];
  return conditionsOf(specification).get(row)?.has('quota exceeded') ?? false;
}

/** How many items pages have by default. */
const sizesIn = once(({ operations }: Specification): ReadonlySet<unknown> => {
  const parameters = operations.flatMap(queryParameters);
  return new Set(parameters.filter(({ roles }) => stated(roles.page) === 'size').map((each) => each.default));
});

/** By the address of a row of part 7, the conditions that it lists. */
const conditionsOf = once(
  ({ errors }: Specification): ReadonlyMap<Address, ReadonlySet<ConditionName>> =>
    new Map(
      [...(stated(stated(errors)?.codes)?.values() ?? [])].map((said) => {
        const row = stated(said);
        const conditions = row ? (stated(row.when) ?? []) : [];
        return [said.address, new Set(conditions.flatMap(({ names }) => names))];
      }),
    ),
);
