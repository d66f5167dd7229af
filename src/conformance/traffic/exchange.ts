import { mayShowMore } from '../../semantics/judge/further.ts';
import { judge, type Settled } from '../../semantics/judge/judge.ts';
import { received } from '../../semantics/message/message.ts';
import { step } from '../../semantics/request/request.ts';
import { Range, Unknown } from '../../semantics/value/value.ts';
import { clockOffMs, type Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { mayBeLimited } from '../play/limited.ts';
import type { Recorded } from './har.ts';
import { answerOf, messageOf } from './message.ts';
import { changesNothing } from './unchanged.ts';

/** An exchange, and what the document says of it. */
export interface Judged {
  readonly recorded: Recorded;
  /** Null: it is not known what is asked for. */
  readonly operation: Operation | null;
  /** Null: nothing was judged. */
  readonly settled: Settled | null;
  /** Why nothing was judged; empty if something was. */
  readonly why: string;
}

/** The same, with what is known afterwards. */
export interface Course {
  readonly judged: Judged;
  /** Null: nothing is known any more. */
  readonly world: World | null;
}

/** Judges an exchange by one of the worlds in which it may have been. */
export function judgedIn(world: World, recorded: Recorded, url: string): Course {
  const { specification } = world;
  const { request, response } = recorded.exchange;
  const message = messageOf(request, url);
  const answer = answerOf(recorded);
  const status = answer?.status ?? null;
  const path = message.target.split('?')[0] as string;
  const isUnchanged = changesNothing({ method: message.method, path, status }, specification);
  const unjudged = (why: string, operation: Operation | null = null): Course => ({
    judged: { recorded, operation, settled: null, why },
    world: isUnchanged ? world : null,
  });
  if (recorded.cut === 'request') return unjudged('the content of the request was not recorded');
  const found = received(message, url, specification);
  if (found instanceof Unknown) return unjudged('how the request is read is not carried out');
  if (found.kind === 'refused') return unjudged(unread(found.refusal.condition), found.operation);
  const { operation } = found.request;
  if (answer === null || response === null) return unjudged('no answer was recorded', operation);
  if (mayBeLimited(specification, operation, recorded.exchange))
    return unjudged('a rate may have refused the request', operation);
  const settled = judge(
    step(world, found.request, receivedAt(recorded)),
    answer,
    mayShowMore(specification, operation),
  );
  return {
    judged: { recorded, operation, settled, why: '' },
    world: settled.world ?? (isUnchanged || isElsewhere(operation, world) ? world : null),
  };
}

/** Whether a request only issues a credential, and credentials of which nothing is known are expected anyway. */
function isElsewhere({ does, endpoint }: Operation, { isShared }: World): boolean {
  return isShared && stated(does)?.verb === 'authenticate' && stated(endpoint.also) === undefined;
}

/** When a service received a request, in whole milliseconds. How its clock is set is not known. */
function receivedAt({ sentMs, tookMs }: Recorded): Received {
  return { at: new Range(Math.floor(sentMs), Math.ceil(sentMs + tookMs) + 1), offMs: clockOffMs };
}

function unread(condition: string): string {
  if (condition === 'unknown path') return 'no operation of the document has this path';
  if (condition === 'method not allowed') return 'no operation at this path has this method';
  return `the request is ${condition}`;
}
