import { expressionsIn } from '../../expression/template.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { readsActor } from '../../specification/model/workings.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { admits } from '../access/admits.ts';
import { lazily } from '../access/closed.ts';
import { type Scenario, type Statement, Unreached } from '../check.ts';
import { carryOut, freeCourse } from '../foresee/course.ts';
import { openWays } from '../foresee/open-ways.ts';
import { askerOf, namesFor } from '../names.ts';
import { perform } from '../perform.ts';
import { mustRefuse, type Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { sides } from '../sides.ts';
import { workOut } from '../solve.ts';
import type { Trial } from '../trial.ts';
import { all, unseen, yes } from '../verdict.ts';
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
  const tellsWho = expressionsIn(guard.template).some(readsActor);
  return askersOf(trial, move).flatMap((operation) => [
    ...sides(trial, operation, {
      guard,
      cites,
      reason,
      label: `where the guard of ${move.name}`,
      of: 'before',
      isAbout: ({ foreseen }) => foreseen.moves.includes(move),
    }),
    ...(tellsWho ? [byAnother(trial, operation, move, { guard, cites, reason })] : []),
  ]);
}

interface Guarding {
  readonly guard: PlacedTemplate;
  readonly cites: Statement;
  readonly reason: Reason;
}

/** Where a guard tells who asks, another of the same kind is refused what somebody is let. */
function byAnother(
  trial: Trial,
  operation: Operation,
  move: Move,
  { guard, cites, reason }: Guarding,
): Scenario {
  const { of } = trial;
  const { resource } = move.of;
  const says = `${operation.key} by another, of whom the guard of ${move.name} is false`;
  return lazily(trial, says, cites, async () => {
    const course = freeCourse(trial, operation, ({ foreseen }) => foreseen.moves.includes(move));
    if (course === undefined)
      throw new Unreached('no way was found to such an item and request', openWays(trial, resource));
    const usual = askerOf(trial, { operation, request: null });
    const other = usual && (await trial.enter(usual));
    if (!other) throw new Unreached('nobody else could be made to ask');
    const item = await carryOut(trial, resource, course.before);
    const { body } = course.last;
    const given = body === undefined ? {} : { body };
    const names = namesFor(trial, {
      operation,
      request: null,
      as: other,
      item,
      ...(body && { given: body }),
    });
    const isFalse = workOut(guard.template, names) === false;
    return refusing(trial, {
      says,
      operation,
      cites,
      reasons: [reason],
      must: all(
        admits(of, operation, names),
        isFalse ? yes : unseen('the guard may hold for them, too'),
        mustRefuse(of, operation, reason),
      ),
      item: () => Promise.resolve(item),
      send: () => perform(trial, operation, { item, as: other, ...given }),
    });
  });
}
