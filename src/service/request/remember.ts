import type { Again, Held, Refusal } from '../message/refusal.ts';
import type { Reply } from '../message/reply.ts';
import type { Compiled } from './compiled.ts';
import { placeOf } from './order.ts';
import { internal } from './refuse.ts';
import type { Attempt } from './repeats.ts';
import type { Answering, Request } from './request.ts';

/** Whether a refusal is remembered: one that is judged once the key was. */
export function lasts({ repeats, order }: Compiled, found: Refusal | Held | Again): boolean {
  if (repeats?.remembersAll !== true || !('condition' in found)) return false;
  return placeOf(order, found.condition, found.code) > placeOf(order, 'key busy', null);
}

/** Notes that the answer to a request is to be remembered, where those of refusals are. */
export function lasting({ repeats }: Compiled, request: Request, reply: Reply): Reply {
  request.isLasting = repeats?.remembersAll === true;
  return reply;
}

/** Answers a request that may be a repeat. What no transaction of its own has kept is remembered in one. */
export async function remembering(
  compiled: Compiled,
  attempt: Attempt,
  respond: Answering,
  request: Request,
): Promise<Reply | null> {
  const { around } = compiled;
  try {
    const reply = await respond(request);
    if (reply === null || !request.isLasting) return reply;
    return await around.commit({
      decide: (tx) => {
        attempt.remember(tx, around.now(), reply);
        return { keep: true, reply };
      },
      conflict: () => reply,
      fault: (error) => internal(compiled, error),
    });
  } finally {
    attempt.leave();
  }
}
