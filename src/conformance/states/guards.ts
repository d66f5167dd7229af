import { stated } from '../../specification/said.ts';
import type { Scenario } from '../check.ts';
import type { Reason } from '../refusal.ts';
import { sides } from '../sides.ts';
import type { Trial } from '../trial.ts';
import { askersOf } from './askers.ts';
import type { Move } from './machines.ts';

/** Both sides of a guard: where it is true the item is moved, where it is not the request is refused (language §3). */
export function guards(trial: Trial, move: Move): Scenario[] {
  const { when } = move.transition;
  const guard = stated(when);
  if (guard === undefined) return [];
  const reason: Reason = {
    name: 'guard refused',
    subject: `${move.of.resource.name}.${move.name}`,
    failures: [],
  };
  const cites = { address: when.address, at: when.at };
  return askersOf(trial, move).flatMap((operation) =>
    sides(trial, operation, {
      guard,
      cites,
      reason,
      label: `where the guard of ${move.name}`,
      of: 'before',
      isAbout: ({ foreseen }) => foreseen.moves.includes(move),
    }),
  );
}
