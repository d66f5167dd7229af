import { judge } from '../../semantics/judge/judge.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { step } from '../../semantics/request/request.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Random } from '../random.ts';
import { aimedAt } from './aim.ts';
import { Pool } from './pool.ts';
import { nextRequest, oddRequest } from './requests.ts';
import { answerTo, url } from './simulate.ts';
import type { Asked, Comparison, Suspect } from './suspect.ts';
import { statementsRead } from './trace.ts';

/** A sequence of requests, and the deviations that it tells from what is stated: each by one of its answers. */
export interface Told {
  readonly requests: readonly Request[];
  /** The world before each request, and the one after the last. */
  readonly worlds: readonly World[];
  /** The place of the request whose answer tells it. */
  readonly told: ReadonlyMap<Suspect, number>;
  /** How often an implementation was asked. */
  readonly asked: number;
}

/** How many requests in a row may come to nothing that is known, before the walk ends. */
const mostUnknown = 20;

/** How many requests of a hundred only look, while an implementation holds something else than it should. */
const looks = 50;

/** For how many suspects requests are made at a time. */
const aims = 3;

/** A statement that was read so often for such an answer and made no difference is looked at less and less. */
const often = 8;

/**
 * Asks a service that does what is stated, and beside it each one that deviates: a deviation is told where no answer fits
 * both. Nothing is sent anywhere.
 *
 * @param length of how many requests the sequence is at the most
 */
export function walk(begun: World, suspects: readonly Suspect[], random: Random, length: number): Told {
  const pool = new Pool(begun.specification, random);
  const worlds = [begun];
  const requests: Request[] = [];
  const told = new Map<Suspect, number>();
  let left = [...suspects];
  let asked = 0;
  for (const suspect of left) suspect.begin();
  for (let unknown = 0; requests.length < length && unknown < mostUnknown; ) {
    const before = worlds.at(-1) as World;
    const candidates = candidatesIn(before, left, pool);
    const tried = candidates.map((candidate) => tries(candidate, left, random));
    asked += tried.reduce((sum, { compared }) => sum + compared.size, 0);
    const [best] = tried.toSorted((a, b) => worth(b) - worth(a));
    if (best === undefined) {
      unknown += 1;
      continue;
    }
    const { query, compared } = best;
    const after = judge(query.steps, query.answer, true).world as World;
    for (const [suspect, comparison] of compared)
      if (comparison === 'told') told.set(suspect, requests.length);
      else if (comparison !== 'same' || suspect.isOther) suspect.goOn(query, after);
    left = left.filter((suspect) => !told.has(suspect));
    requests.push(query.request);
    worlds.push(after);
  }
  return { requests, worlds, told, asked };
}

/** A request that may be the next. */
interface Candidate {
  readonly query: Asked;
  /** For whom it was made; null: for nobody. */
  readonly goal: Suspect | null;
}

/** A usual request first, then some with something wrong, and some for a suspect. */
function candidatesIn(before: World, suspects: readonly Suspect[], pool: Pool): Candidate[] {
  const readers = readersOf(before.specification);
  const isLook = readers.length > 0 && suspects.some((suspect) => suspect.isOther) && pool.often(looks);
  const usual = nextRequest(before, pool, url, isLook ? readers : undefined);
  const odd = oddRequest(usual, before, pool);
  const requests = [usual, odd, oddRequest(odd, before, pool)].map((request) => ({ request, goal: null }));
  const goals = suspects.toSorted((a, b) => a.told - b.told || a.aims - b.aims).slice(0, aims);
  const aimed = goals.map((goal) => ({ request: aimedAt(goal, before, pool), goal }));
  return [...requests, ...aimed].flatMap(({ request, goal }) => {
    const query = queryOf(before, request);
    return query === null ? [] : [{ query, goal }];
  });
}

interface Tried extends Candidate {
  readonly compared: ReadonlyMap<Suspect, Comparison>;
}

/** Asks those that a request concerns. */
function tries({ query, goal }: Candidate, suspects: readonly Suspect[], random: Random): Tried {
  const read = statementsRead(query.before, query.request);
  const concerned = suspects.filter(
    (suspect) =>
      suspect.concerns(query, read) &&
      (suspect === goal || suspect.isOther || random.whole(1, suspect.readsLike(query) + 1) <= often),
  );
  return { query, goal, compared: new Map(concerned.map((suspect) => [suspect, suspect.compare(query)])) };
}

/** What is told is worth most, then what may be told later. */
function worth({ compared }: Tried): number {
  const found = [...compared];
  const told = found
    .filter(([, comparison]) => comparison === 'told')
    .reduce((sum, [suspect]) => sum + (suspect.told === 0 ? 5 : 1), 0);
  const infected = found.filter(
    ([suspect, comparison]) => comparison === 'infected' && !suspect.isOther,
  ).length;
  return told + infected;
}

/**
 * What a right service answers. Of several things that may come, it does the last: a success, if one is among them. Null:
 * nobody knows what it holds after that.
 */
function queryOf(before: World, request: Request): Asked | null {
  const steps = step(before, request);
  const last = steps.at(-1);
  const answer = last ? answerTo(last.prediction) : null;
  if (answer === null || judge(steps, answer, true, false).world === null) return null;
  return { request, before, steps, answer };
}

/** The operations that look. */
function readersOf({ operations }: Specification): readonly Operation[] {
  return operations.filter(({ does }) => ['read', 'list'].includes(stated(does)?.verb ?? ''));
}
