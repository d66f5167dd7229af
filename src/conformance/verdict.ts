import type { Address } from '../specification/reading/address.ts';

/** True, false, or null: unknown, since it hangs on an open point (strong Kleene logic). */
export type Kleene = boolean | null;

export const verdicts = ['conforms', 'violates', 'not exercised', 'not stated'] as const;
export type Verdict = (typeof verdicts)[number];

/** The verdict on `guard ⇒ claim` (language §F.2). */
export function verdict(guard: Kleene, claim: Kleene): Verdict {
  if (guard === false) return 'not exercised';
  if (claim === true) return 'conforms';
  return guard === true && claim === false ? 'violates' : 'not stated';
}

/** A truth value, with what it rests on. */
export interface Truth {
  readonly value: Kleene;
  /** The value it has with every assumed point taken as open (language §A.6). */
  readonly firm: Kleene;
  /** The open points that keep it from being known; empty where it is known. */
  readonly points: readonly Address[];
  /** Why it is not true, for people; null where that is plain. */
  readonly why: string | null;
}

/** Whether something cannot be told from outside, and hangs on no open point. */
export function mayBe({ value, points }: Truth): boolean {
  return value === null && points.length === 0;
}

export const yes: Truth = { value: true, firm: true, points: [], why: null };
const no: Truth = { value: false, firm: false, points: [], why: null };

export function known(value: boolean, why: string | null = null): Truth {
  if (value) return yes;
  return why === null ? no : { value, firm: value, points: [], why };
}

/** Unknown, since nothing is stated at these points. */
export function unknown(...points: readonly Address[]): Truth {
  return { value: null, firm: null, points, why: null };
}

/** Unknown, since it cannot be seen from outside or be worked out here. No point is to blame. */
export function unseen(why: string): Truth {
  return { value: null, firm: null, points: [], why };
}

/** The same, resting on an assumption. */
export function assumed(truth: Truth): Truth {
  return { ...truth, firm: null };
}

/** Conjunction: false as soon as one is false. */
export function all(...truths: readonly Truth[]): Truth {
  return join(truths, false);
}

/** Disjunction: true as soon as one is true. */
export function some(...truths: readonly Truth[]): Truth {
  return join(truths, true);
}

export function not(truth: Truth): Truth {
  if (truth === yes || truth === no) return truth === yes ? no : yes;
  const { value, firm } = truth;
  return { ...truth, value: value === null ? null : !value, firm: firm === null ? null : !firm };
}

/** Joins truths of which one that has the value `decides` settles the whole. */
function join(truths: readonly Truth[], decides: boolean): Truth {
  const value = joined(truths, 'value', decides);
  const firm = joined(truths, 'firm', decides);
  if (value === true && firm === true) return yes;
  const isParty = (truth: Truth): boolean => truth.value === value;
  return {
    value,
    firm,
    points: value === null ? [...new Set(truths.filter(isParty).flatMap((truth) => truth.points))] : [],
    why: value === true ? null : (truths.find((one) => isParty(one) && one.why !== null)?.why ?? null),
  };
}

function joined(truths: readonly Truth[], of: 'value' | 'firm', decides: boolean): Kleene {
  let found: Kleene = !decides;
  for (const truth of truths) {
    if (truth[of] === decides) return decides;
    if (truth[of] === null) found = null;
  }
  return found;
}
