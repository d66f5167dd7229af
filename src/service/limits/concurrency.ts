import type { Environment } from '../../expression/compile.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { Awaited } from '../access/proofs.ts';
import type { Judge } from '../judge/judge.ts';
import { type Refusal, refuse } from '../message/refusal.ts';
import type { Tally } from '../message/tally.ts';
import type { Counter } from './counter.ts';
import { type Asked, compileShare } from './share.ts';

const no: readonly Refusal[] = [];

/**
 * What judges how many of an operation's requests run at once (language §8.2).
 *
 * @param isAsked whether it is looked who asks, before anything else of what is kept
 */
export function concurrencyJudges(
  specification: Specification,
  operation: Operation,
  counter: Counter,
  environment: Environment,
  isAsked: boolean,
): readonly Judge<Asked>[] {
  const limits = stated(specification.limits);
  return [...((limits && stated(limits.concurrency)) ?? [])].flatMap(([name, said]): Judge<Asked>[] => {
    const bound = stated(said);
    const allow = bound && stated(bound.allow);
    const share = bound && compileShare(bound, operation, environment);
    if (allow === undefined || !share) return [];
    const refusal: readonly Refusal[] = [refuse('rate exceeded', name)];
    const enter = (asked: Asked, tally: Tally): void => {
      const whose = tally.isOver ? null : share.whose(asked);
      const entering = whose === null ? null : { name, allow, whose };
      const entered = tally.entered as NonNullable<Tally['entered']>;
      const note = (end: (() => void) | null): void => {
        entered.set(name, end ?? 'refused');
        // It was answered while this was waited for, since its time had passed.
        if (tally.isOver) end?.();
      };
      if (entering === null) entered.set(name, 'uncounted');
      else if (counter.isShared) throw new Awaited(async () => note(await counter.enter(entering)));
      else note(counter.enter(entering) as (() => void) | null);
    };
    return [
      {
        condition: 'rate exceeded',
        subject: name,
        code: null,
        kept: isAsked || share.readsKept,
        byChange: false,
        counts: true,
        refuses: (asked) => {
          const { tally } = asked.incoming as { readonly tally: Tally };
          tally.entered ??= new Map();
          if (!tally.entered.has(name)) enter(asked, tally);
          return tally.entered.get(name) === 'refused' ? refusal : no;
        },
      },
    ];
  });
}
