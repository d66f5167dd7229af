import type { Answer } from '../../src/semantics/judge/answer.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Prediction, Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import type { World } from '../../src/semantics/world/world.ts';
import { start } from '../service/served.ts';
import { given, send, worldOf } from './playing.ts';

/** A request of a walk: the operation, and what it gives. */
export type Sent = readonly [operation: string, given?: Partial<Request>];

/** What came of a request of a walk. */
export interface Walked {
  readonly predictions: readonly Prediction[];
  readonly answer: Answer;
  readonly differences: readonly string[];
  readonly undetermined: number;
  /** Null: nothing is known any more. */
  readonly world: World | null;
}

/** Sends these requests to a new service, one after the other, and judges each answer by what came before. */
export async function walk(text: string, requests: readonly Sent[]): Promise<readonly Walked[]> {
  let world: World | null = worldOf(text, false);
  const { address: url, close } = await start(text, { credentials: given(world) });
  const walked: Walked[] = [];
  for (const [name, more] of requests) {
    if (world === null) throw new TypeError(`nothing is known before ${name}`);
    const { specification } = world;
    const operation = specification.operations.find((each) => each.name === name);
    if (operation === undefined) throw new TypeError(name);
    const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined };
    const request: Request = { ...usual, operation, url, ...more };
    const steps = step(world, request);
    const answer = await send(request, specification);
    const { differences, undetermined, world: next }: ReturnType<typeof judge> = judge(steps, answer);
    const predictions = steps.map(({ prediction }) => prediction);
    walked.push({
      predictions,
      answer,
      differences: differences.map(({ at }) => at),
      undetermined,
      world: next,
    });
    world = next;
  }
  await close();
  return walked;
}

/** The statuses of a walk whose answers are all as the document says. Throws where one is not, or is not determined. */
export async function statusesOf(text: string, requests: readonly Sent[]): Promise<readonly number[]> {
  const walked = await walk(text, requests);
  return walked.map(({ answer, differences, undetermined }, place) => {
    if (differences.length > 0 || undetermined > 0)
      throw new TypeError(`${requests[place]?.[0]}: ${differences.join()}, ${undetermined} not determined`);
    return answer.status;
  });
}
