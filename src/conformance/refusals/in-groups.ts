import type { Planned, Result, Scenario } from '../check.ts';
import type { Trial } from '../trial.ts';
import { ended, heldOf, most } from './groups.ts';

/**
 * The scenarios of a run, those that refuse in groups. Where a group changed something, each of its refusals is come to
 * again, with looks of its own around it: to see which of them it was, on items that none of them has touched.
 */
export function* inGroups(trial: Trial, scenarios: Iterable<Planned>): Iterable<Planned> {
  const { groups } = trial;
  for (const one of scenarios) {
    const { scenario } = one;
    const { inGroup } = scenario;
    if (!inGroup || groups.changed.length > 0 || heldOf(groups).length >= most) yield* judged(trial);
    yield inGroup ? { ...one, run: () => inGroup(scenario) } : one;
  }
  yield* judged(trial);
}

function* judged(trial: Trial): Iterable<Planned> {
  const { groups } = trial;
  const held = heldOf(groups);
  if (held.length > 0) {
    const run = async (): Promise<Result[]> => {
      await ended(groups, trial.of);
      return (await Promise.all(groups.unchanged.splice(0).map((one) => one.unchanged()))).flat();
    };
    const checks = held.flatMap(({ scenario }) => scenario.checks ?? []);
    yield { part: 'errors', scenario: { run, checks }, once: true };
  }
  const changed = groups.changed.splice(0);
  if (changed.length > 0) for (const kept of [trial.seenLists, trial.spares, trial.seen]) kept.clear();
  for (const { scenario } of changed) yield { part: 'errors', scenario: alone(scenario), once: true };
}

/** A refusal with looks of its own, of which the rest was judged. */
function alone(scenario: Scenario): Scenario {
  const isEffect = ({ check }: Result): boolean => check === 'refusal.effect';
  return { ...scenario, run: async () => (await scenario.run()).filter(isEffect) };
}

/** How many scenarios are looked through for refusals at the most, that others would part. */
const ahead = 32;

/** The same scenarios, of some at a time those first that refuse: of few in the beginning, so that all kinds come early. */
export function* refusalsFirst(scenarios: Iterator<Planned>): Iterable<Planned> {
  for (let taken: Planned[] = [], many = 1; ; many = Math.min(2 * many, ahead)) {
    for (let next = scenarios.next(); !next.done; next = scenarios.next())
      if (taken.push(next.value) === many) break;
    if (taken.length === 0) return;
    yield* taken.filter(({ scenario }) => scenario.inGroup);
    yield* taken.filter(({ scenario }) => !scenario.inGroup);
    taken = [];
  }
}
