import { seeded } from '../../../src/conformance/random.ts';
import { type Asked, begunWorld } from '../../../src/conformance/search/simulate.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { answerTo } from '../../../src/semantics/judge/permitted.ts';
import { step } from '../../../src/semantics/request/request.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';

/** The requests of a walk of 80, each with all that may come of it. */
export function askedIn(specification: Specification): readonly Asked[] {
  const { requests, worlds } = walk(begunWorld(specification), [], seeded(1), 80);
  return requests.flatMap((request, place): Asked[] => {
    const before = worlds[place] as World;
    const steps = step(before, request);
    const answer = answerTo(steps.at(-1)?.prediction as never);
    return answer === null ? [] : [{ request, before, steps, answer, decided: () => [] }];
  });
}
