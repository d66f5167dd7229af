import { once } from '../source/once.ts';
import { at, type Span } from '../source/text.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Address, isUnder, type Part } from '../specification/reading/address.ts';
import type { CheckName } from './check-names.ts';
import { curl, type Exchange, type Request, type Response } from './http.ts';
import { isGivenUp } from './limits/times.ts';
import { restsOn, type Witnesses, witnesses } from './sequences/witnesses.ts';
import { mayBe, type Truth, type Verdict, verdict } from './verdict.ts';

/** A statement of the specification, as a verdict cites it. */
export interface Statement {
  readonly address: Address;
  readonly at: Span;
}

/** What was seen of an implementation; every kind of observation ends in an exchange that decides it. */
export interface Seen {
  readonly exchange: Exchange;
}

/** What is claimed of an observation, in terms that a person can compare. */
export interface Claim {
  readonly truth: Truth;
  readonly expected: string;
  readonly found: string;
}

/** `guard ⇒ claim`, on an observation of the kind S (language §F.2). */
export interface Check<S extends Seen> {
  /** What kind of check it is; stable, for scripts. */
  readonly name: CheckName;
  /** What is checked, in one sentence that names the request. */
  readonly says: string;
  /** The statement that makes the claim. */
  readonly cites: Statement;
  /** Whether the statement binds what was seen. */
  readonly guard: (seen: S) => Truth;
  readonly claim: (seen: S) => Claim;
  /** The exchange that decides, where it is not the last one of what was seen. */
  readonly exchange?: (seen: S) => Exchange;
}

/** How one check ended. */
export interface Result {
  readonly check: CheckName;
  readonly says: string;
  readonly statement: { readonly address: Address; readonly at: string };
  /** The operation that it is about, as `METHOD /path`; left out: none that the document lists. */
  readonly operation?: string;
  /** The place of the answer that is judged, where a statement has several: `status`, `headers.location`, `body.*.title`. */
  readonly place?: string;
  readonly verdict: Verdict;
  /** It rests on an assumption: with the assumed points open, the verdict would be another. */
  readonly assumed: boolean;
  /** Where it is not stated: the open points that keep it from being judged. */
  readonly points?: readonly Address[];
  /** Where it is not exercised, or is of a word that the tester does not know: why. */
  readonly reason?: string;
  readonly expected?: string;
  readonly found?: string;
  /** Of a violation: how many exchanges are known to show it; left out: 1. */
  readonly exchanges?: number;
  readonly request?: Request;
  readonly response?: Response | null;
  /** How long its observation took, in milliseconds: told with the first of all that are judged by it, and 0 with the others. */
  readonly tookMs?: number;
  /** A command line that sends the request again. */
  readonly curl?: string;
  /** Of a violation: the exchanges that lead to it, the one that decides last; as few as are known to. */
  readonly sequence?: readonly Exchange[];
}

/** Requests to an implementation, and the checks of what is seen by them. */
export interface Scenario {
  readonly run: () => Promise<Result[]>;
  /** What it judges; left out: that is known by what it comes to alone. */
  readonly checks?: readonly Described[];
  /** What tells it apart from others that judge the same statements: a keyword of a shape, a state, the conditions that hold. */
  readonly about?: string;
  /** How much time it lets pass, in milliseconds: all comes before it that lets none pass, or less. */
  readonly waitsMs?: number;
  /** The same in a group, which is judged as a whole (`refusals/groups.ts`): what is not told of yet is told with the group. */
  readonly inGroup?: (self: Scenario) => Promise<readonly Result[]>;
  /** Statements of which it makes no check. */
  readonly unchecked?: readonly Unchecked[];
  /** The same with less in its body, the smallest first: in which a violation may be seen as well (language §F.6). */
  readonly smaller?: (result: Result) => Iterable<Scenario>;
}

/** A scenario that is come to. */
export interface Planned {
  /** The part whose checks it makes. */
  readonly part: Part;
  readonly scenario: Scenario;
  /** It is not come to again, whatever comes of it. */
  readonly once?: true;
  /** How it is run in its place among others; by itself, where it is left out. */
  readonly run?: () => Promise<readonly Result[]>;
}

/** Scenarios of one kind about one thing, which are planned when they are come to. */
export type Plan = () => Iterable<Scenario>;

/** A statement of which there is no check of its own, whoever asks: it is judged elsewhere, or no request can show it. */
export interface Unchecked {
  readonly address: Address;
  readonly at: string;
  readonly why: string;
}

/** What an observation needs is not there, so that its checks were never reached; or it hangs on open points. */
export class Unreached extends Error {
  readonly points: readonly Address[];
  constructor(message: string, points: readonly Address[] = []) {
    super(message);
    this.points = points;
  }
}

/**
 * Observes once and judges each check on it. `rests` are the statements that the observation itself depends on;
 * where one of them is assumed, so are the verdicts. `observe` throws `Unreached` where it cannot be made.
 */
export function scenario<S extends Seen>(
  of: Specification,
  rests: readonly Address[],
  observe: () => Promise<S>,
  checks: readonly Check<S>[],
): Scenario {
  return {
    checks,
    run: async () => {
      if (checks.length === 0) return [];
      let seen: S;
      try {
        seen = await observe();
      } catch (error) {
        if (!(error instanceof Unreached)) throw error;
        return checks.map((check) =>
          notReached(check, error.message, error.points, isAssumed(of, check.cites.address)),
        );
      }
      return checks.map((check) => judge(of, check, seen, rests));
    },
  };
}

/** What can be observed; undefined where it is not reached. */
export async function ifReached<T>(observe: () => Promise<T>): Promise<T | undefined> {
  try {
    return await observe();
  } catch (error) {
    if (error instanceof Unreached) return undefined;
    throw error;
  }
}

/** Checks that are known beforehand not to be reached, or not while these points are open. */
export function unreached(
  of: Specification,
  checks: readonly Described[],
  reason: string,
  points: readonly Address[] = [],
): Scenario {
  const results = checks.map((check) =>
    notReached(check, reason, points, isAssumed(of, check.cites.address)),
  );
  return { checks, run: () => Promise.resolve(results) };
}

/** Checks of a word of the language that the tester does not know yet: they are not stated (language §F.2). */
export function notKnown(of: Specification, checks: readonly Described[], word: string): Scenario {
  const reason = `the tester does not know ${word} yet`;
  const results = checks.map((check): Result => {
    const assumed = isAssumed(of, check.cites.address);
    return { ...described(check), verdict: 'not stated', assumed, reason };
  });
  return { checks, run: () => Promise.resolve(results) };
}

/** What is known of a check before anything is seen. */
export type Described = Pick<Check<Seen>, 'name' | 'says' | 'cites'>;

function notReached(check: Described, reason: string, points: readonly Address[], assumed: boolean): Result {
  if (points.length > 0) return { ...described(check), verdict: 'not stated', assumed, points };
  return { ...described(check), verdict: 'not exercised', assumed, reason };
}

function described({ name, says, cites }: Described): Pick<Result, 'check' | 'says' | 'statement'> {
  return { check: name, says, statement: { address: cites.address, at: at(cites.at) } };
}

const witnessed = new WeakMap<Result, () => Witnesses>();

/** The exchanges that a violation rests on; undefined where the result is none. */
export function witnessesOf(result: Result): Witnesses | undefined {
  return witnessed.get(result)?.();
}

function judge<S extends Seen>(
  of: Specification,
  check: Check<S>,
  seen: S,
  rests: readonly Address[],
): Result {
  const guard = check.guard(seen);
  const { truth, expected, found } = check.claim(seen);
  const outcome = verdict(guard.value, truth.value);
  const hangs = [check.cites.address, ...rests].some((address) => isAssumed(of, address));
  const assumed = hangs || verdict(guard.firm, truth.firm) !== outcome;
  const about = { ...described(check), assumed };
  // What nobody observed conforms to nothing (language §F.2, 1).
  if (outcome === 'not exercised' || mayBe(guard))
    return { ...about, verdict: 'not exercised', reason: guard.why ?? 'what it is about did not come about' };
  const late = outcome === 'violates' ? restsOn(check, seen, (one) => isGivenUp(of, one)) : undefined;
  if (late)
    return {
      ...about,
      verdict: 'not exercised',
      reason: `${late.failure}, and it is not stated that one comes by then`,
    };
  const decided = check.exchange?.(seen) ?? seen.exchange;
  const { request, curl } = told(decided.request);
  const shown = { expected, found, request, response: decided.response };
  if (outcome !== 'not stated') {
    const result = { ...about, verdict: outcome, ...shown, curl };
    if (outcome === 'violates') witnessed.set(result, () => witnesses(check, seen));
    return result;
  }
  const points = [...new Set([...guard.points, ...truth.points])];
  // Unknown with no open point to blame: it was the tester that could not see it.
  if (points.length === 0)
    return {
      ...about,
      verdict: 'not exercised',
      reason: guard.why ?? truth.why ?? 'it cannot be told from outside',
    };
  return { ...about, verdict: outcome, points, ...shown };
}

/** A request as it is told of: as it was sent, and as a command line. Most decide several checks. */
const told = once(({ version: _, ...request }: Request) => ({ request, curl: curl(request) }));

/** Whether something at this address, or under it, comes from the ledger (language §A.6). */
export function isAssumed(of: Specification, address: Address): boolean {
  return assumedIn(of).some((one) => isUnder(one, address));
}

const assumedIn = once((of: Specification): readonly Address[] =>
  [...of.points.values()].flatMap(({ state, address }) => (state === 'assumed' ? [address] : [])),
);

/** The statement at an address; where nothing stands there itself, the one that the caller names. */
export function statementAt(of: Specification, address: Address, otherwise: Statement): Statement {
  const point = of.points.get(address);
  return point ? { address, at: point.at } : otherwise;
}
