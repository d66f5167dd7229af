import type { Answer } from '../../semantics/judge/answer.ts';
import { mayShowMore } from '../../semantics/judge/further.ts';
import { judge, type Settled } from '../../semantics/judge/judge.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { step } from '../../semantics/request/request.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { accepted } from './accepted.ts';

/** What was asked. */
interface Asking {
  /** The world before. */
  readonly world: World;
  readonly request: Request;
  readonly received: Received;
}

/** The same, where each difference is marked that is none if lists may hold more that a ledger takes for complete. */
export function weighed(settled: Settled, answer: Answer, { world, request, received }: Asking): Settled {
  const alone = withoutAssumed(world.newest);
  if (settled.differences.length === 0 || alone === world.newest) return settled;
  const before = world.under(alone);
  const steps = accepted(step(before, request, received), answer, before, request, received);
  const { differences } = judge(steps, answer, mayShowMore(alone, request.operation), false);
  if (differences.length > 0) return settled;
  return { ...settled, differences: settled.differences.map((each) => ({ ...each, isAssumed: true })) };
}

/** A specification without the lists that a ledger takes for complete: itself, if there are none. */
const withoutAssumed = once((specification: Specification): Specification => {
  const { completeness } = specification;
  return completeness.stated === completeness
    ? specification
    : { ...specification, completeness: completeness.stated };
});
