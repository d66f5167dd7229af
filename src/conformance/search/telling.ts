import { judge } from '../../semantics/judge/judge.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { type Step, step } from '../../semantics/request/request.ts';
import { World } from '../../semantics/world/world.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Deviation } from '../deviations/deviations.ts';
import type { Random } from '../random.ts';
import { Pool } from './pool.ts';
import { nextRequest } from './requests.ts';
import { answerTo } from './simulate.ts';

/** A sequence of requests, and the deviations that it tells from what is stated: each by one of its answers. */
export interface Told {
  readonly requests: readonly Request[];
  readonly deviations: ReadonlyMap<Deviation, number>;
}

/** An implementation that deviates, as long as nothing told it from a right one. */
interface Suspect {
  readonly deviation: Deviation;
  readonly specification: Specification;
  world: World;
}

/**
 * Asks a service that does what is stated, and beside it each one that deviates: a deviation is told where no answer fits
 * both. Nothing is sent anywhere.
 *
 * @param length of how many requests the sequence is
 */
export function walk(
  specification: Specification,
  deviations: readonly Deviation[],
  random: Random,
  length: number,
): Told {
  const pool = new Pool(specification, random);
  const requests: Request[] = [];
  const told = new Map<Deviation, number>();
  let world = new World(specification);
  let suspects = deviations.map((deviation): Suspect => {
    const other = deviation.specification();
    return { deviation, specification: other, world: new World(other) };
  });
  while (requests.length < length) {
    const request = nextRequest(world, pool, url);
    const steps = step(world, request);
    const answer = answered(steps);
    if (answer === null) break;
    requests.push(request);
    suspects = suspects.filter((suspect) => {
      const settled = judge(stepOf(suspect, request), answer);
      if (settled.differences.length > 0) told.set(suspect.deviation, requests.length - 1);
      if (settled.world) suspect.world = settled.world;
      return settled.differences.length === 0 && settled.world !== null;
    });
    const settled = judge(steps, answer);
    if (settled.world === null) break;
    world = settled.world;
  }
  return { requests, deviations: told };
}

/** The address of a service that is not there. */
const url = 'http://localhost';

/** What a right service answers. Of several things that may come, it does the last: a success, if one is among them. */
function answered(steps: readonly Step[]): ReturnType<typeof answerTo> {
  const last = steps.at(-1);
  return last ? answerTo(last.prediction) : null;
}

/** What comes of the same request where something else is stated. */
function stepOf({ specification, world }: Suspect, request: Request): readonly Step[] {
  const operation = specification.operations.find(({ address }) => address === request.operation.address);
  return step(world, { ...request, operation: operation ?? request.operation });
}
