import type { Answer } from '../../semantics/judge/answer.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import type { Step } from '../../semantics/request/request.ts';
import { World } from '../../semantics/world/world.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { hiddenRates } from '../explore/hidden-rates.ts';
import { tokensOf } from './tokens.ts';

/** A request that a right implementation was asked, and all that may come of it. */
export interface Asked {
  readonly request: Request;
  /** The world before. */
  readonly before: World;
  readonly steps: readonly Step[];
  readonly answer: Answer;
  /** What a statement decided while the request was carried out. */
  readonly decided: (by: object) => readonly string[];
}

/** The address of a service that is not there. */
export const url = 'http://localhost';

/** When a walk in memory begins, in milliseconds since 1970. */
export const beginsMs = 1_790_000_000_000;

/** The same world, if the service's clock shows what the tester's does. */
export function exactly(world: World): World {
  return world.at({ ...world.received, offMs: 0, aheadMs: 0 });
}

/** The world before the first request, with what an operator may give: its own credentials, and tokens of somebody else. */
export function begunWorld(specification: Specification): World {
  const world = new World(specification);
  world.countedUnseenMs = beginsMs;
  world.hiddenRates = hiddenRates(specification);
  // Whatever is sent comes to the receiver of the tester.
  world.reached = [''];
  const schemes = stated(stated(specification.authentication)?.schemes) ?? [];
  world.operators = [...schemes].flatMap(([scheme, said]) => {
    const of = stated(said);
    const credentials = of && stated(of.credentials);
    if (of && credentials?.kind === 'foreign') return tokensOf(scheme, of, credentials, specification);
    return credentials?.kind === 'operator' ? [{ scheme, name: 'main', secret: `secret-of-${scheme}` }] : [];
  });
  return world;
}
