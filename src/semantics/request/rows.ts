import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import {
  type Condition,
  type ConditionName,
  conditionNames,
  covers,
  precision,
} from '../../specification/vocabulary/condition.ts';
import type { Row } from '../../specification/vocabulary/parts/errors.ts';
import type { FieldFailure, Refusal } from '../change/refusal.ts';
import type { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';

/** A failure, and what it is about: `Note`, `query`. */
export interface Failing extends FieldFailure {
  readonly subject: string;
}

/** A row that fits a refusal. */
export interface Fitting {
  readonly code: string;
  readonly row: Row;
  readonly refusal: Refusal;
  /** The failures for which no row is more precise. */
  readonly failures: readonly Failing[];
  /** The failures that the row covers: `failures`, and those for which another row is more precise. */
  readonly covered: readonly Failing[];
}

/** A refusal with a row that fits it. */
export interface Answering {
  readonly refusal: Refusal;
  /** Undefined: no row fits. */
  readonly fitting: Fitting | undefined;
  /** The place of its row in `errors.order`. Infinity: it has none. */
  readonly rank: number;
}

interface Candidate {
  readonly code: string;
  readonly row: Row;
  readonly condition: Condition;
}

type Rows = readonly (readonly [string, Row])[];

/** The rows of part 7 that are for an operation. */
const rowsFor = once(
  ({ errors }: Specification, { name }: Operation): Rows =>
    [...(stated(stated(errors)?.codes) ?? [])].flatMap(([code, said]) => {
      const row = stated(said);
      const operations = row && stated(row.operations);
      return !row || (operations && !operations.some(({ text }) => text === name)) ? [] : [[code, row]];
    }),
);

type Candidates = ReadonlyMap<ConditionName, readonly Candidate[]>;

/** By condition, the rows that list it: one that names the operation first, then the longest subject (language §H.4, rule 4). */
const candidatesFor = once((specification: Specification, operation: Operation): Candidates => {
  const all = rowsFor(specification, operation).flatMap(([code, row]) =>
    (stated(row.when) ?? []).map((condition): Candidate => ({ code, row, condition })),
  );
  const precise = ({ row, condition }: Candidate): number =>
    precision(condition.subject) + (stated(row.operations) ? 1000 : 0);
  const named = all.toSorted((a, b) => precise(b) - precise(a));
  return new Map(
    conditionNames.map((name) => [name, named.filter(({ condition }) => condition.names.includes(name))]),
  );
});

/** The places of the codes in `errors.order`; null: none is stated, so the service chooses (language §F.1). */
const orderOf = once(({ errors }: Specification): ReadonlyMap<string, number> | null => {
  const order = stated(stated(errors)?.order);
  return order ? new Map(order.map(({ text }, place) => [text, place])) : null;
});

function rankOf(code: string | undefined, specification: Specification): number {
  return orderOf(specification)?.get(code ?? '') ?? Number.POSITIVE_INFINITY;
}

/** The rows whose condition is an expression of their own, by code. */
export const ownRows = once(
  (operation: Operation, specification: Specification): Rows =>
    rowsFor(specification, operation).filter(([, row]) =>
      (stated(row.when) ?? []).some(({ expression }) => expression !== null),
    ),
);

/** The rows of which it is open for which reason they refuse. */
export const rowsWithoutReason = once((operation: Operation, specification: Specification): readonly Row[] =>
  rowsFor(specification, operation).flatMap(([, row]) => (row.when.kind === 'open' ? [row] : [])),
);

/** The rows that list a condition. */
export function rowsListing(
  name: ConditionName,
  operation: Operation,
  specification: Specification,
): readonly Pick<Candidate, 'row' | 'condition'>[] {
  return candidatesFor(specification, operation).get(name) ?? [];
}

/** Whether a row lists a condition. */
export function isListed(name: ConditionName, operation: Operation, { specification }: World): boolean {
  return rowsListing(name, operation, specification).length > 0;
}

/**
 * The rows that fit refusals. The failures of parameters and of the body are those of one request: several rows may fit them
 * (language §H.4, rule 5).
 */
export function rowsOf(
  refusals: readonly Refusal[],
  operation: Operation,
  specification: Specification,
): readonly Answering[] {
  const candidates = candidatesFor(specification, operation);
  const [failing, others] = [true, false].map((is) =>
    refusals.filter(({ condition, failures }) => (condition === 'invalid' && failures.length > 0) === is),
  ) as [Refusal[], Refusal[]];
  const groups = [...others.map((refusal) => [refusal]), ...(failing.length > 0 ? [failing] : [])];
  return groups.flatMap((group) => {
    const fitting = fittingRows(group, candidates);
    const found = fitting.length > 0 ? fitting : [undefined];
    return found.map((each) => ({
      refusal: each?.refusal ?? (group[0] as Refusal),
      fitting: each,
      rank: rankOf(each?.code, specification),
    }));
  });
}

/** The place of the row of a refusal in `errors.order`. Infinity: it has none. */
export function rankFor(refusal: Refusal, operation: Operation, specification: Specification): number {
  return rowsOf([refusal], operation, specification)[0]?.rank ?? Number.POSITIVE_INFINITY;
}

/** The rows that fit refusals by the same condition. */
function fittingRows(refusals: readonly Refusal[], all: Candidates): readonly Fitting[] {
  const [first] = refusals as [Refusal];
  const failures = refusals.flatMap((refusal) =>
    refusal.failures.map((failure) => ({ ...failure, subject: refusal.subject })),
  );
  if (failures.length === 0) {
    const row = rowFor(first, [first.subject], all);
    return row ? [{ ...row, refusal: first, failures: [], covered: [] }] : [];
  }
  const chosen = failures.map((failure) => rowFor(first, subjectsOf(failure), all));
  const candidates = new Map(chosen.flatMap((row) => (row ? [[row.code, row]] : [])));
  return [...candidates.values()].map(({ code, row }): Fitting => {
    const own = failures.filter((_, place) => chosen[place]?.code === code);
    const conditions = (stated(row.when) ?? []).filter(({ names }) => names.includes(first.condition));
    return {
      code,
      row,
      refusal: refusals.find(({ subject }) => subject === own[0]?.subject) ?? first,
      failures: own,
      covered: failures.filter((failure) =>
        conditions.some(({ subject }) => isCovered(subject, subjectsOf(failure))),
      ),
    };
  });
}

/** What a row may list of a failure: first `ever`, if only a deleted item had the value (language §7.2, rule 19). */
function subjectsOf({ subject, field, keyword, isFormer }: Failing): readonly string[] {
  return [...(isFormer ? ['ever'] : []), keyword].map((each) => `${subject}.${field}.${each}`);
}

function isCovered(listed: string, subjects: readonly string[]): boolean {
  return subjects.some((subject) => covers(listed, subject));
}

/** The row of what is refused. */
function rowFor(
  { condition, code: own }: Refusal,
  subjects: readonly string[],
  all: Candidates,
): Pick<Candidate, 'code' | 'row'> | undefined {
  return all
    .get(condition)
    ?.find((each) => (own === undefined || own === each.code) && isCovered(each.condition.subject, subjects));
}

/** The conditions at this place and after it (language §H.4). */
export const conditionsFrom = once((first: ConditionName): readonly ConditionName[] =>
  conditionNames.slice(conditionNames.indexOf(first)),
);

/** The places in `errors.order` of the rows that list one of these conditions. Infinity: it has none. */
const ranksListing = once(
  (
    conditions: readonly ConditionName[],
    operation: Operation,
    specification: Specification,
  ): readonly number[] => {
    const candidates = candidatesFor(specification, operation);
    const codes = conditions.flatMap((name) => (candidates.get(name) ?? []).map(({ code }) => code));
    return codes.map((code) => rankOf(code, specification));
  },
);

/** Whether one of these conditions may answer, though others hold that come before it (language §H.4, rule 8). */
export function mayPrecede(
  conditions: readonly ConditionName[],
  refusals: readonly Refusal[],
  operation: Operation,
  { world: { specification } }: Moment,
): boolean {
  if (orderOf(specification) === null) return true;
  const best = Math.min(...rowsOf(refusals, operation, specification).map(({ rank }) => rank));
  const ranks = ranksListing(conditions, operation, specification);
  return ranks.some((rank) => rank < best || !Number.isFinite(rank));
}
