import type { Answer } from '../../semantics/judge/answer.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { type Step, step } from '../../semantics/request/request.ts';
import { Unknown } from '../../semantics/value/value.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import { seeded } from '../random.ts';
import { Pool } from '../requests/pool.ts';
import { usualRequest } from '../requests/requests.ts';

/** How many requests are made for one that may be carried out. */
const tries = 8;

/**
 * What may come of a request that should have been refused, and was answered with success. It did what a right request to the
 * same address does; which values it took, nobody knows.
 */
export function accepted(
  steps: readonly Step[],
  answer: Answer,
  world: World,
  request: Request,
  received: Received,
): readonly Step[] {
  const isOver = answer.status >= 300 || request.isPreflight === true;
  if (isOver || !steps.every(({ prediction: { status } }) => isRefusal(status))) return steps;
  const pool = new Pool(world.specification, seeded(1));
  for (let tried = 0; tried < tries; tried++) {
    const usual = usualRequest(request.operation, world, pool, request.url);
    if (usual.isPreflight === true) continue;
    const { path, credentials } =
      tried < tries / 2 ? request : { ...request, credentials: usual.credentials };
    const done = step(world, { ...usual, path, credentials }, received).find(
      ({ prediction: { status }, world: after }) => after !== null && !isRefusal(status),
    );
    if (done?.world) {
      const carriedOut = { prediction: done.prediction, world: done.world };
      return steps.map((each) => ({ ...each, carriedOut }));
    }
  }
  return steps;
}

function isRefusal(status: Step['prediction']['status']): boolean {
  return !(status instanceof Unknown) && status.every((each) => each >= 400);
}
