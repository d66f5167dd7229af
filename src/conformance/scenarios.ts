import { type Part, parts } from '../specification/address.ts';
import type { Specification } from '../specification/specification.ts';
import { type Plan, type Planned, Unreached, unreached } from './check.ts';
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
 * The scenarios of a run, in the order in which they are come to. All parts take turns, and in each of them all
 * kinds of checks, so that what is wrong anywhere shows early. What lets time pass comes after all that does not, the
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
  for (const one of refusalsFirst(inTurn(trial)))
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
    const check = { name: 'planned', says: `more of ${part} is kept to`, cites: of[part] };
    yield { part, scenario: unreached(of, [check], error.message, error.points), once: true };
  }
}

/**
 * Each queue in turn, and twice as much of each in every next round: scenarios that stand beside one another share what
 * was seen. Events are heard in one go, after the first round: what is told late of a change is to meet nobody who did
 * not make it.
 */
function* inTurn(trial: Trial): Generator<Planned> {
  let left = queuesOf(trial);
  for (let most = 1; left.length > 0; most *= 2) {
    const further: Queue[] = [];
    for (const one of left) {
      for (let taken = 0; taken < most; taken += 1) {
        const { value, done } = one.next();
        if (done) break;
        yield value;
        if (taken + 1 === most) further.push(one);
      }
    }
    if (most === 1)
      for (const plan of events.checks(trial)) yield* planned(trial.of, 'events', plan, { once: true });
    left = further;
  }
}

/** Those of all parts, the first of each before the second of any. */
function queuesOf(trial: Trial): Queue[] {
  const of = parts.flatMap((part) =>
    part === 'events' ? [] : [[...taking[part].checks(trial)].map((plan) => planned(trial.of, part, plan))],
  );
  const longest = Math.max(...of.map((one) => one.length));
  return Array.from({ length: longest }, (_, row) => of.flatMap((one) => one[row] ?? [])).flat();
}
