import type { Operation } from '../../specification/model/operation.ts';
import { withArticle } from '../../specification/reading/article.ts';
import { type Check, type Scenario, scenario } from '../check.ts';
import { toldBy } from '../effects/sights.ts';
import { carryOut, courseTo } from '../foresee/course.ts';
import type { Step } from '../foresee/tree.ts';
import { answerFound, succeeded } from '../guards.ts';
import type { Item } from '../partly.ts';
import { perform } from '../perform.ts';
import type { Done, Trial } from '../trial.ts';
import { fits } from '../unify.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import type { Move } from './machines.ts';
import { begunTogether, marginMs, movesByItself } from './timers.ts';

interface Waiting {
  /** How long after entry the timer is due, and seen to be, in milliseconds. */
  readonly waitMs: number;
  readonly reader: Operation;
}

/** What was seen of an item that had left the states of a timer before it was due. */
interface Stayed extends Done {
  readonly left: Item;
  readonly inTime: boolean;
  /** How long after its course began it was looked at, in milliseconds. */
  readonly passedMs: number;
}

/** A timer moves no item that is in another state by then: it leads out of those that are stated (language §3.3). */
export function left(trial: Trial, move: Move, { waitMs, reader }: Waiting): Scenario[] {
  const { resource, field, states } = move.of;
  const { from } = move;
  const shown = resource.fields.get(field);
  if (from === undefined || shown === undefined) return [];
  const said = move.transition.from;
  const stateOf = ({ foreseen }: Step): string => String(foreseen.after?.known.get(field));
  return states.flatMap((state) => {
    if (from.includes(state) || state === move.to) return [];
    const course = courseTo(trial, resource, field, state);
    if (!course?.slice(0, -1).some((step) => from.includes(stateOf(step)))) return [];
    const check: Check<Stayed> = {
      name: 'timer.left',
      says: `${withArticle(resource.name)} that came from ${from.join(' or ')} to ${state} is not moved by ${move.name}`,
      cites: { address: said.address, at: said.at },
      guard: ({ left: item, inTime, passedMs, ...seen }) =>
        all(
          succeeded(seen.exchange, reader),
          known(inTime, 'it was due before it was left'),
          known(
            movesByItself(trial.of, resource, item, passedMs) === null,
            'it may be moved by itself from there too',
          ),
          toldBy([seen], shown, state) ? yes : unseen(`nothing shows ${field}`),
        ),
      claim: (seen) =>
        toldBy([seen], shown, state) ?? { ...fits(state, undefined), found: answerFound(seen.exchange) },
    };
    const begun = begunTogether(trial, () => leave(trial, course));
    const observe = async (): Promise<Stayed> => {
      const { left: item, begunMs, leftMs } = await begun();
      await trial.wait(Math.max(0, leftMs + waitMs + marginMs - trial.now()), `the timer of ${move.name}`);
      const done = await perform(trial, reader, { item });
      return {
        ...done,
        left: item,
        inTime: leftMs - begunMs < waitMs,
        passedMs: trial.now() - begunMs,
      };
    };
    return [{ ...scenario(trial.of, [move.address], observe, [check]), waitsMs: waitMs }];
  });

  async function leave(trial: Trial, course: readonly Step[]) {
    const begunMs = trial.now();
    const item = await carryOut(trial, resource, course);
    return { left: item, begunMs, leftMs: trial.now() };
  }
}
