import { judge, type Settled } from '../../semantics/judge/judge.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { step } from '../../semantics/request/request.ts';
import { Range } from '../../semantics/value/value.ts';
import { clockOffMs } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { holds } from '../../specification/openness/holds.ts';
import { sometimesHeld } from '../../specification/openness/sometimes-held.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Exchange } from '../http.ts';
import { mayBeLimited } from '../limits/pace.ts';
import { messageOf } from '../search/message.ts';
import type { Pool } from '../search/pool.ts';
import { nextRequest } from '../search/requests.ts';
import { answerTo, type Target } from './target.ts';

/** An exchange of a walk, judged by all that came before it. */
export interface Judged {
  readonly operation: Operation;
  readonly exchange: Exchange;
  readonly settled: Settled;
}

/** How many requests in a row a limit may refuse before the walk ends. */
const mostLimited = 5;

/** How many requests are looked at for one after which it is known what the service holds. */
const tries = 12;

/**
 * Sends requests that follow from one another, and judges each answer. It ends early where nobody knows any more what
 * the service holds: after an answer that no statement permits, or of which nothing is stated.
 *
 * @param begun what is known before the first request
 * @param length how many requests are sent at the most
 */
export async function* walk(
  begun: World,
  pool: Pool,
  target: Target,
  length: number,
): AsyncGenerator<Judged> {
  const { specification } = begun;
  let world = begun;
  for (let count = 0, limited = 0; count < length && limited < mostLimited; count++) {
    const request = followable(world, pool, target);
    if (request === null) return;
    const sentMs = target.now();
    const exchange = await target.send(messageOf(request, specification));
    const received = { at: new Range(sentMs, target.now() + 1), offMs: clockOffMs };
    const { operation } = request;
    const answer = answerTo(exchange);
    if (answer === null) return;
    if (mayBeLimited(specification, operation, exchange)) {
      limited += 1;
      continue;
    }
    if (answer.status === 501 && waits(operation, world)) return;
    const settled = judge(step(world, request, received), answer, true);
    yield { operation, exchange, settled };
    if (settled.next === null) return;
    world = settled.next;
  }
}

/** A request after which it is known what the service holds, whatever it answers; null: none is found. */
function followable(world: World, pool: Pool, { url, now, isSent }: Target): Request | null {
  const atMs = now();
  const received = { at: new Range(atMs, atMs + soonMs), offMs: clockOffMs };
  const among = world.specification.operations
    .filter(isSent)
    .flatMap((operation) => Array<Operation>(weightOf(operation, world)).fill(operation));
  for (let tried = 0; tried < tries; tried++) {
    const request = nextRequest(world, pool, url, [pool.random.pick(among)]);
    if (step(world, request, received).every((after) => after.world !== null)) return request;
  }
  return null;
}

/** How often an operation is chosen beside others: mostly those that make and change something and have an item for it. */
function weightOf({ does, bindings, subject }: Operation, world: World): number {
  const verb = stated(does)?.verb;
  const needed = [...bindings.values()].flatMap((binding) =>
    binding.kind === 'other'
      ? [binding.resource]
      : binding.kind === 'subject' && subject && verb !== 'create'
        ? [subject.name]
        : [],
  );
  if (needed.some((resource) => world.items(resource).length === 0)) return 1;
  if (verb === 'delete' || (verb === 'list' && needed.length === 0)) return 2;
  return verb === 'read' || verb === 'list' ? 6 : 10;
}

/** Within this time in milliseconds most answers come. */
const soonMs = 100;

/** Whether an operation may not be carried out while a point is open (language §F.5). */
function waits(operation: Operation, { specification }: World): boolean {
  return holds(specification, operation).length > 0 || sometimesHeld(operation, specification).length > 0;
}
