import { proofs, unproven } from '../access/proofs.ts';
import type { ReadBody } from '../body/body.ts';
import { floor } from '../http/floor.ts';
import { firstRefusal } from '../judge/judge.ts';
import type { HostLimitName } from '../message/host-limits.ts';
import type { Incoming } from '../message/incoming.ts';
import { refuse } from '../message/refusal.ts';
import { bare, type Reply } from '../message/reply.ts';
import type { Transaction } from '../store/store.ts';
import { begin, changesNothing, whoAsks } from './begin.ts';
import { compileCarryOut } from './carry-out.ts';
import type { Compiled } from './compiled.ts';
import { byFunction } from './handled.ts';
import type { Read } from './read.ts';
import { answerTo } from './refuse.ts';
import { remembering } from './remember.ts';
import { type Answering, outside, type Request } from './request.ts';
import { byRequests } from './run.ts';
import { after, onceKnown } from './wait.ts';

type Answer = Reply | null | Promise<Reply | null>;

/** Answers a request whose body is read. */
export type Respond = (incoming: Incoming, body: ReadBody | null) => Answer;

/** The way of a request through its stages: only those that its operation needs. */
export function compileRespond(compiled: Compiled, read: Read): Respond {
  const { around, judgesWait, hashes } = compiled;
  const judged = compileJudged(compiled, compileWays(compiled));
  const answering = compileRepeated(compiled, judged);
  const respond = (incoming: Incoming, body: ReadBody | null, proven = unproven): Answer => {
    const request = read(incoming, body, proven);
    if (body?.kind === 'too large') return tooLarge(compiled, request, body.limit);
    if (incoming.tally) incoming.tally.frame = request.frame;
    return answering(request);
  };
  if (!judgesWait && !hashes) return (incoming, body) => respond(incoming, body);
  // Once what is judged has been waited for, the request is begun anew.
  return (incoming, body) => {
    const proven = proofs((work) => around.passwords.run(work, isWanted(incoming)));
    return onceKnown(async () => respond(incoming, body, proven));
  };
}

/** The answer to content that is more than the host takes: of JSON, a row may state it (language §8.3). */
function tooLarge(compiled: Compiled, request: Request, hostLimit: HostLimitName): Reply {
  const reply =
    hostLimit === 'bodyBytes'
      ? bare(floor.contentTooLarge)
      : answerTo(compiled, refuse('too large', 'body'), request.frame);
  return { ...reply, hostLimit };
}

/** How a request is carried out against which nothing stands that can be told before. */
function compileWays(compiled: Compiled): Answering {
  const { handled, run, act, around, order, judgesWait } = compiled;
  if (handled) return (request) => byFunction(compiled, handled, request);
  if (run) return (request) => byRequests(compiled, run, request);
  const carryOut = compileCarryOut(compiled);
  if (!act.writes || !judgesWait) return carryOut;
  // A refusal is looked for before a change is begun, so that nothing waits in vain.
  const beginning = { act: changesNothing, judges: order.beforeChange };
  return (request) =>
    after(
      around.store.read((reads) => begin(compiled, request, reads as Transaction, beginning)),
      (begun) => ('reply' in begun ? begun.reply : carryOut(request)),
    );
}

/** Judges first what needs nothing of what is kept. */
function compileJudged(compiled: Compiled, goOn: Answering): Answering {
  const { order, refusals, around } = compiled;
  return (request) => {
    const ahead = firstRefusal(order.early, request, refusals);
    if (ahead === null) return goOn(request);
    if (!refusals.follows) return answerTo(compiled, ahead, request.frame);
    return around.store.read((reads) => answerTo(compiled, ahead, outside(around, request, reads)));
  };
}

/** A request with a key may be a repeat (language §4.4). */
function compileRepeated(compiled: Compiled, goOn: Answering): Answering {
  const { repeats, access, around } = compiled;
  if (repeats === null) return goOn;
  const enter = (request: Request): Answer => {
    const { view, actor, parameters } = request;
    const attempt = repeats.enter(view, view.media, actor, parameters?.failures ?? []);
    request.attempt = attempt;
    return remembering(compiled, attempt, goOn, request);
  };
  if (access === null) return enter;
  return (request) => {
    if (!repeats.isKeyed(request.incoming)) return enter(request);
    return after(
      around.store.read((reads) => whoAsks(compiled, request, reads, around.now())),
      () => enter(request),
    );
  };
}

/** Whether somebody still waits for the answer to a request: its client is there, and its time has not passed. */
function isWanted({ from, tally }: Incoming): () => boolean {
  return () => from.destroyed !== true && tally?.isOver !== true;
}
