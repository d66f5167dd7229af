import { Awaited } from '../access/proofs.ts';
import { floor } from '../http/floor.ts';
import type { CompiledList } from '../list/list.ts';
import { type Held, notUnique, refuse } from '../message/refusal.ts';
import { bare, type Reply } from '../message/reply.ts';
import type { Decision } from '../store/plan.ts';
import type { Reads, Transaction } from '../store/store.ts';
import { naming } from '../transaction/doing.ts';
import { itemsTold } from '../transaction/written.ts';
import { type Beginning, begin } from './begin.ts';
import type { Compiled } from './compiled.ts';
import type { Asked, CompiledConditional } from './conditional.ts';
import { answerTo, internal } from './refuse.ts';
import { lasting } from './remember.ts';
import { type Answering, outside, type Request } from './request.ts';

/** Carries a request out as its operation states it: a change, a list, or what else reads. */
export function compileCarryOut(compiled: Compiled): Answering {
  const { act, list, conditional, around } = compiled;
  if (act.writes) return (request) => commit(compiled, request);
  if (list === null)
    return (request) => around.store.read((reads) => decide(compiled, request, reads as Transaction).reply);
  if (conditional === null)
    return (request) => around.store.read((reads) => listed(compiled, list, request, reads).reply);
  return (request) => listedWhole(compiled, list, conditional, request);
}

/** Carries a request out in a transaction with others; null: nobody knows whether it was kept. */
export function commit(compiled: Compiled, request: Request, how?: Beginning): Promise<Reply | null> {
  const { around, timeMs } = compiled;
  const frame = outside(around, request);
  let waited: Awaited | null = null;
  const committed = around.commit({
    timeMs,
    like: compiled,
    decide: (tx) => decide(compiled, request, tx, how),
    conflict: (table, fields) =>
      lasting(compiled, request, answerTo(compiled, notUnique(table, fields, {}), frame)),
    fault: (error) => {
      if (error instanceof Awaited) waited = error;
      return lasting(compiled, request, internal(compiled, error));
    },
  });
  if (!compiled.judgesWait && !compiled.hashes) return committed;
  return committed.then((reply) => {
    if (waited) throw waited;
    return reply;
  });
}

/** Judges a request, carries it out and answers it, in one transaction. */
function decide(compiled: Compiled, request: Request, tx: Transaction, how?: Beginning): Decision {
  const begun = begin(compiled, request, tx, how);
  if ('reply' in begun) return { keep: false, reply: begun.reply };
  const { act, answer, conditional, around } = compiled;
  const { doing, change } = { doing: begun.within.doing, change: begun.within.change() };
  const { held, refusals: met, barred } = doing.found;
  if (barred[0] !== undefined) {
    const because = { statements: [], reason: barred[0] };
    return { keep: false, reply: { ...bare(floor.badRequest), because } };
  }
  // What a change after the first meets, as that an item is not there, no judge before it could tell.
  if (met.length > 0) {
    const refused = answerTo(compiled, compiled.refusals.choose(met), doing.frame);
    return { keep: false, reply: lasting(compiled, request, refused) };
  }
  const { outcome, names } = change;
  const made = held.length > 0 ? { held } : answer(outcome, doing.frame(names));
  if ('held' in made) return { keep: false, reply: unlessHeld(compiled, made) };
  const { incoming, attempt, view } = request;
  if (act.writes && incoming.tally?.deadline?.settles() === false)
    return { keep: false, reply: answerTo(compiled, refuse('timed out'), doing.frame) };
  const asked = { incoming, body: view.body, doing, names, outcome };
  const answered = conditional?.answered(made, asked) ?? made;
  const { written } = doing.found;
  const isTold = around.tellsItems && !written.isEmpty;
  const reply = isTold ? { ...answered, wrote: () => itemsTold(written) } : answered;
  if (act.writes) attempt?.remember(tx, doing.now, reply);
  else request.isLasting = true;
  return { keep: true, reply };
}

interface Listed {
  readonly reply: Reply;
  /** Null: the request is refused. */
  readonly asked: Asked | null;
}

function listed(compiled: Compiled, { run }: CompiledList, request: Request, reads: Reads): Listed {
  const begun = begin(compiled, request, reads as Transaction);
  if ('reply' in begun) return { reply: begun.reply, asked: null };
  const { doing } = begun.within;
  const names = begun.within.found().bound;
  const made = run(reads, naming(doing, names).frame);
  if ('held' in made) return { reply: unlessHeld(compiled, made), asked: null };
  return { reply: made, asked: { incoming: request.incoming, body: null, doing, names, outcome: null } };
}

/** A list with preconditions is made whole before its answer begins, since they may refuse it. */
async function listedWhole(
  compiled: Compiled,
  list: CompiledList,
  conditional: CompiledConditional,
  request: Request,
): Promise<Reply> {
  const { store } = compiled.around;
  const { reply, asked } = await store.read((reads) => listed(compiled, list, request, reads));
  if (asked === null) return reply;
  const made = await conditional.listed(reply, asked);
  return 'status' in made ? made : store.read(() => answerTo(compiled, made, asked.doing.frame));
}

function unlessHeld({ around, operation }: Compiled, found: Reply | Held): Reply {
  return 'held' in found ? around.hold(operation, found.held) : found;
}
