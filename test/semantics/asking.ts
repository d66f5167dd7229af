import type { Answer } from '../../src/semantics/judge/answer.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Specification } from '../../src/specification/model/specification.ts';

/** Asks an operation by its name, and gives the places where the answer is not as stated. */
export type Ask = (name: string, given: Partial<Request>, answer: Partial<Answer>) => readonly string[];

/** What becomes of requests to a new service, of which the semantics are told by the answers. */
export function asking(specification: Specification): Ask {
  let world = new World(specification);
  return (name, given, { status = 200, headers = {}, body }) => {
    const operation = specification.operations.find((each) => each.name === name);
    if (operation === undefined) throw new TypeError(name);
    const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' };
    const { next, differences } = judge(step(world, { ...usual, operation, ...given }), {
      status,
      headers,
      body,
    });
    if (next === null) throw new TypeError(`nothing is known after ${name}`);
    world = next;
    return differences.map(({ at }) => at);
  };
}
