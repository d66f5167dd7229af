import { type CompiledHandled, type Gave, refusalOf } from '../handlers/handled.ts';
import { refuse } from '../message/refusal.ts';
import type { Reply } from '../message/reply.ts';
import type { Transaction } from '../store/store.ts';
import { type Doing, isClear, naming } from '../transaction/doing.ts';
import type { Found } from '../transaction/found.ts';
import type { Acted } from './act.ts';
import { begin, changesNothing } from './begin.ts';
import { commit } from './carry-out.ts';
import type { Compiled } from './compiled.ts';
import { answerTo } from './refuse.ts';
import { lasting } from './remember.ts';
import { outside, type Request } from './request.ts';
import { onceKnown } from './wait.ts';

/** What a function saw is no longer so. */
class Moved extends Error {}

/** How often a request is begun anew, where what was seen moves each time. */
const mostTries = 10;

/**
 * Answers a request by a function of the operator's. It is called while nothing is locked. What it asks for is done where
 * what it saw is still so.
 */
export async function byFunction(
  compiled: Compiled,
  handler: CompiledHandled,
  request: Request,
): Promise<Reply | null> {
  const { store } = compiled.around;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const begun = await store.read((reads) =>
      begin(compiled, request, reads as Transaction, { act: changesNothing }),
    );
    if ('reply' in begun) return begun.reply;
    const { now, frame } = begun.within.doing;
    const gave = await handler.call(request.view, frame({}).names['actor'], now).catch(refusalOf);
    if ('condition' in gave)
      return lasting(compiled, request, await store.read(() => answerTo(compiled, gave, frame)));
    let hasMoved = false;
    const act = (doing: Doing, found: Found): Acted => {
      hasMoved = gave.wanted.length > 0 && !handler.isStill(doing.tx, gave);
      if (hasMoved) throw new Moved();
      return actBy(compiled, handler, gave, doing, found);
    };
    const reply = await onceKnown(async () => commit(compiled, request, { act }));
    if (!hasMoved) return reply;
  }
  return answerTo(compiled, refuse('timed out'), outside(compiled.around, request));
}

/** Makes what a function asks for, and then what follows it. */
function actBy({ act }: Compiled, handler: CompiledHandled, gave: Gave, doing: Doing, found: Found): Acted {
  handler.carryOut(naming(doing, found.bound), gave);
  if (!isClear(doing)) return { outcome: null, names: found.bound };
  const { outcome, names } = act.run(doing, found);
  return { outcome, names: { ...names, result: handler.result(doing, gave) } };
}
