import { type ConditionName, covers, precision } from '../../specification/vocabulary/condition.ts';
import type { Failing, Judged, Refusal } from '../message/refusal.ts';
import type { CompiledRow } from './row.ts';

/** The row that answers a refusal, and the failures of the request that it covers. */
export interface Fit {
  readonly row: CompiledRow;
  readonly failures: readonly Failing[];
}

/** The rows that an operation may answer by, and which of them does (language §H.4, rules 4 and 5). */
export class Rows {
  readonly all: readonly CompiledRow[];
  /** Codes, and `replay`, as `errors.order` lists them. */
  readonly #order: readonly string[];

  constructor(all: readonly CompiledRow[], order: readonly string[]) {
    this.all = all;
    this.#order = order;
  }

  /** The rows that list a condition. */
  of(condition: ConditionName): readonly CompiledRow[] {
    return this.all.filter(({ conditions }) => conditions.some(({ name }) => name === condition));
  }

  /** Of the rows that cover a subject, one that names the operation comes first, then the longest subject. */
  covering(condition: ConditionName, subjects: readonly string[]): CompiledRow | null {
    let best: { row: CompiledRow; precision: number } | null = null;
    for (const row of this.all)
      for (const { name, subject } of row.conditions) {
        if (name !== condition || !isCovered(subject, subjects)) continue;
        const isBetter =
          best === null ||
          (row.named && !best.row.named) ||
          (row.named === best.row.named && precision(subject) > best.precision);
        if (isBetter) best = { row, precision: precision(subject) };
      }
    return best?.row ?? null;
  }

  /** The row that answers a refusal. If its failures lead to several, `errors.order` chooses, then the first failure. */
  fit({ code, condition, subjects, failures }: Refusal): Fit | null {
    if (code !== null || failures.length === 0) {
      const row =
        code === null ? this.covering(condition, subjects) : this.all.find((one) => one.code === code);
      return row ? { row, failures: [] } : null;
    }
    const byRow = new Map<CompiledRow, Failing[]>();
    for (const failure of failures) {
      const row = this.covering(condition, failure.subjects);
      if (row) byRow.set(row, [...(byRow.get(row) ?? []), failure]);
    }
    const [first] = [...byRow].sort(([a], [b]) => this.#rank(a) - this.#rank(b));
    return first ? { row: first[0], failures: first[1] } : null;
  }

  /** Of several refusals of one condition, that whose row stands first in `errors.order`, or else the first. */
  choose(found: readonly Refusal[]): Refusal {
    const [first, ...others] = found as [Refusal, ...Refusal[]];
    const rank = (refusal: Refusal): number => this.#rank(this.fit(refusal)?.row);
    return others.length === 0
      ? first
      : others.reduce((best, refusal) => (rank(refusal) < rank(best) ? refusal : best), first);
  }

  /** What of these a row answers, or, for null, what no row does. */
  fitting(found: readonly Refusal[], code: string | null): Refusal | null {
    for (const refusal of found) {
      const isBy = ({ subjects }: Pick<Refusal, 'subjects'>): boolean =>
        (this.covering(refusal.condition, subjects)?.code ?? null) === code;
      if (refusal.failures.length === 0 && isBy(refusal)) return refusal;
      const failures = refusal.failures.filter(isBy);
      if (failures.length > 0) return { ...refusal, failures };
    }
    return null;
  }

  /** The place of a condition, or of `replay`, in `errors.order`; undefined where no row of it is listed there. */
  place(condition: Judged, code: string | null): number | undefined {
    const places = this.#codesOf(condition, code)
      .map((one) => this.#order.indexOf(one))
      .filter((index) => index !== -1);
    return places.length === 0 ? undefined : Math.min(...places);
  }

  #codesOf(condition: Judged, code: string | null): readonly string[] {
    if (condition === 'replay') return [condition];
    return code === null ? this.of(condition).map((row) => row.code) : [code];
  }

  /** Rows that `errors.order` does not list come last. */
  #rank(row: CompiledRow | undefined): number {
    const at = row === undefined ? -1 : this.#order.indexOf(row.code);
    return at === -1 ? this.#order.length : at;
  }
}

function isCovered(subject: string, subjects: readonly string[]): boolean {
  return subject === '' || subjects.some((one) => covers(subject, one));
}
