import type { Specification } from '../specification/model/specification.ts';
import { type Part, parts } from '../specification/reading/address.ts';
import { type Described, type Plan, type Planned, Unreached, unreached } from './check.ts';
import { founding } from './founding.ts';
import * as authentication from './parts/authentication.ts';
import * as endpoints from './parts/endpoints.ts';
import * as errors from './parts/errors.ts';
import * as events from './parts/events.ts';
import * as limits from './parts/limits.ts';
import * as resources from './parts/resources.ts';
import * as service from './parts/service.ts';
import * as states from './parts/states.ts';
import * as versioning from './parts/versioning.ts';
import { inGroups, refusalsFirst } from './refusals/in-groups.ts';
import type { Trial } from './trial.ts';

type Queue = Iterator<Planned>;

const taking = { service, resources, states, endpoints, authentication, errors, limits, versioning };

/**
 * The scenarios of a run, in the order in which they are come to. All parts take turns, and what says something new
 * comes first, so that what is wrong anywhere shows early. What lets time pass comes after all that does not, the
 * shortest time first; what empties a list, or uses up a rate, last.
 *
 * @param again those to come to once more before that, since nothing was there yet that they could be made on
 */
export function* scenariosOf(trial: Trial, again: readonly Planned[]): Iterable<Planned> {
  yield* inGroups(trial, beforeRates(trial, again));
  // What is counted there cannot be sent again.
  yield* planned(trial.of, 'limits', () => limits.usingUp(trial), { once: true });
}

function* beforeRates(trial: Trial, again: readonly Planned[]): Iterable<Planned> {
  const { of } = trial;
  for (const one of of.resourcesByName.values()) yield* planned(of, 'resources', () => founding(trial, one));
  const waiting: Planned[] = [];
  for (const one of refusalsFirst(newsFirst(trial)))
    if (one.scenario.waitsMs === undefined) yield one;
    else waiting.push({ ...one, once: true });
  trial.waits.now = true;
  yield* waiting.sort((a, b) => (a.scenario.waitsMs ?? 0) - (b.scenario.waitsMs ?? 0));
  yield* again;
  for (const plan of endpoints.emptying(trial)) yield* planned(of, 'endpoints', plan, { once: true });
}

/** What cannot be planned, for want of a value that was not used, is not exercised. */
function* planned(
  of: Specification,
  part: Part,
  plan: Plan,
  how?: Pick<Planned, 'once'>,
): Generator<Planned> {
  try {
    for (const scenario of plan()) yield { part, scenario, ...how };
  } catch (error) {
    if (!(error instanceof Unreached)) throw error;
    const check: Described = { name: 'planned', says: `more of ${part} is kept to`, cites: of[part] };
    yield { part, scenario: unreached(of, [check], error.message, error.points), once: true };
  }
}

/** What a check says, from one pass to the next more finely; in the last, whatever it says. */
const passes: readonly (((check: Described, about: string | undefined) => string) | null)[] = [
  ({ cites }) => cites.address,
  ({ name, cites }, about) => `${cites.address} ${name} ${about}`,
  null,
];

/**
 * Those first that judge a statement of which nothing was judged yet, then those that judge one otherwise than it was,
 * then what is left: nothing is said twice before all is once.
 */
function* newsFirst(trial: Trial): Generator<Planned> {
  const said = new Set<string>();
  const heard = hearing(trial);
  let queues = queuesOf(trial);
  for (const tell of passes) {
    const isNews = ({ scenario: { checks, about, waitsMs } }: Planned): boolean => {
      if (tell && checks && !checks.some((check) => !said.has(tell(check, about)))) return false;
      // What lets time pass comes later still.
      if (waitsMs === undefined)
        for (const check of checks ?? []) for (const one of passes) if (one) said.add(one(check, about));
      return true;
    };
    queues = yield* inTurn(queues, isNews, heard);
  }
}

/**
 * Each queue in turn, and twice as much of each in every next round: scenarios that stand beside one another share what
 * was seen. Events are heard in one go, after the first round: what is told late of a change is to meet nobody who did
 * not make it.
 *
 * @returns what is not to come now, each queue's apart
 */
function* inTurn(
  queues: readonly Queue[],
  isNow: (one: Planned) => boolean,
  heard: Iterable<Planned>,
): Generator<Planned, Queue[]> {
  const later = new Map(queues.map((one) => [one, [] as Planned[]]));
  let left = queues;
  for (let most = 1; left.length > 0; most *= 2) {
    const further: Queue[] = [];
    for (const one of left) {
      let taken = 0;
      while (taken < most) {
        const { value, done } = one.next();
        if (done) break;
        if (isNow(value)) {
          taken += 1;
          yield value;
        } else later.get(one)?.push(value);
      }
      if (taken === most) further.push(one);
    }
    yield* heard;
    left = further;
  }
  return [...later.values()].map((one) => one.values());
}

function* hearing(trial: Trial): Iterable<Planned> {
  for (const plan of events.checks(trial)) yield* planned(trial.of, 'events', plan, { once: true });
}

/** Those of all parts, the first of each before the second of any. */
function queuesOf(trial: Trial): Queue[] {
  const of = parts.flatMap((part) =>
    part === 'events' ? [] : [[...taking[part].checks(trial)].map((plan) => planned(trial.of, part, plan))],
  );
  const longest = Math.max(...of.map((one) => one.length));
  return Array.from({ length: longest }, (_, row) => of.flatMap((one) => one[row] ?? [])).flat();
}
